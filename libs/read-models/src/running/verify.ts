import type { OpenStore } from '@headworks/event-store';
import { canonicalBytes, type JsonObject } from '@headworks/kernel';
import type { Pace } from '../database/pace';
import type { Queries, StoredRow, ViewDatabase } from '../database/view-database';
import { encodeRow } from '../database/view-tables';
import { tableOf, type View, type ViewRow } from '../view';
import { evolveInto } from './apply';
import { checkpointOf } from './follow';
import { BEGINNING, type Checkpoint } from './progress';

export interface Verifying {
  readonly store: OpenStore;
  readonly database: ViewDatabase;
  readonly pace: Pace;
  readonly batch: number;
}

/** A row that is not what the log makes of it. */
export interface ViewDifference {
  readonly id: string;
  readonly what: 'missing' | 'extra' | 'differs';
  /** Columns that differ. */
  readonly columns: readonly string[];
}

export interface ViewVerdict {
  readonly view: string;
  /** Token of the checkpoint that was compared at; empty before the first event. */
  readonly position: string;
  readonly rows: number;
  readonly wrong: number;
  /** The first hundred of the wrong ones. */
  readonly differences: readonly ViewDifference[];
}

const MOST_LISTED = 100;

/**
 * Folds the log afresh, in memory and apart from the tables, and compares row by row. The comparison sees one snapshot
 * of rows and checkpoint, so it can be made while the view is being followed; on SQLite it holds up other readers.
 */
export async function verify(verifying: Verifying, view: View): Promise<ViewVerdict> {
  const { database } = verifying;
  const rows = new Map<string, readonly ViewRow[]>();
  const early = await checkpointOf(verifying, { view, table: tableOf(view) });
  await foldAfresh(verifying, view, rows, BEGINNING, early);
  return database.kysely
    .transaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const snapshot = { ...verifying, database: { ...database, kysely: trx } };
      const at = await checkpointOf(snapshot, { view, table: tableOf(view) });
      // A rebuild in between may have set it back: then what was folded is too much.
      if (at.position < early.position) rows.clear();
      await foldAfresh(verifying, view, rows, at.position < early.position ? BEGINNING : early, at);
      return compare(trx, view, [...rows.values()].flat(), at);
    });
}

async function foldAfresh(
  { store, pace, batch }: Verifying,
  view: View,
  rows: Map<string, readonly ViewRow[]>,
  from: Checkpoint,
  to: Checkpoint,
): Promise<void> {
  if (to.position <= from.position) return;
  const after = from === BEGINNING ? {} : { after: from.position };
  for await (const events of store.readAll({ ...after, upTo: to.position, batch })) {
    for (const event of events) {
      evolveInto(view, rows, event);
      await pace();
    }
  }
}

async function compare(
  queries: Queries,
  view: View,
  folded: readonly ViewRow[],
  at: Checkpoint,
): Promise<ViewVerdict> {
  const missing = new Map(folded.map((row) => [row.id, encodeRow(view, row)]));
  const found: ViewDifference[] = [];
  let rows = 0;
  for await (const stored of allRows(queries, tableOf(view))) {
    rows++;
    const id = String(stored['id']);
    const expected = missing.get(id);
    missing.delete(id);
    const columns = expected ? differing(stored, expected) : [];
    if (!expected) found.push({ id, what: 'extra', columns: [] });
    else if (columns.length > 0) found.push({ id, what: 'differs', columns });
  }
  for (const id of missing.keys()) found.push({ id, what: 'missing', columns: [] });
  const differences = found.slice(0, MOST_LISTED);
  return { view: view.name, position: at.token, rows, wrong: found.length, differences };
}

const PAGE = 500;

async function* allRows(queries: Queries, table: string): AsyncGenerator<StoredRow> {
  let last = '';
  for (;;) {
    const page = await queries
      .selectFrom(table)
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    yield* page;
    if (page.length < PAGE) return;
    last = String(page[page.length - 1]?.['id']);
  }
}

function differing(stored: StoredRow, expected: StoredRow): readonly string[] {
  const names = [...new Set([...Object.keys(stored), ...Object.keys(expected)])].toSorted();
  return names.filter((name) =>
    name === 'doc' ? docText(stored) !== docText(expected) : stored[name] !== expected[name],
  );
}

/** The order of members in a document says nothing. */
function docText(row: StoredRow): string {
  try {
    return canonicalBytes(JSON.parse(String(row['doc'])) as JsonObject).toString();
  } catch {
    return String(row['doc']);
  }
}
