import { StartRefused } from '../port';

/** What the server says of itself, as the start asks for it. */
export interface ServerFacts {
  readonly version: number;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly encoding: string;
  readonly replica: boolean;
  readonly read_only: string;
}

export const SERVER_FACTS = `
  SELECT current_setting('server_version_num')::int AS version,
    current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS full_page_writes,
    pg_encoding_to_char(encoding) AS encoding,
    pg_is_in_recovery() AS replica,
    current_setting('default_transaction_read_only') AS read_only
  FROM pg_database WHERE datname = current_database()`;

const OLDEST = 15;
const NEWEST = 18;

/** Refuses a server that would lose what it acknowledged, or can't hold a log; one sentence with the fix. */
export function checkServer(facts: ServerFacts, at: string): void {
  const why = trouble(facts);
  if (why) throw new StartRefused(`PostgreSQL at ${at} ${why}.`);
}

function trouble(facts: ServerFacts): string | undefined {
  const major = Math.floor(facts.version / 10_000);
  if (major < OLDEST || major > NEWEST) {
    return `has version ${major} and must have ${OLDEST} to ${NEWEST}; upgrade it or this release of Headworks`;
  }
  if (facts.replica) return 'is a replica that takes no writes; name the primary in DATABASE_URL';
  if (facts.read_only !== 'off') return 'is set to read only; turn off default_transaction_read_only';
  if (facts.fsync !== 'on') return 'runs without fsync and would lose events in a power cut; set fsync = on';
  if (facts.full_page_writes !== 'on') {
    return 'runs without full_page_writes and could tear pages in a power cut; set full_page_writes = on';
  }
  if (facts.encoding !== 'UTF8') {
    return `stores text as ${facts.encoding}; make the database with ENCODING 'UTF8' TEMPLATE template0`;
  }
  return undefined;
}

export interface Session {
  query(sql: string): Promise<{ readonly rows: readonly unknown[] }>;
}

/**
 * Refuses a pooler that changes the server session between two transactions: LISTEN and prepared statements would be
 * lost. Such a pooler gives the session of an idle client to the next one that asks, which shows while that one holds
 * a transaction open.
 */
export async function checkSession(one: Session, other: Session, at: string): Promise<void> {
  const process = async (session: Session) =>
    ((await session.query('SELECT pg_backend_pid() AS pid')).rows[0] as { pid: number }).pid;
  const before = await process(one);
  await other.query('BEGIN');
  const [theirs, now] = [await process(other), await process(one)];
  await other.query('ROLLBACK');
  if (theirs === before || now !== before) {
    throw new StartRefused(
      `The pooler at ${at} gives each transaction another session; set pool_mode = session or name the server itself.`,
    );
  }
}
