import { parseMonthDay } from '@headworks/kernel';
import type { Formula, Hours, Leaf } from '../model/ir';
import { describeType, type ValueType } from '../model/types';
import type { Path } from '../source/yaml-file';
import { resolveScalar, shownFormula } from './literals';
import type { Scope } from './scope';

/** Seasons are days of the year, both named days included; an instant has no day until its zone is asked. */
export function season(
  scope: Scope,
  op: 'in_season' | 'outside_season',
  left: Formula,
  value: string,
  path: Path,
): Leaf | undefined {
  if (left.type.is !== 'date') {
    const advice = left.type.is === 'instant' ? ': derive its day first' : '';
    return scope.report(path, `a season is for dates, and this is ${describeType(left.type)}${advice}`);
  }
  const [from, to] = value.split(' to ').map(parseMonthDay);
  if (!from || !to) return scope.report(path, `'${value}' names a day that no year has`);
  return { op: 'season', by: op, left, from, to, shown: value, negated: false };
}

const WEEKDAYS: readonly string[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** `7:00 to 15:30 Mon to Fri`: times by the clocks of the pack's zone, both ends in; without days, on every day. */
export function hours(scope: Scope, left: Formula, value: string, path: Path): Leaf | undefined {
  if (left.type.is !== 'instant') {
    const advice = left.type.is === 'date' ? ': a day has no time' : '';
    return scope.report(path, `hours are for times, and this is ${describeType(left.type)}${advice}`);
  }
  const [, start = '', end = '', first, last] = /^(\S+) to (\S+)(?: (\w+)(?: to (\w+))?)?$/.exec(value) ?? [];
  const [from, to] = [minutesOf(start), minutesOf(end)];
  if (from === undefined || to === undefined) {
    return scope.report(path, `'${value}' names a time that no day has`);
  }
  if (from >= to) {
    return scope.report(path, `'${value}' ends before it begins: hours over midnight are two conditions`);
  }
  const span: Hours = { from, to, days: daysOf(first, last) };
  return { op: 'hours', by: 'in_hours', left, hours: span, shown: value, negated: false };
}

function minutesOf(text: string): number | undefined {
  const [hour = NaN, minute = NaN] = text.split(':').map(Number);
  return hour < 24 && minute < 60 ? hour * 60 + minute : undefined;
}

/** One bit a weekday; `Sat to Mon` goes over the week's end. */
function daysOf(first: string | undefined, last: string | undefined): number {
  if (first === undefined) return 0b1111111;
  const from = WEEKDAYS.indexOf(first);
  const length = last === undefined ? 0 : (WEEKDAYS.indexOf(last) - from + 7) % 7;
  let days = 0;
  for (let i = 0; i <= length; i++) days |= 1 << ((from + i) % 7);
  return days;
}

const isMoment = (type: ValueType): boolean => type.is === 'date' || type.is === 'instant';

/** Two moments in one calendar year; a date and a time may be compared so, since both have a local day. */
export function sameYear(scope: Scope, left: Formula, value: string, path: Path): Leaf | undefined {
  if (!isMoment(left.type)) {
    return scope.report(path, `only a date or a time is in a year, and this is ${describeType(left.type)}`);
  }
  const right = resolveScalar(scope, value, path, left.type);
  if (!right) return undefined;
  if (isMoment(right.type)) return { op: 'same_year', by: 'in_year_of', left, right, negated: false };
  return scope.report(path, `${shownFormula(right)} is ${describeType(right.type)}, which is in no year`);
}
