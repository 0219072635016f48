import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import type { Client, ClientBase } from 'pg';
import { guardKeys } from '../keys/guard-keys';
import type { ApiKeyRow, Holding, KeyStore, SealingKey } from '../keys/port';
import { refuseStanding } from '../keys/refuse-standing';
import { StartRefused } from '../port';
import { clientConfig, connect, connectRefusal, place } from './connections';
import type { ConnectOptions } from './connections';

const SCHEMA = 2;

const TABLES = `
CREATE SCHEMA headworks_keys;
CREATE TABLE headworks_keys.meta (key text PRIMARY KEY, value text NOT NULL);
INSERT INTO headworks_keys.meta (key, value) VALUES ('schema', '${SCHEMA}');
CREATE TABLE headworks_keys.claims (
  caller text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, body_hash text NOT NULL, command_id text NOT NULL,
  PRIMARY KEY (caller, key)
);
CREATE TABLE headworks_keys.secrets (name text PRIMARY KEY, value bytea NOT NULL);
-- A person without a key is one that was erased.
CREATE TABLE headworks_keys.sealing_keys (person text COLLATE "C" PRIMARY KEY, key bytea);
CREATE TABLE headworks_keys.api_keys (
  id text COLLATE "C" PRIMARY KEY, name text NOT NULL, secret_hash text NOT NULL UNIQUE, roles text[] NOT NULL,
  jurisdictions text[] NOT NULL, created_at text COLLATE "C" NOT NULL, revoked_at text, holds text NOT NULL DEFAULT '[]'
);
`;

/** From each older schema to the next one. Keys are never rebuilt, so every schema there ever was stays here. */
const UPGRADES: Readonly<Record<string, string>> = {
  '1': `ALTER TABLE headworks_keys.api_keys ADD COLUMN holds text NOT NULL DEFAULT '[]';
    UPDATE headworks_keys.meta SET value = '2' WHERE key = 'schema'`,
};

/** Keys and claims in tables of their own, in a schema that is backed up apart from the log. */
export async function openPostgresKeyStore(options: ConnectOptions): Promise<KeyStore> {
  const at = place(options.url);
  if (at === undefined) throw connectRefusal(options.url, new Error('no URL'));
  try {
    const client = await connect(options);
    await beginOrCheck(client, at).finally(() => void client.end());
  } catch (error) {
    throw error instanceof StartRefused ? error : connectRefusal(options.url, error);
  }
  const pool = keyPool(options);
  const query: Query = async (text, values = []) => (await pool.query<Row>(text, [...values])).rows;
  return guardKeys({ ...claims(query), ...sealing(query), ...apiKeys(query), close: () => pool.end() });
}

function keyPool(options: ConnectOptions): Pool {
  // Every answer says that it is durable, whatever the server's default; a stronger setting stays. The pool waits for
  // the promise, though its types know of none.
  const onConnect: (client: ClientBase) => unknown = (client) =>
    client.query(
      "SELECT set_config(name, 'on', false) FROM pg_settings WHERE name = 'synchronous_commit' AND setting IN ('off', 'local')",
    );
  const pool = new Pool({ ...clientConfig(options), max: 4, onConnect });
  pool.on('error', () => undefined);
  return pool;
}

type Row = Readonly<Record<string, unknown>>;
type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

async function beginOrCheck(client: Client, at: string): Promise<void> {
  await client.query('BEGIN');
  // Of two processes that start at once, one makes the tables and the other finds them.
  await client.query("SELECT pg_advisory_xact_lock(hashtext('headworks_keys'))");
  const { rows } = await client.query<Row>("SELECT to_regnamespace('headworks_keys') IS NULL AS empty");
  if (rows[0]?.['empty'] === true) {
    await client.query(TABLES);
    await client.query("INSERT INTO headworks_keys.secrets (name, value) VALUES ('person', $1)", [
      randomBytes(32),
    ]);
  }
  let schema = await schemaOf(client);
  for (let upgrade = UPGRADES[schema]; upgrade !== undefined; upgrade = UPGRADES[schema]) {
    await client.query(upgrade);
    schema = await schemaOf(client);
  }
  if (schema !== String(SCHEMA)) {
    throw new StartRefused(
      `The keys at ${at} have schema ${schema} and this release knows ${SCHEMA}; start the release that wrote them.`,
    );
  }
  await client.query('COMMIT');
}

