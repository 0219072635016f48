import { addMonths, epochDay, type DerivationStep } from '@headworks/kernel';
import type { Calendar, CountRequest, DutyKind, Rolling } from './api';
import { dateOfDay, localDayAt } from './zones';

export const HOURS_CITE = 'Wis. Stat. 990.001(4)(a)';
const DAYS_CITE = 'Wis. Stat. 990.001(4)(a), (d)';
const MONTHS_CITE = 'Wis. Stat. 990.01(21), (49)';
const ROLL_CITE = 'Wis. Stat. 990.001(4)(b)';
const SATURDAY_CITE = 'Wis. Stat. 990.001(4)(c)';
/** No count comes near it; a calendar that leaves out every day must not hang the program. */
export const TOO_FAR_DAYS = 73_000;

export interface Reason {
  readonly why: string;
  readonly source: string;
}
export type Visit = (step: DerivationStep) => void;

/**
 * The last day of a period that ends with a day: the trigger's own day is left out and the last is counted
 * (990.001(4)(a), (d)); then the last day moves on where the act may be done on the next secular day (clauses 1.1,
 * rules 1 and 2).
 */
export function lastDay(request: CountRequest, visit?: Visit): number {
  const { zone, start, counting } = request;
  const trigger = localDayAt(zone, start);
  const cite = counting === 'plain' ? {} : { source: DAYS_CITE };
  visit?.({ on: dateOfDay(trigger), counted: false, why: 'the day of the trigger is left out', ...cite });
  return rollOn(plannedDay(request, trigger, visit), request, visit);
}

function plannedDay(request: CountRequest, trigger: number, visit?: Visit): number {
  const { amount, unit } = request.allow;
  const cite = request.counting === 'plain' ? {} : { source: DAYS_CITE };
  switch (unit) {
    case 'working_days':
      return afterWorkingDays(request, trigger, visit);
    case 'months':
    case 'years': {
      const day = epochDay(addMonths(dateOfDay(trigger), unit === 'months' ? amount : 12 * amount));
      const why = `${amount} ${amount === 1 ? unit.slice(0, -1) : unit} on, by the calendar`;
      visit?.({ on: dateOfDay(day), counted: true, why, ...(cite.source ? { source: MONTHS_CITE } : {}) });
      return day;
    }
    case 'days':
    case 'h': {
      const day = trigger + amount;
      const span = amount === 1 ? dateOfDay(day) : `${dateOfDay(trigger + 1)}/${dateOfDay(day)}`;
      visit?.({
        on: span,
        counted: true,
        why: `${amount} ${amount === 1 ? 'day' : 'days'} counted`,
        ...cite,
      });
      return day;
    }
  }
}

/** Only days on which the office works count; each of the others is named. */
function afterWorkingDays(request: CountRequest, trigger: number, visit?: Visit): number {
  const { office, legal, allow } = request;
  let [day, left] = [trigger, allow.amount];
  while (left > 0) {
    if (++day > trigger + TOO_FAR_DAYS) throw neverEnds(office ?? legal);
    const shut = office?.holiday(dateOfDay(day));
    const reason = (legal && leftOut(legal, day)) ?? (shut && { why: shut.name, source: shut.source });
    if (!reason) left--;
    else
      visit?.({
        on: dateOfDay(day),
        counted: false,
        why: `${reason.why}: no working day`,
        source: reason.source,
      });
  }
  const span = `${dateOfDay(trigger + 1)}/${dateOfDay(day)}`;
  visit?.({
    on: span,
    counted: true,
    why: `${allow.amount} working ${allow.amount === 1 ? 'day' : 'days'} counted`,
  });
  return day;
}

/** Moves a last day on past Sundays, legal holidays and closed Saturdays, as far as its kind lets it. */
export function rollOn(planned: number, request: Rolling, visit?: Visit): number {
  const { legal, counting } = request;
  if (counting === 'plain' || !legal) return planned;
  let day = planned;
  for (let reason = moves(request, legal, day); reason; reason = moves(request, legal, day)) {
    visit?.({
      on: dateOfDay(day),
      counted: false,
      why: `${reason.why}: the last day moves on`,
      source: reason.source,
    });
    if (++day > planned + TOO_FAR_DAYS) throw neverEnds(legal);
  }
  if (day !== planned) visit?.({ on: dateOfDay(day), counted: true, why: 'the last day, after moving on' });
  return day;
}

/** Why a last day moves on, or undefined where it stands. */
function moves({ kind, office }: Rolling, legal: Calendar, day: number): Reason | undefined {
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

export function leftOut(legal: Calendar, day: number): Reason | undefined {
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

export const neverEnds = (calendar: Calendar | undefined): RangeError =>
  new RangeError(
    `The calendar '${calendar?.id ?? '?'}' leaves out every day, so no period ever ends: correct the calendar`,
  );
