import type { DomainEvent } from '@headworks/kernel';
import { MOST_EVENTS, type SubjectContext, type SubjectDraft } from '../subject/context';
import type { SubjectState } from '../subject/subject';
import { dutyChanges } from './changes';
import { dutiesNamed, dutiesOf } from './derive';
import { dueMs, isMissed, missedData, missedFinding, type Duty } from './duty';
import { bringAbout } from './outcome.decide';
import { applyDutyChanges, joinChanges, standingMiss, type DutyChanges, type OpenDuty } from './state';

/** Whether the statutory instant is past: the only thing that can make a consequence due without a new event. */
const isPast = ({ dueAt, byDay }: OpenDuty, nowMs: number): boolean =>
  dueAt !== null && (byDay ? Date.parse(dueAt) <= nowMs : Date.parse(dueAt) < nowMs);

export const anyDue = (state: SubjectState, nowMs: number): boolean =>
  [...state.openDuties.values()].some((open) => isPast(open, nowMs));

/**
 * Appends what fell due of the open duties by the instant, in legal order, each dated at its own. A consequence may
 * end or begin other duties: they are looked at again before the next one.
 */
export function settleOpen(draft: SubjectDraft, context: SubjectContext, untilMs = context.nowMs): void {
  for (;;) {
    const { state } = draft;
    const open = [...state.openDuties.values()].filter((one) => isPast(one, untilMs));
    if (open.length === 0) return;
    const duties = dutiesNamed(state, context.law, state.openDuties.keys());
    if (!settleDuties(draft, context, duties, untilMs)) return;
    tellChanges(draft, dutyChanges(draft.state, dutiesOf(draft.state, context.law), context.nowMs));
  }
}

/**
 * The misses among the duties, in legal order, up to the first that brings about more than itself: what follows from
 * that may change the others. True where there may be more.
 */
export function settleDuties(
  draft: SubjectDraft,
  context: SubjectContext,
  duties: readonly Duty[],
  untilMs = context.nowMs,
): boolean {
  const missed = duties
    .filter((duty) => isMissed(duty, untilMs) && !standingMiss(draft.state, duty.duty))
    .toSorted((a, b) => dueMs(a) - dueMs(b));
  for (const duty of missed) {
    if (draft.events.length >= MOST_EVENTS) return false;
    if (miss(draft, context, duty)) return true;
  }
  return false;
}

/** Writes down that it was missed, and what the law makes of that; true where it makes more than the miss of it. */
function miss(draft: SubjectDraft, context: SubjectContext, duty: Duty): boolean {
  const finding = missedFinding(duty);
  // A fact that is missing proves no breach: whoever records it comes here again.
  if (finding.status !== 'violated' || !duty.clock.due) return false;
  const at = duty.clock.due.at;
  const event: DomainEvent = {
    type: 'DutyMissed',
    data: missedData(duty, finding),
    occurred: { at },
    causedBy: duty.startedBy,
    law: duty.pack.ref,
  };
  const causedBy = draft.push(event);
  const more = bringAbout(draft, context, { duty, finding, causedBy });
  // Recorded when it was done already, too late.
  if (duty.done)
    tellChanges(
      draft,
      dutyChanges(draft.state, [duty], context.nowMs, () => false),
    );
  return more;
}

/** Puts what changed of the duties into the event decided last. */
export function tellChanges(draft: SubjectDraft, changes: DutyChanges | undefined): void {
  const last = draft.events.at(-1);
  if (!changes || !last) return;
  const before = (last.data['duties'] as DutyChanges | undefined) ?? { opened: [], closed: [] };
  draft.amendLast({ duties: joinChanges(before, changes) }, (state) => applyDutyChanges(state, changes));
}
