import { epochDay, isoInstant, type DerivationStep, type Due, type LocalDate } from '@headworks/kernel';
import type { CountRequest, FixedDayRequest, Rolling } from './api';
import { lastDay, leftOut, neverEnds, rollOn, TOO_FAR_DAYS, type Visit } from './last-day';
import { clockAt, dateOfDay, localDayAt, startOfEpochDay } from './zones';

const HOUR_MS = 3_600_000;
/** Instants at which a period ends, epoch ms: the statutory one, and for hours the one by the clock alone. */
export interface DueInstants {
  readonly at: number;
  readonly elapsedAt?: number;
}

/**
 * When a period ends, without the derivation: for paths that only compare instants.
 */
export function dueInstants(request: CountRequest): DueInstants {
  checkRequest(request);
  if (request.allow.unit !== 'h') {
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
  if (allow.unit !== 'h') {
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

/** The day that the law names, moved on as the last day of a period would be. */
export function rolledDay({ day, ...request }: Omit<FixedDayRequest, 'zone'>): LocalDate {
  checkLegal(request);
  return dateOfDay(rollOn(epochDay(day), request));
}

/** When a day that the law names is over, and how it came to be that day. */
export function countFixedDay({ day, zone, ...request }: FixedDayRequest): Due {
  checkLegal(request);
  const derivation: DerivationStep[] = [
    { on: day, counted: true, why: 'the day that the law names, itself counted' },
  ];
  const last = rollOn(epochDay(day), request, (step) => derivation.push(step));
  return {
    date: dateOfDay(last),
    at: isoInstant(startOfEpochDay(zone, last + 1)),
    elapsedAt: null,
    derivation,
  };
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

function checkRequest({ start, allow, ...rolling }: CountRequest): void {
  if (!Number.isSafeInteger(start)) throw new RangeError(`${start} is no instant: give whole milliseconds`);
  if (!Number.isSafeInteger(allow.amount) || allow.amount < 1) {
    throw new RangeError(
      `A period of ${allow.amount} ${allow.unit} can't be counted: give a whole number from 1`,
    );
  }
  if (allow.unit === 'working_days' && !rolling.office) {
    throw new RangeError(`Working days need the calendar of the office that works: give it as 'office'`);
  }
  checkLegal(rolling);
}

function checkLegal({ counting, legal }: Rolling): void {
  if (counting !== 'plain' && !legal) {
    throw new RangeError(`Counting by ${counting} needs the calendar of legal holidays: give it as 'legal'`);
  }
}

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
