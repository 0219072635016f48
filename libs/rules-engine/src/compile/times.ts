import { offsetAt } from '@headworks/calendars';
import type { MonthDay } from '@headworks/kernel';
import type { Hours } from '../model/ir';
import { F, T, U } from '../model/types';
import type { Read, Test } from './context';
import { yearOf } from './ends';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Both named days belong to the season, also where it runs over the new year. */
export function seasonTest(left: Read, from: MonthDay, until: MonthDay, inside: boolean): Test {
  const [first, last] = [from.month * 100 + from.day, until.month * 100 + until.day];
  const over = first > last;
  return (e) => {
    const value = left(e);
    if (value === null) return F;
    if (value === undefined) return U;
    const day = monthDayNumber(value as string);
    const within = over ? day >= first || day <= last : day >= first && day <= last;
    return within === inside ? T : F;
  };
}

/** 1031 for 2027-10-31, read digit by digit: this runs for every clause with a season. */
function monthDayNumber(date: string): number {
  const digit = (at: number) => date.charCodeAt(at) - 48;
  return digit(5) * 1000 + digit(6) * 100 + digit(8) * 10 + digit(9);
}

/** By the clocks of the zone: to the last moment of the closing minute's start, and not a moment longer. */
export function hoursTest(left: Read, { from, to, days }: Hours, zone: string): Test {
  return (e) => {
    const value = left(e);
    if (value === null) return F;
    if (value === undefined) return U;
    const wall = (value as number) + offsetAt(zone, value as number);
    const day = Math.floor(wall / DAY_MS);
    const minutes = (wall - day * DAY_MS) / MINUTE_MS;
    // 1970-01-01 was a Thursday, the fourth bit.
    const weekday = (((day + 3) % 7) + 7) % 7;
    return (days & (1 << weekday)) !== 0 && minutes >= from && minutes <= to ? T : F;
  };
}

/** What has not happened is in no year; only then does an unknown side make it unknown. */
export function sameYearTest(left: Read, right: Read, zone: string): Test {
  return (e) => {
    const a = left(e);
    if (a === null) return F;
    const b = right(e);
    if (b === null) return F;
    if (a === undefined || b === undefined) return U;
    return yearOf(zone, a) === yearOf(zone, b) ? T : F;
  };
}
