import {
  addDays,
  dateOf,
  dayOfWeek,
  daysInMonth,
  monthDayIn,
  parseLocalDate,
  parseMonthDay,
  type LocalDate,
} from '@headworks/kernel';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const NTH = ['1st', '2nd', '3rd', '4th', 'last'];
export const DAY_FORMS =
  "write 'Jul 4', '3rd Monday of Jan', 'last Monday of May', 'Tuesday after 1st Monday of Nov' or a date '2027-01-15'";

/** The day in a year, or undefined where the year has none (odd years of an even-year election). */
export type DayRule = (year: number) => LocalDate | undefined;

/** Undefined where the text is no day of the year. */
export function parseDayRule(text: string): DayRule | undefined {
  const once = parseLocalDate(text);
  if (once) return (year) => (once.startsWith(`${year}-`) ? once : undefined);
  const fixed = parseMonthDay(text);
  // A list that names Feb 29 names no day of a common year: moving it to the 28th would make one up.
  if (fixed)
    return (year) => (fixed.day <= daysInMonth(year, fixed.month) ? monthDayIn(year, fixed) : undefined);
  const match = /^(?:(\w+day) after (?:the )?)?(\w+) (\w+day) of (\w{3})$/.exec(text);
  if (!match) return undefined;
  const [, after, nth = '', weekday = '', monthName = ''] = match;
  const month = parseMonthDay(`${monthName} 1`)?.month;
  const day = WEEKDAYS.indexOf(weekday) + 1;
  if (month === undefined || day === 0 || !NTH.includes(nth)) return undefined;
  if (after === undefined) return (year) => nthWeekday(year, month, day, nth);
  const follows = WEEKDAYS.indexOf(after) + 1;
  if (follows === 0) return undefined;
  return (year) => {
    const first = nthWeekday(year, month, day, nth);
    return addDays(first, (follows - day + 7) % 7 || 7);
  };
}

function nthWeekday(year: number, month: number, weekday: number, nth: string): LocalDate {
  if (nth === 'last') {
    const end = dateOf(year, month, daysInMonth(year, month));
    return addDays(end, -((dayOfWeek(end) - weekday + 7) % 7));
  }
  const first = dateOf(year, month, 1);
  return addDays(first, ((weekday - dayOfWeek(first) + 7) % 7) + 7 * NTH.indexOf(nth));
}
