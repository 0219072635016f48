import type { CountedBy, DerivationStep, Due, LocalDate } from '@headworks/kernel';

/** Why a day is none on which an office works, or which a period leaves out. */
export interface Holiday {
  readonly name: string;
  readonly source: string;
  /** `stream@revision` of the event by which an officer added the day. */
  readonly event?: string;
}

/**
 * Who finds the door shut. `public`: nothing can be brought there, so the last day of a filing, payment or notice moves
 * on. `staff`: the office does not work, so it is no working day. `contractors`: nobody can build, so it is no working
 * day for what is done on the land. An office never lengthens its own time to decide by shutting its door.
 */
export type Whom = 'public' | 'staff' | 'contractors';

/** When an office is open: minutes from midnight by its own clocks, both in; bit 0 of `days` is Monday. */
export interface OpenHours {
  readonly from: number;
  readonly to: number;
  readonly days: number;
  readonly shown: string;
  readonly source: string;
}

/** A list of days on which an office is closed or that the law calls holidays, with its source. Pure data. */
export interface Calendar {
  readonly id: string;
  readonly version: string;
  /** Calendars whose days are this one's too. */
  readonly includes?: readonly Calendar[];
  /** Events by which officers added days. */
  readonly amendedBy?: readonly string[];
  /** Undefined where the calendar's source does not give them. */
  readonly hours?: OpenHours;
  /** The holiday that falls on (or is observed on) the date, or undefined: closed for everyone. */
  holiday(date: LocalDate): Holiday | undefined;
  /** The day that an officer added, if it is closed for them on the date. */
  added?(date: LocalDate, whom: Whom): Holiday | undefined;
}

/** A day that an officer closes, beyond what the calendar's own lists say. */
export interface ExtraDay {
  readonly date: LocalDate;
  readonly name: string;
  /** `stream@revision` of the event that added it. */
  readonly event: string;
  /** A legal holiday is one for everyone. */
  readonly closedFor: 'everyone' | readonly Whom[];
}

/** How a pack counts: `plain` (elapsed, every day), or Wis. Stat. 990.001(4) (Sundays and legal holidays). */
export type Counting = 'plain' | 'wis-990.001';

/** What is due decides which last days move on (clauses.md 1.1, rule 2): a physical duty never rolls. */
export type DutyKind = 'filing' | 'payment' | 'notice' | 'decision' | 'physical';

/**
 * Hours run between instants; everything else ends with a day. A week is seven days; a month ends on the day of the same
 * number (Wis. Stat. 990.01(46), (21)).
 */
export type PeriodUnit = 'h' | 'days' | 'weeks' | 'working_days' | 'months' | 'years';

export interface Period {
  readonly amount: number;
  readonly unit: PeriodUnit;
}

export interface Rolling {
  readonly counting: Counting;
  readonly kind: DutyKind;
  /** Legal holidays. Required for `wis-990.001`. */
  readonly legal?: Calendar;
  /** Days the office is shut, for the Saturday roll of filings, payments and notices, and for working days. */
  readonly office?: Calendar;
}

/**
 * A clock that stands still from an instant until another (or still does). `resume`: what was left runs on, from the day
 * after the one on which it may (990.001(4)(a): the first day of the pause is left out of it, its last is not).
 * `restart`: the whole period begins anew on that day. One that begins before the start or after the end of the period
 * stops nothing.
 */
export interface Pause {
  readonly from: number;
  readonly until?: number;
  readonly then: 'restart' | 'resume';
  /** `stream@revision` of what stopped it, and a few words. */
  readonly event?: string;
  readonly why?: string;
}

/** What a body added to a period. It runs from the end of the period, and a fresh start does not take it back. */
export interface Extension extends Period {
  readonly event?: string;
  readonly why?: string;
}

/** What a derivation says besides its days. */
export interface Told {
  /** What started it, in words, and the event that says so. */
  readonly startedBy?: { readonly text: string; readonly event?: string };
  readonly clause?: CountedBy['clause'];
}

export interface CountRequest extends Rolling, Told {
  /** The trigger, epoch milliseconds. Its own day (or moment) is left out, the last is counted. */
  readonly start: number;
  readonly allow: Period;
  readonly zone: string;
  readonly pauses?: readonly Pause[];
  readonly extensions?: readonly Extension[];
}

/** A day that the law names (`by October 1`): it counts itself, and rolls as the last day of a period does. */
export interface FixedDayRequest extends Rolling, Told {
  readonly day: LocalDate;
  readonly zone: string;
  /** What the day is due for, epoch milliseconds: it moves nothing, and the derivation names it. */
  readonly start?: number;
  /** `prior to October 1`: the day before is the last, and never moves, or it would not be prior. */
  readonly prior?: boolean;
  /** Somebody set the day, and not the law: the derivation says so. */
  readonly set?: boolean;
  readonly extensions?: readonly Extension[];
}

/** The last day to do a thing at least so long before an event (`three weeks before it takes effect`). */
export interface BackRequest extends Rolling, Told {
  /** The event, epoch milliseconds. Its own day is left out. */
  readonly event: number;
  readonly allow: Period;
  readonly zone: string;
  /** Clear days: the day of the act is not counted either, so it lies one day further back. */
  readonly clear?: boolean;
}

/** A due date with its derivation; `at` is the statutory instant, `elapsedAt` the elapsed one (hours only). */
export type CountResult = Due;

/** A clock that runs to a due date, or that stands still since an instant (ISO, UTC) and has none. */
export type Clock =
  | {
      readonly due: Due;
      readonly pausedSince?: never;
      readonly derivation?: never;
      readonly by?: never;
    }
  | {
      readonly due?: never;
      readonly pausedSince: string;
      readonly derivation: readonly DerivationStep[];
      readonly by: CountedBy;
    };
