import type { Due, LocalDate } from '@headworks/kernel';

/** A list of days on which an office is closed or that the law calls holidays, with its source. Pure data. */
export interface Calendar {
  readonly id: string;
  readonly version: string;
  /** The holiday that falls on (or is observed on) the date, or undefined. */
  holiday(date: LocalDate): { readonly name: string; readonly source: string } | undefined;
}

/** How a pack counts: `plain` (elapsed, every day), or Wis. Stat. 990.001(4) (Sundays and legal holidays). */
export type Counting = 'plain' | 'wis-990.001';

/** What is due decides which last days move on (clauses.md 1.1, rule 2): a physical duty never rolls. */
export type DutyKind = 'filing' | 'payment' | 'notice' | 'decision' | 'physical';

/** Hours run between instants; everything else ends with a day. A month ends on the day of the same number. */
export type PeriodUnit = 'h' | 'days' | 'working_days' | 'months' | 'years';

export interface Rolling {
  readonly counting: Counting;
  readonly kind: DutyKind;
  /** Legal holidays. Required for `wis-990.001`. */
  readonly legal?: Calendar;
  /** Days the office is shut, for the Saturday roll of filings, payments and notices, and for working days. */
  readonly office?: Calendar;
}

export interface CountRequest extends Rolling {
  /** The trigger, epoch milliseconds. Its own day (or moment) is left out, the last is counted. */
  readonly start: number;
  readonly allow: { readonly amount: number; readonly unit: PeriodUnit };
  readonly zone: string;
}

/** A day that the law names (`by October 1`): it counts itself, and rolls as the last day of a period does. */
export interface FixedDayRequest extends Rolling {
  readonly day: LocalDate;
  readonly zone: string;
}

/** A due date with its derivation; `at` is the statutory instant, `elapsedAt` the elapsed one (hours only). */
export type CountResult = Due;
