import type { ClientBase } from 'pg';
import { headAt } from '../encode';
import type { PreparedAppend, PreparedEvent } from '../encode';
import { positionToken, sortable } from '../position-token';
import type { AppendVerdict, Head } from '../port';

interface VerdictRow {
  readonly verdict: 'all' | 'written' | 'duplicate' | 'conflict';
  readonly head_revision: number | null;
  readonly head_hash: string | null;
  readonly head_position: string | null;
}

const CALL = {
  name: 'headworks_append_batch',
  text: `SELECT verdict, head_revision, encode(head_hash, 'hex') AS head_hash, head_position
    FROM headworks_log.append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
};

const NO_HASH = '0'.repeat(64);

/** Sends the batch in one round trip; a verdict for each append, in their order. */
export async function appendBatch(
  client: ClientBase,
  storeId: string,
  appends: readonly PreparedAppend[],
): Promise<readonly AppendVerdict[]> {
  const { rows } = await client.query<VerdictRow>({
    ...CALL,
    values: columns(appends) as (string | Buffer)[],
  });
  const [first] = rows;
  if (first?.verdict === 'all') return allWritten(storeId, appends, Number(first.head_position));
  return rows.map((row) => verdictOf(storeId, row));
}

/**
 * Arguments of append_batch: a column for each member of the appends and of their events, counted from one. Lists go as
 * the literals that PostgreSQL reads: the driver would look for quotes in each item, and there can be none.
 */
function columns(appends: readonly PreparedAppend[]): readonly (string | Buffer)[] {
  const events = appends.flatMap((append) => append.events);
  let end = 1;
  const offsets = events.map(({ bytes }) => (end += bytes.length) - bytes.length);
  return [
    words(appends.map(({ stream }) => stream)),
    plain(appends.map(({ after }) => after)),
    Buffer.from(appends.map(({ afterHash }) => afterHash || NO_HASH).join(''), 'hex'),
    plain(appends.map((append) => append.events.length)),
    plain(starts(appends)),
    plain(appends.flatMap((append, index) => append.events.map(() => index + 1))),
    plain(events.map(({ revision }) => revision)),
    plain(events.map(({ id }) => id)),
    words(events.map(({ type }) => type)),
    words(events.map(({ recordedAt }) => recordedAt)),
    words(runningMaximum(events)),
    plain(offsets),
    plain(events.map(({ bytes }) => bytes.length)),
    Buffer.concat(events.map(({ hash }) => hash)),
    Buffer.concat(events.map(({ bytes }) => bytes)),
  ];
}

const plain = (items: readonly (number | string)[]): string => `{${items.join()}}`;

/** Quoted, or a stream named NULL would be none. `prepare` let no quote or backslash through. */
const words = (items: readonly string[]): string => (items.length === 0 ? '{}' : `{"${items.join('","')}"}`);

function runningMaximum(events: readonly PreparedEvent[]): readonly string[] {
  let maximum = '';
  return events.map(({ recordedAt }) => (maximum = recordedAt > maximum ? recordedAt : maximum));
}

/** The appends that stand on a stored head, counted from one; none where one can't stand behind those before it. */
function starts(appends: readonly PreparedAppend[]): readonly number[] {
  const before = new Map<string, PreparedAppend>();
  const found: number[] = [];
  for (const [index, append] of appends.entries()) {
    const earlier = before.get(append.stream);
    if (!earlier) found.push(index + 1);
    else if (!standsBehind(append, headAfter(earlier))) return [];
    before.set(append.stream, append);
  }
  return found;
}

const standsBehind = ({ after, afterHash }: PreparedAppend, { revision, hash }: Head): boolean =>
  after === revision && afterHash === hash;

const headAfter = ({ events }: PreparedAppend): Head => headAt(events[events.length - 1] as PreparedEvent);

function allWritten(
  storeId: string,
  appends: readonly PreparedAppend[],
  before: number,
): readonly AppendVerdict[] {
  let position = before;
  return appends.map((append) => {
    position += append.events.length;
    const head = headAfter(append);
    return {
      ok: true,
      head,
      position: positionToken(storeId, sortable(position), head.hash),
      duplicate: false,
    };
  });
}

function verdictOf(storeId: string, row: VerdictRow): AppendVerdict {
  const { head_revision: revision, head_hash: hash, head_position: position } = row;
  if (revision === null || hash === null || position === null) return { ok: false, actual: 'none' };
  const head = { revision, hash };
  if (row.verdict === 'conflict') return { ok: false, actual: head };
  const duplicate = row.verdict === 'duplicate';
  return { ok: true, head, position: positionToken(storeId, sortable(Number(position)), hash), duplicate };
}
