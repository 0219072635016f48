import { Pool } from 'pg';
import type { ClientBase } from 'pg';
import type { RecordedEvent } from '@headworks/kernel';
import { numberedStore } from '../numbered-store';
import type { NumberedRows } from '../numbered-store';
import { CARRYING } from '../opening';
import type { LogOptions } from '../opening';
import { sortable } from '../position-token';
import { StartRefused } from '../port';
import type { OpenStore } from '../port';
import { newBell } from '../reading';
import type { Bell } from '../reading';
import { sharedDecoder } from '../shared-decoder';
import { appendBatch } from './append-batch';
import { checkServer, checkSession, SERVER_FACTS } from './check-server';
import type { ServerFacts } from './check-server';
import { clientConfig, connect, connectRefusal, keptConnection, place, SESSION } from './connections';
import type { ConnectOptions, KeptConnection } from './connections';
import { openLogTables } from './log-tables';
import { CHANNEL } from './schema';

export interface PostgresOptions extends LogOptions, ConnectOptions {
  /** How long a follower trusts in notices alone. Default half a second. */
  readonly pollMs?: number;
  /** Connections for reading, at most. Default 4. */
  readonly readers?: number;
}

/** Batches under way at once: PostgreSQL takes them in turn, and this process makes one while it waits for the other. */
const LANES = 2;

/** The log in a PostgreSQL database, for any number of processes; `StartRefused` says in a sentence why not. */
export async function openPostgresStore(options: PostgresOptions): Promise<OpenStore> {
  const identity = await checkAndOpen(options);
  // A log that is carried in is written in its order, though nobody waits for one append before the next.
  const lanes = options.carriedFrom ? 1 : LANES;
  const writers = Array.from({ length: lanes }, () => keptConnection(options));
  const bell = newBell();
  const listener = listening(options, bell);
  const pool = readerPool(options);
  return numberedStore(identity, {
    ...postgresReads(pool, () => listener.ensure()),
    async writeBatch(appends) {
      const writer = writers.pop() as KeptConnection;
      try {
        return await writer.use((client) => appendBatch(client, identity.storeId, appends));
      } finally {
        writers.push(writer);
      }
    },
    lanes,
    async carried() {
      await pool.query('DELETE FROM headworks_log.meta WHERE key = $1', [CARRYING]);
    },
    bell,
    pollMs: options.pollMs ?? 500,
    async end() {
      await Promise.all([...writers.map((writer) => writer.end()), listener.end(), pool.end()]);
    },
  });
}

function readerPool(options: PostgresOptions): Pool {
  // The pool waits for the promise, though its types know of none.
  const onConnect: (client: ClientBase) => unknown = (client) => client.query(SESSION);
  const pool = new Pool({ ...clientConfig(options), max: options.readers ?? 4, onConnect });
  pool.on('error', () => undefined);
  return pool;
}

async function checkAndOpen(options: PostgresOptions): ReturnType<typeof openLogTables> {
  const at = place(options.url);
  if (at === undefined) throw connectRefusal(options.url, new Error('no URL'));
  const sessions: Awaited<ReturnType<typeof connect>>[] = [];
  try {
    sessions.push(await connect(options), await connect(options));
    const [one, other] = sessions as [(typeof sessions)[0], (typeof sessions)[0]];
    checkServer((await one.query<ServerFacts>(SERVER_FACTS)).rows[0] as ServerFacts, at);
    await checkSession(one, other, at);
    return await openLogTables(one, options, at);
  } catch (error) {
    throw error instanceof StartRefused ? error : connectRefusal(options.url, error);
  } finally {
    await Promise.all(sessions.map((session) => session.end().catch(() => undefined)));
  }
}

interface Listener {
  /** Listens again where the connection was lost; whoever polls asks for it. */
  ensure(): void;
  end(): Promise<void>;
}

function listening(options: ConnectOptions, bell: Bell): Listener {
  let trying: Promise<unknown> | undefined;
  const connection = keptConnection(options, async (client) => {
    client.on('notification', () => bell.ring());
    await client.query(`LISTEN ${CHANNEL}`);
    // What was written before it listened was told to nobody.
    bell.ring();
  });
  return {
    ensure() {
      trying ??= connection
        .use(async () => undefined)
        .catch(() => undefined)
        .finally(() => (trying = undefined));
    },
    async end() {
      await trying;
      await connection.end();
    },
  };
}

type Reads = Pick<NumberedRows, 'readStream' | 'readAll' | 'lastPosition' | 'cutAt' | 'hashAt'>;

interface EventRow {
  readonly position: string;
  readonly text: string;
  readonly hash: string;
}

// Bytes cross the wire as the text they are: the driver knows no binary rows, and as hex they would be twice as long.
const EVENT = "position, convert_from(bytes, 'UTF8') AS text, encode(hash, 'hex') AS hash";
const OF_STREAM = `SELECT ${EVENT} FROM headworks_log.events
  WHERE stream = $1 AND revision >= $2 AND position <= $3 ORDER BY revision LIMIT $4`;
const OF_ALL = `SELECT ${EVENT} FROM headworks_log.events
  WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3`;
const LAST = 'SELECT max(position) AS position FROM headworks_log.events';
const CUT_AT = 'SELECT headworks_log.cut_at($1) AS position';
const HASH_AT = "SELECT encode(hash, 'hex') AS hash FROM headworks_log.events WHERE position = $1";

function postgresReads(pool: Pool, listen: () => void): Reads {
  const decode = sharedDecoder();
  const recorded = ({ position, text, hash }: EventRow): RecordedEvent =>
    decode(text, hash, sortable(Number(position)));
  async function rows(
    name: string,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly EventRow[]> {
    return (await pool.query<EventRow>({ name: `headworks_${name}`, text, values: [...values] })).rows;
  }
  return {
    readStream: async (...values) => (await rows('of_stream', OF_STREAM, values)).map(recorded),
    async readAll(...values) {
      listen();
      return (await rows('of_all', OF_ALL, values)).map(recorded);
    },
    lastPosition: async () => Number((await rows('last', LAST))[0]?.position ?? 0),
    cutAt: async (instant) => Number((await rows('cut_at', CUT_AT, [instant]))[0]?.position),
    async hashAt(position) {
      const [row] = await rows('hash_at', HASH_AT, [position]);
      return row && Buffer.from(row.hash, 'hex');
    },
  };
}
