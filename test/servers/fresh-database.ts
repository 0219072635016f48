import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Client } from 'pg';
import { startPostgres } from './postgres';

export interface FreshDatabase {
  readonly url: string;
  /** Runs one statement on it, beside whatever the test does. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Where the test run's one server is asked for; set by global-setup. */
export const BROKER_PORT = 'HEADWORKS_TEST_BROKER';

let ownServer: Promise<string> | undefined;

/** URL of the server of this test run: started at the first call of the whole run, for all its workers. */
export function postgresUrl(): Promise<string> {
  // Outside of jest (a bench, a script) there is no broker: the process has a server of its own, which ends with it.
  return askBroker('postgres') ?? (ownServer ??= startPostgres().then(({ url }) => url));
}

/** The address of a server that the whole run shares, or undefined where no run does. */
export function askBroker(server: 'postgres' | 'redis'): Promise<string> | undefined {
  const broker = process.env[BROKER_PORT];
  if (broker === undefined) return undefined;
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(broker), '127.0.0.1');
    socket.write(`${server}\n`);
    socket.on('data', (data) => (answer += data.toString('utf8')));
    socket.once('error', reject);
    socket.once('end', () => {
      const { url, error } = JSON.parse(answer) as { url?: string; error?: string };
      if (url === undefined) reject(new Error(error));
      else resolve(url);
    });
  });
}

const PREFIX = 'headworks_test_';

/** A database for one spec. `options` go behind CREATE DATABASE. */
export async function freshDatabase(options = "ENCODING 'UTF8' TEMPLATE template0"): Promise<FreshDatabase> {
  const server = await postgresUrl();
  const name = PREFIX + randomBytes(8).toString('hex');
  await once(server, `CREATE DATABASE ${name} ${options}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (sql, values) => once(url.href, sql, values),
    drop: async () => {
      await once(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function once(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
