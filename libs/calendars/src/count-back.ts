import { isoInstant, type DerivationStep, type Due } from '@headworks/kernel';
import type { BackRequest } from './api';
import { checkRequest, dueOn } from './count';
import { countedBy } from './counted-by';
import { DAYS_CITE, MONTHS_CITE, neverEnds, noWorkingDay, TOO_FAR_DAYS } from './last-day';
import { legsOf, monthsFrom, monthsText, periodText } from './period';
import { eventOf, Teller, withWhy } from './tell';
import { dateOfDay, localDayAt } from './zones';

/**
 * The last day to do a thing at least so long before an event. The event's day is left out and the last is counted, as
 * in a period that runs forward; with `clear` the day of the act is not counted either. It never moves on: a Sunday that
 * became a Monday would cut the time that somebody else is owed. Hours run back by the clock.
 */
export function countBack(request: BackRequest): Due {
  const { event, allow, zone, clear = false } = request;
  checkRequest({ ...request, start: event });
  const derivation: DerivationStep[] = [];
  const teller = new Teller((step) => derivation.push(step));
  const inHours = allow.unit === 'h';
  const trigger = localDayAt(zone, event);
  const start = inHours ? isoInstant(event) : dateOfDay(trigger);
  const words = `at least ${periodText(allow)} before${clear ? ', neither day counted' : ''}`;
  const by = countedBy(request, words, start);
  const told = eventOf(request.startedBy ?? {});
  if (inHours) {
    const at = event - allow.amount * 3_600_000;
    teller.step(start, false, withWhy(request.startedBy?.text, 'the period runs back from here'), told);
    const date = dateOfDay(localDayAt(zone, at - 1));
    teller.step(isoInstant(at), true, `${periodText(allow)} back, by the clock`);
    return { date, at: isoInstant(at), elapsedAt: isoInstant(at), derivation, by };
  }
  const why = withWhy(request.startedBy?.text, 'the day counted back from is left out');
  teller.days([trigger, trigger], false, why, { source: DAYS_CITE, ...told });
  const reached = backFrom(request, trigger, teller);
  if (clear)
    teller.days([reached - 1, reached - 1], false, 'the day of the act, which is not counted either');
  return dueOn(clear ? reached - 1 : reached, zone, derivation, by);
}

function backFrom(request: BackRequest, trigger: number, teller: Teller): number {
  const [leg] = legsOf(request.allow, []);
  if (!leg) return trigger;
  const { amount, family } = leg;
  switch (family) {
    case 'months': {
      const { day } = monthsFrom(trigger, -amount);
      const why = `${monthsText(amount)} back, by the calendar`;
      teller.days([day, trigger - 1], true, why, { source: MONTHS_CITE });
      return day;
    }
    case 'working_days':
      return workingDaysBack(request, trigger, amount, teller);
    case 'days':
    case 'h': {
      const day = trigger - amount;
      teller.days([day, trigger - 1], true, `${periodText({ amount, unit: 'days' })} back`, {
        source: DAYS_CITE,
      });
      return day;
    }
  }
}

function workingDaysBack(request: BackRequest, trigger: number, amount: number, teller: Teller): number {
  let [day, left] = [trigger, amount];
  while (left > 0) {
    day -= 1;
    const reason = noWorkingDay(request, day);
    if (!reason) left -= 1;
    const why = reason ? `${reason.why}: no working day` : `working day ${amount - left} back`;
    teller.days([day, day], !reason, why, reason);
    if (day < trigger - TOO_FAR_DAYS) throw neverEnds(request.office ?? request.legal);
  }
  return day;
}
