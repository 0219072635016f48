import { isoInstant, type Finding, type LawRef } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import type { Draft } from '../draft';
import { storedFinding } from '../events';
import { packAt } from '../pack-at';
import { isPermit } from '../permit/permit';
import { MOST_EVENTS, type SubjectContext } from '../subject/context';
import type { SubjectState } from '../subject/subject';
import type { AcceptanceWithdrawn, ManifestPending } from './events';
import { asHeld, judgeAgain, violatedAgain, type Again, type Held } from './judge-again';
import { dischargeMs } from './judge-manifest';
import { heldAt } from './reservations';

/** Names of manifests that one event can hold beside its own data. */
const MOST_NAMES = 4000;

/** Clauses of each assessment that use one of the facts; a restriction asks for one of dozens. */
function clausesUsing(pack: Pack, assessment: string, facts: readonly string[]): readonly string[] {
  const clauses = pack.assessments.get(assessment)?.clauses ?? [];
  return clauses.filter((clause) => {
    const used = pack.factsUsedBy([clause]);
    return facts.some((fact) => used.has(fact));
  });
}

interface Ended {
  readonly held: Held;
  readonly findings: readonly Finding[];
  readonly law?: LawRef;
}

/**
 * Judges again, in the same append, what holds or waits in the stream when facts there change: what is violated now
 * ends now, so that no acceptance stands against a restriction at any place of the log. Those that the append has no
 * room for end by name in its last event, and the next append says why.
 */
export function rejudgeHeld(
  draft: Draft<SubjectState>,
  context: SubjectContext,
  facts: readonly string[],
  why: AcceptanceWithdrawn['why'],
): void {
  const ended = violatedNow(draft.state, context, facts);
  if (ended.length === 0) return;
  const room = Math.max(1, MOST_EVENTS - draft.events.length);
  const [told, named] = [ended.slice(0, room), ended.slice(room).map(({ held }) => held.manifest)];
  told.forEach((one, index) => {
    // The names go with the last events, so that all is ended when the append is through.
    const from = (told.length - 1 - index) * MOST_NAMES;
    const manifests = named.slice(from, from + MOST_NAMES);
    push(draft, context, one, why, manifests);
  });
}

function violatedNow(
  state: SubjectState,
  context: SubjectContext,
  facts: readonly string[],
): readonly Ended[] {
  // Clauses by pack version and assessment: hundreds of reservations ask for the same.
  const asked = new Map<string, readonly string[]>();
  const ended: Ended[] = [];
  // What ended before in this round holds nothing any more that would stand against the next.
  let left = state;
  for (const held of allHeld(state, context.nowMs)) {
    const again = againOf(context, left, held);
    if (!again) continue;
    const { pack, def } = again;
    const key = `${pack.ref.pack}|${pack.ref.version}|${def.judgedBy}`;
    let clauses = asked.get(key);
    if (!clauses) asked.set(key, (clauses = clausesUsing(pack, def.judgedBy, facts)));
    const findings = clauses.length === 0 ? [] : violatedAgain(left, again, clauses);
    if (findings.length === 0) continue;
    ended.push({ held, findings, law: pack.ref });
    left = { ...left, reservations: left.reservations.delete(held.manifest) };
  }
  return ended;
}

/** What holds, in the order in which it was made, and in a permit's stream what waits. */
function allHeld(state: SubjectState, nowMs: number): readonly Held[] {
  const held = heldAt(state.reservations, nowMs).map(asHeld);
  if (!isPermit(state)) return held;
  const waiting: Held[] = [];
  for (const standing of state.manifests.values()) {
    if (standing.is !== 'pending' || standing.discharged) continue;
    if (Date.parse(standing.data.until) > nowMs) waiting.push(waits(standing));
  }
  return [...held, ...waiting];
}

const waits = ({ data, event }: { readonly data: ManifestPending; readonly event: string }): Held => ({
  manifest: data.manifest,
  pack: data.pack,
  type: data.manifestType,
  plannedMs: Date.parse(data.plannedAt),
  facts: data.facts,
  event,
});

function againOf({ law, nowMs }: SubjectContext, state: SubjectState, held: Held): Again | undefined {
  const pack = packAt(law, held.pack, held.plannedMs);
  const def = pack?.manifests.get(held.type);
  const atMs = dischargeMs(held.plannedMs, nowMs, state);
  return pack && def ? { pack, def, held, nowMs, atMs } : undefined;
}

function push(
  draft: Draft<SubjectState>,
  { nowMs }: SubjectContext,
  { held, findings, law }: Ended,
  why: AcceptanceWithdrawn['why'],
  manifests: readonly string[],
): void {
  // What ends it ends it from now on, whenever it happened: nobody could know of it before it was recorded.
  const now = isoInstant(nowMs);
  draft.push({
    type: 'AcceptanceWithdrawn',
    data: {
      manifest: held.manifest,
      why,
      ended: endedOf(draft.state, held),
      findings: findings.map(storedFinding),
      ...(manifests.length > 0 && { unjudged: { since: now, limits: [], manifests } }),
    },
    occurred: { at: now },
    ...(law && { law }),
    causedBy: `${draft.state.stream}@${draft.state.revision}`,
  });
}

/** In the permit's stream the acceptance ends, and the reservation with it; elsewhere the reservation. */
function endedOf(state: SubjectState, { manifest, event }: Held): string {
  const standing = isPermit(state) ? state.manifests.get(manifest) : undefined;
  return standing?.is === 'withdrawn' ? standing.before.event : (standing?.event ?? event);
}

/** Says of those that ended by name why they did. */
export function tellEnded(
  draft: Draft<SubjectState>,
  context: SubjectContext,
  names: readonly string[],
): void {
  const waiting = names.flatMap((manifest) => untold(draft.state, manifest) ?? []);
  const room = Math.max(1, MOST_EVENTS - draft.events.length);
  waiting.slice(0, room).forEach((held, index) => {
    const again = againOf(context, draft.state, held);
    const clauses = again ? (again.pack.assessments.get(again.def.judgedBy)?.clauses ?? []) : [];
    const found = again ? judgeAgain(draft.state, again, clauses) : [];
    const findings = found.filter(({ status }) => status === 'violated');
    const rest = index === room - 1 ? waiting.slice(room).map(({ manifest }) => manifest) : [];
    push(draft, context, { held, findings, ...(again && { law: again.pack.ref }) }, 'restricted', rest);
  });
}

function untold(state: SubjectState, manifest: string): Held | undefined {
  const reservation = state.reservations.get(manifest);
  if (reservation) return reservation.ended ? asHeld(reservation) : undefined;
  const standing = isPermit(state) ? state.manifests.get(manifest) : undefined;
  if (standing?.is !== 'withdrawn' || standing.was !== 'pending') return undefined;
  return standing.findings.length === 0 ? waits(standing.before) : undefined;
}
