import { sql } from 'kysely';
import type { ViewDatabase } from '../database/view-database';
import { decodeRow } from '../database/view-tables';
import { tableOf, type Table, type ViewRow } from '../view';
import {
  decodeCursor,
  encodeCursor,
  isStorableText,
  limitOf,
  type Page,
  type PageRequest,
  type Scope,
} from './page';

type Column<Row> = Exclude<keyof Row, 'doc'> & string;

export interface Condition<Row> {
  readonly column: Column<Row>;
  readonly op: '=' | '>=' | '<';
  readonly value: string | number;
}

/** A condition where the filter has a value, none where it has not. */
export function when<Row>(
  value: string | number | undefined,
  column: Column<Row>,
  op: Condition<Row>['op'] = '=',
): readonly Condition<Row>[] {
  return value === undefined ? [] : [{ column, op, value }];
}

export interface Listing<Row> {
  readonly scope: Scope;
  readonly where: readonly Condition<Row>[];
  /** Text columns; the id follows, so that the order is one. */
  readonly sort: readonly Column<Row>[];
  readonly order: 'asc' | 'desc';
  readonly page: PageRequest;
}

/**
 * A page by keyset: it starts behind the values that the last one ended at, so rows that come or go meanwhile neither
 * repeat nor hide another.
 */
export async function listRows<Row extends ViewRow>(
  { kysely }: ViewDatabase,
  view: Table<Row>,
  { scope, where, sort, order, page }: Listing<Row>,
): Promise<Page<Row>> {
  const table = tableOf(view);
  const limit = limitOf(page);
  const columns = [...sort, 'id'];
  const after = page.cursor === undefined ? undefined : decodeCursor(table, page.cursor, columns.length);
  if (
    !canMatch(
      scope,
      where.map(({ value }) => value),
    )
  )
    return { items: [] };
  let query = kysely.selectFrom(table).selectAll();
  if (scope !== '*') query = query.where('jurisdiction', 'in', scope);
  for (const { column, op, value } of where) query = query.where(sql.ref<string | number>(column), op, value);
  if (after) {
    const place = sql.join(columns.map((column) => sql.ref(column)));
    const comparison = sql.raw(order === 'asc' ? '>' : '<');
    query = query.where(sql<boolean>`(${place}) ${comparison} (${sql.join(after)})`);
  }
  for (const column of columns) query = query.orderBy(column, order);
  // One more than asked for tells whether there is a next page.
  const found = await query.limit(limit + 1).execute();
  const items = found.slice(0, limit).map((stored) => decodeRow<Row>(stored));
  const last = found[limit - 1];
  if (found.length <= limit || !last) return { items };
  return {
    items,
    next: encodeCursor(
      table,
      columns.map((column) => String(last[column])),
    ),
  };
}

/** A text that can't be in the log (NUL, half a surrogate pair) is in no row, and PostgreSQL would refuse to look. */
function canMatch(scope: Scope, values: readonly (string | number)[]): boolean {
  const texts = [...values, ...(scope === '*' ? [] : scope)].map(String);
  return (scope === '*' || scope.length > 0) && texts.every(isStorableText);
}

/** The row of that id, where the caller may see it. */
export async function findRow<Row extends ViewRow>(
  { kysely }: ViewDatabase,
  view: Table<Row>,
  scope: Scope,
  id: string,
): Promise<Row | undefined> {
  if (!canMatch(scope, [id])) return undefined;
  let query = kysely.selectFrom(tableOf(view)).selectAll().where('id', '=', id);
  if (scope !== '*') query = query.where('jurisdiction', 'in', scope);
  const stored = await query.executeTakeFirst();
  return stored && decodeRow<Row>(stored);
}

export const mapPage = <From, To>({ items, ...rest }: Page<From>, to: (item: From) => To): Page<To> => ({
  ...rest,
  items: items.map(to),
});
