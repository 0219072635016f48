import type { JsonValue } from './json';

export type FindingStatus = 'satisfied' | 'violated' | 'unknown' | 'not_applicable';
export type UnknownReason = 'fact_missing' | 'awaiting_judgement' | 'not_yet_due' | 'figure_missing';

/** A quantity as JSON: an exact decimal string and its unit. */
export type QuantityJson = { readonly value: string; readonly unit: string };

/** Where an operand came from: the payload, a stored fact, a ledger, a calendar or a figure of the pack itself. */
export interface Provenance {
  readonly source: 'payload' | 'subject' | 'permit' | 'ledger' | 'calendar' | 'derived' | 'pack';
  /** `stream@revision` of the event that recorded it (for a ledger: the head it was folded to). */
  readonly event?: string;
  /** For a ledger: how many postings were folded. The list itself is never stored. */
  readonly count?: number;
}

export interface Operand {
  readonly fact: string;
  /** A fact's value as JSON; `none` is said by `none: true` (it is known not to have happened). */
  readonly value?: JsonValue;
  readonly none?: true;
  readonly from?: Provenance;
}

/** The result of a clause on given facts: what is stored with a decision and answered over REST. */
export interface Finding {
  readonly clause: string;
  readonly rows: readonly string[];
  readonly cite: string;
  readonly says: string;
  readonly status: FindingStatus;
  readonly reason?: UnknownReason;
  readonly operands: readonly Operand[];
  readonly limit?: { readonly op: string; readonly value: JsonValue };
  readonly margin?: QuantityJson;
  /** Names of the facts that would decide it. */
  readonly missing: readonly string[];
  readonly binds: 'person' | 'office';
  readonly due?: Due;
  /** A deadline whose clock stands still since this instant: nothing is due until it runs again. */
  readonly pausedSince?: string;
  readonly outcome?: string;
  readonly amount?: QuantityJson;
  readonly interpretation?: { readonly id: string; readonly choice: string };
  /** Rendered on request, never stored. */
  readonly text?: string;
}

/** When something is due: the local date, the statutory instant it ends at, and for hours the elapsed instant. */
export interface Due {
  readonly date: string;
  readonly at: string;
  readonly elapsedAt: string | null;
  readonly derivation?: readonly DerivationStep[];
  /** What it was counted by; stands beside the derivation. */
  readonly by?: CountedBy;
}

/** One step of a count: a day (`first/last` for several, or an instant) with whether it counts, why, and who says so. */
export interface DerivationStep {
  readonly on: string;
  readonly counted: boolean;
  readonly why: string;
  readonly source?: string;
  /** `stream@revision` of the event that made it so: a day that an officer added, a pause, an extension. */
  readonly event?: string;
}

/** The rules of a count: whoever has these and the derivation can count it again. */
export interface CountedBy {
  /** `60 working days`, `by Oct 1`: what was counted, in words. */
  readonly period: string;
  readonly kind: string;
  readonly counting: string;
  readonly zone: string;
  readonly calendars: readonly CountedCalendar[];
  readonly start: { readonly on: string; readonly text?: string; readonly event?: string };
  readonly clause?: {
    readonly id: string;
    readonly cite: string;
    readonly pack?: string;
    readonly version?: string;
  };
}

/** A list of days in one version, and the events by which days were added to it. */
export interface CountedCalendar {
  readonly as: 'legal' | 'office';
  readonly id: string;
  readonly version: string;
  readonly amendedBy?: readonly string[];
}
