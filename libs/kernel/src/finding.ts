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
}

/** One step of a count: a day (or the start) with whether it counts, why not, and who says so. */
export interface DerivationStep {
  readonly on: string;
  readonly counted: boolean;
  readonly why: string;
  readonly source?: string;
}
