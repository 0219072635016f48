import { occurredMs } from '@headworks/calendars';
import type { DomainEvent, Finding, JsonValue } from '@headworks/kernel';
import { storedFinding } from '../events';
import { at, MOST_EVENTS, type SubjectContext, type SubjectDraft } from './context';
import {
  dutiesSince,
  dutyChanges,
  dutyFinding,
  isMissed,
  missedFinding,
  missedData,
  type Duty,
} from './duties';
import { applyDutyChanges, type MissedDuty, type SubjectState } from './subject';

/** Whether an open duty is past: the only thing that can make a consequence due without a new event. */
export const anyDue = (state: SubjectState, nowMs: number): boolean =>
  [...state.openDuties.values()].some(({ dueAt }) => Date.parse(dueAt) < nowMs);

/** Appends what fell due of the open duties by now, in legal order, each dated at its own instant. */
export function settleOpen(draft: SubjectDraft, context: SubjectContext): void {
  const { state } = draft;
  const open = new Set(state.openDuties.keys());
  settleDuties(draft, context, dutiesSince(state, context.law, Number.POSITIVE_INFINITY, open).duties);
}

function settleDuties(draft: SubjectDraft, context: SubjectContext, duties: readonly Duty[]): void {
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
export function reconcileDuties(
  draft: SubjectDraft,
  context: SubjectContext,
  own: readonly DomainEvent[],
): void {
  const open = new Set(draft.state.openDuties.keys());
  const { duties, over } = dutiesSince(draft.state, context.law, reachOf(own, context), open);
  const causedBy = `${draft.state.stream}@${draft.state.revision}`;
  for (const missed of [...draft.state.missed.values()]) {
    if (missed.reversedBy !== undefined || over.has(missed.data.duty)) continue;
    if (draft.events.length >= MOST_EVENTS) break;
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

/**
 * The earliest instant that the command's own events are about: nothing before it is otherwise than it was. A fact may
 * name an earlier instant than its own; what an event took back is not in it, so that may be about anything.
 */
function reachOf(own: readonly DomainEvent[], context: SubjectContext): number {
  return Math.min(
    ...own.flatMap(({ type, occurred, data }) =>
      ['BroughtForward', 'FactsCorrected', 'RecordedInError'].includes(type)
        ? [Number.NEGATIVE_INFINITY]
        : [occurred ? occurredMs(occurred) : at(context), ...instantsIn(data['facts'])],
    ),
  );
}

/** Instants and days that facts name; a day begins somewhere on earth up to fourteen hours before it does in UTC. */
const instantsIn = (facts: JsonValue | undefined): readonly number[] =>
  Object.values(facts ?? {})
    .filter((value): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T|$)/.test(value))
    .map((value) => Date.parse(value) - (value.length === 10 ? 14 * 3_600_000 : 0));

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
