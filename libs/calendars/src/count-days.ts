import type { CountRequest, Pause, Rolling } from './api';
import { DAYS_CITE, MONTHS_CITE, neverEnds, noWorkingDay, rollOn, TOO_FAR_DAYS } from './last-day';
import { lastStop, stoppedBy, type Stop, type Stopped } from './pauses';
import { legsOf, monthsFrom, monthsText, periodText, type Leg } from './period';
import { eventOf, sourceOf, stillText, Teller, withWhy } from './tell';
import { localDayAt } from './zones';

/** The last day of a period, or the pause in which its clock stands. */
export type LastDay = { readonly day: number } | { readonly standing: Pause };
const SILENT = new Teller();

/**
 * The last day of a period that ends with a day: the trigger's own day is left out and the last is counted
 * (990.001(4)(a), (d)); then the last day moves on where the act may be done on the next secular day (clauses 1.1,
 * rules 1 and 2).
 */
export function lastDay(request: CountRequest, teller = SILENT): LastDay {
  const { zone, start, allow, extensions = [], pauses = [] } = request;
  const trigger = localDayAt(zone, start);
  const legs = legsOf(allow, extensions);
  tellTrigger(request, trigger, teller);
  if (pauses.length === 0) {
    return { day: rollOn(runDays(request, trigger, legs, [], teller), request, teller) };
  }
  const dayOf = (ms: number): number => localDayAt(zone, ms);
  const stopped = stoppedBy(trigger, pauses, dayOf, (base, stops) =>
    rollOn(Math.max(runDays(request, base, legs, stops), lastStop(stops)), request),
  );
  tellRestarts(request, stopped, teller);
  const { base, stops, standing } = stopped;
  if (standing) {
    tellHalt(base, stops, dayOf(standing.from), standing, teller);
    return { standing };
  }
  const used = runDays(request, base, legs, stops, teller);
  // A period that was used up on the day it was stopped ends when its clock runs again, and not before.
  const planned = Math.max(used, lastStop(stops));
  const again = 'the clock stood still: the last day is the one on which it runs again';
  if (planned > used) teller.days([used + 1, planned], false, again);
  const day = rollOn(planned, request, teller);
  for (const pause of stopped.idle) {
    const on = dayOf(pause.from);
    teller.days(
      [on, on],
      false,
      withWhy(pause.why, 'outside the period, so it stops nothing'),
      eventOf(pause),
    );
  }
  return { day };
}

/** Counts the legs of a period from a day on, one after the other. */
export function runDays(
  request: Rolling,
  from: number,
  legs: readonly Leg[],
  stops: readonly Stop[],
  teller = SILENT,
): number {
  let day = from;
  for (const leg of legs) {
    day = runLeg(request, day, leg, stops, teller);
    for (const extension of leg.by) {
      const why = withWhy(extension.why, `lengthened by ${periodText(extension)}`);
      teller.days([day, day], true, why, eventOf(extension));
    }
  }
  return day;
}

function runLeg(
  request: Rolling,
  from: number,
  { amount, family }: Leg,
  stops: readonly Stop[],
  teller: Teller,
): number {
  switch (family) {
    case 'working_days':
      return runWorkingDays(request, from, amount, stops, teller);
    case 'months':
      return runMonths(request, from, amount, stops, teller);
    case 'days':
    case 'h': {
      const why = (first: number, last: number): string => numbered(first, last, 'day');
      return passDays([from, from + amount], stops, teller, why, cite(request, DAYS_CITE));
    }
  }
}

/** Same day number, or the last day of a month that is too short; the days of a pause are added to it. */
function runMonths(
  request: Rolling,
  from: number,
  amount: number,
  stops: readonly Stop[],
  teller: Teller,
): number {
  const { day, isCut } = monthsFrom(from, amount);
  const text = `${monthsText(amount)} on, by the calendar`;
  const why = isCut ? `${text}, to the last day of a month that is too short` : text;
  return passDays([from, day], stops, teller, () => why, cite(request, MONTHS_CITE));
}

/** Every day counts but those of a pause, which push the end on. */
function passDays(
  [from, planned]: readonly [number, number],
  stops: readonly Stop[],
  teller: Teller,
  why: (first: number, last: number) => string,
  source: { source?: string },
): number {
  let [end, at, counted] = [planned, from, 0];
  const count = (last: number): void => {
    if (teller.listens && last > at) {
      teller.days([at + 1, last], true, why(counted + 1, counted + last - at), source);
    }
    counted += last - at;
    at = last;
  };
  for (const { after, to, pause } of stops) {
    if (to <= from || after >= end) continue;
    count(Math.max(after, from));
    teller.days([at + 1, to], false, stillText(pause), eventOf(pause));
    end += to - at;
    at = to;
  }
  count(end);
  return end;
}

/** Only days on which the office works count; each of the others is named. */
function runWorkingDays(
  request: Rolling,
  from: number,
  amount: number,
  stops: readonly Stop[],
  teller: Teller,
): number {
  let [day, left, run] = [from, amount, from];
  const flush = (): void => {
    const counted = amount - left;
    if (!teller.listens || day === run) return;
    teller.days([run + 1, day], true, numbered(counted - (day - run) + 1, counted, 'working day'));
  };
  while (left > 0) {
    const next = day + 1;
    const stop = stops.find(({ after, to }) => next > after && next <= to);
    const reason = stop ? undefined : noWorkingDay(request, next);
    if (!stop && !reason) {
      [day, left] = [next, left - 1];
      continue;
    }
    flush();
    if (stop) teller.days([next, stop.to], false, stillText(stop.pause), eventOf(stop.pause));
    else if (reason) teller.days([next, next], false, `${reason.why}: no working day`, reason);
    run = day = stop ? stop.to : next;
    if (day > from + TOO_FAR_DAYS) throw neverEnds(request.office ?? request.legal);
  }
  flush();
  return day;
}

function tellTrigger(request: CountRequest, day: number, teller: Teller): void {
  const { startedBy } = request;
  const why = withWhy(startedBy?.text, 'the day of the trigger is left out');
  teller.days([day, day], false, why, { ...cite(request, DAYS_CITE), ...eventOf(startedBy ?? {}) });
}

/** Each fresh start, with the days that it made void. */
function tellRestarts(request: CountRequest, { restarts, base }: Stopped, teller: Teller): void {
  for (const { pause, from, base: to } of restarts) {
    const why = withWhy(pause.why, 'the period begins anew, and what had run of it is void');
    teller.days([from + 1, to], false, why, eventOf(pause));
    if (to !== base || to === from) continue;
    teller.days([to, to], false, 'the day of the fresh start is left out', cite(request, DAYS_CITE));
  }
}

/** What had run when the clock was stopped for good. */
function tellHalt(base: number, stops: readonly Stop[], from: number, pause: Pause, teller: Teller): void {
  const ran = 'had run before the clock stood still';
  let at = base;
  for (const { after, to, pause: earlier } of stops) {
    if (to <= at) continue;
    teller.days([at + 1, after], true, ran);
    teller.days([Math.max(after, at) + 1, to], false, stillText(earlier), eventOf(earlier));
    at = to;
  }
  teller.days([at + 1, from], true, ran);
  const on = Math.max(from, base);
  teller.days([on, on], false, withWhy(pause.why, 'the clock stands still from here on'), eventOf(pause));
}

const cite = ({ counting }: Rolling, source: string): { source?: string } =>
  sourceOf(counting === 'plain' ? undefined : source);

const numbered = (first: number, last: number, one: string): string =>
  first === last ? `${one} ${first}` : `${one}s ${first} to ${last}`;
