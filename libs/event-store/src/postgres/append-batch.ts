import type { ClientBase } from 'pg';
import type { PreparedAppend } from '../encode';
import { positionToken, sortable } from '../position-token';
import type { AppendVerdict } from '../port';

interface VerdictRow {
  readonly verdict: 'written' | 'duplicate' | 'conflict';
  readonly head_revision: number | null;
  readonly head_hash: string | null;
  readonly head_position: string | null;
}

const CALL = {
  name: 'headworks_append_batch',
  text: `SELECT verdict, head_revision, encode(head_hash, 'hex') AS head_hash, head_position
    FROM headworks_log.append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};

const NO_HASH = '0'.repeat(64);

/** Sends the batch in one round trip; a verdict for each append, in their order. */
export async function appendBatch(
  client: ClientBase,
  storeId: string,
  appends: readonly PreparedAppend[],
): Promise<readonly AppendVerdict[]> {
  const events = appends.flatMap((append) => append.events);
  const values = [
    appends.map(({ stream }) => stream),
    appends.map(({ after }) => after),
    Buffer.from(appends.map(({ afterHash }) => afterHash || NO_HASH).join(''), 'hex'),
    appends.map((append) => append.events.length),
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ recordedAt }) => recordedAt),
    events.map(({ bytes }) => bytes.length),
    Buffer.concat(events.map(({ hash }) => hash)),
    Buffer.concat(events.map(({ bytes }) => bytes)),
  ];
  const { rows } = await client.query<VerdictRow>({ ...CALL, values });
  return rows.map((row) => verdictOf(storeId, row));
}

function verdictOf(storeId: string, row: VerdictRow): AppendVerdict {
  const { head_revision: revision, head_hash: hash, head_position: position } = row;
  if (revision === null || hash === null || position === null) return { ok: false, actual: 'none' };
  const head = { revision, hash };
  switch (row.verdict) {
    case 'conflict':
      return { ok: false, actual: head };
    case 'written':
    case 'duplicate':
      return {
        ok: true,
        head,
        position: positionToken(storeId, sortable(Number(position)), hash),
        duplicate: row.verdict === 'duplicate',
      };
  }
}
