import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import type { Client, ClientBase } from 'pg';
import { guardKeys } from '../keys/guard-keys';
import type { ApiKeyRow, Holding, KeyRow, KeyStore, SealingKey } from '../keys/port';
import { claimRow, otherPersons, paged, personRow } from '../keys/carry-rows';
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
  const known: KnownSecrets = {};
  return guardKeys({
    ...claims(query),
    ...sealing(query, known),
    ...apiKeys(query),
    rows: () => allRows(query),
    async carryIn(rows) {
      await inTransaction(pool, (within) => putRows(within, rows));
      delete known.person;
    },
    close: () => pool.end(),
  });
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

async function inTransaction(pool: Pool, work: (query: Query) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(async (text, values = []) => (await client.query<Row>(text, [...values])).rows);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // A connection in a state that nobody knows is not given to the next one.
    client.release(true);
    throw error;
  }
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

interface KnownSecrets {
  person?: Buffer;
}

type SealingKeys = Pick<KeyStore, 'personSecret' | 'sealingKey' | 'findSealingKey' | 'eraseSealingKey'>;

function sealing(query: Query, known: KnownSecrets): SealingKeys {
  async function find(person: string): Promise<SealingKey | undefined> {
    const [row] = await query('SELECT key FROM headworks_keys.sealing_keys WHERE person = $1', [person]);
    if (!row) return undefined;
    return sealingOf(row['key'] as Buffer | null);
  }
  return {
    async personSecret() {
      // Written with the tables, and only by a carrying after that: read once.
      const [row] = known.person
        ? []
        : await query("SELECT value FROM headworks_keys.secrets WHERE name = 'person'");
      return (known.person ??= row?.['value'] as Buffer);
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

const ADD_API_KEY = 'INSERT INTO headworks_keys.api_keys VALUES ($1, $2, $3, $4, $5, $6, $7, $8)';

const apiKeyValues = (row: ApiKeyRow): readonly unknown[] => [
  ...[row.id, row.name, row.secretHash, row.roles, row.jurisdictions, row.createdAt, row.revokedAt],
  JSON.stringify(row.holds),
];

type ApiKeys = Pick<KeyStore, 'addApiKey' | 'findApiKey' | 'listApiKeys' | 'revokeApiKey'>;

const UNIQUE_VIOLATION = '23505';

function apiKeys(query: Query): ApiKeys {
  const list = async () =>
    (await query('SELECT * FROM headworks_keys.api_keys ORDER BY created_at, id')).map(apiKeyRow);
  return {
    async addApiKey(row) {
      try {
        await query(ADD_API_KEY, apiKeyValues(row));
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

async function* allRows(query: Query): AsyncGenerator<readonly KeyRow[]> {
  const secrets = await query('SELECT name, value FROM headworks_keys.secrets ORDER BY name');
  yield secrets.map(({ name, value }) => ({ is: 'secret', name: String(name), value: value as Buffer }));
  const persons =
    'SELECT person, key FROM headworks_keys.sealing_keys WHERE person > $1 ORDER BY person LIMIT $2';
  const page = (after: Row | undefined, limit: number) => query(persons, [after?.['person'] ?? '', limit]);
  for await (const rows of paged(page)) {
    yield rows.map(({ person, key }) => personRow(String(person), sealingOf(key as Buffer | null)));
  }
  const claimed = `SELECT caller, key, body_hash, command_id FROM headworks_keys.claims
    WHERE (caller, key) > ($1, $2) ORDER BY caller, key LIMIT $3`;
  const next = (after: Row | undefined, limit: number) =>
    query(claimed, [after?.['caller'] ?? '', after?.['key'] ?? '', limit]);
  for await (const rows of paged(next)) {
    yield rows.map(({ caller, key, body_hash: bodyHash, command_id: commandId }) =>
      claimRow(String(caller), String(key), { bodyHash: String(bodyHash), commandId: String(commandId) }),
    );
  }
  const keys = await query('SELECT * FROM headworks_keys.api_keys ORDER BY id');
  yield keys.map((row) => ({ is: 'api-key', row: apiKeyRow(row) }));
}

async function putRows(query: Query, rows: readonly KeyRow[]): Promise<void> {
  for (const row of rows) {
    switch (row.is) {
      case 'secret': {
        const set = `UPDATE headworks_keys.secrets SET value = $1 WHERE name = $2
          AND (value = $1 OR NOT EXISTS (SELECT 1 FROM headworks_keys.sealing_keys)) RETURNING name`;
        if ((await query(set, [row.value, row.name])).length === 0) throw otherPersons();
        break;
      }
      case 'person':
        await query(
          `INSERT INTO headworks_keys.sealing_keys (person, key) VALUES ($1, $2)
            ON CONFLICT (person) DO UPDATE SET key = NULL WHERE excluded.key IS NULL`,
          [row.person, row.key],
        );
        break;
      case 'claim':
        await query('INSERT INTO headworks_keys.claims VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
          ...[row.caller, row.key, row.claim.bodyHash, row.claim.commandId],
        ]);
        break;
      case 'api-key':
        await query(`${ADD_API_KEY} ON CONFLICT DO NOTHING`, apiKeyValues(row.row));
        break;
    }
  }
}

const sealingOf = (key: Buffer | null): SealingKey =>
  key === null ? { state: 'erased' } : { state: 'live', key };

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
