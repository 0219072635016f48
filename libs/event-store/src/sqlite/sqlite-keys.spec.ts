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
    foreign.exec('PRAGMA user_version = 2');
    await expect(openSqliteKeyStore({ dir })).rejects.toThrow('has schema 2 and this release knows 1');
    foreign.close();
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
