import { countBack, countDue, localDateAt, rolledDay, startOfDay, type Period } from '@headworks/calendars';
import {
  addDays,
  addMonths,
  countQuantity,
  dateOf,
  dateParts,
  daysInMonth,
  monthDayIn,
  type LocalDate,
} from '@headworks/kernel';
import type { Formula } from '../model/ir';
import type { Maybe } from '../model/types';
import type { Compiled, Read } from './context';

/** The years that dates are written for; a step beyond them has no day. */
const [FIRST_YEAR, LAST_YEAR] = [1900, 2199];

/** Works on the local day of a moment: none stays none, and what nobody knows stays unknown. */
export function onDay(formula: Formula, to: Compiled, work: (day: LocalDate) => Maybe): Read {
  const read = to.formula(formula);
  const { zone } = to;
  return (e) => {
    const value = read(e);
    if (value === null || value === undefined) return value;
    return work(typeof value === 'number' ? localDateAt(zone, value) : (value as LocalDate));
  };
}

const inRange = (year: number): boolean => year >= FIRST_YEAR && year <= LAST_YEAR;

/** A day that is worked out is nobody's act: it never moves past a Sunday or a holiday. */
export function shift(formula: Extract<Formula, { op: 'shift' }>, to: Compiled): Read {
  const step = stepOf(formula, to);
  return onDay(formula.of[0], to, (day) => {
    const moved = step(day);
    return moved !== undefined && inRange(dateParts(moved).year) ? moved : undefined;
  });
}

type Step = (day: LocalDate) => LocalDate | undefined;

function stepOf({ by, towards, clear }: Extract<Formula, { op: 'shift' }>, to: Compiled): Step {
  const sign = towards === 'before' ? -1 : 1;
  const { amount, unit } = by;
  switch (unit) {
    case 'days':
      return (day) => addDays(day, sign * amount - (clear ? 1 : 0));
    case 'weeks':
      return (day) => addDays(day, sign * 7 * amount - (clear ? 1 : 0));
    case 'months':
      return (day) => monthsOn(day, sign * amount, clear);
    case 'years':
      return (day) => monthsOn(day, sign * 12 * amount, clear);
    case 'working_days':
    case 'h':
      return workingDays(by, towards, clear, to);
  }
}

/** Undefined past the years that dates are written for. */
function monthsOn(day: LocalDate, months: number, clear: boolean): LocalDate | undefined {
  const { year, month } = dateParts(day);
  if (!inRange(Math.floor((year * 12 + month - 1 + months) / 12))) return undefined;
  const moved = addMonths(day, months);
  return clear ? addDays(moved, -1) : moved;
}

function workingDays(allow: Period, towards: 'after' | 'before', clear: boolean, to: Compiled): Step {
  const { zone, counting, calendars } = to;
  const counted = { allow, zone, counting, kind: 'physical', ...calendars } as const;
  if (towards === 'before') {
    return (day) => countBack({ ...counted, event: startOfDay(zone, day), clear }).date as LocalDate;
  }
  return (day) => countDue({ ...counted, start: startOfDay(zone, day) }).date as LocalDate;
}

export function yearDay(formula: Extract<Formula, { op: 'year_day' }>, to: Compiled): Read {
  const { day: named, years, rolls: kind } = formula;
  const { calendars, counting } = to;
  return onDay(formula.of[0], to, (day) => {
    const year = dateParts(day).year + years;
    if (!inRange(year)) return undefined;
    const planned = monthDayIn(year, named);
    return kind === undefined ? planned : rolledDay({ day: planned, kind, counting, ...calendars });
  });
}

export function monthEnd(formula: Formula, to: Compiled): Read {
  return onDay(formula, to, (date) => {
    const { year, month } = dateParts(date);
    return dateOf(year, month, daysInMonth(year, month));
  });
}

export const year = (formula: Formula, to: Compiled): Read =>
  onDay(formula, to, (date) => countQuantity(dateParts(date).year));
