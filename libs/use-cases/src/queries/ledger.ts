import {
  countsIn,
  firstOf,
  heldAt,
  inWindow,
  isPermit,
  loadFactSource,
  postingSource,
  reservesIn,
  subjectSource,
  windowOf,
  type Posting,
  type Reservation,
  type SubjectState,
} from '@headworks/domain';
import { endOfDay, localDateAt } from '@headworks/calendars';
import {
  addQuantities,
  CodedError,
  isoInstant,
  parseLocalDate,
  parseQuantity,
  quantityJson,
  type JsonObject,
  type JsonValue,
  type LocalDate,
  type QuantityJson,
} from '@headworks/kernel';
import type { FactSource, Headroom, LimitDef, Pack } from '@headworks/rules-engine';
import type { Services } from '../context';

/** A limit's ledger over the window that a day looks at: what counts, what is over, what is left. */
export function shownLedger(
  services: Services,
  thing: SubjectState,
  { kind, limit: name }: { readonly kind: string; readonly limit: string },
  on: string | undefined,
  nowMs: number = services.clock.now(),
): JsonObject {
  const asked = on === undefined ? undefined : parseLocalDate(on);
  if (on !== undefined && !asked)
    throw new CodedError('invalid-request', `'${on}' is no date: write it as 2027-07-03.`);
  const [pack, limit, day] = limitOn(services, thing, { kind, name }, asked);
  const window = windowOf(limit, day);
  const dayEnd = endOfDay(pack.zone, day);
  const postings = inWindow(pack, limit, thing.postings, day).filter(({ key }) => key.ms < dayEnd);
  const held = heldIn(pack, limit, thing, window, nowMs);
  return {
    pack: pack.ref.pack,
    limit: name,
    label: limit.label,
    window,
    on: day,
    count: postings.length,
    totals: totals(limit, postings),
    headroom: headroomAfter(pack, limit, thing, { postings, held, ms: dayEnd - 1 }) as unknown as JsonValue,
    exceeded: [...thing.exceeded.values()]
      .filter(({ data }) => data.limit === name && postings.some((p) => p.data.load === data.load))
      .map(({ event, data }) => ({ clause: data.clause, load: data.load, event })),
    postings: postings.map((posting) => ({
      load: posting.data.load,
      event: posting.event,
      occurredAt: isoInstant(posting.key.ms),
      quantity: posting.data.quantity,
      hauler: posting.data.hauler,
      row: posting.data.rows[name] ?? {},
      ...(posting.broughtFrom !== undefined && { broughtFrom: posting.broughtFrom }),
    })),
    ...(held.length > 0 && { reserved: held.map(shownReservation) }),
    at: `${thing.stream}@${thing.revision}`,
  };
}

/** What manifests hold of the limit in the window, in the order in which they reserved it. */
const heldIn = (
  pack: Pack,
  limit: LimitDef,
  { reservations }: SubjectState,
  { first, last }: ReturnType<typeof windowOf>,
  nowMs: number,
): readonly Reservation[] =>
  heldAt(reservations, nowMs).filter(({ data, plannedMs }) => {
    const day = localDateAt(pack.zone, plannedMs);
    return reservesIn(pack, limit, data) && day >= first && day <= last;
  });

const shownReservation = ({ data, event, plannedMs, untilMs }: Reservation): JsonObject => ({
  manifest: data.manifest,
  event,
  hauler: data.hauler,
  quantity: data.quantity,
  plannedAt: isoInstant(plannedMs),
  until: isoInstant(untilMs),
});

/** The limit of the kind, in the version in force on the day. Of two packs that name one alike, the one that counts here. */
function limitOn(
  services: Services,
  thing: SubjectState,
  { kind, name }: { readonly kind: string; readonly name: string },
  on: LocalDate | undefined,
): readonly [Pack, LimitDef, LocalDate] {
  const found: (readonly [Pack, LimitDef, LocalDate])[] = [];
  for (const [id, versions] of services.rules.packs) {
    const newest = versions.at(-1);
    if (!newest || newest.jurisdiction !== thing.jurisdiction) continue;
    const day = on ?? localDateAt(newest.zone, services.clock.now());
    const pack = services.rules.packOn(id, day) ?? newest;
    const limit = pack.limits.get(name);
    if (limit?.key === kind) found.push([pack, limit, day]);
  }
  const counts = ([pack, limit]: readonly [Pack, LimitDef, LocalDate]) =>
    thing.postings.some(countsIn(pack, limit));
  const chosen = found.find(counts) ?? found[0];
  if (chosen) return chosen;
  throw new CodedError(
    'not-found',
    `There is no limit '${name}' on a ${kind} here; GET /v1/packs/{pack} lists them.`,
  );
}

/** Sums of the quantities in the rows, field by field; a row that lacks one makes the sum unknown. */
function totals(limit: LimitDef, postings: readonly Posting[]): JsonObject {
  const sums: [string, QuantityJson | null][] = [];
  for (const field of Object.keys(limit.row)) {
    const values = postings.map(({ data }) => data.rows[limit.name]?.[field]);
    const parsed = values.map((value) => parseQuantity(value));
    const known = parsed.flatMap((p) => (p.ok ? [p.value] : []));
    if (known.length === 0) continue;
    sums.push([field, known.length < parsed.length ? null : quantityJson(known.reduce(addQuantities))]);
  }
  return Object.fromEntries(sums);
}

interface Window {
  readonly postings: readonly Posting[];
  readonly held: readonly Reservation[];
  /** Last instant of the day that the window is looked at from. */
  readonly ms: number;
}

/**
 * Headroom after everything in the window, what is held included: on the terms of its last load (the area it declared,
 * its solids), else of the thing itself. On nothing but a permit, that says how much, nothing is left to tell.
 */
function headroomAfter(
  pack: Pack,
  limit: LimitDef,
  thing: SubjectState,
  { postings, held, ms }: Window,
): readonly Headroom[] {
  const last = postings.findLast(({ broughtFrom }) => broughtFrom === undefined);
  if (!last && !isPermit(thing)) return [];
  const own = subjectSource(thing, pack, limit.key, ms);
  const terms = last
    ? firstOf(postingSource(pack, limit, { ...thing, postings: thing.postings }, last), own)
    : firstOf(ofTheDay(pack, limit, ms), own);
  const rows = [...postings, ...held].map(({ data }) => data.rows[limit.name] ?? {});
  const from = { source: 'ledger' as const, event: `${thing.stream}@${thing.revision}`, count: rows.length };
  return pack.headroom(limit.name, (fact) => (fact === limit.series ? { json: rows, from } : terms(fact)));
}

/** What a load of that instant would give by its instant alone: a window is asked for by a day that no load has said yet. */
function ofTheDay(pack: Pack, limit: LimitDef, ms: number): FactSource {
  const def = [...pack.loads.values()].find(({ countsIn: limits }) => limits.includes(limit.name));
  const dates = ['occurredAt', 'occurred_on'];
  const given = def && loadFactSource(pack, def, { occurredMs: ms, facts: {} }, undefined);
  return (fact) => (dates.includes(def?.gives[fact] ?? '') ? given?.(fact) : undefined);
}
