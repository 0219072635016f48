import type { Client } from 'pg';
import { prepare } from '../encode';
import { beginLog, identityRows, LOG_STREAM, readIdentity } from '../opening';
import type { LogIdentity, LogOptions } from '../opening';
import { StartRefused } from '../port';
import { appendBatch } from './append-batch';
import { CREATE_LOG } from './schema';

/**
 * Identity of the log in the database, which is begun where there is none. Tables and first event are one transaction
 * under a lock: of two processes that start at once, one begins the log and the other finds it.
 */
export async function openLogTables(client: Client, options: LogOptions, at: string): Promise<LogIdentity> {
  await client.query('BEGIN');
  try {
    await client.query("SELECT pg_advisory_xact_lock(hashtext('headworks_log'))");
    const identity = (await exists(client))
      ? await readMeta(client, options, at)
      : await begin(client, options);
    await client.query('COMMIT');
    return identity;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function exists(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'headworks_log') AS found",
  );
  return rows[0]?.found === true;
}

async function begin(client: Client, options: LogOptions): Promise<LogIdentity> {
  const { identity, event } = beginLog(options);
  await client.query(CREATE_LOG);
  for (const row of identityRows(identity)) {
    await client.query('INSERT INTO headworks_log.meta (key, value) VALUES ($1, $2)', [...row]);
  }
  const first = prepare(identity.logId, { stream: LOG_STREAM, expected: 'none', events: [event] });
  await appendBatch(client, identity.storeId, [first]);
  return identity;
}

async function readMeta(client: Client, options: LogOptions, at: string): Promise<LogIdentity> {
  const { rows: found } = await client.query("SELECT to_regclass('headworks_log.meta') AS meta");
  if ((found[0] as { meta: unknown }).meta === null) {
    throw new StartRefused(
      `The schema headworks_log at ${at} is no Headworks log; rename it or use another database in DATABASE_URL.`,
    );
  }
  const { rows } = await client.query<{ key: string; value: string }>(
    'SELECT key, value FROM headworks_log.meta',
  );
  return readIdentity(new Map(rows.map(({ key, value }) => [key, value])), options, `the database at ${at}`);
}
