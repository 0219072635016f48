import type { DutyKind, Hours, Period } from '@headworks/calendars';
import type { MonthDay, Quantity } from '@headworks/kernel';
import type { ClauseDef } from '../api';
import type { ScheduleEntry } from './schedule';
import type { Known, ValueType } from './types';

/**
 * A pack after names and types are resolved: what is compiled, explained and printed. Facts and derived values have a
 * slot each (facts first), clauses an index, so that evaluation looks nothing up by name.
 */
export type Formula = { readonly type: ValueType } & (
  | { readonly op: 'slot'; readonly slot: number; readonly name: string }
  | { readonly op: 'literal'; readonly value: Known; readonly shown: string }
  | { readonly op: 'none' }
  | { readonly op: 'figure'; readonly missing: string; readonly keptBy: string }
  | { readonly op: 'fold'; readonly by: FoldOp; readonly of: readonly Formula[] }
  | { readonly op: 'day'; readonly of: readonly [Formula] }
  /** So long after a day, or before it; `clear` leaves out both days. */
  | {
      readonly op: 'shift';
      readonly of: readonly [Formula];
      readonly by: Period;
      readonly towards: 'after' | 'before';
      readonly clear: boolean;
    }
  /** A day of the year, in the year of a date or some years on; `rolls` moves it as the last day of a duty. */
  | {
      readonly op: 'year_day';
      readonly of: readonly [Formula];
      readonly day: MonthDay;
      readonly shown: string;
      readonly years: number;
      readonly rolls?: DutyKind;
    }
  | { readonly op: 'month_end' | 'year'; readonly of: readonly [Formula] }
  | ({ readonly op: 'sum_of'; readonly field: string } & Rows)
  | ({ readonly op: 'count_of' } & Rows)
  /** A column of the row that a `where` looks at. */
  | { readonly op: 'field'; readonly field: string }
  | {
      readonly op: 'table';
      readonly table: string;
      readonly cite: string;
      readonly axes: readonly Axis[];
      /** Row by row; the last axis runs fastest. */
      readonly cells: readonly Cell[];
    }
  /** An item of a schedule, by the day of `on` where its amounts have days. */
  | {
      readonly op: 'scheduled';
      readonly schedule: string;
      readonly item: string;
      readonly says: string;
      readonly entries: readonly ScheduleEntry[];
      readonly on?: Formula;
    }
  | { readonly op: 'choose'; readonly branches: readonly Branch[]; readonly otherwise: Formula }
  | { readonly op: 'test'; readonly condition: Condition }
);
export type FoldOp =
  'sum' | 'multiply' | 'minimum' | 'maximum' | 'latest' | 'earliest' | 'subtract' | 'divide';
export interface Branch {
  readonly when: Condition;
  readonly then: Formula;
}
/** Which rows of a series count. */
export interface Rows {
  readonly series: number;
  readonly sameYear?: SameYear;
  readonly rolling?: Rolling;
  readonly where?: Condition;
}
/** Rows whose `field` falls in the days up to `as`, that day in. */
export interface Rolling extends SameYear {
  readonly amount: number;
  readonly unit: 'days' | 'months' | 'years';
}
/** What a table is entered by: a word, or a band of an amount. A row that is named in the formula has no `of`. */
export interface Axis {
  readonly of?: Formula;
  readonly names: readonly string[];
  readonly bands?: readonly Band[];
  readonly fixed?: number;
}
export interface Edge {
  readonly at: Quantity;
  /** The figure itself belongs to it. */
  readonly closed: boolean;
  /** As it is written. */
  readonly shown: string;
}
/** From nothing, or to no end, where an edge is not there. */
export interface Band {
  readonly from?: Edge;
  readonly to?: Edge;
}
export type Cell = Quantity | 'missing' | 'not_allowed';
/** Rows whose `field` falls in the calendar year of `as`. */
export interface SameYear {
  readonly field: string;
  readonly as: Formula;
}

export type CompareOp =
  | 'at_least'
  | 'at_most'
  | 'more_than'
  | 'less_than'
  | 'equals'
  | 'on_or_after'
  | 'on_or_before'
  | 'before'
  | 'after';

/** In negation normal form: `not` and `forbid` are pushed down to the leaves, so a leaf knows what is wanted of it. */
export type Condition = Group | Leaf | ClausesMet | Elsewhere;
export type Group =
  | { readonly op: 'all'; readonly of: readonly Condition[] }
  | { readonly op: 'any'; readonly of: readonly Condition[] };
export type Leaf = { readonly left: Formula; readonly negated: boolean } & (
  | { readonly op: 'compare'; readonly by: CompareOp; readonly right: Formula }
  | { readonly op: 'member'; readonly by: 'is_one_of' | 'none_of'; readonly right: Formula }
  /** A set against another, or against a list. */
  | { readonly op: 'sets'; readonly by: 'all_of' | 'any_of' | 'none_of'; readonly right: Formula }
  | { readonly op: 'same_year'; readonly by: 'in_year_of'; readonly right: Formula }
  | {
      readonly op: 'season';
      readonly by: 'in_season' | 'outside_season';
      readonly from: MonthDay;
      readonly to: MonthDay;
      readonly shown: string;
    }
  | { readonly op: 'hours'; readonly by: 'in_hours'; readonly hours: Hours; readonly shown: string }
  | { readonly op: 'happened'; readonly by: 'happened' }
);
export interface ClausesMet {
  readonly op: 'clauses_met';
  readonly by: 'clauses_met';
  readonly clauses: readonly number[];
  readonly negated: boolean;
}

/**
 * Clauses of another pack, judged by its version of a day on facts of this one. Both lists are frozen; of one of them
 * there is something.
 */
export interface Elsewhere {
  readonly op: 'elsewhere';
  readonly by: 'clauses_met';
  readonly pack: string;
  readonly assessment?: string;
  readonly clauses: readonly string[];
  readonly on: Formula;
  readonly facts: readonly { readonly theirs: string; readonly ours: Formula }[];
  readonly negated: boolean;
}

export type ClauseBody =
  | { readonly verb: 'condition'; readonly good: Condition; readonly unless?: Condition }
  | {
      readonly verb: 'deadline';
      readonly starts: Formula;
      readonly done: Formula;
      /** The date whose year a fixed day belongs to; a period has none. */
      readonly inYearOf?: Formula;
      /** What stops the clock, and what lets it run again. */
      readonly paused?: { readonly from: Formula; readonly until: Formula };
      /** How often the period was lengthened. */
      readonly extended?: Formula;
    }
  | { readonly verb: 'fee'; readonly pay: Formula }
  /** Powers and obligations without a date: listed for people, never decided by the program. */
  | { readonly verb: 'listed' };

export interface Clause {
  readonly def: ClauseDef;
  readonly index: number;
  readonly applies?: Condition;
  readonly body: ClauseBody;
}

export function negate(condition: Condition): Condition {
  switch (condition.op) {
    case 'all':
      return { op: 'any', of: condition.of.map(negate) };
    case 'any':
      return { op: 'all', of: condition.of.map(negate) };
    case 'compare':
    case 'member':
    case 'sets':
    case 'same_year':
    case 'season':
    case 'hours':
    case 'happened':
    case 'clauses_met':
    case 'elsewhere':
      return { ...condition, negated: !condition.negated };
  }
}
