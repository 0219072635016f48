import {
  actFindings,
  countsIn,
  factAt,
  findingOf,
  firstOf,
  givenByAct,
  heldAt,
  inWindow,
  isPermit,
  packFor,
  postingSource,
  reservesIn,
  subjectSource,
  windowOf,
  type LoadState,
  type Posting,
  type Reservation,
  type SubjectState,
} from '@headworks/domain';
import { endOfDay, localDateAt } from '@headworks/calendars';
import {
  address,
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
  type RecordedEvent,
} from '@headworks/kernel';
import type { ActDef, Headroom, LimitDef, Pack } from '@headworks/rules-engine';
import { shownFinding, type Explain } from '../answers';
import type { Caller, Services } from '../context';
import { shownGeometry } from '../geometry';
import { idOf } from '../models';

/** A thing with its facts as they held at the instant, each with the event that said it. */
export function shownSubject(thing: SubjectState, ms: number): JsonObject {
  const { registered, superseded, jurisdiction, stream, revision } = thing;
  const facts = [...thing.facts.rows.keys()].toSorted().flatMap((fact) => {
    const row = factAt(thing.facts, fact, ms);
    if (!row) return [];
    const until = row.untilMs === undefined ? {} : { until: isoInstant(row.untilMs) };
    return [[fact, { value: row.json, from: isoInstant(row.key.ms), ...until, event: row.saidBy }] as const];
  });
  return {
    id: idOf(stream),
    jurisdiction: jurisdiction ?? null,
    kind: registered?.kind ?? null,
    key: registered?.key ?? null,
    registered: registered !== undefined,
    ...(registered?.name !== undefined && { name: registered.name }),
    ...(registered?.geometry && { geometry: shownGeometry(registered.geometry) }),
    ...(superseded && { superseded: { ...superseded.data, event: superseded.event } }),
    facts: Object.fromEntries(facts) as JsonObject,
    openDuties: [...thing.openDuties.values()],
    postings: thing.postings.length,
    revision,
  };
}

/** A load as it stands, with its findings; personal fields are opened by the caller of this, where the role may. */
export function shownLoad(load: LoadState, explain: Explain = 'full'): JsonObject {
  const { current, voided, jurisdiction, stream, findings, recordedAt } = load;
  if (!current) throw new CodedError('not-found', 'There is no such load here.');
  const { occurredMs, finishedMs, content: _content, sources, distinct, ...rest } = current;
  return {
    id: idOf(stream),
    jurisdiction: jurisdiction ?? null,
    ...(rest as unknown as JsonObject),
    occurredAt: isoInstant(occurredMs),
    finishedAt: finishedMs === undefined ? null : isoInstant(finishedMs),
    recordedAt,
    voided,
    ...(distinct && { distinct }),
    sources,
    findings: findings.map((finding) => shownFinding(finding, explain)),
  };
}

/** Which acts may be done on the thing now: may, may not, and why, for each. */
export function shownActs(
  services: Services,
  thing: SubjectState,
  kind: string,
  caller: Caller,
): readonly JsonObject[] {
  const ms = services.clock.now();
  const shown: JsonObject[] = [];
  for (const [name, versions] of services.rules.packs) {
    if (versions.at(-1)?.jurisdiction !== thing.jurisdiction) continue;
    const pack = packFor(services.rules, name, ms);
    for (const act of pack.acts.values())
      if (act.on === kind) shown.push(shownAct(pack, act, thing, caller, ms));
  }
  return shown;
}

function shownAct(pack: Pack, act: ActDef, thing: SubjectState, caller: Caller, ms: number): JsonObject {
  const by = { person: caller.id };
  const findings = actFindings(thing, pack, act, { facts: givenByAct(pack, act, { by }, ms), by, ms });
  const against = findings.filter(({ status }) => status === 'violated' || status === 'unknown');
  // What the caller will record is not known yet: a clause that only lacks that does not stand against it.
  const toCome = (missing: readonly string[]) =>
    missing.length > 0 && missing.every((fact) => act.records.includes(fact));
  const blocking = against.filter(({ status, missing }) => !(status === 'unknown' && toCome(missing)));
  const may = blocking.some(({ status }) => status === 'violated')
    ? 'no'
    : blocking.length > 0
      ? 'unknown'
      : 'yes';
  const body = act.by.body === undefined ? undefined : pack.bodies.get(act.by.body);
  return {
    act: act.name,
    label: act.label,
    pack: pack.ref.pack,
    cite: act.cite,
    may,
    by: body ? { body: body.id, name: body.name, role: body.role } : { person: act.by.person ?? 'anyone' },
    yours: !body || caller.roles.includes(body.role) || caller.roles.includes('admin'),
    records: act.records,
    why: against.map((finding) => shownFinding(finding, 'brief')),
  };
}

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
    : own;
  const rows = [...postings, ...held].map(({ data }) => data.rows[limit.name] ?? {});
  const from = { source: 'ledger' as const, event: `${thing.stream}@${thing.revision}`, count: rows.length };
  return pack.headroom(limit.name, (fact) => (fact === limit.series ? { json: rows, from } : terms(fact)));
}

/** An event as history shows it: who, both instants, what it stood on, what caused it. */
export function shownEvent(event: RecordedEvent, explain: Explain = 'full'): JsonObject {
  const { metadata, type, data } = event;
  const { occurred, recordedAt, actor, by, law, basis, causationId, correlationId, commandId, late } =
    metadata;
  return {
    event: address(event),
    type,
    occurred,
    recordedAt,
    actor: { id: actor.id, roles: actor.roles },
    ...(by && { by: { ...by } }),
    ...(law && { law: { ...law } }),
    ...(basis && { basis: basis.map(({ stream, revision }) => `${stream}@${revision}`) }),
    ...(causationId !== undefined && { cause: causationId }),
    ...(late && { late }),
    correlationId,
    commandId,
    data: withFindings(data, explain),
    hash: event.hash,
  };
}

function withFindings(data: JsonObject, explain: Explain): JsonObject {
  const { findings, finding } = data;
  return {
    ...data,
    ...(Array.isArray(findings) && {
      findings: findings.map((stored) => shownFinding(findingOf(stored as JsonObject), explain)),
    }),
    ...(finding !== undefined && { finding: shownFinding(findingOf(finding as JsonObject), explain) }),
  };
}
