import { localDateAt, rolledDay } from '@headworks/calendars';
import {
  addDays,
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

export function shift(formula: Extract<Formula, { op: 'shift' }>, to: Compiled): Read {
  return onDay(formula.of[0], to, (day) => {
    const moved = addDays(day, formula.days);
    return inRange(dateParts(moved).year) ? moved : undefined;
  });
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
