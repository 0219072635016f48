import { isoInstant, type DomainEvent, type LawRef } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import type { Draft } from '../draft';
import { storedFinding } from '../events';
import { packAt } from '../pack-at';
import { isPermit } from '../permit/permit';
import { countsFor } from '../subject/postings.decide';
import type { SubjectContext } from '../subject/context';
import type { SubjectState } from '../subject/subject';
import type { ReserveCommand } from './commands';
import type { CapacityReserved } from './events';
import { putsOver } from './judge-again';
import {
  carriedFacts,
  dischargeMs,
  headsOf,
  judgeManifest,
  limitsOfPermit,
  limitsOfThing,
  type Judged,
  type Judging,
  type ManifestAsk,
} from './judge-manifest';
import { isHeld, type Reservation } from './reservations';

type Command<T extends ReserveCommand['type']> = Extract<ReserveCommand, { type: T }>;

/** The manifest's pack as it was in force when the load is planned, with what it says of such manifests. */
export function judgingOf(
  { law, nowMs }: SubjectContext,
  ask: ManifestAsk,
  world: Judging['world'],
): Judging | undefined {
  const pack = packAt(law, ask.pack, ask.load.occurredMs);
  const def = pack?.manifests.get(ask.type);
  return pack && def ? { pack, def, ask, world, nowMs } : undefined;
}

/** Holds capacity in the stream of the thing, where nothing stands against it under this head. */
export function reserve(
  { ask, world }: Command<'reserve'>,
  draft: Draft<SubjectState>,
  context: SubjectContext,
): string | undefined {
  const { state } = draft;
  const held = state.reservations.get(ask.manifest);
  if (held && isHeld(held, context.nowMs)) return 'it is reserved already';
  if (state.postings.some(({ data }) => data.load === ask.manifest)) return 'its load has come';
  if (context.nowMs >= ask.untilMs) return 'its time is over';
  const judging = judgingOf(context, ask, { ...world, thing: state });
  if (!judging) return 'no version of its pack is in force then';
  const found = judgeHere(judging, state, context.nowMs);
  if (found.verdict !== 'satisfied') return 'something stands against it';
  draft.push(reserved(judging, found, state, context));
  return undefined;
}

/** What stands for and against it under the stream's own head, its place among what is reserved there included. */
export function judgeHere(judging: Judging, state: SubjectState, nowMs: number): Judged {
  const { pack, ask } = judging;
  const found = judgeManifest(judging, dischargeMs(ask.load.occurredMs, nowMs, state));
  if (found.verdict !== 'satisfied') return found;
  const data = reservedData(judging, found, state, nowMs);
  const { occurredMs: plannedMs } = ask.load;
  const made: Reservation = {
    ...{ data, event: '', command: '', plannedMs, untilMs: ask.untilMs },
    revision: state.revision + 1,
  };
  const after = { ...state, reservations: state.reservations.set(ask.manifest, made) };
  const over = putsOver(after, pack, made, nowMs);
  return over.length === 0 ? found : { ...found, findings: over, verdict: 'violated' };
}

export function reserved(
  judging: Judging,
  found: Judged,
  state: SubjectState,
  { nowMs }: SubjectContext,
): DomainEvent {
  const { ask, pack, world } = judging;
  return {
    type: 'CapacityReserved',
    data: { ...reservedData(judging, found, state, nowMs) },
    occurred: { at: isoInstant(nowMs) },
    law: pack.ref,
    basis: headsOf(world).filter(({ stream }) => stream !== state.stream),
    ...(ask.load.event !== undefined && { causedBy: ask.load.event }),
  };
}

function reservedData(
  judging: Judging,
  { facts }: Judged,
  state: SubjectState,
  nowMs: number,
): CapacityReserved {
  const { pack, def, ask } = judging;
  const { load } = ask;
  const permit = isPermit(state);
  const limits = (permit ? limitsOfPermit : limitsOfThing)(pack, def).filter(
    (limit) => countsFor(pack, limit, facts) !== 'no',
  );
  const atMs = dischargeMs(load.occurredMs, nowMs, state);
  return {
    manifest: ask.manifest,
    pack: ask.pack,
    manifestType: ask.type,
    permitId: ask.permitId,
    hauler: load.hauler ?? { kind: '', key: '' },
    limits: limits.map(({ name }) => name),
    quantity: load.quantity ?? { value: '0', unit: 'gal' },
    plannedAt: isoInstant(load.occurredMs),
    until: isoInstant(ask.untilMs),
    facts: carriedFacts(judging, atMs, permit ? 'permit' : 'thing'),
    rows: Object.fromEntries(limits.map((limit) => [limit.name, pack.row(limit.name, facts)])),
  };
}

/** Ends a reservation whose manifest was not accepted, or is accepted no longer. */
export function release(
  { manifest, reservation, why, findings, reason }: Command<'release'>,
  draft: Draft<SubjectState>,
  { nowMs, law }: SubjectContext,
): string | undefined {
  const held = draft.state.reservations.get(manifest);
  if (!held || held.event !== reservation) return 'it is not reserved any more';
  // Past its time it is void already, and nothing need say so.
  if (!isHeld(held, nowMs)) return 'its time is over';
  draft.push({
    type: 'AcceptanceWithdrawn',
    data: {
      manifest,
      why,
      ended: held.event,
      ...(reason !== undefined && { reason }),
      findings: findings.map(storedFinding),
    },
    occurred: { at: isoInstant(nowMs) },
    causedBy: held.event,
    ...lawOf(packAt(law, held.data.pack, held.plannedMs)),
  });
  return undefined;
}

export const lawOf = (pack: Pack | undefined): { law?: LawRef } => (pack ? { law: pack.ref } : {});
