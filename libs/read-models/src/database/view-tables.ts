import { sql, type CreateTableBuilder } from 'kysely';
import type { JsonValue } from '@headworks/kernel';
import { tableOf, type ColumnType, type View, type ViewRow } from '../view';
import type { Pace } from './pace';
import type { Queries, StoredRow, StoredValue, ViewDatabase } from './view-database';

export const CHECKPOINTS = 'view_checkpoints';

/** Columns of every row, then the view's own. */
const allColumns = (view: View): readonly (readonly [string, ColumnType])[] => [
  ['id', 'text'],
  ['part', 'text'],
  ['jurisdiction', 'text'],
  ...Object.entries(view.columns),
  ['doc', 'text'],
];

/** Texts sort by their bytes in both databases, or a page of one would not continue in the other. */
function textOf(kind: ViewDatabase['kind']) {
  return kind === 'postgres' ? sql`text collate "C"` : sql`text`;
}

/** A table of the view, empty, under whatever name; index names carry the table's first name and never change. */
export async function createTable(
  queries: Queries,
  kind: ViewDatabase['kind'],
  view: View,
  table: string,
): Promise<void> {
  let builder: CreateTableBuilder<string, string> = queries.schema.createTable(table).ifNotExists();
  for (const [name, type] of allColumns(view)) {
    const dataType = type === 'integer' ? sql`integer` : textOf(kind);
    builder = builder.addColumn(name, dataType, (column) => {
      if (name === 'id') return column.primaryKey().notNull();
      return type === 'text?' ? column : column.notNull();
    });
  }
  await builder.execute();
  const indexes: readonly (readonly string[])[] = [['part'], ...view.indexes];
  for (const [index, columns] of indexes.entries()) {
    await queries.schema
      .createIndex(`${table}_i${index}`)
      .ifNotExists()
      .on(table)
      .columns([...columns, 'id'])
      .execute();
  }
}

export async function dropTable(queries: Queries, table: string): Promise<void> {
  // First the row, which is the lock of the table, as everywhere.
  await queries.deleteFrom(CHECKPOINTS).where('view_table', '=', table).execute();
  await queries.schema.dropTable(table).ifExists().execute();
}

/** One maker of tables at a time: PostgreSQL's IF NOT EXISTS is no guard between two sessions. */
const MAKING_TABLES = 4_857_565;

export async function lockMaking(queries: Queries, kind: ViewDatabase['kind']): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${MAKING_TABLES})`.execute(queries);
}

/** Tables and checkpoints of the views that this release reads; those of other versions stay as they are. */
export async function prepareTables(database: ViewDatabase, views: readonly View[]): Promise<void> {
  const { kysely, kind } = database;
  if (await areThere(database, views)) return;
  await kysely.transaction().execute(async (trx) => {
    await lockMaking(trx, kind);
    const text = textOf(kind);
    await trx.schema
      .createTable(CHECKPOINTS)
      .ifNotExists()
      .addColumn('view_table', text, (column) => column.primaryKey().notNull())
      // The token of the last event in the rows; empty before the first.
      .addColumn('token', text, (column) => column.notNull())
      // Counts the rebuilds: the next one's table and indexes are named by it.
      .addColumn('generation', sql`integer`, (column) => column.notNull())
      .execute();
    for (const view of views) {
      await createTable(trx, kind, view, tableOf(view));
      await addCheckpoint(trx, tableOf(view));
    }
  });
}

/** Tables are made with their checkpoints in one transaction. Making them again would wait for whoever uses them. */
async function areThere({ kysely }: ViewDatabase, views: readonly View[]): Promise<boolean> {
  try {
    const rows = await kysely.selectFrom(CHECKPOINTS).select('view_table').execute();
    const tables = new Set(rows.map((row) => row['view_table']));
    return views.every((view) => tables.has(tableOf(view)));
  } catch {
    // Not even the table of checkpoints; where the database is away, making it will say so.
    return false;
  }
}

export async function addCheckpoint(queries: Queries, table: string): Promise<void> {
  await queries
    .insertInto(CHECKPOINTS)
    .values({ view_table: table, token: '', generation: 0 })
    .onConflict((conflict) => conflict.column('view_table').doNothing())
    .execute();
}

/** Tables of versions (and of rebuilds left undone) that none of the views reads. */
export async function oldTables(database: ViewDatabase, views: readonly View[]): Promise<readonly string[]> {
  const current = new Set(views.map(tableOf));
  const rows = await database.kysely.selectFrom(CHECKPOINTS).select('view_table').execute();
  return rows
    .map((row) => String(row['view_table']))
    .filter((table) => !current.has(table))
    .toSorted();
}

export async function dropOldTables(
  database: ViewDatabase,
  views: readonly View[],
): Promise<readonly string[]> {
  const tables = await oldTables(database, views);
  for (const table of tables) await dropTable(database.kysely, table);
  return tables;
}

export function encodeRow(view: View, row: ViewRow): StoredRow {
  const values = row as unknown as Readonly<Record<string, StoredValue>>;
  const stored: StoredRow = {};
  for (const [name] of allColumns(view)) stored[name] = values[name] ?? null;
  stored['doc'] = JSON.stringify(row.doc);
  return stored;
}

export function decodeRow<Row extends ViewRow>(stored: StoredRow): Row {
  return { ...stored, doc: JSON.parse(String(stored['doc'])) as JsonValue } as unknown as Row;
}

const ROWS_A_STATEMENT = 100;
const chunks = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / ROWS_A_STATEMENT) }, (_, i) =>
    all.slice(i * ROWS_A_STATEMENT, (i + 1) * ROWS_A_STATEMENT),
  );

export async function readParts<Row extends ViewRow>(
  queries: Queries,
  table: string,
  parts: readonly string[],
): Promise<readonly Row[]> {
  const rows: StoredRow[] = [];
  for (const some of chunks(parts)) {
    rows.push(...(await queries.selectFrom(table).selectAll().where('part', 'in', some).execute()));
  }
  // By id, so that the fold starts from one order whatever the database answers in.
  return rows
    .map((stored) => decodeRow<Row>(stored))
    .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

export async function writeRows(
  queries: Queries,
  view: View,
  table: string,
  rows: readonly ViewRow[],
  pace: Pace,
): Promise<void> {
  const columns = allColumns(view).map(([name]) => name);
  for (const some of chunks(rows)) {
    await queries
      .insertInto(table)
      .values(some.map((row) => encodeRow(view, row)))
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((eb) =>
            Object.fromEntries(columns.map((name) => [name, eb.ref(`excluded.${name}`)] as const)),
          ),
      )
      .execute();
    await pace();
  }
}

export async function deleteRows(queries: Queries, table: string, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids)) await queries.deleteFrom(table).where('id', 'in', some).execute();
}

export async function clearTable(database: ViewDatabase, table: string): Promise<void> {
  await database.kysely.transaction().execute(async (trx) => {
    await trx.deleteFrom(table).execute();
    await trx.updateTable(CHECKPOINTS).set({ token: '' }).where('view_table', '=', table).execute();
  });
}
