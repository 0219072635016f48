/** A local date, `YYYY-MM-DD`, of the proleptic Gregorian calendar. Compares by code unit. */
export type LocalDate = string & { readonly __localDate: true };

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** The date that the text says, or undefined if there is no such day (2026-02-30). Years 1900 to 2199. */
export function parseLocalDate(text: string): LocalDate | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1900 || year > 2199 || month < 1 || month > 12) return undefined;
  return day >= 1 && day <= daysInMonth(year, month) ? (text as LocalDate) : undefined;
}

/** As `parseLocalDate`, for dates that the program itself writes: a wrong one is a bug and throws. */
export function localDate(text: string): LocalDate {
  const date = parseLocalDate(text);
  if (!date) throw new RangeError(`'${text}' is no date`);
  return date;
}

export function dateOf(year: number, month: number, day: number): LocalDate {
  const pad = (n: number, width: number) => String(n).padStart(width, '0');
  return localDate(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`);
}

export function dateParts(date: LocalDate): { year: number; month: number; day: number } {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) };
}

/** Days since 1970-01-01. Date.UTC knows no zone, so the machine's own never matters. */
export function epochDay(date: LocalDate): number {
  const { year, month, day } = dateParts(date);
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

export function fromEpochDay(day: number): LocalDate {
  return new Date(day * 86_400_000).toISOString().slice(0, 10) as LocalDate;
}

export function addDays(date: LocalDate, days: number): LocalDate {
  return fromEpochDay(epochDay(date) + days);
}

export function daysBetween(from: LocalDate, to: LocalDate): number {
  return epochDay(to) - epochDay(from);
}

/** ISO weekday: 1 Monday to 7 Sunday. */
export function dayOfWeek(date: LocalDate): number {
  return ((((epochDay(date) + 3) % 7) + 7) % 7) + 1;
}

/** The same day number, clamped to the month's end (Dec 31 + 14 months = Feb 28). */
export function addMonths(date: LocalDate, months: number): LocalDate {
  const { year, month, day } = dateParts(date);
  const index = year * 12 + (month - 1) + months;
  const [y, m] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1];
  return dateOf(y, m, Math.min(day, daysInMonth(y, m)));
}

/** Monday of the week that the date is in. */
export function weekStart(date: LocalDate): LocalDate {
  return addDays(date, 1 - dayOfWeek(date));
}

/** A day without a year, as in `Oct 31`: month 1-12 and day. Feb 29 is allowed and clamps in common years. */
export interface MonthDay {
  readonly month: number;
  readonly day: number;
}

export function parseMonthDay(text: string): MonthDay | undefined {
  const match = /^([A-Z][a-z]{2}) (\d{1,2})$/.exec(text.trim());
  if (!match) return undefined;
  const month = MONTHS.indexOf(match[1] ?? '') + 1;
  const day = Number(match[2]);
  return month > 0 && day >= 1 && day <= daysInMonth(2024, month) ? { month, day } : undefined;
}

export function monthDayIn(year: number, { month, day }: MonthDay): LocalDate {
  return dateOf(year, month, Math.min(day, daysInMonth(year, month)));
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/;

/** Why a text is no instant, or its epoch milliseconds. An offset is required: a wall time alone is not an instant. */
export function parseInstant(text: string): { ms: number } | { why: string } {
  const match = INSTANT.exec(text);
  if (!match) {
    return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text)
      ? { why: `'${text}' has no offset: write it as ${text}-05:00 or in UTC as ${text}Z` }
      : { why: `'${text}' is no instant: write it as 2027-07-03T15:00:00-05:00` };
  }
  const [, day = '', hour = '', minute = '', second = '0', fraction = '', offset = 'Z'] = match;
  const date = parseLocalDate(day);
  if (!date) return { why: `'${day}' is no date` };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return { why: `'${text}' has no such time of day` };
  const wall =
    epochDay(date) * 86_400_000 + (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1000;
  const shift = offsetMinutes(offset);
  if (Math.abs(shift) > 14 * 60) return { why: `'${offset}' is no offset that any zone has` };
  return { ms: wall + Number(fraction.padEnd(3, '0').slice(0, 3)) - shift * 60_000 };
}

function offsetMinutes(offset: string): number {
  if (offset === 'Z') return 0;
  const size = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  return offset.startsWith('-') ? -size : size;
}

/** An instant as Headworks writes it: ISO 8601, UTC, milliseconds. */
export function isoInstant(ms: number): string {
  return new Date(ms).toISOString();
}
