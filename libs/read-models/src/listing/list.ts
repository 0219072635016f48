import type { ThingRef } from '@headworks/domain';
import { sql, type Expression, type SqlBool } from 'kysely';
import type { StoredRow, ViewDatabase } from '../database/view-database';
import { decodeRow } from '../database/view-tables';
import { keyColumn } from '../thing';
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

/** Of several alternatives, each some conditions together, at least one; no alternative at all matches nothing. */
export interface AnyOf<Row> {
  readonly anyOf: readonly (readonly Condition<Row>[])[];
}

/** A condition where the filter has a value, none where it has not. */
export function when<Row>(
  value: string | number | undefined,
  column: Column<Row>,
  op: Condition<Row>['op'] = '=',
): readonly Condition<Row>[] {
  return value === undefined ? [] : [{ column, op, value }];
}

type Things<Row> = readonly (readonly [kind: Column<Row>, key: Column<Row>])[];

/** That one of the columns names one of the things. */
export const namesOneOf = <Row>(things: readonly ThingRef[], columns: Things<Row>): AnyOf<Row> => ({
  anyOf: columns.flatMap(([kind, key]) =>
    things.map((thing): readonly Condition<Row>[] => [
      { column: kind, op: '=', value: thing.kind },
      { column: key, op: '=', value: keyColumn(thing.key) },
    ]),
  ),
});

/** That the column is one of the values. */
export const isOneOf = <Row>(values: readonly string[], column: Column<Row>): AnyOf<Row> => ({
  anyOf: values.map((value) => [{ column, op: '=', value }]),
});

/** As `when`: a condition where things are asked for; none asked for is another thing than none at all. */
export const whenOneOf = <Row>(
  things: readonly ThingRef[] | undefined,
  columns: Things<Row>,
): readonly AnyOf<Row>[] => (things ? [namesOneOf(things, columns)] : []);

export interface Listing<Row> {
  readonly scope: Scope;
  readonly where: readonly (Condition<Row> | AnyOf<Row>)[];
  /** Text columns; the id (or what else is one to an item) follows, so that the order is one. */
  readonly sort: readonly Column<Row>[];
  readonly order: 'asc' | 'desc';
  readonly page: PageRequest;
}

/** A page of rows, each an item. */
export async function listRows<Row extends ViewRow>(
  database: ViewDatabase,
  view: Table<Row>,
  listing: Listing<Row>,
): Promise<Page<Row>> {
  const rows = await listStored(database, view, { ...listing, columns: [...listing.sort, 'id'] });
  return mapPage(rows, (stored) => decodeRow<Row>(stored));
}

/** A page of items that are several rows each: the values of some columns, the one that tells items apart the last. */
export function listDistinct<Row extends ViewRow>(
  database: ViewDatabase,
  view: Table<Row>,
  listing: Listing<Row>,
  distinct: readonly Column<Row>[],
): Promise<Page<StoredRow>> {
  const columns = [...listing.sort, ...distinct.slice(-1)];
  return listStored(database, view, { ...listing, columns, distinct });
}

interface Stored<Row> extends Omit<Listing<Row>, 'sort'> {
  /** What the items are sorted by and told apart. */
  readonly columns: readonly string[];
  readonly distinct?: readonly string[];
}

/**
 * A page by keyset: it starts behind the values that the last one ended at, so rows that come or go meanwhile neither
 * repeat nor hide another.
 */
async function listStored<Row extends ViewRow>(
  { kysely }: ViewDatabase,
  view: Table<Row>,
  { scope, where, columns, distinct, order, page }: Stored<Row>,
): Promise<Page<StoredRow>> {
  const table = tableOf(view);
  const limit = limitOf(page);
  const after = page.cursor === undefined ? undefined : decodeCursor(table, page.cursor, columns.length);
  const values = where
    .flatMap((one) => ('anyOf' in one ? one.anyOf.flat() : [one]))
    .map(({ value }) => value);
  if (!canMatch(scope, values)) return { items: [] };
  const from = kysely.selectFrom(table);
  let query = distinct ? from.select(distinct).distinct() : from.selectAll();
  if (scope !== '*') query = query.where('jurisdiction', 'in', scope);
  for (const one of where) query = query.where(holds(one));
  if (after) {
    const place = sql.join(columns.map((column) => sql.ref(column)));
    const comparison = sql.raw(order === 'asc' ? '>' : '<');
    query = query.where(sql<boolean>`(${place}) ${comparison} (${sql.join(after)})`);
  }
  for (const column of columns) query = query.orderBy(column, order);
  // One more than asked for tells whether there is a next page.
  const found = await query.limit(limit + 1).execute();
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (found.length <= limit || !last) return { items };
  const next = columns.map((column) => String(last[column]));
  return { items, next: encodeCursor(table, next) };
}

function holds<Row>(condition: Condition<Row> | AnyOf<Row>): Expression<SqlBool> {
  if (!('anyOf' in condition)) {
    const { column, op, value } = condition;
    return sql<SqlBool>`${sql.ref(column)} ${sql.raw(op)} ${value}`;
  }
  if (condition.anyOf.length === 0) return sql<SqlBool>`1 = 0`;
  const alternatives = condition.anyOf.map((all) => sql`(${sql.join(all.map(holds), sql` and `)})`);
  return sql<SqlBool>`(${sql.join(alternatives, sql` or `)})`;
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
