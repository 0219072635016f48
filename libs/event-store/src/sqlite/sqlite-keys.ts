import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { groupCommit } from '../group-commit';
import { guardKeys } from '../keys/guard-keys';
import { claimRow, otherPersons, paged, personRow } from '../keys/carry-rows';
import { refuseStanding } from '../keys/refuse-standing';
import { StartRefused } from '../port';
import type { ApiKeyRow, Claim, Holding, KeyRow, KeyStore, SealingKey } from '../keys/port';
import { prepareFolder, refusing } from './data-folder';
import { inTransaction, makeDurable, openSqlite } from '../open-sqlite';
import type { SqliteDatabase, SqliteRow } from '../open-sqlite';

export const KEYS_FILE = 'keys.sqlite';

/** Marks the file as ours ("HWKY"). */
const APPLICATION_ID = 0x48574b59;
const SCHEMA = 2;

const TABLES = `
  CREATE TABLE claims (
    caller TEXT NOT NULL, key TEXT NOT NULL, body_hash TEXT NOT NULL, command_id TEXT NOT NULL,
    PRIMARY KEY (caller, key)
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID, STRICT;
  -- A person without a key is one that was erased.
  CREATE TABLE sealing_keys (person TEXT PRIMARY KEY, key BLOB) WITHOUT ROWID, STRICT;
  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, secret_hash TEXT NOT NULL UNIQUE, roles TEXT NOT NULL,
    jurisdictions TEXT NOT NULL, created_at TEXT NOT NULL, revoked_at TEXT, holds TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
`;

/** From each older schema to the next one. Keys are never rebuilt, so every schema there ever was stays here. */
const UPGRADES: Readonly<Record<number, string>> = {
  1: "ALTER TABLE api_keys ADD COLUMN holds TEXT NOT NULL DEFAULT '[]'",
};

