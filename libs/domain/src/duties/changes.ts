import { isoInstant } from '@headworks/kernel';
import type { SubjectState } from '../subject/subject';
import { endedInTime, isInTime, isOwed, openEntry, type Duty } from './duty';
import { eventAt } from './said';
import { standingMiss, type ClosedDuty, type DutyChanges, type OpenDuty } from './state';

/**
 * What a change of the thing opened and closed, to be written into the event that made it. Open is what will be missed
 * if nothing more is recorded: a duty of which a missing fact leaves open whether it binds is no alarm of anyone.
 */
export function dutyChanges(
  state: SubjectState,
  duties: readonly Duty[],
  nowMs: number,
  isLookedAt: (open: OpenDuty) => boolean = () => true,
): DutyChanges | undefined {
  const opened: OpenDuty[] = [];
  const closed: ClosedDuty[] = [];
  for (const duty of duties) {
    const standing = state.openDuties.get(duty.duty);
    const missed = standingMiss(state, duty.duty);
    if (missed) closed.push(...metOrNot(state, duty, missed.metAt));
    else if (!endedInTime(duty) && (!duty.done || isInTime(duty, nowMs)) && isOwed(duty, nowMs)) {
      const entry = openEntry(duty);
      if (!standing || !isSame(standing, entry)) opened.push(entry);
    } else {
      const ended = { duty: duty.duty, ...howEnded(state, duty) };
      // Of a consequence that was taken back it is said once what met the duty.
      const taken = state.missed.get(duty.duty);
      if (standing || (taken && taken.ended !== ended.how)) closed.push(ended);
    }
  }
  const known = new Set(duties.map(({ duty }) => duty));
  for (const open of state.openDuties.values()) {
    if (isLookedAt(open) && !known.has(open.duty)) closed.push({ duty: open.duty, how: 'void' });
  }
  return opened.length + closed.length === 0 ? undefined : { opened, closed };
}

/** Opened again only where it is due at another instant, or stands still. */
const isSame = (a: OpenDuty, b: OpenDuty): boolean =>
  a.dueAt === b.dueAt && a.pausedSince === b.pausedSince && a.load === b.load;

/** A duty that stands missed and was done late since, or after all was not. */
function metOrNot(state: SubjectState, duty: Duty, known: string | undefined): readonly ClosedDuty[] {
  const metAt = duty.done && isoInstant(duty.done.ms);
  if (metAt === known) return [];
  return [
    metAt === undefined
      ? { duty: duty.duty, how: 'missed' }
      : { duty: duty.duty, ...metAs(state, duty, 'met_late') },
  ];
}

/** How a duty that is over ended, and what met it. */
export function howEnded(state: SubjectState, duty: Duty): Omit<ClosedDuty, 'duty'> {
  const ended = endedInTime(duty)?.how ?? (duty.done ? 'met_late' : 'void');
  return ended === 'met' || ended === 'met_late' ? metAs(state, duty, ended) : { how: ended };
}

function metAs(
  state: SubjectState,
  { done, pack, clause }: Duty,
  how: 'met' | 'met_late',
): Omit<ClosedDuty, 'duty'> {
  if (!done) return { how };
  return {
    how,
    metAt: isoInstant(done.ms),
    metBy: eventAt(state, done.saidMs, pack.factsUsedBy([clause.id])),
  };
}
