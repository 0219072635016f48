import type { Finding } from '@headworks/kernel';
import { storedFinding } from '../events';
import { MOST_EVENTS, type SubjectContext, type SubjectDraft } from './context';
import { dutiesOf, dutyChanges, dutyFinding, isMissed, missedFinding, missedData, type Duty } from './duties';
import { applyDutyChanges, type MissedDuty, type SubjectState } from './subject';

/** Whether an open duty is past: the only thing that can make a consequence due without a new event. */
export const anyDue = (state: SubjectState, nowMs: number): boolean =>
  [...state.openDuties.values()].some(({ dueAt }) => Date.parse(dueAt) < nowMs);

/** Appends what the law says has happened by now, in legal order, each dated at its own instant. */
export function settleDuties(
  draft: SubjectDraft,
  context: SubjectContext,
  duties: readonly Duty[] = dutiesOf(draft.state, context.law),
): void {
  const missed = duties
    .filter((duty) => isMissed(duty, context.nowMs) && !standingMiss(draft.state, duty.duty))
    .toSorted((a, b) => Date.parse(a.due.at) - Date.parse(b.due.at));
  for (const duty of missed) {
    if (draft.events.length >= MOST_EVENTS) return;
    const finding = missedFinding(draft.state, context.law, duty);
    // A fact that is missing proves no breach: whoever records it comes here again.
    if (finding.status !== 'violated') continue;
    draft.push({
      type: 'DutyMissed',
      data: missedData(duty, finding),
      occurred: { at: duty.due.at },
      causedBy: duty.start.event,
      law: duty.pack.ref,
    });
  }
}

function standingMiss(state: SubjectState, duty: string): MissedDuty | undefined {
  const missed = state.missed.get(duty);
  return missed?.reversedBy === undefined ? missed : undefined;
}

/**
 * After the command's own events: consequences it overtook, then duties it opened or closed, then what is due at once.
 * A consequence is never rewritten: one whose due instant or load changed is reversed and recorded anew.
 */
export function reconcileDuties(draft: SubjectDraft, context: SubjectContext): void {
  const duties = dutiesOf(draft.state, context.law);
  const causedBy = `${draft.state.stream}@${draft.state.revision}`;
  for (const missed of [...draft.state.missed.values()]) {
    if (missed.reversedBy !== undefined || draft.events.length >= MOST_EVENTS) continue;
    const duty = duties.find((candidate) => candidate.duty === missed.data.duty);
    const reversal = reversalOf(draft.state, context, missed, duty);
    if (!reversal) continue;
    const { why, finding } = reversal;
    draft.push({
      type: 'ConsequenceReversed',
      data: {
        event: missed.event,
        duty: missed.data.duty,
        why,
        ...(finding && { finding: storedFinding(finding) }),
      },
      occurred: { at: missed.data.due['at'] as string },
      causedBy,
      ...(duty && { law: duty.pack.ref }),
    });
  }
  const changes = dutyChanges(draft.state, context.law, duties);
  if (changes) draft.amendLast({ duties: changes }, (state) => applyDutyChanges(state, changes));
  settleDuties(draft, context, duties);
}

/** Why a consequence no longer stands, with the finding that shows it; undefined where it stands. */
function reversalOf(
  state: SubjectState,
  { law, nowMs }: SubjectContext,
  { data }: MissedDuty,
  duty: Duty | undefined,
): { readonly why: string; readonly finding?: Finding } | undefined {
  if (!duty) return { why: 'no_longer_due' };
  if (!isMissed(duty, nowMs)) {
    const why = duty.doneMs === undefined ? 'not_due_yet' : 'met_in_time';
    return { why, finding: dutyFinding(state, law, duty, nowMs) };
  }
  const finding = missedFinding(state, law, duty);
  if (finding.status !== 'violated') return { why: 'no_longer_violated', finding };
  const same = data.due['at'] === duty.due.at && data.load === duty.bound.data.load;
  return same ? undefined : { why: 'judged_anew', finding };
}
