import { parsePeriod, periodText, type Period } from '@headworks/calendars';
import { parseMonthDay } from '@headworks/kernel';
import type { DeadlineDef } from '../api';
import type { ClauseBody, Formula } from '../model/ir';
import { describeType } from '../model/types';
import { isYes, type RawDeadline, type RawDue } from '../source/raw';
import type { Path } from '../source/yaml-file';
import type { Scope } from './scope';

/** `24 h`, `30 days`, `60 working days`: the schema has seen to the form. */
const periodOf = (text: string): Period => parsePeriod(text) ?? { amount: 1, unit: 'days' };
const reminderOf = (text: string): Period => periodOf(text.replace(/ before$/, ''));
const allowOf = (raw: RawDeadline): Period | undefined =>
  raw.allow === undefined ? undefined : periodOf(raw.allow);

export function deadlineDef(scope: Scope, raw: RawDeadline): DeadlineDef {
  const { due, paused_by: paused, extended_by: extended, waived_by: waivedBy } = raw;
  const allow = allowOf(raw);
  return {
    who: raw.who,
    must: raw.must,
    kind: raw.kind,
    starts: raw.starts,
    done: raw.done,
    ...(allow ? { allow } : {}),
    ...(due ? { due: dueDef(due) } : {}),
    ...(isYes(raw.may_be_mailed) ? { byPost: true } : {}),
    ...(paused ? { pausedBy: paused } : {}),
    ...(extended
      ? {
          extendedBy: {
            fact: extended.fact,
            each: periodOf(extended.each),
            grantedBy: extended.granted_by,
          },
        }
      : {}),
    ...(waivedBy === undefined ? {} : { waivedBy }),
    remind: (raw.remind ?? []).map(reminderOf),
    counting: raw.counting ?? scope.raw.counting,
    outcome: raw.if_missed.outcome,
  };
}

const dueDef = ({ day, in_year_of: year, on, prior }: RawDue): NonNullable<DeadlineDef['due']> => ({
  ...(day === undefined ? {} : { day }),
  inYearOf: on ?? year ?? '',
  ...(isYes(prior) ? { prior: true } : {}),
});

/** Hours run from instant to instant; whatever ends with a day may start and be done with either. */
export function deadlineBody(scope: Scope, raw: RawDeadline, path: Path): ClauseBody | undefined {
  const inHours = allowOf(raw)?.unit === 'h';
  const starts = moment(scope, raw.starts, [...path, 'starts'], inHours);
  const done = moment(scope, raw.done, [...path, 'done'], inHours);
  // What is done by starting (a filing, judged by the last day of its own year) is never waited for.
  const itself = raw.due !== undefined && raw.done === raw.starts;
  if (done && !itself) mayBeNone(scope, raw.done, [...path, 'done'], 'not done yet');
  checkCalendars(scope, raw, path);
  const inYearOf = raw.due && dueYear(scope, raw.due, [...path, 'due']);
  const paused = raw.paused_by && pausedBy(scope, raw.paused_by, [...path, 'paused_by'], inHours);
  const extended = raw.extended_by && extendedBy(scope, raw, raw.extended_by, [...path, 'extended_by']);
  if (raw.waived_by !== undefined) {
    scope.member(scope.raw.bodies, 'body', raw.waived_by, [...path, 'waived_by']);
  }
  checkReminders(scope, raw, path);
  if (!starts || !done || (raw.due && !inYearOf)) return undefined;
  if ((raw.paused_by && !paused) || (raw.extended_by && !extended)) return undefined;
  return {
    verb: 'deadline',
    starts,
    done,
    ...(inYearOf ? { inYearOf } : {}),
    ...(paused ? { paused } : {}),
    ...(extended ? { extended } : {}),
  };
}

export const isMoment = (formula: Formula, instantOnly: boolean): boolean =>
  formula.type.is === 'instant' || (!instantOnly && formula.type.is === 'date');

/** A moment by name; what is no moment is reported and handed on, so that the rest is checked as well. */
function moment(scope: Scope, name: string, path: Path, inHours: boolean): Formula | undefined {
  const formula = scope.read(name, path);
  if (formula && !isMoment(formula, inHours)) {
    const wanted = inHours ? 'a time (hours run from an instant to an instant)' : 'a date or a time';
    scope.report(path, `'${name}' is ${describeType(formula.type)}, and ${wanted} belongs here`);
  }
  return formula;
}

function mayBeNone(scope: Scope, name: string, path: Path, what: string): void {
  if (scope.isOptional(name)) return;
  scope.report(path, `'${name}' must be able to be none (${what}): give it 'optional: yes'`);
}

