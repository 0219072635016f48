import { addQuantities, quantity, quantityJson, type Quantity, type QuantityJson } from '@headworks/kernel';
import { compareKeys, type LegalKey } from '@headworks/domain';
import type { ViewDatabase } from '../database/view-database';
import { decodeRow } from '../database/view-tables';
import { isOneOf, listDistinct, when } from '../listing/list';
import type { Page, PageRequest, Scope } from '../listing/page';
import { homeOf } from '../thing';
import { tableOf } from '../view';
import { ledgersTable, type LedgerPosting, type LedgerRow } from './table';

export interface LedgerFilter {
  /** Stream of the thing that the limit is keyed on. */
  readonly stream?: string;
  readonly pack?: string;
  readonly limit?: string;
  readonly window?: string;
  /** In one of these streams. */
  readonly streams?: readonly string[];
}

export interface LedgerItem {
  readonly id: string;
  readonly jurisdiction: string;
  readonly stream: string;
  /** One of the two: the limit is keyed on a thing, or on a permit. */
  readonly subjectId: string | null;
  readonly permitId: string | null;
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
  const { stream, pack, limit, window, streams } = filter;
  const where = [
    ...when<LedgerRow>(stream, 'stream'),
    ...when<LedgerRow>(pack, 'pack'),
    ...when<LedgerRow>(limit, 'limit_name'),
    ...when<LedgerRow>(window, 'window_name'),
    ...(streams ? [isOneOf<LedgerRow>(streams, 'stream')] : []),
  ];
  const listing = { scope, where, sort: ['window_name'], order: 'desc', page } as const;
  const ledgers = await listDistinct<LedgerRow>(database, ledgersTable, listing, LEDGER);
  const rows = await rowsOf(
    database,
    ledgers.items.map((item) => String(item['ledger_id'])),
  );
  const items = ledgers.items.map((item) =>
    itemOf(rows.filter((row) => row.ledger_id === item['ledger_id'])),
  );
  return { ...ledgers, items: items.filter((item) => item !== undefined) };
}

/** What the rows of one ledger have in common. */
const LEDGER = ['jurisdiction', 'stream', 'pack', 'limit_name', 'window_name', 'ledger_id'] as const;

export async function findLedger(
  database: ViewDatabase,
  scope: Scope,
  id: string,
): Promise<LedgerItem | undefined> {
  const where = when<LedgerRow>(id, 'ledger_id');
  const listing = { scope, where, sort: [], order: 'asc', page: { limit: 1 } } as const;
  const { items } = await listDistinct<LedgerRow>(database, ledgersTable, listing, LEDGER);
  return items.length === 0 ? undefined : itemOf(await rowsOf(database, [id]));
}

async function rowsOf({ kysely }: ViewDatabase, ledgers: readonly string[]): Promise<readonly LedgerRow[]> {
  if (ledgers.length === 0) return [];
  const found = await kysely
    .selectFrom(tableOf(ledgersTable))
    .selectAll()
    .where('ledger_id', 'in', ledgers)
    .execute();
  return found.map((stored) => decodeRow<LedgerRow>(stored));
}

function itemOf(rows: readonly LedgerRow[]): LedgerItem | undefined {
  const [row] = rows;
  // The last posting may be reversed between the two looks: then there is no such ledger.
  if (!row) return undefined;
  const postings = rows.map(({ doc }) => doc).toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));
  return {
    id: row.ledger_id,
    jurisdiction: row.jurisdiction,
    stream: row.stream,
    ...homeOf(row.stream),
    pack: row.pack,
    limit: row.limit_name,
    window: row.window_name,
    count: postings.length,
    totals: totalsOf(postings),
    postings,
  };
}

const keyOf = ({ occurredAt, recordedAt, revision }: LedgerPosting): LegalKey => ({
  ms: Date.parse(occurredAt),
  recordedAt,
  revision,
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
