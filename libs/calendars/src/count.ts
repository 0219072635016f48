import { epochDay, isoInstant, type DerivationStep, type Due } from '@headworks/kernel';
import type { Calendar, CountRequest, DutyKind } from './api';
import { clockAt, dateOfDay, localDayAt, startOfEpochDay } from './zones';

const HOUR_MS = 3_600_000;
const HOURS_CITE = 'Wis. Stat. 990.001(4)(a)';
const DAYS_CITE = 'Wis. Stat. 990.001(4)(a), (d)';
const ROLL_CITE = 'Wis. Stat. 990.001(4)(b)';
const SATURDAY_CITE = 'Wis. Stat. 990.001(4)(c)';
/** No count comes near it; a calendar that leaves out every day must not hang the program. */
const TOO_FAR_DAYS = 73_000;

/** Instants at which a period ends, epoch ms: the statutory one, and for hours the one by the clock alone. */
export interface DueInstants {
  readonly at: number;
  readonly elapsedAt?: number;
}

interface Reason {
  readonly why: string;
  readonly source: string;
}
type Visit = (step: DerivationStep) => void;

/**
 * When a period ends, without the derivation: for paths that only compare instants.
 */
export function dueInstants(request: CountRequest): DueInstants {
  checkRequest(request);
  if (request.allow.unit === 'days') {
    return { at: startOfEpochDay(request.zone, lastDay(request) + 1) };
  }
  return { at: endOfHours(request), elapsedAt: elapsedEnd(request) };
}

/**
 * When a period ends and how that was counted: the start, then every counted and left-out day (or span of days,
 * written `first/last`) with its reason and source.
 *
 * `date` is the last local day on which the act may be done. `at` is the last instant: for days the end of that day,
 * for hours the statutory moment. Hours that run out at midnight belong to the day that is ending, as days do.
 */
export function countDue(request: CountRequest): Due {
  checkRequest(request);
  const { start, zone, allow } = request;
  const derivation: DerivationStep[] = [];
  const visit: Visit = (step) => derivation.push(step);
  if (allow.unit === 'days') {
    const day = lastDay(request, visit);
    const at = isoInstant(startOfEpochDay(zone, day + 1));
    return { date: dateOfDay(day), at, elapsedAt: null, derivation };
  }
  visit?.({
    on: isoInstant(start),
    counted: false,
    why: `the period starts, at ${clockAt(zone, start)} on ${dateOfDay(localDayAt(zone, start))}`,
  });
  const at = endOfHours(request, visit);
  const date = dateOfDay(localDayAt(zone, at - 1));
  return { date, at: isoInstant(at), elapsedAt: isoInstant(elapsedEnd(request)), derivation };
}

const elapsedEnd = ({ start, allow }: CountRequest): number => start + allow.amount * HOUR_MS;

/**
 * The end of a period in hours. By 990.001(4)(a) the whole of each Sunday and legal holiday is left out, midnight to
 * midnight, and the rest counts as it passes: real milliseconds, so a 23 or 25 hour day is as long as it is.
 *
 * A period that starts inside a day left out begins to run when that day ends: the whole day is excluded, so no part
 * of it can be used up. 24 hours from Sunday noon therefore end at the end of Monday.
 */
function endOfHours(request: CountRequest, visit?: Visit): number {
  const { start, zone, allow } = request;
  const legal = request.counting === 'plain' ? undefined : request.legal;
  if (!legal) {
    visit?.({
      on: spanOf(zone, start, elapsedEnd(request)),
      counted: true,
      why: `${allow.amount} h by the clock`,
    });
    return elapsedEnd(request);
  }
  let left = allow.amount * HOUR_MS;
  const first = localDayAt(zone, start);
  for (let day = first, from = start; day < first + TOO_FAR_DAYS; day++) {
    const end = startOfEpochDay(zone, day + 1);
    const reason = leftOut(legal, day);
    if (reason) {
      visit?.({
        on: dateOfDay(day),
        counted: false,
        why: `${reason.why}: left out whole`,
        source: reason.source,
      });
    } else {
      const used = Math.min(left, end - from);
      left -= used;
      visit?.({
        on: dateOfDay(day),
        counted: true,
        why: `${lengthText(used)} counted${left > 0 ? '' : lastWords(zone, from + used)}`,
      });
      if (left === 0) return from + used;
    }
    from = end;
  }
  throw neverEnds(legal);
}

/**
 * The last day of a period in days: the trigger's own day is left out and the last is counted (990.001(4)(a), (d));
 * then the last day moves on where the act may be done on the next secular day (clauses 1.1, rules 1 and 2).
 */
