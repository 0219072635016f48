import type { LocalDate } from '@headworks/kernel';
import type { Calendar } from './api';
import { dateOfDay, localDateAt, localDayAt, offsetAt, startOfEpochDay } from './zones';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const WEEKDAYS: readonly string[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Times of day in minutes from midnight, both in, on the named weekdays (bit 0 is Monday). */
export interface Hours {
  readonly from: number;
  readonly to: number;
  readonly days: number;
}

/** `7:00 to 15:30 Mon to Fri`: by the clocks of a zone, both ends in; without weekdays, on every day. */
export function parseHours(text: string): Hours | { readonly why: string } {
  const match = /^(\d{1,2}:\d{2}) to (\d{1,2}:\d{2})(?: ([A-Z][a-z]{2})(?: to ([A-Z][a-z]{2}))?)?$/.exec(
    text,
  );
  if (!match) return { why: `'${text}': write hours as 7:00 to 15:30 Mon to Fri` };
  const [, start = '', end = '', first, last] = match;
  const [from, to] = [minutesOf(start), minutesOf(end)];
  if (from === undefined || to === undefined) return { why: `'${text}' names a time that no day has` };
  if (from >= to) {
    return { why: `'${text}' ends before it begins: hours over midnight are two conditions` };
  }
  const days = daysOf(first, last);
  return days === undefined ? { why: `'${text}' names a weekday that no week has` } : { from, to, days };
}

function minutesOf(text: string): number | undefined {
  const [hour = NaN, minute = NaN] = text.split(':').map(Number);
  return hour < 24 && minute < 60 ? hour * 60 + minute : undefined;
}

/** One bit a weekday; `Sat to Mon` goes over the week's end. */
function daysOf(first: string | undefined, last: string | undefined): number | undefined {
  if (first === undefined) return 0b1111111;
  const from = WEEKDAYS.indexOf(first);
  const until = last === undefined ? from : WEEKDAYS.indexOf(last);
  if (from < 0 || until < 0) return undefined;
  let days = 0;
  for (let i = 0; i <= (until - from + 7) % 7; i++) days |= 1 << ((from + i) % 7);
  return days;
}

/** To the last moment of the closing minute's start, and not a moment longer. */
export function isInHours({ from, to, days }: Hours, zone: string, ms: number): boolean {
  const wall = ms + offsetAt(zone, ms);
  const day = Math.floor(wall / DAY_MS);
  const minutes = (wall - day * DAY_MS) / MINUTE_MS;
  return (days & (1 << weekdayBit(day))) !== 0 && minutes >= from && minutes <= to;
}

/** 1970-01-01 was a Thursday, the fourth bit. */
const weekdayBit = (day: number): number => (((day + 3) % 7) + 7) % 7;

/** Whether an office lets the public in; undefined where its calendar does not say at which hours. */
export function isOpen(calendar: Calendar, zone: string, ms: number): boolean | undefined {
  const { hours } = calendar;
  if (!hours) return undefined;
  return !isShut(calendar, localDateAt(zone, ms)) && isInHours(hours, zone, ms);
}

const isShut = (calendar: Calendar, date: LocalDate): boolean =>
  (calendar.holiday(date) ?? calendar.added?.(date, 'public')) !== undefined;

/**
 * The first moment from an instant on at which an office is open: that instant, or an opening. Undefined where its hours
 * are not known, or where it opens on no day of a year.
 */
export function nextOpen(calendar: Calendar, zone: string, ms: number): number | undefined {
  const { hours } = calendar;
  if (!hours) return undefined;
  if (isOpen(calendar, zone, ms)) return ms;
  const today = localDayAt(zone, ms);
  for (let day = today; day <= today + 366; day++) {
    if ((hours.days & (1 << weekdayBit(day))) === 0 || isShut(calendar, dateOfDay(day))) continue;
    // Clocks change at night; an opening that they skip would be the first moment after it.
    const opening = openingOf(zone, day, hours.from);
    if (opening >= ms) return opening;
  }
  return undefined;
}

function openingOf(zone: string, day: number, from: number): number {
  const midnight = startOfEpochDay(zone, day);
  const guess = midnight + from * MINUTE_MS;
  return guess + offsetAt(zone, midnight) - offsetAt(zone, guess);
}
