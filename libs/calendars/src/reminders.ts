import { isoInstant, type Due, type LocalDate } from '@headworks/kernel';
import type { Period, Rolling } from './api';
import { countBack } from './count-back';
import { periodText } from './period';
import { localDateAt, startOfDay } from './zones';

/** When somebody is to be reminded of a due date: the start of a day, or a moment for hours. */
export interface Reminder {
  readonly before: Period;
  readonly text: string;
  readonly on: LocalDate;
  readonly at: string;
}

/**
 * The reminders of a due date, first to last. Days are counted back from its date; hours from the instant by the clock,
 * which is the earlier of the two, since people act by the clock. A date that moved (a pause, a holiday that was added)
 * moves its reminders.
 */
export function remindersOf(
  due: Due,
  periods: readonly Period[],
  counted: Rolling & { readonly zone: string },
): readonly Reminder[] {
  const { zone } = counted;
  const reminders = periods.map((before): Reminder => {
    const text = `${periodText(before)} before`;
    if (before.unit === 'h') {
      const at = Date.parse(due.elapsedAt ?? due.at) - before.amount * 3_600_000;
      return { before, text, on: localDateAt(zone, at), at: isoInstant(at) };
    }
    const event = startOfDay(zone, due.date as LocalDate);
    const on = countBack({ ...counted, event, allow: before }).date as LocalDate;
    return { before, text, on, at: isoInstant(startOfDay(zone, on)) };
  });
  return reminders.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
