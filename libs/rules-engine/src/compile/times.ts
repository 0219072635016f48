import { isInHours, type Hours } from '@headworks/calendars';
import type { MonthDay } from '@headworks/kernel';
import { F, T, U } from '../model/types';
import type { Read, Test } from './context';
import { yearOf } from './ends';

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

/** By the clocks of the zone. */
export function hoursTest(left: Read, hours: Hours, zone: string): Test {
  return (e) => {
    const value = left(e);
    if (value === null) return F;
    if (value === undefined) return U;
    return isInHours(hours, zone, value as number) ? T : F;
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
