import { CodedError, isoInstant, type DomainEvent, type Finding } from '@headworks/kernel';
import type { Draft } from '../draft';
import { findingOf, storedFinding } from '../events';
import { packAt } from '../pack-at';
import type { PermitState } from '../permit/permit';
import type { SubjectContext } from '../subject/context';
import type { ManifestCommand } from './commands';
import { against, carriedFacts, dischargeMs, headsOf, type Judged, type Judging } from './judge-manifest';
import { judgeHere, judgingOf, lawOf, reserved } from './reserve.decide';
import type { ManifestStanding } from './standing';

type Command<T extends ManifestCommand['type']> = Extract<ManifestCommand, { type: T }>;
type PermitDraft = Draft<PermitState>;

/** The one place where a manifest is decided: its permit's stream, so that nothing is accepted after a revocation. */
export function decideManifest(
  command: ManifestCommand,
  draft: PermitDraft,
  context: SubjectContext,
): string | undefined {
  switch (command.type) {
    case 'answer-manifest':
      return answer(command, draft, context);
    case 'refuse-manifest':
      return refuse(command, draft, context);
    case 'end-manifest':
      return end(command, draft, context);
  }
}

function answer(
  command: Command<'answer-manifest'>,
  draft: PermitDraft,
  context: SubjectContext,
): string | undefined {
  const { ask, accepted, thing, last } = command;
  const standing = draft.state.manifests.get(ask.manifest);
  if (standing && (!accepted || standing.is !== 'pending')) return 'it is answered already';
  if (context.nowMs >= ask.untilMs) return 'its time is over';
  if (draft.state.postings.some(({ data }) => data.load === ask.manifest)) return 'its load has come';
  const judging = judgingOf(context, ask, { ...command.world, permit: draft.state });
  if (!judging) return 'no version of its pack is in force then';
  const found = judgeHere(judging, draft.state, context.nowMs);
  const [first] = thing.is === 'against' && found.verdict === 'satisfied' ? [thing.findings] : [undefined];
  // Its thing's stream found otherwise, on a permit that has changed since: it is looked at once more.
  if (first && !last) return LOOK_AGAIN;
  const findings = first ?? found.findings;
  const verdict = first ? 'violated' : found.verdict;
  if (verdict === 'violated') draft.push(refused(judging, findings, context));
  else if (verdict === 'unknown') draft.push(pending(judging, findings, draft.state, context));
  else accept(command, { judging, found }, draft, context);
  return undefined;
}

/** Nothing was decided: what the thing's stream said rests on another head of the permit. */
export const LOOK_AGAIN = 'it is to be looked at again';

function accept(
  { ask, thing, accepted }: Command<'answer-manifest'>,
  { judging, found }: { readonly judging: Judging; readonly found: Judged },
  draft: PermitDraft,
  context: SubjectContext,
): void {
  const reservation = draft.push(reserved(judging, found, draft.state, context));
  const others = thing.is === 'reserved' ? [thing.event] : [];
  draft.push(
    told(judging, context, 'ManifestAccepted', {
      manifest: ask.manifest,
      reservations: [...others, reservation],
      until: isoInstant(ask.untilMs),
      ...(accepted && Object.keys(accepted.facts).length > 0 && { facts: accepted.facts }),
      ...(accepted?.reason !== undefined && { reason: accepted.reason }),
      findings: found.findings.map(storedFinding),
    }),
  );
}

function refused(judging: Judging, findings: readonly Finding[], context: SubjectContext): DomainEvent {
  const { manifest } = judging.ask;
  return told(judging, context, 'ManifestRefused', { manifest, findings: findings.map(storedFinding) });
}

/** It waits for what is missing and holds nothing. */
function pending(
  judging: Judging,
  findings: readonly Finding[],
  state: PermitState,
  context: SubjectContext,
): DomainEvent {
  const { ask } = judging;
  const { occurredMs } = ask.load;
  const atMs = dischargeMs(occurredMs, context.nowMs, state);
  return told(judging, context, 'ManifestPending', {
    manifest: ask.manifest,
    pack: ask.pack,
    manifestType: ask.type,
    until: isoInstant(ask.untilMs),
    plannedAt: isoInstant(occurredMs),
    missing: [...new Set(against(findings).flatMap(({ missing }) => missing))],
    facts: carriedFacts(judging, atMs, 'permit'),
    findings: findings.map(storedFinding),
  });
}

const told = (
  { pack, ask, world }: Judging,
  { nowMs }: SubjectContext,
  type: string,
  data: DomainEvent['data'],
): DomainEvent => ({
  type,
  data,
  occurred: { at: isoInstant(nowMs) },
  law: pack.ref,
  basis: headsOf(world).filter(({ stream }) => stream !== world.permit?.stream),
  ...(ask.load.event !== undefined && { causedBy: ask.load.event }),
});

type Open = Extract<ManifestStanding, { is: 'pending' | 'accepted' }>;

/** What waits can be refused; what is decided, ended or over can't be decided again. */
function waiting(draft: PermitDraft, manifest: string, nowMs: number): Extract<Open, { is: 'pending' }> {
  const standing = draft.state.manifests.get(manifest);
  if (standing?.is !== 'pending' || standing.discharged || Date.parse(standing.data.until) <= nowMs) {
    throw notPending(standing, nowMs);
  }
  return standing;
}

export function notPending(
  standing: ManifestStanding | undefined,
  nowMs: number,
  refused = false,
): CodedError {
  const lapsed = standing?.is === 'pending' && Date.parse(standing.data.until) <= nowMs;
  const is = lapsed ? 'lapsed' : (standing?.is ?? (refused ? 'refused' : 'not answered yet'));
  return new CodedError(
    'conflict',
    `Only a manifest that is pending can be accepted or refused; this one is ${is}.`,
    [],
    standing ? { by: standing.event } : {},
  );
}

function refuse(
  { manifest, reason }: Command<'refuse-manifest'>,
  draft: PermitDraft,
  { nowMs, law }: SubjectContext,
): undefined {
  const { data, event } = waiting(draft, manifest, nowMs);
  draft.push({
    type: 'ManifestRefused',
    data: { manifest, findings: data.findings, reason },
    occurred: { at: isoInstant(nowMs) },
    causedBy: event,
    ...lawOf(packAt(law, data.pack, Date.parse(data.plannedAt))),
  });
  return undefined;
}

/** Ends what waits or is accepted, as long as its load has not come. */
function end(
  command: Command<'end-manifest'>,
  draft: PermitDraft,
  { nowMs }: SubjectContext,
): string | undefined {
  const { manifest, why, findings, reason, endedMs, acceptance } = command;
  const standing = draft.state.manifests.get(manifest);
  if (standing?.is !== 'pending' && standing?.is !== 'accepted') return 'it does not stand any more';
  if (acceptance !== undefined && standing.event !== acceptance) return 'it was accepted anew';
  if (standing.discharged) return 'its load has come';
  if (Date.parse(standing.data.until) <= nowMs) return 'its time is over';
  const shown = findings.length > 0 ? findings : standing.data.findings.map(findingOf);
  draft.push({
    type: 'AcceptanceWithdrawn',
    data: {
      manifest,
      why,
      ended: standing.event,
      ...(reason !== undefined && { reason }),
      findings: shown.map(storedFinding),
    },
    occurred: { at: isoInstant(Math.max(endedMs ?? nowMs, standing.ms)) },
    causedBy: standing.event,
  });
  return undefined;
}
