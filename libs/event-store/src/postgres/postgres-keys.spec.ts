import { nameId } from '@headworks/kernel';
import { freshDatabase } from '../../../../test/servers/fresh-database';
import { describeKeyStore } from '../keys/describe-key-store.testing';
import type { KeyStore } from '../keys/port';
import { StartRefused, StoreUnavailable } from '../port';
import { openPostgresKeyStore } from './postgres-keys';

describeKeyStore('PostgreSQL', async () => {
  const database = await freshDatabase();
  const open: KeyStore[] = [];
  const openOne = async () => {
    const keys = await openPostgresKeyStore({ url: database.url });
    open.push(keys);
    return keys;
  };
  const [keys, second] = await Promise.all([openOne(), openOne()]);
  return {
    keys,
    second,
    async reopen() {
      for (const each of open.splice(0)) await each.close();
      return openOne();
    },
    async dispose() {
      for (const each of open) await each.close();
      await database.drop();
    },
  };
});

describe('keys in PostgreSQL', () => {
  it('are refused to an older release, and said to be away when they are', async () => {
    const database = await freshDatabase();
    const keys = await openPostgresKeyStore({ url: database.url });
    await database.query("UPDATE headworks_keys.meta SET value = '3'");
    const opening = openPostgresKeyStore({ url: database.url });
    await expect(opening).rejects.toThrow(StartRefused);
    await expect(opening).rejects.toThrow(
      'have schema 3 and this release knows 2; start the release that wrote them.',
    );
    await database.query('DROP TABLE headworks_keys.sealing_keys');
    await expect(keys.sealingKey(nameId('person', 'one'))).rejects.toThrow(StoreUnavailable);
    await keys.close();
    await database.drop();
  });

  it('are upgraded where an earlier release wrote them, by one of the processes that start at once', async () => {
    const database = await freshDatabase();
    const first = await openPostgresKeyStore({ url: database.url });
    const claim = { bodyHash: 'body-1', commandId: 'command-1' };
    await first.claim('caller', 'key', claim);
    await first.close();
    await database.query('ALTER TABLE headworks_keys.api_keys DROP COLUMN holds');
    await database.query("UPDATE headworks_keys.meta SET value = '1'");
    await database.query(
      `INSERT INTO headworks_keys.api_keys VALUES ('a', 'clerk', 'hash-1', '{clerk}', '{a-town}', '2026-12-01', NULL)`,
    );
    const opened = await Promise.all([1, 2, 3].map(() => openPostgresKeyStore({ url: database.url })));
    for (const keys of opened) {
      expect(await keys.findApiKey('hash-1')).toMatchObject({ id: 'a', roles: ['clerk'], holds: [] });
      expect(await keys.claim('caller', 'key', { bodyHash: 'x', commandId: 'x' })).toEqual(claim);
      await keys.close();
    }
    await database.drop();
  });

  it('are refused without a server, in a sentence that keeps the password', async () => {
    const opening = openPostgresKeyStore({ url: 'postgres://user:secret@127.0.0.1:1/none' });
    await expect(opening).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:1\/none does not answer \(.*\); start it/,
    );
    await expect(openPostgresKeyStore({ url: 'secret' })).rejects.toThrow(
      'DATABASE_URL can not be read; write it as',
    );
  });
});
