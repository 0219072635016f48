import { epochDay } from '@headworks/kernel';
import type { Calendar, CountRequest, Pause } from './api';
import { leftOut, neverEnds, TOO_FAR_DAYS } from './last-day';
import { lastStop, stoppedBy, type Stop } from './pauses';
import { legsOf, periodText } from './period';
import { eventOf, stillText, Teller, withWhy } from './tell';
import { clockAt, dateOfDay, localDateAt, localDayAt, startOfEpochDay } from './zones';

const HOUR_MS = 3_600_000;
const SILENT = new Teller();

export type HoursEnd = { readonly at: number; readonly elapsedAt: number } | { readonly standing: Pause };

/**
 * The end of a period in hours, statutory and by the clock alone. By 990.001(4)(a) the whole of each Sunday and legal
 * holiday is left out, midnight to midnight, and the rest counts as it passes: real milliseconds, so a 23 or 25 hour day
 * is as long as it is.
 *
 * A period that starts inside a day left out begins to run when that day ends: the whole day is excluded, so no part
 * of it can be used up. 24 hours from Sunday noon therefore end at the end of Monday.
 */
export function endOfHours(request: CountRequest, teller = SILENT): HoursEnd {
  const { start, zone, allow, pauses = [], extensions = [] } = request;
  const legal = request.counting === 'plain' ? undefined : request.legal;
  const hours = legsOf(allow, extensions).reduce((sum, { amount }) => sum + amount, 0);
  tellStart(request, teller);
  const run = (from: number, stops: readonly Stop[], by: Calendar | undefined, to = SILENT): number =>
    Math.max(passHours({ zone, from, hours, stops, legal: by }, to), lastStop(stops));
  const { base, stops, restarts, idle, standing } = stoppedBy(
    start,
    pauses,
    (ms) => ms,
    (from, stopped) => run(from, stopped, legal),
  );
  for (const { pause } of restarts) {
    const why = withWhy(pause.why, 'the period begins anew, and what had run of it is void');
    teller.step(spanOf(zone, pause.from, pause.until ?? pause.from), false, why, eventOf(pause));
  }
  if (standing) {
    const why = withWhy(standing.why, `the clock stands still from ${momentText(zone, standing.from)} on`);
    teller.step(localDateAt(zone, standing.from), false, why, eventOf(standing));
    return { standing };
  }
  const at = run(base, stops, legal, teller);
  for (const extension of extensions) {
    const why = withWhy(extension.why, `lengthened by ${periodText(extension)}`);
    teller.step(dateOfDay(localDayAt(zone, at - 1)), true, why, eventOf(extension));
  }
  for (const pause of idle) {
    const why = withWhy(pause.why, 'outside the period, so it stops nothing');
    teller.step(localDateAt(zone, pause.from), false, why, eventOf(pause));
  }
  return { at, elapsedAt: run(base, stops, undefined) };
}

interface Running {
  readonly zone: string;
  readonly from: number;
  readonly hours: number;
  readonly stops: readonly Stop[];
  readonly legal: Calendar | undefined;
}

/** Lets the hours pass: left-out days whole, pauses from moment to moment, the rest as it is. */
function passHours({ zone, from, hours, stops, legal }: Running, teller: Teller): number {
  let [at, left] = [from, hours * HOUR_MS];
  const first = localDayAt(zone, from);
  for (;;) {
    const now = at;
    const stop = stops.find(({ after, to }) => after <= now && now < to);
    if (stop) {
      tellStop(zone, stop, now, teller);
      at = stop.to;
      continue;
    }
    const next = stops.find(({ after }) => after > now)?.after ?? Infinity;
    const day = localDayAt(zone, now);
    if (legal && day > first + TOO_FAR_DAYS) throw neverEnds(legal);
    const reason = legal && leftOut(legal, day);
    const dayEnd = startOfEpochDay(zone, day + 1);
    if (reason) {
      teller.step(dateOfDay(day), false, `${reason.why}: left out whole`, reason);
      at = dayEnd;
      continue;
    }
    const until = Math.min(next, now + left, legal ? dayEnd : Infinity);
    left -= until - now;
    if (teller.listens) tellRun(zone, [now, until], left === 0, legal === undefined, teller);
    at = until;
    if (left === 0) return at;
  }
}

function tellStart({ start, zone, startedBy }: CountRequest, teller: Teller): void {
  if (!teller.listens) return;
  const why = withWhy(startedBy?.text, `the period starts, at ${momentText(zone, start)}`);
  teller.step(new Date(start).toISOString(), false, why, eventOf(startedBy ?? {}));
}

function tellStop(zone: string, { to, pause }: Stop, from: number, teller: Teller): void {
  if (!teller.listens) return;
  const why = `${stillText(pause)} from ${momentText(zone, from)} to ${momentText(zone, to)}`;
  teller.step(spanOf(zone, from, to), false, why, eventOf(pause));
}

function tellRun(
  zone: string,
  [from, to]: readonly [number, number],
  isLast: boolean,
  byClock: boolean,
  teller: Teller,
): void {
  const why = `${lengthText(to - from)} ${byClock ? 'by the clock' : 'counted'}`;
  teller.step(spanOf(zone, from, to), true, byClock || !isLast ? why : `${why}${lastWords(zone, to)}`);
}

const momentText = (zone: string, ms: number): string => `${clockAt(zone, ms)} on ${localDateAt(zone, ms)}`;

function spanOf(zone: string, from: number, to: number): string {
  const [first, last] = [localDateAt(zone, from), localDateAt(zone, Math.max(from, to - 1))];
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
