import type { PermitFile, PermitState, PermitStep } from './permit';
import { phaseAfter, type PhaseName } from './transitions';

/** Steps that the table lets count, each in its place. */
export function effective({ steps }: Pick<PermitFile, 'steps'>): readonly PermitStep[] {
  let phase: PhaseName = 'nothing';
  return steps.filter(({ type }) => {
    const next = phaseAfter(phase, type);
    if (next === undefined) return false;
    phase = next;
    return true;
  });
}

/** Steps that had made the permit something and no longer do. */
export function lostBy(before: PermitFile, after: PermitFile): readonly PermitStep[] {
  const stands = new Set(effective(after).map(({ event }) => event));
  return effective(before).filter(({ event }) => !stands.has(event));
}

/** A step that follows from the law by itself: the end of the validity, or a duty that was missed. */
export const isConsequence = ({ type, data }: Pick<PermitStep, 'type' | 'data'>): boolean =>
  type === 'PermitExpired' ||
  type === 'ApplicationDeemedApproved' ||
  (type === 'PermitVoided' && 'valid' in data) ||
  isOfDuty({ data });

/** What the law made of a duty that was missed: silence that decided, a permit that became void. */
export const isOfDuty = ({ data }: Pick<PermitStep, 'data'>): boolean => typeof data['duty'] === 'string';

/** One event may name so many; whoever looks on finds the rest in the history. */
const MOST_NAMED = 100;

/**
 * What was done on the strength of a step, up to the instant: later steps, manifests that were accepted, loads that
 * were discharged under the permit. By the addresses of their events.
 */
export function relianceOn(state: PermitState, step: PermitStep, nowMs: number): readonly string[] {
  const isLater = (ms: number): boolean => ms >= step.key.ms && ms <= nowMs;
  const steps = effective(state.file)
    .filter((one) => one.event !== step.event && isLater(one.key.ms))
    .map(({ event }) => event);
  const manifests = [...state.manifests.values()].flatMap((one) =>
    one.is === 'accepted' && isLater(one.ms) ? [one.event] : [],
  );
  const loads = state.postings.filter(({ key }) => isLater(key.ms)).map(({ event }) => event);
  return [...steps, ...manifests, ...loads].slice(0, MOST_NAMED);
}
