import type { Extension, Period, PeriodUnit } from './api';

const DAY_MS = 86_400_000;

const WORDS: Readonly<Record<PeriodUnit, readonly [one: string, many: string]>> = {
  h: ['h', 'h'],
  days: ['day', 'days'],
  weeks: ['week', 'weeks'],
  working_days: ['working day', 'working days'],
  months: ['month', 'months'],
  years: ['year', 'years'],
};

/** `60 working days`, `1 year`, `24 h`. */
export function periodText({ amount, unit }: Period): string {
  return `${amount} ${WORDS[unit][amount === 1 ? 0 : 1]}`;
}

/**
 * The day so many months on or back: the same day number, or the last of a month that is too short. Days are numbers, as
 * a period may run past the years that dates are written for.
 */
export function monthsFrom(day: number, months: number): { readonly day: number; readonly isCut: boolean } {
  const from = new Date(day * DAY_MS);
  const [year, month, date] = [from.getUTCFullYear(), from.getUTCMonth() + months, from.getUTCDate()];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const reached = Date.UTC(year, month, Math.min(date, length)) / DAY_MS;
  return { day: reached, isCut: date > length };
}

/** Months as people say them: 24 are 2 years. */
export const monthsText = (amount: number): string =>
  periodText(amount % 12 === 0 ? { amount: amount / 12, unit: 'years' } : { amount, unit: 'months' });

/** Undefined where the text is no period such as `24 h`, `30 days`, `3 weeks`, `60 working days`, `6 months`, `2 years`. */
export function parsePeriod(text: string): Period | undefined {
  const [, amount = '', word = ''] = /^([1-9]\d{0,4}) (h|[a-z]+(?: [a-z]+)?)$/.exec(text) ?? [];
  for (const [unit, words] of Object.entries(WORDS)) {
    if (words.includes(word)) return { amount: Number(amount), unit: unit as PeriodUnit };
  }
  return undefined;
}

/** Units that add up without a remainder: a year is twelve months, a week seven days. */
type Family = 'h' | 'days' | 'working_days' | 'months';
export interface Leg {
  readonly amount: number;
  readonly family: Family;
  /** What lengthened it. */
  readonly by: readonly Extension[];
}

function legOf({ amount, unit }: Period): Leg {
  switch (unit) {
    case 'h':
    case 'days':
    case 'working_days':
    case 'months':
      return { amount, family: unit, by: [] };
    case 'weeks':
      return { amount: 7 * amount, family: 'days', by: [] };
    case 'years':
      return { amount: 12 * amount, family: 'months', by: [] };
  }
}

/**
 * A period and its extensions as legs to be counted one after the other. Those of one family are one leg, so that two
 * extensions of a year from Feb 29 end on a Feb 29 again and do not drift to the 28th.
 */
export function legsOf(allow: Period | undefined, extensions: readonly Extension[]): readonly Leg[] {
  const legs: Leg[] = allow ? [legOf(allow)] : [];
  for (const extension of extensions) {
    const { amount, family } = legOf(extension);
    const last = legs.at(-1);
    if (last?.family === family) {
      legs[legs.length - 1] = { amount: last.amount + amount, family, by: [...last.by, extension] };
    } else legs.push({ amount, family, by: [extension] });
  }
  return legs;
}

/** Refuses what no clock can count; the sentence says what to give instead. */
export function checkPeriod({ amount, unit }: Period): void {
  if (Number.isSafeInteger(amount) && amount >= 1) return;
  throw new RangeError(`A period of ${amount} ${unit} can't be counted: give a whole number from 1`);
}
