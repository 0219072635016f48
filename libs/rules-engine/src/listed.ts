import type { Period } from '@headworks/calendars';
import type { LocalDate, QuantityJson } from '@headworks/kernel';

/** What a pack lists for people and courts: penalties and appeals. The program counts days, and never sets a sum. */
export interface PenaltyDef {
  readonly id: string;
  readonly cite: string;
  readonly says: string;
  readonly rows: readonly string[];
  readonly clauses: 'any' | readonly string[];
  readonly amount?: AmountDef;
  /** Each day on which it goes on counts for itself. */
  readonly eachDaySeparate: boolean;
  /** What the second, third ... offence within so long costs instead, in the order of their numbers. */
  readonly escalates?: {
    readonly within: Period;
    readonly offences: readonly { readonly offence: number; readonly amount: AmountDef }[];
  };
  /** What must come first: conviction by a court. */
  readonly after?: string;
  /** What is paid besides. */
  readonly adds: readonly string[];
}

/** `least` and `most` are one for a fixed sum; a ceiling alone begins at nothing, a floor alone has no end. */
export type AmountDef =
  | {
      readonly is: 'sum';
      readonly least: QuantityJson;
      readonly most: QuantityJson | null;
      readonly per?: string;
    }
  | { readonly is: 'missing'; readonly missing: string; readonly keptBy: string }
  /** An item of a schedule whose amounts have days, oldest first. */
  | {
      readonly is: 'dated';
      readonly amounts: readonly { readonly from: LocalDate; readonly amount: AmountDef }[];
    };

export interface AppealDef {
  readonly id: string;
  readonly cite: string;
  readonly says: string;
  readonly rows: readonly string[];
  /** Decisions of a permit, acts of the pack, or whatever else in words. */
  readonly against: readonly string[];
  readonly by?: string;
  /** A body of the pack, or in words. */
  readonly to: string;
  readonly within: Period;
  /** The deadline of asking for it, missed by whoever comes too late (appeal_barred). */
  readonly filedUnder?: string;
  readonly heardUnder: readonly string[];
  readonly decidedUnder: readonly string[];
  /** Whether the decision waits meanwhile, or in words. */
  readonly stays: boolean | string;
}
