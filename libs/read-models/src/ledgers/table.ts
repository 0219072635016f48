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

/** A posting in one limit: a ledger is the rows of one `ledger_id`, so that one more load costs one more row. */
export interface LedgerRow extends ViewRow<LedgerPosting> {
  readonly ledger_id: string;
  /** Of the thing that the limit is keyed on. */
  readonly stream: string;
  readonly pack: string;
  readonly limit_name: string;
  readonly window_name: string;
}

export const ledgersTable = {
  name: 'ledgers',
  version: 1,
  columns: { ledger_id: 'text', stream: 'text', pack: 'text', limit_name: 'text', window_name: 'text' },
  indexes: [
    ['ledger_id'],
    ['jurisdiction', 'window_name', 'ledger_id'],
    ['stream', 'limit_name', 'window_name'],
    ['limit_name', 'window_name', 'ledger_id'],
  ],
} as const satisfies Table<LedgerRow>;
