import { COUNT, describeType } from '../model/types';
import type { Formula } from '../model/ir';
import { isYes, type RawDayAfter, type RawFormula, type RawOperation, type RawYearDay } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { everyYearsDay, needCalendars, needOffice } from './deadlines';
import { shownFormula } from './literals';
import type { Scope } from './scope';

type Resolve = (scope: Scope, raw: RawFormula, path: Path) => Formula | undefined;

/** Formulas over days: a time stands for its local day in the zone of the pack. Undefined where there is none. */
export function resolveDates(
  scope: Scope,
  raw: RawOperation,
  path: Path,
  resolve: Resolve,
): Formula | undefined | 'other' {
  const moment = (of: RawFormula, at: Path): Formula | undefined => momentOf(scope, of, at, resolve);
  if (raw.day !== undefined) {
    const of = moment(raw.day, [...path, 'day']);
    return of && { op: 'day', of: [of], type: { is: 'date' } };
  }
  if (raw.day_after) return shifted(scope, raw.day_after, [...path, 'day_after'], 'after', moment);
  if (raw.day_before) return shifted(scope, raw.day_before, [...path, 'day_before'], 'before', moment);
  if (raw.year_day) return yearDay(scope, raw.year_day, [...path, 'year_day'], moment);
  if (raw.month_end !== undefined) {
    const of = moment(raw.month_end, [...path, 'month_end']);
    return of && { op: 'month_end', of: [of], type: { is: 'date' } };
  }
  if (raw.year === undefined) return 'other';
  const of = moment(raw.year, [...path, 'year']);
  return of && { op: 'year', of: [of], type: COUNT };
}

function momentOf(scope: Scope, raw: RawFormula, path: Path, resolve: Resolve): Formula | undefined {
  const of = resolve(scope, raw, path);
  if (!of || of.type.is === 'instant' || of.type.is === 'date') return of;
  return scope.report(path, `${shownFormula(of)} is ${describeType(of.type)}: only a time has a day`);
}

type Moment = (of: RawFormula, at: Path) => Formula | undefined;

const UNITS = ['days', 'weeks', 'working_days', 'months', 'years'] as const;

function shifted(
  scope: Scope,
  raw: RawDayAfter,
  path: Path,
  towards: 'after' | 'before',
  moment: Moment,
): Formula | undefined {
  const of = moment(raw.date, [...path, 'date']);
  const unit = UNITS.find((one) => raw[one] !== undefined) ?? 'days';
  if (unit === 'working_days') {
    const at = [...path, unit];
    needOffice(scope, at);
    if (scope.raw.counting !== 'plain') needCalendars(scope, { kind: 'physical', byDay: true }, at, at);
  }
  const by = { amount: raw[unit] ?? 1, unit };
  return of && { op: 'shift', of: [of], by, towards, clear: isYes(raw.clear), type: { is: 'date' } };
}

/** A day of the year beside a date; it may roll as the last day of a duty of some kind would. */
function yearDay(scope: Scope, raw: RawYearDay, path: Path, moment: Moment): Formula | undefined {
  const day = everyYearsDay(scope, raw.day, [...path, 'day']);
  const of = moment(raw.of, [...path, 'of']);
  const { rolls, years = 0 } = raw;
  if (rolls !== undefined && scope.raw.counting !== 'plain') {
    const at = [...path, 'rolls'];
    needCalendars(scope, { kind: rolls, byDay: true }, at, at);
  }
  if (!day || !of) return undefined;
  return {
    op: 'year_day',
    of: [of],
    day,
    shown: raw.day,
    years,
    ...(rolls ? { rolls } : {}),
    type: { is: 'date' },
  };
}
