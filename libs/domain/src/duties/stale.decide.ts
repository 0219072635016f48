import { CodedError } from '@headworks/kernel';
import { storedFinding } from '../events';
import type { CommandOf, SubjectContext, SubjectDraft } from '../subject/context';
import { takeBack } from './outcome.decide';
import type { ConsequenceConfirmed } from './duty-events';
import { staleOf, type Stale } from './stale';
import { standingMiss } from './state';

/**
 * An officer takes back what the calendars as they stand now would not have brought about. What follows is counted by
 * them: the duty is open again, met, or missed on another day.
 */
export function reverseConsequence(
  { duty, reason, evidence }: CommandOf<'reverse-consequence'>,
  draft: SubjectDraft,
  context: SubjectContext,
): void {
  const { missed, why, finding, cause } = mustBeStale(draft, context, duty);
  const causedBy = draft.push({
    type: 'ConsequenceReversed',
    data: {
      event: missed.event,
      duty,
      why: 'calendar_amended',
      now: why,
      reason,
      evidence,
      ...(finding && { finding: storedFinding(finding) }),
    },
    occurred: { at: missed.data.due['at'] as string },
    causedBy: cause,
  });
  takeBack(draft, context, { missed, causedBy, why: 'calendar_amended' });
}

/** It was looked at and stands: it leaves the list until the calendars change again. */
export function confirmConsequence(
  { duty, reason, evidence }: CommandOf<'confirm-consequence'>,
  draft: SubjectDraft,
  context: SubjectContext,
): void {
  const { missed, cause } = mustBeStale(draft, context, duty);
  const data: ConsequenceConfirmed = { event: missed.event, duty, reason, evidence, under: cause };
  draft.push({ type: 'ConsequenceConfirmed', data, causedBy: cause });
}

function mustBeStale(draft: SubjectDraft, context: SubjectContext, duty: string): Stale {
  const { state } = draft;
  const [stale] = staleOf(state, context.law, context.nowMs, new Set([duty]));
  if (stale) return stale;
  if (!standingMiss(state, duty)) {
    throw new CodedError('conflict', 'No consequence of this duty stands, so there is nothing to decide on.');
  }
  throw new CodedError(
    'conflict',
    'The consequence stands by the calendars as they are now, or was confirmed under them; GET /v1/stale lists those that would not. Correct a fact that was recorded wrong instead.',
  );
}
