import { localDateAt } from '@headworks/calendars';
import { isJsonObject, nameId, type JsonObject, type JsonValue } from '@headworks/kernel';
import { fill } from './fill';
import type { Mapping } from './mapping';
import type { RowFault, Rows } from './row';
import { columnsOf } from './template';
import { plain } from './plain';

/** One row as one call. Running an import again sends the same calls under the same keys: nothing is recorded twice. */
export interface Call {
  readonly place: string;
  readonly path: string;
  readonly key: string;
  readonly body: JsonObject;
  /** What the row is called in a report: its ticket, or its key. */
  readonly name: string;
  /** Calls on one thing go in the order of the file; others beside them. */
  readonly lane: string;
  /** Local date on which it happened, or is planned. */
  readonly on: string;
  /** Which column each place of the body came from, by JSON pointer. */
  readonly columns: ReadonlyMap<string, string>;
}

export interface Asked {
  /** Local dates, both in: only rows of these days. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** Why rows are recorded late, and what shows it, where the mapping does not say. */
  readonly reason?: string | undefined;
  readonly evidence?: string | undefined;
}

/** All calls of a file, and all that is wrong with its rows. */
export function callsOf(
  { columns, rows, faults }: Rows,
  mapping: Mapping,
  asked: Asked,
): { readonly calls: readonly Call[]; readonly skipped: number; readonly faults: readonly RowFault[] } {
  const found: RowFault[] = [...faults, ...missingColumns(columns, mapping, rows.length)];
  if (found.length > faults.length) return { calls: [], skipped: 0, faults: found };
  const seen = new Map<string, string>();
  const calls: Call[] = [];
  let skipped = 0;
  for (const row of rows) {
    if (mapping.skipWhereEmpty.some((column) => (row.cells.get(column) ?? '') === '')) {
      skipped++;
      continue;
    }
    const filled = fill(mapping.body, row, mapping);
    const call = callOf(row.place, filled, mapping, asked);
    if (filled.faults.length === 0 && isOutside(call.on, asked)) {
      skipped++;
      continue;
    }
    found.push(...filled.faults);
    const first = seen.get(call.key);
    if (first === undefined) seen.set(call.key, row.place);
    else if (filled.faults.length === 0)
      found.push({
        place: row.place,
        why: `${call.name} stands in ${first} too; take out the one that is wrong`,
      });
    calls.push(call);
  }
  return { calls, skipped, faults: found };
}

function missingColumns(columns: readonly string[], mapping: Mapping, rows: number): readonly RowFault[] {
  if (rows === 0) return [];
  const wanted = new Set([...mapping.skipWhereEmpty, ...columnsOf(mapping.body)]);
  return [...wanted]
    .filter((column) => !columns.includes(column))
    .map((column) => ({
      place: 'the file',
      column,
      why: `there is no such column; there are ${columns.join(', ')}`,
    }));
}

const isOutside = (on: string, { from, until }: Asked): boolean =>
  (from !== undefined && on < from) || (until !== undefined && on > until);

function callOf(
  place: string,
  { body, columns }: ReturnType<typeof fill>,
  { imports, zone, kind = '' }: Mapping,
  { reason, evidence }: Asked,
): Call {
  const at = Date.parse(plain(body['occurredAt'] ?? body['plannedAt'] ?? ''));
  const said = {
    ...(reason !== undefined && { reason }),
    ...(evidence !== undefined && { evidence }),
    ...body,
  };
  const on = Number.isNaN(at) ? '' : localDateAt(zone, at);
  if (imports === 'subjects') {
    const key = plain(body['key']);
    const name = `${kind} ${key}`;
    const idempotency = `import-subjects-${nameId('import', 'subjects', plain(body['jurisdiction']), kind, key)}`;
    return { place, path: `/subjects/${kind}`, key: idempotency, body: said, name, lane: name, on, columns };
  }
  const [hauler, subject] = [thingOf(body['hauler']), thingOf(body['subject'])];
  const ticket = plain(body['ticket']);
  const key = `import-${imports}-${nameId('import', imports, plain(body['pack']), hauler, ticket)}`;
  return {
    place,
    path: `/${imports}`,
    key,
    body: said,
    name: `ticket ${ticket} of ${hauler}`,
    lane: subject,
    on,
    columns,
  };
}

const thingOf = (raw: JsonValue | undefined): string =>
  isJsonObject(raw) ? `${plain(raw['kind'])} ${plain(raw['key'])}` : '';