function lastDay(request: CountRequest, visit?: Visit): number {
  const { zone, start, allow, counting } = request;
  const trigger = localDayAt(zone, start);
  const cite = counting === 'plain' ? {} : { source: DAYS_CITE };
  visit?.({ on: dateOfDay(trigger), counted: false, why: 'the day of the trigger is left out', ...cite });
  let day = trigger + allow.amount;
  const counted = `${allow.amount} ${allow.amount === 1 ? 'day' : 'days'} counted`;
  const span = allow.amount === 1 ? dateOfDay(day) : `${dateOfDay(trigger + 1)}/${dateOfDay(day)}`;
  visit?.({ on: span, counted: true, why: counted, ...cite });
  if (counting === 'plain' || !request.legal) return day;
  const planned = day;
  for (let reason = moves(request, request.legal, day); reason; reason = moves(request, request.legal, day)) {
    visit?.({
      on: dateOfDay(day),
      counted: false,
      why: `${reason.why}: the last day moves on`,
      source: reason.source,
    });
    if (++day > planned + TOO_FAR_DAYS) throw neverEnds(request.legal);
  }
  if (day !== planned) visit?.({ on: dateOfDay(day), counted: true, why: 'the last day, after moving on' });
  return day;
}

/** Why a last day moves on, or undefined where it stands. */
function moves({ kind, office }: CountRequest, legal: Calendar, day: number): Reason | undefined {
  // A duty to do something on the land binds the land, not an office's hours: it never moves.
  if (kind === 'physical') return undefined;
  const reason = leftOut(legal, day);
  if (reason)
    return {
      why: reason.why,
      source: reason.why === 'Sunday' ? ROLL_CITE : `${ROLL_CITE}; ${reason.source}`,
    };
  if (weekday(day) !== 6 || !goesToOffice(kind)) return undefined;
  const shut = office?.holiday(dateOfDay(day));
  return shut && { why: `Saturday, ${shut.name}`, source: `${SATURDAY_CITE}; ${shut.source}` };
}

/** The Saturday rule is for what is brought to an office; a decision is the office's own act and stays. */
function goesToOffice(kind: DutyKind): boolean {
  switch (kind) {
    case 'filing':
    case 'payment':
    case 'notice':
      return true;
    case 'decision':
    case 'physical':
      return false;
  }
}

/** Days left out, remembered by calendar: a calendar is pure data, and every load's duty asks for the same days. */
const known = new WeakMap<Calendar, Map<number, Reason | undefined>>();

function leftOut(legal: Calendar, day: number): Reason | undefined {
  const days = known.get(legal) ?? new Map<number, Reason | undefined>();
  if (days.size === 0) known.set(legal, days);
  if (days.has(day)) return days.get(day);
  const holiday = legal.holiday(dateOfDay(day));
  const sunday = weekday(day) === 7 ? { why: 'Sunday', source: HOURS_CITE } : undefined;
  const reason = sunday ?? (holiday && { why: holiday.name, source: holiday.source });
  days.set(day, reason);
  return reason;
}

/** ISO weekday of an epoch day, Monday 1: 1970-01-01 was a Thursday. */
const weekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

function checkRequest({ start, allow, counting, legal }: CountRequest): void {
  if (!Number.isSafeInteger(start)) throw new RangeError(`${start} is no instant: give whole milliseconds`);
  if (!Number.isSafeInteger(allow.amount) || allow.amount < 1) {
    throw new RangeError(
      `A period of ${allow.amount} ${allow.unit} can't be counted: give a whole number from 1`,
    );
  }
  if (counting !== 'plain' && !legal) {
    throw new RangeError(`Counting by ${counting} needs the calendar of legal holidays: give it as 'legal'`);
  }
}

const neverEnds = ({ id }: Calendar): RangeError =>
  new RangeError(`The calendar '${id}' leaves out every day, so no period ever ends: correct the calendar`);

function spanOf(zone: string, from: number, to: number): string {
  const [first, last] = [dateOfDay(localDayAt(zone, from)), dateOfDay(localDayAt(zone, to - 1))];
  return epochDay(first) === epochDay(last) ? first : `${first}/${last}`;
}

const lastWords = (zone: string, at: number): string => {
  const clock = clockAt(zone, at);
  return `, the last to ${clock === '00:00' ? 'midnight' : clock}`;
};

function lengthText(ms: number): string {
  const parts = [
    [Math.floor(ms / HOUR_MS), 'h'],
    [Math.floor((ms % HOUR_MS) / 60_000), 'min'],
    [(ms % 60_000) / 1000, 's'],
  ] as const;
  return parts
    .filter(([n]) => n > 0)
    .map(([n, name]) => `${n} ${name}`)
    .join(' ');
}