/** Keys and claims in `keys.sqlite`, beside the log and backed up apart from it. Several processes may open it. */
export async function openSqliteKeyStore({ dir }: { readonly dir: string }): Promise<KeyStore> {
  prepareFolder(dir);
  const file = join(dir, KEYS_FILE);
  const db = refusing(dir, file, () => {
    const opened = openSqlite(file);
    try {
      beginOrCheck(opened, file);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  });
  const { claim, close } = claims(db);
  const known: KnownSecrets = {};
  return guardKeys({
    claim,
    ...sealing(db, known),
    ...apiKeys(db),
    ...carrying(db, known),
    async close() {
      await close();
      db.close();
    },
  });
}

function beginOrCheck(db: SqliteDatabase, file: string): void {
  const pragma = (name: string) => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const isEmpty = () => Number(db.prepare('SELECT count(*) AS n FROM sqlite_master').get()?.['n']) === 0;
  if (!isEmpty() && pragma('application_id') !== APPLICATION_ID) {
    throw new StartRefused(`'${file}' is no Headworks file; move it away or use another DATA_DIR.`);
  }
  makeDurable(db);
  // What is erased is overwritten on the disk, not only unlinked.
  db.exec('PRAGMA secure_delete = ON');
  // Of two processes that start at once, one makes or upgrades the tables and the other finds them so.
  inTransaction(db, () => {
    if (isEmpty()) {
      db.exec(TABLES);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA}`);
      db.prepare("INSERT INTO secrets (name, value) VALUES ('person', ?)").run(randomBytes(32));
    }
    for (let from = pragma('user_version'); UPGRADES[from] !== undefined; from++) {
      db.exec(`${UPGRADES[from]}; PRAGMA user_version = ${from + 1}`);
    }
  });
  if (pragma('user_version') !== SCHEMA) {
    throw new StartRefused(
      `'${file}' has schema ${pragma('user_version')} and this release knows ${SCHEMA}; start the release that wrote it.`,
    );
  }
}

function claims(db: SqliteDatabase): Pick<KeyStore, 'claim' | 'close'> {
  const put = db.prepare(
    'INSERT INTO claims (caller, key, body_hash, command_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const find = db.prepare('SELECT body_hash, command_id FROM claims WHERE caller = ? AND key = ?');
  type Ask = readonly [caller: string, key: string, claim: Claim];
  const commits = groupCommit((asks: readonly Ask[]): readonly Claim[] =>
    inTransaction(db, () =>
      asks.map(([caller, key, claim]) => {
        put.run(caller, key, claim.bodyHash, claim.commandId);
        const row = find.get(caller, key);
        return { bodyHash: String(row?.['body_hash']), commandId: String(row?.['command_id']) };
      }),
    ),
  );
  return { claim: (...ask) => commits.submit(ask, 0), close: () => commits.close() };
}

interface KnownSecrets {
  person?: Buffer;
}

type SealingKeys = Pick<KeyStore, 'personSecret' | 'sealingKey' | 'findSealingKey' | 'eraseSealingKey'>;

function sealing(db: SqliteDatabase, known: KnownSecrets): SealingKeys {
  const find = db.prepare('SELECT key FROM sealing_keys WHERE person = ?');
  const put = db.prepare('INSERT INTO sealing_keys (person, key) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const erase = db.prepare(
    'INSERT INTO sealing_keys (person, key) VALUES (?, NULL) ON CONFLICT (person) DO UPDATE SET key = NULL',
  );
  const secret = db.prepare("SELECT value FROM secrets WHERE name = 'person'");
  const read = (person: string): SealingKey | undefined => {
    const row = find.get(person);
    if (!row) return undefined;
    return sealingOf(row['key'] as Uint8Array | null);
  };
  return {
    // Written with the tables, and only by a carrying after that: read once.
    personSecret: async () => (known.person ??= Buffer.from(secret.get()?.['value'] as Uint8Array)),
    async sealingKey(person) {
      const standing = read(person);
      if (standing) return standing;
      inTransaction(db, () => put.run(person, randomBytes(32)));
      return read(person) as SealingKey;
    },
    findSealingKey: async (person) => read(person),
    async eraseSealingKey(person) {
      inTransaction(db, () => erase.run(person));
      // The old page stands in the write-ahead log until it is cut to nothing.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}

type ApiKeys = Pick<KeyStore, 'addApiKey' | 'findApiKey' | 'listApiKeys' | 'revokeApiKey'>;

function apiKeys(db: SqliteDatabase): ApiKeys {
  const add = db.prepare(ADD_API_KEY);
  const find = db.prepare('SELECT * FROM api_keys WHERE secret_hash = ?');
  const list = db.prepare('SELECT * FROM api_keys ORDER BY created_at, id');
  const revoke = db.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  return {
    async addApiKey(row) {
      inTransaction(db, () => {
        refuseStanding(row, Array.from(list.all(), apiKeyRow));
        add.run(...apiKeyValues(row));
      });
    },
    async findApiKey(secretHash) {
      const row = find.get(secretHash);
      return row && apiKeyRow(row);
    },
    listApiKeys: async () => Array.from(list.all(), apiKeyRow),
    revokeApiKey: async (id, at) => Number(inTransaction(db, () => revoke.run(at, id)).changes) === 1,
  };
}

function carrying(db: SqliteDatabase, known: KnownSecrets): Pick<KeyStore, 'rows' | 'carryIn'> {
  const secrets = db.prepare('SELECT name, value FROM secrets ORDER BY name');
  const persons = db.prepare('SELECT person, key FROM sealing_keys WHERE person > ? ORDER BY person LIMIT ?');
  const claimed = db.prepare(
    'SELECT caller, key, body_hash, command_id FROM claims WHERE (caller, key) > (?, ?) ORDER BY caller, key LIMIT ?',
  );
  const keys = db.prepare('SELECT * FROM api_keys ORDER BY id');
  const put = rowWriter(db);
  return {
    async *rows() {
      yield Array.from(secrets.all(), ({ name, value }) => {
        return { is: 'secret', name: String(name), value: Buffer.from(value as Uint8Array) } as const;
      });
      const page = async (after: SqliteRow | undefined, limit: number) =>
        persons.all(after?.['person'] ?? '', limit);
      for await (const rows of paged(page)) {
        yield rows.map(({ person, key }) => personRow(String(person), sealingOf(key as Uint8Array | null)));
      }
      const next = async (after: SqliteRow | undefined, limit: number) =>
        claimed.all(after?.['caller'] ?? '', after?.['key'] ?? '', limit);
      for await (const rows of paged(next)) {
        yield rows.map(({ caller, key, body_hash: bodyHash, command_id: commandId }) =>
          claimRow(String(caller), String(key), { bodyHash: String(bodyHash), commandId: String(commandId) }),
        );
      }
      yield Array.from(keys.all(), (row) => ({ is: 'api-key', row: apiKeyRow(row) }) as const);
    },
    async carryIn(rows) {
      inTransaction(db, () => rows.forEach(put));
      delete known.person;
    },
  };
}

function rowWriter(db: SqliteDatabase): (row: KeyRow) => void {
  const secret = db.prepare(
    'UPDATE secrets SET value = ?1 WHERE name = ?2 AND (value = ?1 OR NOT EXISTS (SELECT 1 FROM sealing_keys))',
  );
  const person = db.prepare(
    `INSERT INTO sealing_keys (person, key) VALUES (?, ?)
      ON CONFLICT (person) DO UPDATE SET key = NULL WHERE excluded.key IS NULL`,
  );
  const claim = db.prepare('INSERT INTO claims VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const apiKey = db.prepare(`${ADD_API_KEY} ON CONFLICT DO NOTHING`);
  return (row) => {
    switch (row.is) {
      case 'secret':
        if (Number(secret.run(row.value, row.name).changes) === 0) throw otherPersons();
        return;
      case 'person':
        person.run(row.person, row.key);
        return;
      case 'claim':
        claim.run(row.caller, row.key, row.claim.bodyHash, row.claim.commandId);
        return;
      case 'api-key':
        apiKey.run(...apiKeyValues(row.row));
        return;
    }
  };
}

const sealingOf = (key: Uint8Array | null): SealingKey =>
  key === null ? { state: 'erased' } : { state: 'live', key: Buffer.from(key) };

const ADD_API_KEY =
  'INSERT INTO api_keys (id, name, secret_hash, roles, jurisdictions, created_at, revoked_at, holds) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';

const apiKeyValues = (row: ApiKeyRow): readonly (string | null)[] => [
  ...[row.id, row.name, row.secretHash, JSON.stringify(row.roles), JSON.stringify(row.jurisdictions)],
  ...[row.createdAt, row.revokedAt, JSON.stringify(row.holds)],
];

function apiKeyRow(row: SqliteRow): ApiKeyRow {
  const list = <T>(column: string) => JSON.parse(String(row[column])) as T[];
  const revokedAt = row['revoked_at'];
  return {
    id: String(row['id']),
    name: String(row['name']),
    secretHash: String(row['secret_hash']),
    roles: list<string>('roles'),
    jurisdictions: list<string>('jurisdictions'),
    holds: list<Holding>('holds'),
    createdAt: String(row['created_at']),
    revokedAt: typeof revokedAt === 'string' ? revokedAt : null,
  };
}
