import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameId } from '@headworks/kernel';
import { describeKeyStore } from '../keys/describe-key-store.testing';
import type { KeyStore } from '../keys/port';
import { StoreUnavailable } from '../port';
import { openSqlite } from '../open-sqlite';
import { KEYS_FILE, openSqliteKeyStore } from './sqlite-keys';
import { temporaryFolder } from './sqlite-under-test.testing';

describeKeyStore('SQLite', async () => {
  const { dir, remove } = temporaryFolder();
  const open: KeyStore[] = [];
  const openOne = async () => {
    const keys = await openSqliteKeyStore({ dir });
    open.push(keys);
    return keys;
  };
  return {
    keys: await openOne(),
    second: await openOne(),
    async reopen() {
      for (const keys of open.splice(0)) await keys.close();
      return openOne();
    },
    async dispose() {
      for (const keys of open) await keys.close();
      remove();
    },
  };
});

const OLD_KEY = {
  id: 'a',
  name: 'clerk',
  secretHash: 'hash-1',
  roles: ['clerk'],
  jurisdictions: ['a-town'],
  createdAt: '2026-12-01T00:00:00.000Z',
  revokedAt: null,
};

/** keys.sqlite as the first release made it, with a key and a claim. */
const SCHEMA_1 = `
  CREATE TABLE claims (
    caller TEXT NOT NULL, key TEXT NOT NULL, body_hash TEXT NOT NULL, command_id TEXT NOT NULL,
    PRIMARY KEY (caller, key)
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID, STRICT;
  CREATE TABLE sealing_keys (person TEXT PRIMARY KEY, key BLOB) WITHOUT ROWID, STRICT;
  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, secret_hash TEXT NOT NULL UNIQUE, roles TEXT NOT NULL,
    jurisdictions TEXT NOT NULL, created_at TEXT NOT NULL, revoked_at TEXT
  ) STRICT;
  PRAGMA application_id = 1213680473;
  PRAGMA user_version = 1;
  INSERT INTO secrets VALUES ('person', zeroblob(32));
  INSERT INTO claims VALUES ('caller', 'key', 'body-1', 'command-1');
  INSERT INTO api_keys VALUES ('a', 'clerk', 'hash-1', '["clerk"]', '["a-town"]', '2026-12-01T00:00:00.000Z', NULL);
`;

describe('keys.sqlite', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it('holds no byte of an erased key any more, in no file beside it either', async () => {
    const { dir } = folder;
    const person = nameId('person', 'one');
    const keys = await openSqliteKeyStore({ dir });
    const sealing = await keys.sealingKey(person);
    if (sealing.state !== 'live') throw new Error('no key was made');
    const holds = () =>
      readdirSync(dir).filter((file) => readFileSync(join(dir, file)).includes(sealing.key));
    expect(holds()).not.toEqual([]);
    await keys.eraseSealingKey(person);
    expect(holds()).toEqual([]);
    await keys.close();
    expect(holds()).toEqual([]);
  });

  it('says in one sentence what stands in its place', async () => {
    const { dir, remove } = temporaryFolder();
    const file = join(dir, KEYS_FILE);
    writeFileSync(file, 'no database at all, but a text that somebody left here'.repeat(20));
    await expect(openSqliteKeyStore({ dir })).rejects.toThrow(`'${file}' is no Headworks file; move it away`);
    writeFileSync(file, '');
    const foreign = openSqlite(file);
    foreign.exec('CREATE TABLE theirs (a)');
    await expect(openSqliteKeyStore({ dir })).rejects.toThrow(`'${file}' is no Headworks file; move it away`);
    foreign.exec('DROP TABLE theirs');
    await (await openSqliteKeyStore({ dir })).close();
    foreign.exec('PRAGMA user_version = 3');
    await expect(openSqliteKeyStore({ dir })).rejects.toThrow('has schema 3 and this release knows 2');
    foreign.close();
    remove();
  });

  it('is upgraded where an earlier release wrote it, with all that stands in it, and only once', async () => {
    const { dir, remove } = temporaryFolder();
    const old = openSqlite(join(dir, KEYS_FILE));
    old.exec(SCHEMA_1);
    old.close();
    const [one, two] = [await openSqliteKeyStore({ dir }), await openSqliteKeyStore({ dir })];
    expect(await one.findApiKey('hash-1')).toEqual({ ...OLD_KEY, holds: [] });
    const made = { ...OLD_KEY, id: 'b', secretHash: 'hash-2', holds: [{ kind: 'hauler', key: '12345' }] };
    await one.addApiKey(made);
    expect(await two.listApiKeys()).toEqual([{ ...OLD_KEY, holds: [] }, made]);
    const standing = { bodyHash: 'body-1', commandId: 'command-1' };
    expect(await two.claim('caller', 'key', { bodyHash: 'other', commandId: 'other' })).toEqual(standing);
    expect((await two.personSecret()).length).toBe(32);
    for (const keys of [one, two]) await keys.close();
    remove();
  });

  it('says that it is away when the database is', async () => {
    const { dir, remove } = temporaryFolder();
    const keys = await openSqliteKeyStore({ dir });
    const other = openSqlite(join(dir, KEYS_FILE));
    other.exec('DROP TABLE sealing_keys');
    await expect(keys.sealingKey(nameId('person', 'one'))).rejects.toThrow(StoreUnavailable);
    other.close();
    await keys.close();
    remove();
  });
});
