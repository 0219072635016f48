import type { Calendar, DutyKind, Rolling } from './api';
import { eventOf, Teller } from './tell';
import { dateOfDay } from './zones';

export const HOURS_CITE = 'Wis. Stat. 990.001(4)(a)';
export const DAYS_CITE = 'Wis. Stat. 990.001(4)(a), (d)';
export const MONTHS_CITE = 'Wis. Stat. 990.01(21), (49)';
const ROLL_CITE = 'Wis. Stat. 990.001(4)(b)';
const SATURDAY_CITE = 'Wis. Stat. 990.001(4)(c)';
/** No count comes near it; a calendar that leaves out every day must not hang the program. */
export const TOO_FAR_DAYS = 73_000;

export interface Reason {
  readonly why: string;
  readonly source: string;
  readonly event?: string;
}
const SILENT = new Teller();

/** Moves a last day on past Sundays, legal holidays and closed Saturdays, as far as its kind lets it. */
export function rollOn(planned: number, request: Rolling, teller = SILENT): number {
  const { legal, counting } = request;
  if (counting === 'plain' || !legal) return planned;
  let day = planned;
  for (let reason = moves(request, legal, day); reason; reason = moves(request, legal, day)) {
    teller.days([day, day], false, `${reason.why}: the last day moves on`, reason);
    if (++day > planned + TOO_FAR_DAYS) throw neverEnds(legal);
  }
  if (day !== planned) teller.days([day, day], true, 'the last day, after moving on');
  return day;
}

/** Why a last day moves on, or undefined where it stands. */
function moves({ kind, office }: Rolling, legal: Calendar, day: number): Reason | undefined {
  // A duty to do something on the land binds the land, not an office's hours: it never moves.
  if (kind === 'physical') return undefined;
  const reason = leftOut(legal, day);
  if (reason) {
    const source = reason.why === 'Sunday' ? ROLL_CITE : `${ROLL_CITE}; ${reason.source}`;
    return { ...reason, source };
  }
  if (!goesToOffice(kind)) return undefined;
  const date = dateOfDay(day);
  const shut = weekday(day) === 6 ? office?.holiday(date) : undefined;
  if (shut) {
    return { why: `Saturday, ${shut.name}`, source: `${SATURDAY_CITE}; ${shut.source}`, ...eventOf(shut) };
  }
  // The statute speaks of Saturdays alone. A day that an officer closed to the public moves a last day as well: nobody
  // can do on it what is asked, and the event says who closed it and why.
  const added = office?.added?.(date, 'public');
  return added && { why: added.name, source: added.source, ...eventOf(added) };
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

/** Why nobody works on a day, or undefined for a working day. What is done on the land waits for contractors too. */
export function noWorkingDay({ office, legal, kind }: Rolling, day: number): Reason | undefined {
  const reason = legal && leftOut(legal, day);
  if (reason) return reason;
  const date = dateOfDay(day);
  const shut =
    office?.holiday(date) ??
    office?.added?.(date, 'staff') ??
    (kind === 'physical' ? office?.added?.(date, 'contractors') : undefined);
  return shut && { why: shut.name, source: shut.source, ...eventOf(shut) };
}

/** Days left out, remembered by calendar: a calendar is pure data, and every load's duty asks for the same days. */
const known = new WeakMap<Calendar, Map<number, Reason | undefined>>();

export function leftOut(legal: Calendar, day: number): Reason | undefined {
  const days = known.get(legal) ?? new Map<number, Reason | undefined>();
  if (days.size === 0) known.set(legal, days);
  if (days.has(day)) return days.get(day);
  const holiday = legal.holiday(dateOfDay(day));
  const sunday = weekday(day) === 7 ? { why: 'Sunday', source: HOURS_CITE } : undefined;
  const reason = sunday ?? (holiday && { why: holiday.name, source: holiday.source, ...eventOf(holiday) });
  days.set(day, reason);
  return reason;
}

/** ISO weekday of an epoch day, Monday 1: 1970-01-01 was a Thursday. */
const weekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

export const neverEnds = (calendar: Calendar | undefined): RangeError =>
  new RangeError(
    `The calendar '${calendar?.id ?? '?'}' leaves out every day, so no period ever ends: correct the calendar`,
  );