/** A clock that nobody stopped has neither; one that was stopped and not let go has the first alone. */
function pausedBy(
  scope: Scope,
  raw: NonNullable<RawDeadline['paused_by']>,
  path: Path,
  inHours: boolean,
): { readonly from: Formula; readonly until: Formula } | undefined {
  const [at, to] = [
    [...path, 'from'],
    [...path, 'until'],
  ];
  const from = moment(scope, raw.from, at, inHours);
  const until = moment(scope, raw.until, to, inHours);
  if (from && isMoment(from, inHours)) mayBeNone(scope, raw.from, at, 'never stopped');
  if (until && isMoment(until, inHours)) mayBeNone(scope, raw.until, to, 'still stopped');
  return from && until && { from, until };
}

/** How often it was lengthened is a plain number; an hour more makes no sense of a day, nor a day of an hour. */
function extendedBy(
  scope: Scope,
  raw: RawDeadline,
  { fact, each, granted_by: body }: NonNullable<RawDeadline['extended_by']>,
  path: Path,
): Formula | undefined {
  scope.member(scope.raw.bodies, 'body', body, [...path, 'granted_by']);
  const inHours = allowOf(raw)?.unit === 'h';
  if ((periodOf(each).unit === 'h') !== inHours) {
    const wanted = inHours
      ? 'a period in hours is lengthened by hours'
      : 'what ends with a day is lengthened by days, weeks, months or years';
    scope.report([...path, 'each'], `'${each}': ${wanted}`);
  }
  const count = scope.read(fact, [...path, 'fact']);
  if (!count || (count.type.is === 'quantity' && count.type.kind === 'count')) return count;
  return scope.report(
    [...path, 'fact'],
    `'${fact}' is ${describeType(count.type)}, and a count (how often it was lengthened) belongs here`,
  );
}

/** A reminder that would come before the period begins reminds of nothing; one that stands twice nags. */
function checkReminders(scope: Scope, raw: RawDeadline, path: Path): void {
  const allow = allowOf(raw);
  const seen = new Set<string>();
  for (const [index, text] of (raw.remind ?? []).entries()) {
    const at = [...path, 'remind', index];
    const reminder = reminderOf(text);
    const shown = periodText(reminder);
    if (seen.has(shown)) scope.report(at, `'${text}' stands here twice`);
    seen.add(shown);
    if (allow?.unit === reminder.unit && reminder.amount >= allow.amount) {
      scope.report(at, `'${text}' is not before the start of ${periodText(allow)}: remind later`);
    }
  }
}

/** The day must be one that every year has, and the year that of a date. */
function dueYear(scope: Scope, { day, on, in_year_of: of }: RawDue, path: Path): Formula | undefined {
  if (day !== undefined) everyYearsDay(scope, day, [...path, 'day']);
  const at = [...path, on === undefined ? 'in_year_of' : 'on'];
  const name = on ?? of ?? '';
  const year = scope.read(name, at);
  if (!year || isMoment(year, false)) return year;
  return scope.report(at, `'${name}' is ${describeType(year.type)}, and a date or a time belongs here`);
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
  const periods: readonly (readonly [Path, Period | undefined])[] = [
    [['allow'], allowOf(raw)],
    [['extended_by', 'each'], raw.extended_by && periodOf(raw.extended_by.each)],
    ...(raw.remind ?? []).map((text, index) => [['remind', index], reminderOf(text)] as const),
  ];
  const working = periods.find(([, period]) => period?.unit === 'working_days');
  if (working) needOffice(scope, [...path, ...working[0]]);
  checkPost(scope, raw, [...path, 'may_be_mailed']);
  if ((raw.counting ?? scope.raw.counting) === 'plain') return;
  const byDay = allowOf(raw)?.unit !== 'h';
  needCalendars(scope, { kind: raw.kind, byDay }, path, [...path, 'kind']);
}

export function needOffice(scope: Scope, path: Path): void {
  if (scope.raw.calendars?.office !== undefined) return;
  scope.report(path, "working days are those on which an office works: add 'calendars: { office: ... }'");
}

/** What may be done by post has more holidays (990.001(4)(e)); what is done on the land is done by nobody's post. */
function checkPost(scope: Scope, raw: RawDeadline, path: Path): void {
  if (!isYes(raw.may_be_mailed)) return;
  if (raw.kind === 'physical') {
    scope.report(path, 'a physical duty is done on the land, and not by post: take it out');
  } else if (scope.raw.calendars?.post === undefined) {
    scope.report(path, "what is done by post counts by more holidays: add 'calendars: { post: ... }'");
  }
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
