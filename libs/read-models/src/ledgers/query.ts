import { addQuantities, quantity, quantityJson, type Quantity, type QuantityJson } from '@headworks/kernel';
import type { ViewDatabase } from '../database/view-database';
import { findRow, listRows, mapPage, when } from '../listing/list';
import type { Page, PageRequest, Scope } from '../listing/page';
import { idOfStream } from '../thing';
import { ledgersTable, type LedgerPosting, type LedgerRow } from './table';

export interface LedgerFilter {
  /** Stream of the thing that the limit is keyed on. */
  readonly stream?: string;
  readonly pack?: string;
  readonly limit?: string;
  readonly window?: string;
}

export interface LedgerItem {
  readonly id: string;
  readonly jurisdiction: string;
  readonly stream: string;
  readonly subjectId: string;
  readonly pack: string;
  readonly limit: string;
  readonly window: string;
  readonly count: number;
  /** What was put there in all, exact: one quantity for each kind (volume, mass), in the unit of the first load. */
  readonly totals: readonly QuantityJson[];
  readonly postings: readonly LedgerPosting[];
}

/** Ledgers, the latest window first. */
export async function listLedgers(
  database: ViewDatabase,
  scope: Scope,
  filter: LedgerFilter = {},
  page: PageRequest = {},
): Promise<Page<LedgerItem>> {
  const { stream, pack, limit, window } = filter;
  const where = [
    ...when<LedgerRow>(stream, 'stream'),
    ...when<LedgerRow>(pack, 'pack'),
    ...when<LedgerRow>(limit, 'limit_name'),
    ...when<LedgerRow>(window, 'window_name'),
  ];
  const rows = await listRows<LedgerRow>(database, ledgersTable, {
    scope,
    where,
    sort: ['window_name'],
    order: 'desc',
    page,
  });
  return mapPage(rows, itemOf);
}

export async function findLedger(
  database: ViewDatabase,
  scope: Scope,
  id: string,
): Promise<LedgerItem | undefined> {
  const row = await findRow<LedgerRow>(database, ledgersTable, scope, id);
  return row && itemOf(row);
}

const itemOf = (row: LedgerRow): LedgerItem => ({
  id: row.id,
  jurisdiction: row.jurisdiction,
  stream: row.stream,
  subjectId: idOfStream(row.stream),
  pack: row.pack,
  limit: row.limit_name,
  window: row.window_name,
  count: row.posting_count,
  totals: totalsOf(row.doc.postings),
  postings: row.doc.postings,
});

function totalsOf(postings: readonly LedgerPosting[]): readonly QuantityJson[] {
  const totals = new Map<string, Quantity>();
  for (const posting of postings) {
    const more = quantity(posting.quantity);
    const before = totals.get(more.kind);
    totals.set(more.kind, before ? addQuantities(before, more) : more);
  }
  return [...totals.values()].map(quantityJson);
}
