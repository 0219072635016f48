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

export interface CountRequest {
  /** The trigger, epoch milliseconds. Its own day (or moment) is left out, the last is counted. */
  readonly start: number;
  readonly allow: { readonly amount: number; readonly unit: 'h' | 'days' };
  readonly zone: string;
  readonly counting: Counting;
  readonly kind: DutyKind;
  /** Legal holidays. Required for `wis-990.001`. */
  readonly legal?: Calendar;
  /** Days the office is open, for the Saturday roll of filings, payments and notices. */
  readonly office?: Calendar;
}

/** A due date with its derivation; `at` is the statutory instant, `elapsedAt` the elapsed one (hours only). */
export type CountResult = Due;
