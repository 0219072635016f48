import { sql } from 'kysely';
import type { Queries, StoredRow, ViewDatabase } from './database/view-database';
import { dutiesTable } from './duties/table';
import { permitsTable } from './permits/table';
import { tableOf } from './view';

/** What an alarm carries: enough to send Settle, nothing to decide on. A permit that ends is named by its id. */
export interface DueDuty {
  readonly stream: string;
  readonly duty: string;
  readonly dueAt: string;
}

/** The earliest first, those of one instant by their ids: the order in which the law takes them. */
export interface DueQuery {
  /** Instants, ISO in UTC: `from` itself is asked for, `before` is not. */
  readonly from?: string;
  readonly before?: string;
  /** Goes on behind this one. */
  readonly after?: Pick<DueDuty, 'dueAt' | 'duty'>;
  readonly limit: number;
}

interface Source {
  readonly table: string;
  readonly columns: { readonly stream: string; readonly duty: string; readonly dueAt: string };
  /** Rows without a due instant are on no list. */
  readonly only: ReturnType<typeof sql<boolean>>;
}

const SOURCES: readonly Source[] = [
  {
    table: tableOf(dutiesTable),
    columns: { stream: 'stream', duty: 'id', dueAt: 'due_at' },
    only: sql<boolean>`status = 'open'`,
  },
  {
    table: tableOf(permitsTable),
    columns: { stream: 'part', duty: 'id', dueAt: 'ends_at' },
    only: sql<boolean>`ends_at >= ''`,
  },
];

/** Open duties and permits whose validity ends. Three columns along one index: a million rows cost what is asked for. */
export async function dueRows({ kysely }: ViewDatabase, query: DueQuery): Promise<readonly DueDuty[]> {
  const found: DueDuty[] = [];
  for (const source of SOURCES) found.push(...(await rowsOf(kysely, source, query)));
  return found.toSorted(inOrder).slice(0, query.limit);
}

/** Those of them that are still open, by id: whom a queue wakes knows no more. */
export async function dueRowsOf(
  { kysely }: ViewDatabase,
  duties: readonly string[],
): Promise<readonly DueDuty[]> {
  const found: DueDuty[] = [];
  if (duties.length === 0) return found;
  for (const { table, columns, only } of SOURCES) {
    const rows = await kysely
      .selectFrom(table)
      .select([columns.stream, columns.duty, columns.dueAt])
      .where(columns.duty, 'in', duties)
      .where(only)
      .execute();
    found.push(...rows.map((row) => dueOf(row, columns)));
  }
  return found.toSorted(inOrder);
}

/** How many of them are due before the instant. */
export async function countDue({ kysely }: ViewDatabase, before: string): Promise<number> {
  let count = 0;
  for (const { table, columns, only } of SOURCES) {
    const row = await kysely
      .selectFrom(table)
      .select(sql<string | number>`count(*)`.as('due'))
      .where(only)
      .where(columns.dueAt, '<', before)
      .executeTakeFirst();
    count += Number(row?.due ?? 0);
  }
  return count;
}

async function rowsOf(
  kysely: Queries,
  { table, columns, only }: Source,
  { from, before, after, limit }: DueQuery,
): Promise<readonly DueDuty[]> {
  let query = kysely.selectFrom(table).select([columns.stream, columns.duty, columns.dueAt]).where(only);
  if (from !== undefined) query = query.where(columns.dueAt, '>=', from);
  if (before !== undefined) query = query.where(columns.dueAt, '<', before);
  if (after) {
    const place = sql.join([sql.ref(columns.dueAt), sql.ref(columns.duty)]);
    query = query.where(sql<boolean>`(${place}) > (${after.dueAt}, ${after.duty})`);
  }
  const rows = await query.orderBy(columns.dueAt).orderBy(columns.duty).limit(limit).execute();
  return rows.map((row) => dueOf(row, columns));
}

const dueOf = (row: StoredRow, { stream, duty, dueAt }: Source['columns']): DueDuty => ({
  stream: String(row[stream]),
  duty: String(row[duty]),
  dueAt: String(row[dueAt]),
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const inOrder = (a: DueDuty, b: DueDuty): number => compare(a.dueAt, b.dueAt) || compare(a.duty, b.duty);
