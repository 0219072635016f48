import type { LocalDate, Quantity } from '@headworks/kernel';

/** Amounts that stand outside an ordinance: a table that an office keeps, with its days. */
export interface Schedule {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly items: ReadonlyMap<string, ScheduleItem>;
}

export interface ScheduleItem {
  readonly says: string;
  /** In the order of their days; one alone may have no day, and then is of every day. */
  readonly entries: readonly ScheduleEntry[];
}

export interface ScheduleEntry {
  readonly from?: LocalDate;
  readonly amount: Amount;
}

/** A sum, a range of sums, or what nobody has given. */
export type Amount =
  | { readonly is: 'figure'; readonly value: Quantity; readonly shown: string }
  | { readonly is: 'range'; readonly least?: Quantity; readonly most?: Quantity }
  | { readonly is: 'missing'; readonly missing: string; readonly keptBy: string };
