import type { Finding } from '@headworks/kernel';
import type { FactSource, ManifestDef, Pack } from '@headworks/rules-engine';
import type { Facts } from '../events';
import { firstOf } from '../load-facts';
import { isPermit } from '../permit/permit';
import { subjectSource } from '../subject/subject-facts';
import type { SubjectState } from '../subject/subject';
import { limitsOfPermit, limitsOfThing, verdictOf } from './judge-manifest';
import { reservedLedger, reservesIn, type Asking } from './ledger';
import { heldAt, type Reservation } from './reservations';

/** What waits or holds in a stream, as far as that stream alone can judge it. */
export interface Held {
  readonly manifest: string;
  readonly pack: string;
  readonly type: string;
  readonly plannedMs: number;
  /** What was carried there, and the event that carried it. */
  readonly facts: Facts;
  readonly event: string;
  /** Absent of what waits: it holds nothing. */
  readonly reservation?: Reservation;
}

export interface Again {
  readonly pack: Pack;
  readonly def: ManifestDef;
  readonly held: Held;
  readonly atMs: number;
  readonly nowMs: number;
}

/**
 * Everything that the stream knows of it: its own facts and ledgers as they are now, and for the rest what was carried.
 * What it says itself comes before what stands with permit and thing; what the permit knows, before what the thing does.
 */
function sourceAgain(state: SubjectState, { pack, def, held, atMs, nowMs }: Again): FactSource {
  const permit = isPermit(state);
  const own = subjectSource(state, pack, def.on, atMs);
  const carried: FactSource = (fact) =>
    Object.hasOwn(held.facts, fact)
      ? { json: held.facts[fact] ?? null, from: { source: 'payload', event: held.event } }
      : undefined;
  const said = new Set([...def.facts, ...Object.keys(def.gives), ...Object.keys(def.sources?.all ?? {})]);
  if (!permit) for (const fact of pack.permits.get(def.permit)?.facts ?? []) said.add(fact);
  const { manifest, plannedMs, reservation } = held;
  const asking: Asking = { manifest, plannedMs, nowMs, ...(reservation && { before: reservation }) };
  const ledgers = (permit ? limitsOfPermit : limitsOfThing)(pack, def).map((limit) =>
    reservedLedger(pack, limit, state, asking),
  );
  return firstOf(...ledgers, (fact) =>
    said.has(fact) ? (carried(fact) ?? own(fact)) : (own(fact) ?? carried(fact)),
  );
}

/** Findings of some clauses on what holds or waits in the stream, on what the stream knows. */
export const judgeAgain = (
  state: SubjectState,
  again: Again,
  clauses: readonly string[],
): readonly Finding[] => again.pack.evaluate({ clauses, facts: sourceAgain(state, again), now: again.atMs });

export const violatedAgain = (
  state: SubjectState,
  again: Again,
  clauses: readonly string[],
): readonly Finding[] =>
  judgeAgain(state, again, clauses).filter((finding) => verdictOf([finding]) === 'violated');

export const asHeld = (reservation: Reservation): Held => ({
  manifest: reservation.data.manifest,
  pack: reservation.data.pack,
  type: reservation.data.manifestType,
  plannedMs: reservation.plannedMs,
  facts: reservation.data.facts,
  event: reservation.event,
  reservation,
});

/**
 * In a window of rolling days what is planned later looks back on what is reserved now: a reservation that would put
 * one of them over its limit is refused for it. In fixed windows the last row shows all.
 */
export function putsOver(
  state: SubjectState,
  pack: Pack,
  made: Reservation,
  nowMs: number,
): readonly Finding[] {
  const limits = made.data.limits
    .flatMap((name) => pack.limits.get(name) ?? [])
    .filter(({ window }) => 'rollingDays' in window);
  if (limits.length === 0) return [];
  const later = heldAt(state.reservations, nowMs).filter(({ plannedMs }) => plannedMs > made.plannedMs);
  return later.flatMap((reservation) => {
    const def = pack.manifests.get(reservation.data.manifestType);
    if (!def || reservation.data.pack !== pack.ref.pack) return [];
    // All others count for it here, the new one among them.
    const { reservation: _own, ...held } = asHeld(reservation);
    const again = { pack, def, held, atMs: reservation.plannedMs, nowMs };
    return limits
      .filter((limit) => reservesIn(pack, limit, reservation.data))
      .flatMap((limit) => violatedAgain(state, again, limit.under));
  });
}
