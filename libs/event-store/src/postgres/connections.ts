import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { StartRefused, StoreUnavailable } from '../port';
import { PLANNING } from './schema';

export interface ConnectOptions {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: string;
  /** How long a statement may take before the store counts as away. Default 30 seconds. */
  readonly timeoutMs?: number;
}

/** Runs in every session of ours before anything else. */
export const SESSION = [
  'SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED',
  ...Object.entries(PLANNING).map(([name, value]) => `SET ${name} = ${value}`),
].join('; ');

export function clientConfig({ url, timeoutMs = 30_000 }: ConnectOptions): ClientConfig {
  return {
    connectionString: url,
    application_name: 'headworks',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    // The server gives up first: a statement that nobody waits for any more must not go on.
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + 5_000,
  };
}

export async function connect(options: ConnectOptions): Promise<Client> {
  const client = new Client(clientConfig(options));
  // A connection that is lost between two statements shows at the next one.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(SESSION);
  return client;
}

/** One connection that is made when it is needed, and again after it was lost. */
export interface KeptConnection {
  use<T>(work: (client: Client) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

export function keptConnection(
  options: ConnectOptions,
  prepare: (client: Client) => Promise<unknown> = async () => undefined,
): KeptConnection {
  let kept: Client | undefined;

  async function client(): Promise<Client> {
    if (kept) return kept;
    const made = await connect(options);
    made.once('end', () => forget(made));
    await prepare(made);
    return (kept = made);
  }
  function forget(lost: Client): void {
    if (kept === lost) kept = undefined;
  }
  return {
    async use(work) {
      let using: Client | undefined;
      try {
        using = await client();
        return await work(using);
      } catch (error) {
        if (isStatementError(error)) throw error;
        // Its state is unknown, and an answer may still be on its way: it is never used again.
        if (using) {
          forget(using);
          using.end().catch(() => undefined);
        }
        throw new StoreUnavailable(
          `The database does not answer (${(error as Error).message}); try again later.`,
          {
            cause: error,
          },
        );
      }
    },
    async end() {
      await kept?.end();
    },
  };
}

/** SQLSTATE classes after which the session is as good as before: the statement alone failed. */
export function isStatementError(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return false;
  return !/^(08|57P|58|XX|25006)/.test(code);
}

/** Why a first connection failed, in one sentence that says what to do. The password is never in it. */
export function connectRefusal(url: string, error: unknown): StartRefused {
  const { code, message } = error as { code?: string; message: string };
  return new StartRefused(reason(place(url), code, message), { cause: error });
}

function reason(at: string | undefined, code: string | undefined, message: string): string {
  if (at === undefined) {
    return 'DATABASE_URL can not be read; write it as postgres://user:password@host:5432/database.';
  }
  const refusals: Readonly<Record<string, string>> = {
    '28P01': `PostgreSQL at ${at} refuses the user; correct user and password in DATABASE_URL.`,
    '28000': `PostgreSQL at ${at} refuses the user; correct user and password in DATABASE_URL.`,
    '3D000': `PostgreSQL at ${at} has no such database; create it or correct DATABASE_URL.`,
    '42501': `The user may not make tables at ${at}; run GRANT CREATE ON DATABASE for it.`,
  };
  const otherwise = `PostgreSQL at ${at} does not answer (${message || code}); start it or correct DATABASE_URL.`;
  return refusals[code ?? ''] ?? otherwise;
}

/** Host, port and database of the URL, or undefined where it is none. */
export function place(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname } = new URL(url);
  return /^postgres(ql)?:$/.test(protocol) ? `${host}${pathname}` : undefined;
}
