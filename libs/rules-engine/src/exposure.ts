import {
  addDays,
  addMonths,
  inUnit,
  quantity,
  quantityJson,
  rationals,
  type LocalDate,
  type QuantityJson,
} from '@headworks/kernel';
import type { Period } from '@headworks/calendars';
import type { AmountDef, PenaltyDef } from './listed';

/** What a breach may cost. A court sets the sum; this is only the span that the law leaves it. */
export type Exposure =
  | {
      readonly is: 'sum';
      /** The how manyth offence it is within the period of the penalty. */
      readonly offence: number;
      /** How often the sum counts: days, where each of them is separate. */
      readonly times: number;
      readonly least: QuantityJson;
      /** null: no ceiling. */
      readonly most: QuantityJson | null;
    }
  | { readonly is: 'missing'; readonly offence: number; readonly missing: string; readonly keptBy: string };

/**
 * The span of one penalty for a breach that began on a day and counts so many days, after earlier offences. Undefined
 * where the penalty names no sum, or its schedule none of that day.
 */
export function exposureOf(
  penalty: PenaltyDef,
  asked: { readonly on: LocalDate; readonly days: number; readonly earlier?: readonly LocalDate[] },
): Exposure | undefined {
  const { escalates } = penalty;
  const offence =
    1 + (asked.earlier ?? []).filter((day) => escalates && isWithin(day, asked.on, escalates.within)).length;
  const step = escalates?.offences.findLast((one) => one.offence <= offence);
  const amount = onDay(step?.amount ?? penalty.amount, asked.on);
  if (!amount || amount.is === 'dated') return undefined;
  if (amount.is === 'missing') return { ...amount, offence };
  const times = penalty.eachDaySeparate ? asked.days : 1;
  const { least, most } = amount;
  return { is: 'sum', offence, times, least: by(least, times), most: most && by(most, times) };
}

function onDay(amount: AmountDef | undefined, day: LocalDate): AmountDef | undefined {
  if (amount?.is !== 'dated') return amount;
  return amount.amounts.findLast(({ from }) => from <= day)?.amount;
}

/** An offence of the same day counts; one of the day so long before it no longer does. */
function isWithin(earlier: LocalDate, on: LocalDate, { amount, unit }: Period): boolean {
  return earlier <= on && earlier > backBy(on, amount, unit);
}

function backBy(on: LocalDate, amount: number, unit: Period['unit']): LocalDate {
  switch (unit) {
    case 'years':
      return addMonths(on, -12 * amount);
    case 'months':
      return addMonths(on, -amount);
    case 'weeks':
      return addDays(on, -7 * amount);
    case 'days':
    case 'working_days':
    case 'h':
      return addDays(on, -amount);
  }
}

function by(sum: QuantityJson, times: number): QuantityJson {
  const { kind, base, unit } = quantity(sum);
  return quantityJson(
    inUnit({ kind, unit, base: rationals.multiply(base, rationals.rational(BigInt(times))) }, sum.unit),
  );
}
