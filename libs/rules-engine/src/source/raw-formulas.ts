import type { DutyKind } from '@headworks/calendars';

export type Named<T> = Readonly<Record<string, T>>;
export type YesNo = 'yes' | 'no' | boolean;
export const isYes = (value: YesNo | undefined): boolean => value === 'yes' || value === true;

/** Conditions, formulas and tables as they stand in a file. */
export interface MissingFigure {
  readonly missing: string;
  readonly kept_by: string;
}
export type RawScalar = string | number | boolean;
/** Clauses of another pack. */
export interface RawElsewhere {
  readonly pack: string;
  readonly assessment?: string;
  readonly clauses?: readonly string[];
  readonly on: string;
  readonly facts?: readonly string[];
  readonly as?: Named<string>;
}
/** Exactly one key: which one says what it is. */
export interface RawCondition {
  readonly fact?: string;
  /** A column of the rows that `where` looks at. */
  readonly field?: string;
  readonly all?: readonly RawCondition[];
  readonly any?: readonly RawCondition[];
  readonly not?: RawCondition;
  readonly clauses_met?: readonly string[] | RawElsewhere;
  readonly [operator: string]: unknown;
}
export type RawFormula = RawScalar | RawOperation;
export interface RawSameYear {
  readonly field: string;
  readonly as: string;
}
/** So many days up to a day, that day in: exactly one of the lengths. */
export interface RawRolling extends RawSameYear {
  readonly days?: number;
  readonly months?: number;
  readonly years?: number;
}
/** Which rows of a series are looked at. */
export interface RawRows {
  readonly series: string;
  readonly same_year?: RawSameYear;
  readonly rolling?: RawRolling;
  readonly where?: RawCondition;
}
/** From, to, or both: `at_least` and `at_most` take the figure itself in. */
export interface RawBand {
  readonly at_least?: string | number;
  readonly more_than?: string | number;
  readonly at_most?: string | number;
  readonly less_than?: string | number;
}
export interface RawColumns {
  readonly by: string;
  /** Words of a choice, yes and no, or bands of an amount. */
  readonly of: readonly RawScalar[] | readonly RawBand[];
}
export type RawCell = string | number;
export interface RawTable {
  readonly label: string;
  readonly cite: string;
  readonly unit?: string;
  readonly columns?: RawColumns | readonly RawColumns[];
  readonly rows: Named<RawCell | readonly (RawCell | readonly RawCell[])[]>;
  /** What the cells that say missing lack, and who keeps it. */
  readonly missing?: MissingFigure;
}
export interface RawDayAfter {
  readonly date: RawFormula;
  readonly days?: number;
  readonly weeks?: number;
  readonly working_days?: number;
  readonly months?: number;
  readonly years?: number;
  readonly clear?: YesNo;
}
export interface RawYearDay {
  readonly day: string;
  readonly of: RawFormula;
  readonly years?: number;
  readonly rolls?: DutyKind;
}
/** An item of a schedule, and the day by which one of its amounts is picked. */
export interface RawScheduled {
  readonly of: string;
  readonly item: string;
  readonly on?: string;
}
export interface RawOperation {
  readonly missing?: string;
  readonly kept_by?: string;
  readonly sum?: readonly RawFormula[];
  readonly subtract?: readonly RawFormula[];
  readonly multiply?: readonly RawFormula[];
  readonly divide?: readonly RawFormula[];
  readonly minimum?: readonly RawFormula[];
  readonly maximum?: readonly RawFormula[];
  readonly latest?: readonly RawFormula[];
  readonly earliest?: readonly RawFormula[];
  readonly day?: RawFormula;
  readonly day_after?: RawDayAfter;
  readonly day_before?: RawDayAfter;
  readonly year_day?: RawYearDay;
  readonly month_end?: RawFormula;
  readonly year?: RawFormula;
  readonly sum_of?: RawRows & { readonly field: string };
  readonly count_of?: RawRows;
  readonly table?: { readonly of: string; readonly row: string };
  readonly schedule?: RawScheduled;
  readonly choose?: readonly {
    readonly when?: RawCondition;
    readonly then?: RawFormula;
    readonly otherwise?: RawFormula;
  }[];
}
export interface RawDerived extends RawOperation {
  readonly label: string;
  /** The words that `choose` picks among. */
  readonly of?: readonly string[];
  readonly unit?: string;
  readonly cite?: string;
  readonly when?: RawCondition;
}
