import type { PeriodUnit } from '@headworks/calendars';
import { parseMonthDay } from '@headworks/kernel';
import type { DeadlineDef } from '../api';
import type { ClauseBody, Formula } from '../model/ir';
import { describeType } from '../model/types';
import type { RawDeadline } from '../source/raw';
import type { Path } from '../source/yaml-file';
import type { Scope } from './scope';

const UNITS: ReadonlyMap<string, PeriodUnit> = new Map([
  ['h', 'h'],
  ['day', 'days'],
  ['working day', 'working_days'],
  ['month', 'months'],
  ['year', 'years'],
]);

/** `24 h`, `30 days`, `60 working days`: the schema has seen to the form. */
function allowOf(text: string): NonNullable<DeadlineDef['allow']> {
  const [, amount = '', unit = ''] = /^(\d+) (.*?)s?$/.exec(text) ?? [];
  return { amount: Number(amount), unit: UNITS.get(unit) ?? 'days' };
}

export function deadlineDef(scope: Scope, raw: RawDeadline): DeadlineDef {
  return {
    who: raw.who,
    must: raw.must,
    kind: raw.kind,
    starts: raw.starts,
    done: raw.done,
    ...(raw.allow === undefined ? {} : { allow: allowOf(raw.allow) }),
    ...(raw.due ? { due: { day: raw.due.day, inYearOf: raw.due.in_year_of } } : {}),
    counting: raw.counting ?? scope.raw.counting,
    outcome: raw.if_missed.outcome,
  };
}

/** Hours run from instant to instant; whatever ends with a day may start and be done with either. */
export function deadlineBody(scope: Scope, raw: RawDeadline, path: Path): ClauseBody | undefined {
  const starts = scope.read(raw.starts, [...path, 'starts']);
  const done = scope.read(raw.done, [...path, 'done']);
  const inHours = raw.allow !== undefined && allowOf(raw.allow).unit === 'h';
  for (const [key, formula] of [
    ['starts', starts],
    ['done', done],
  ] as const) {
    if (formula && !isMoment(formula, inHours)) {
      const wanted = inHours ? 'a time (hours run from an instant to an instant)' : 'a date or a time';
      scope.report(
        [...path, key],
        `'${raw[key]}' is ${describeType(formula.type)}, and ${wanted} belongs here`,
      );
    }
  }
  // What is done by starting (a filing, judged by the last day of its own year) is never waited for.
  const itself = raw.due !== undefined && raw.done === raw.starts;
  if (done && !itself && !scope.isOptional(raw.done)) {
    scope.report(
      [...path, 'done'],
      `'${raw.done}' must be able to be none (not done yet): give it 'optional: yes'`,
    );
  }
  checkCalendars(scope, raw, path);
  const inYearOf = raw.due && dueYear(scope, raw.due, [...path, 'due']);
  if (!starts || !done || (raw.due && !inYearOf)) return undefined;
  return { verb: 'deadline', starts, done, ...(inYearOf ? { inYearOf } : {}) };
}

export const isMoment = (formula: Formula, instantOnly: boolean): boolean =>
  formula.type.is === 'instant' || (!instantOnly && formula.type.is === 'date');

/** The day must be one that every year has, and the year that of a date. */
function dueYear(scope: Scope, due: NonNullable<RawDeadline['due']>, path: Path): Formula | undefined {
  everyYearsDay(scope, due.day, [...path, 'day']);
  const at = [...path, 'in_year_of'];
  const year = scope.read(due.in_year_of, at);
  if (!year || isMoment(year, false)) return year;
  return scope.report(
    at,
    `'${due.in_year_of}' is ${describeType(year.type)}, and a date or a time belongs here`,
  );
}

/** A day of the year that is there in every year: nothing may fall due on a day that most years lack. */
export function everyYearsDay(
  scope: Scope,
  text: string,
  path: Path,
): { readonly month: number; readonly day: number } | undefined {
  const day = parseMonthDay(text);
  if (day && !(day.month === 2 && day.day === 29)) return day;
  return scope.report(
    path,
    day ? 'Feb 29 is not there in every year: name another day' : `'${text}' is no day of the year`,
  );
}

/** 990.001(4) counts by legal holidays, and moves a filing past days on which its office is closed. */
function checkCalendars(scope: Scope, raw: RawDeadline, path: Path): void {
  const unit = raw.allow === undefined ? undefined : allowOf(raw.allow).unit;
  if (unit === 'working_days' && scope.raw.calendars?.office === undefined) {
    scope.report(
      [...path, 'allow'],
      "working days are those on which an office works: add 'calendars: { office: ... }'",
    );
  }
  if ((raw.counting ?? scope.raw.counting) === 'plain') return;
  needCalendars(scope, { kind: raw.kind, byDay: unit !== 'h' }, path, [...path, 'kind']);
}

/** What counting by 990.001 needs, wherever a last day may roll. */
export function needCalendars(
  scope: Scope,
  { kind, byDay }: { readonly kind: RawDeadline['kind']; readonly byDay: boolean },
  path: Path,
  kindPath: Path,
): void {
  const { calendars } = scope.raw;
  if (calendars?.legal === undefined) {
    scope.report(path, "counting by wis-990.001 needs 'calendars: { legal: ... }' at the top of the pack");
  }
  const rolls = kind === 'filing' || kind === 'payment' || kind === 'notice';
  if (rolls && byDay && calendars?.office === undefined) {
    scope.report(
      kindPath,
      `a ${kind} rolls past days on which its office is closed: add 'calendars: { office: ... }'`,
    );
  }
}
