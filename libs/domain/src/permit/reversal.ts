import { isoInstant, type DomainEvent } from '@headworks/kernel';
import { openManifests } from '../manifest/standing';
import type { EndedManifest } from './events';
import { isLive, type PermitState, type PermitStep } from './permit';
import { relianceOn } from './standing-steps';

/** The step never was; what was done in reliance on it is named. */
export function reversalOf(
  state: PermitState,
  step: PermitStep,
  told: { readonly causedBy: string; readonly why: string; readonly nowMs: number },
): DomainEvent {
  const reliance = relianceOn(state, step, told.nowMs);
  return {
    type: 'ConsequenceReversed',
    data: { event: step.event, why: told.why, ...(reliance.length > 0 && { reliance }) },
    occurred: { at: isoInstant(step.key.ms) },
    causedBy: told.causedBy,
  };
}

/** Manifests that wait or hold under a leave that is none any more. */
export const endsOf = (before: PermitState, after: PermitState, nowMs: number): readonly EndedManifest[] =>
  isLive(before.file, nowMs) && !isLive(after.file, nowMs) ? openManifests(before, nowMs) : [];

export const withEnds = (event: DomainEvent, ends: readonly EndedManifest[]): DomainEvent =>
  ends.length === 0 ? event : { ...event, data: { ...event.data, ends } };
