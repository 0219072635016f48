import { epochDay, isoInstant, type DerivationStep, type Due, type LocalDate } from '@headworks/kernel';
import type { Clock, CountRequest, FixedDayRequest, Rolling } from './api';
import { countedBy } from './counted-by';
import { lastDay, runDays } from './count-days';
import { endOfHours } from './count-hours';
import { rollOn } from './last-day';
import { checkPeriod, legsOf, periodText } from './period';
import { Teller } from './tell';
import { dateOfDay, localDayAt, startOfEpochDay } from './zones';

/** Instants at which a period ends, epoch ms: the statutory one, and for hours the one by the clock alone. */
export interface DueInstants {
  /** Infinity while the clock stands still. */
  readonly at: number;
  readonly elapsedAt?: number;
}
const STANDING: DueInstants = { at: Infinity };

/** When a period ends, without the derivation: for paths that only compare instants. */
export function dueInstants(request: CountRequest): DueInstants {
  checkRequest(request);
  if (request.allow.unit === 'h') {
    const end = endOfHours(request);
    return 'standing' in end ? STANDING : end;
  }
  const last = lastDay(request);
  return 'standing' in last ? STANDING : { at: startOfEpochDay(request.zone, last.day + 1) };
}

/**
 * When a period ends and how that was counted: the start, then every counted and left-out day (or span of days,
 * written `first/last`) with its reason and source. A clock that stands still has no due date.
 *
 * `date` is the last local day on which the act may be done. `at` is the last instant: for days the end of that day,
 * for hours the statutory moment. Hours that run out at midnight belong to the day that is ending, as days do.
 */
export function countClock(request: CountRequest): Clock {
  checkRequest(request);
  const derivation: DerivationStep[] = [];
  const teller = new Teller((step) => derivation.push(step));
  const { zone, allow, extensions = [] } = request;
  const more = extensions.map((one) => `, lengthened by ${periodText(one)}`).join('');
  const inHours = allow.unit === 'h';
  const start = inHours ? isoInstant(request.start) : dateOfDay(localDayAt(zone, request.start));
  const by = countedBy(request, `${periodText(allow)}${more}`, start);
  const end = inHours ? endOfHours(request, teller) : lastDay(request, teller);
  if ('standing' in end) return { pausedSince: isoInstant(end.standing.from), derivation, by };
  if ('day' in end) return { due: dueOn(end.day, zone, derivation, by) };
  const date = dateOfDay(localDayAt(zone, end.at - 1));
  return { due: { date, at: isoInstant(end.at), elapsedAt: isoInstant(end.elapsedAt), derivation, by } };
}

/** As `countClock`, for a period that nothing stops or whose pauses are over. */
export function countDue(request: CountRequest): Due {
  const clock = countClock(request);
  if (clock.due) return clock.due;
  throw new RangeError(
    `Nothing is due while the clock stands still (since ${clock.pausedSince}): ask countClock, which says so`,
  );
}

export const dueOn = (
  day: number,
  zone: string,
  derivation: readonly DerivationStep[],
  by: NonNullable<Due['by']>,
): Due => ({
  date: dateOfDay(day),
  at: isoInstant(startOfEpochDay(zone, day + 1)),
  elapsedAt: null,
  derivation,
  by,
});

/** The day that the law names, moved on as the last day of a period would be. */
export function rolledDay({
  day,
  ...request
}: Omit<FixedDayRequest, 'zone' | 'start' | 'prior' | 'extensions'>): LocalDate {
  checkLegal(request);
  return dateOfDay(rollOn(epochDay(day), request));
}

/** When a day that the law names is over, and how it came to be that day. */
export function countFixedDay(request: FixedDayRequest): Due {
  const { day, zone, prior = false, set = false, extensions = [] } = request;
  extensions.forEach(checkPeriod);
  checkRolling(
    request,
    extensions.map(({ unit }) => unit),
  );
  const derivation: DerivationStep[] = [];
  const teller = new Teller((step) => derivation.push(step));
  const named = epochDay(day);
  if (prior) {
    teller.days([named, named], false, 'prior to this day');
    teller.days([named - 1, named - 1], true, 'the last day before it, which never moves on');
  } else
    teller.days([named, named], true, `the day that ${set ? 'was set' : 'the law names'}, itself counted`);
  const planned = runDays(request, prior ? named - 1 : named, legsOf(undefined, extensions), [], teller);
  // A day "prior to" another that moved on to it would not be prior to it any more.
  const last = prior && extensions.length === 0 ? planned : rollOn(planned, request, teller);
  const more = extensions.map((one) => `, lengthened by ${periodText(one)}`).join('');
  const start = request.start === undefined ? day : dateOfDay(localDayAt(zone, request.start));
  const by = countedBy(request, `${prior ? 'prior to' : 'by'} ${day}${more}`, start);
  return dueOn(last, zone, derivation, by);
}

export function checkRequest({ start, allow, extensions = [], ...rolling }: CountRequest): void {
  if (!Number.isSafeInteger(start)) throw new RangeError(`${start} is no instant: give whole milliseconds`);
  checkPeriod(allow);
  extensions.forEach(checkPeriod);
  for (const { unit } of extensions) {
    if ((unit === 'h') === (allow.unit === 'h')) continue;
    throw new RangeError(
      `A period of ${periodText(allow)} can't be lengthened by ${unit}: hours go with hours, days with days`,
    );
  }
  checkRolling(rolling, [allow.unit, ...extensions.map(({ unit }) => unit)]);
}

function checkRolling(rolling: Rolling, units: readonly CountRequest['allow']['unit'][]): void {
  if (units.includes('working_days') && !rolling.office) {
    throw new RangeError(`Working days need the calendar of the office that works: give it as 'office'`);
  }
  checkLegal(rolling);
}

function checkLegal({ counting, legal }: Rolling): void {
  if (counting !== 'plain' && !legal) {
    throw new RangeError(`Counting by ${counting} needs the calendar of legal holidays: give it as 'legal'`);
  }
}
