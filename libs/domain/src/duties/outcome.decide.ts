import type { DomainEvent, Finding } from '@headworks/kernel';
import { storedFinding, type Facts, type StoredFinding } from '../events';
import { openManifests } from '../manifest/standing';
import { leaveData } from '../permit/issue.decide';
import { isPermit, phaseNameAt, type PermitState } from '../permit/permit';
import { applicationLaw, fileSource, type PermitLaw } from '../permit/permit-findings';
import { endsOf, reversalOf, withEnds } from '../permit/reversal';
import { lostBy } from '../permit/standing-steps';
import { transitionOf, type Transitions } from '../permit/transitions';
import type { SubjectContext, SubjectDraft } from '../subject/context';
import { dueMs, type Duty } from './duty';
import { applicationClauses } from './permit-duties';
import type { MissedDuty } from './state';

export interface Missing {
  readonly duty: Duty;
  readonly finding: Finding;
  /** Address of the DutyMissed. */
  readonly causedBy: string;
}

/**
 * What the law makes of a missed duty in the permit's file, at the same instant: a decision that nobody took. A
 * violation follows the miss in its own stream; a barred appeal and a ground for revocation are the miss itself.
 */
export function bringAbout(draft: SubjectDraft, context: SubjectContext, missing: Missing): boolean {
  const { state } = draft;
  const { duty, causedBy } = missing;
  if (!isPermit(state)) return false;
  const event = consequenceOf(state, context, missing);
  const at = duty.clock.due?.at;
  if (!event || at === undefined) return false;
  draft.push({ ...event, occurred: { at }, causedBy, law: duty.pack.ref });
  return true;
}

function consequenceOf(
  state: PermitState,
  context: SubjectContext,
  { duty, finding }: Missing,
): DomainEvent | undefined {
  const findings = [storedFinding(finding)];
  const said = { duty: duty.duty, clause: duty.clause.id };
  switch (duty.clause.deadline.outcome) {
    case 'deemed_approved':
      if (!isOfApplication(state, context, duty, 'deemed approval')) return undefined;
      return deemedApproved(state, context, duty, findings);
    case 'deemed_denied':
      if (!isOfApplication(state, context, duty, 'denial')) return undefined;
      return {
        type: 'ApplicationDenied',
        data: {
          ...said,
          reason: 'not_decided_in_time',
          grounds: [duty.clause.id],
          ...(state.file.filed?.renews !== undefined && { notRenewed: true }),
          findings,
        },
      };
    case 'deemed_complete':
      if (!isOfApplication(state, context, duty, 'completion')) return undefined;
      return { type: 'ApplicationCompleted', data: { ...said, reason: 'not_answered_in_time', findings } };
    case 'permit_void':
      if (!isPossible(state, duty, 'voidance')) return undefined;
      return {
        type: 'PermitVoided',
        data: { ...said, reason: 'duty_missed', ends: openManifests(state, dueMs(duty)) },
      };
    default:
      return undefined;
  }
}

/** Silence decides an application alone, not what was asked by an act on a permit that stands. */
function isOfApplication(
  state: PermitState,
  context: SubjectContext,
  duty: Duty,
  step: Transitions,
): boolean {
  const { pack, def } = applicationLaw(context.law, state);
  return (
    applicationClauses(pack, def).some(({ id }) => id === duty.clause.id) && isPossible(state, duty, step)
  );
}

const isPossible = (state: PermitState, duty: Duty, step: Transitions): boolean =>
  transitionOf(step).from.includes(phaseNameAt(state.file, dueMs(duty) - 1));

/** It fixes what was applied for and gives leave as an issue on that day would, where its days can be told. */
function deemedApproved(
  state: PermitState,
  context: SubjectContext,
  duty: Duty,
  findings: readonly StoredFinding[],
): DomainEvent {
  const law = applicationLaw(context.law, state);
  const at = { ...context, envelope: { ...context.envelope, occurred: { at: duty.clock.due?.at ?? '' } } };
  const leave = leaveData(state, law, at);
  return {
    type: 'ApplicationDeemedApproved',
    data: {
      duty: duty.duty,
      clause: duty.clause.id,
      sets: appliedFor(state, law, dueMs(duty)),
      ...('clause' in leave ? {} : { leave }),
      findings,
    },
  };
}

function appliedFor(state: PermitState, law: PermitLaw, ms: number): Facts {
  const source = fileSource(state, law, undefined, ms);
  return Object.fromEntries(
    law.def.sets.flatMap((fact) => {
      const json = source(fact)?.json;
      return json === undefined ? [] : [[fact, json] as const];
    }),
  );
}

export interface Reversal {
  readonly missed: MissedDuty;
  readonly causedBy: string;
  readonly why: string;
}

/**
 * With the miss, what the law made of it is taken back. What an officer did on the strength of it stands all the same
 * and is listed: a correction flags a permit, and ends none.
 */
export function takeBack(draft: SubjectDraft, context: SubjectContext, reversal: Reversal): boolean {
  const { state } = draft;
  const { missed, causedBy, why } = reversal;
  const step = isPermit(state)
    ? state.file.steps.find(({ data }) => data['duty'] === missed.data.duty)
    : undefined;
  if (!step || !isPermit(state)) return false;
  const event = reversalOf(state, step, { causedBy, why, nowMs: context.nowMs });
  const after = draft.peek(event);
  const lost = isPermit(after) ? lostBy(state.file, after.file) : [];
  if (lost.some((one) => one.event !== step.event)) return false;
  draft.push(isPermit(after) ? withEnds(event, endsOf(state, after, context.nowMs)) : event);
  return true;
}