async function schemaOf(client: Client): Promise<string> {
  const { rows } = await client.query<Row>("SELECT value FROM headworks_keys.meta WHERE key = 'schema'");
  return String(rows[0]?.['value']);
}

function claims(query: Query): Pick<KeyStore, 'claim'> {
  return {
    async claim(caller, key, { bodyHash, commandId }) {
      // The update changes nothing: it makes the row that stands, whoever put it, the answer of this one statement.
      const text = `INSERT INTO headworks_keys.claims AS standing VALUES ($1, $2, $3, $4)
        ON CONFLICT (caller, key) DO UPDATE SET caller = standing.caller RETURNING body_hash, command_id`;
      const [row] = await query(text, [caller, key, bodyHash, commandId]);
      return { bodyHash: String(row?.['body_hash']), commandId: String(row?.['command_id']) };
    },
  };
}

type SealingKeys = Pick<KeyStore, 'personSecret' | 'sealingKey' | 'findSealingKey' | 'eraseSealingKey'>;

function sealing(query: Query): SealingKeys {
  // Written once, with the tables: read once as well.
  let secret: Buffer | undefined;
  async function find(person: string): Promise<SealingKey | undefined> {
    const [row] = await query('SELECT key FROM headworks_keys.sealing_keys WHERE person = $1', [person]);
    if (!row) return undefined;
    return row['key'] === null ? { state: 'erased' } : { state: 'live', key: row['key'] as Buffer };
  }
  return {
    async personSecret() {
      const [row] = secret
        ? []
        : await query("SELECT value FROM headworks_keys.secrets WHERE name = 'person'");
      return (secret ??= row?.['value'] as Buffer);
    },
    async sealingKey(person) {
      const standing = await find(person);
      if (standing) return standing;
      const put =
        'INSERT INTO headworks_keys.sealing_keys (person, key) VALUES ($1, $2) ON CONFLICT DO NOTHING';
      await query(put, [person, randomBytes(32)]);
      return (await find(person)) as SealingKey;
    },
    findSealingKey: find,
    async eraseSealingKey(person) {
      await query(
        `INSERT INTO headworks_keys.sealing_keys (person, key) VALUES ($1, NULL)
          ON CONFLICT (person) DO UPDATE SET key = NULL`,
        [person],
      );
      // The row's old version goes from the table too. Archived WAL and backups keep it for as long as they are kept.
      await query('VACUUM headworks_keys.sealing_keys');
    },
  };
}

type ApiKeys = Pick<KeyStore, 'addApiKey' | 'findApiKey' | 'listApiKeys' | 'revokeApiKey'>;

const UNIQUE_VIOLATION = '23505';

function apiKeys(query: Query): ApiKeys {
  const list = async () =>
    (await query('SELECT * FROM headworks_keys.api_keys ORDER BY created_at, id')).map(apiKeyRow);
  return {
    async addApiKey(row) {
      const { id, name, secretHash, roles, jurisdictions, createdAt, revokedAt, holds } = row;
      const values = [
        id,
        name,
        secretHash,
        roles,
        jurisdictions,
        createdAt,
        revokedAt,
        JSON.stringify(holds),
      ];
      try {
        await query('INSERT INTO headworks_keys.api_keys VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', values);
      } catch (error) {
        if ((error as { code?: string }).code === UNIQUE_VIOLATION) refuseStanding(row, await list());
        throw error;
      }
    },
    async findApiKey(secretHash) {
      const [row] = await query('SELECT * FROM headworks_keys.api_keys WHERE secret_hash = $1', [secretHash]);
      return row && apiKeyRow(row);
    },
    listApiKeys: list,
    async revokeApiKey(id, at) {
      const text = `UPDATE headworks_keys.api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING id`;
      return (await query(text, [at, id])).length === 1;
    },
  };
}

function apiKeyRow(row: Row): ApiKeyRow {
  return {
    id: String(row['id']),
    name: String(row['name']),
    secretHash: String(row['secret_hash']),
    roles: row['roles'] as string[],
    jurisdictions: row['jurisdictions'] as string[],
    holds: JSON.parse(String(row['holds'])) as Holding[],
    createdAt: String(row['created_at']),
    revokedAt: typeof row['revoked_at'] === 'string' ? row['revoked_at'] : null,
  };
}
