import type { Facts, ThingRef } from '@headworks/domain';
import type { QuantityJson } from '@headworks/kernel';
import type { Table, ViewRow } from '../view';

/** A load as it counts in a limit. */
export type LedgerPosting = {
  /** Address of LoadPosted. */
  readonly posting: string;
  readonly load: string;
  readonly loadRevision: number;
  readonly loadType: string;
  readonly hauler: ThingRef;
  readonly quantity: QuantityJson;
  readonly occurredAt: string;
  /** Local date in the jurisdiction's zone: any window can be cut by it. */
  readonly on: string;
  /** What the limit's series gained by it. */
  readonly row: Facts;
  /** Predecessor's stream, of a posting that was brought forward. */
  readonly broughtFrom?: string;
  /** With `occurredAt`, its place in legal order. */
  readonly recordedAt: string;
  readonly revision: number;
};

export interface LedgerDoc {
  /** In legal order. */
  readonly postings: readonly LedgerPosting[];
}

export interface LedgerRow extends ViewRow<LedgerDoc> {
  readonly pack: string;
  readonly limit_name: string;
  readonly window_name: string;
  readonly posting_count: number;
}

export const ledgersTable = {
  name: 'ledgers',
  version: 1,
  columns: { pack: 'text', limit_name: 'text', window_name: 'text', posting_count: 'integer' },
  indexes: [
    ['jurisdiction', 'window_name'],
    ['stream', 'limit_name', 'window_name'],
    ['limit_name', 'window_name'],
  ],
} as const satisfies Table<LedgerRow>;
