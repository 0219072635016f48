import { parseHours } from '@headworks/calendars';
import { parseMonthDay } from '@headworks/kernel';
import type { Formula, Leaf } from '../model/ir';
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

/** `7:00 to 15:30 Mon to Fri`: times by the clocks of the pack's zone, both ends in; without days, on every day. */
export function hours(scope: Scope, left: Formula, value: string, path: Path): Leaf | undefined {
  if (left.type.is !== 'instant') {
    const advice = left.type.is === 'date' ? ': a day has no time' : '';
    return scope.report(path, `hours are for times, and this is ${describeType(left.type)}${advice}`);
  }
  const span = parseHours(value);
  if ('why' in span) return scope.report(path, span.why);
  return { op: 'hours', by: 'in_hours', left, hours: span, shown: value, negated: false };
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
