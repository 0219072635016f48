import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameId } from '@headworks/kernel';
import { readEverything } from '../contract/contract-check';
import { request } from '../contract/sample-events';
import { verifyChain } from '../verify-chain';
import { backupSqliteKeys, backupSqliteLog } from './backup';
import { openSqliteKeyStore } from './sqlite-keys';
import { openSqliteStore } from './sqlite-store';
import { OPENED, temporaryFolder } from './sqlite-under-test.testing';

const OPEN = { clock: 'real', now: () => OPENED } as const;

describe('a backup of a data folder', () => {
  const from = temporaryFolder();
  const to = temporaryFolder();
  afterAll(() => {
    from.remove();
    to.remove();
  });

  it('is taken while the server writes, holds every commit whole, and opens as any log', async () => {
    const store = await openSqliteStore({ dir: from.dir, ...OPEN });
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let turn = 0; turn < 10; turn++) {
        await store.append(
          request(`s-${writer}-${turn}`, 'none', ...Array.from({ length: 3 }, (__, n) => `${n}`)),
        );
        if (writer === 0 && turn === 4) backupSqliteLog(from.dir, join(to.dir, 'log'));
      }
    });
    await Promise.all(writers);
    const copy = await openSqliteStore({ dir: join(to.dir, 'log'), ...OPEN });
    const events = await readEverything(copy);
    const all = await readEverything(store);
    expect(events.length).toBeGreaterThan(10);
    expect(events.length).toBeLessThan(all.length);
    expect(events).toEqual(all.slice(0, events.length));
    expect((events.length - 1) % 3).toBe(0);
    expect(verifyChain(events, store.logId)).toMatchObject({ ok: true });
    // It is the same store: positions that were given out before the backup are good after it was put back.
    expect(copy.storeId).toBe(store.storeId);
    expect((await copy.append(request('after', 'none', 'a'))).ok).toBe(true);
    await copy.close();
    await store.close();
    expect(readdirSync(join(to.dir, 'log')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('has the keys apart, as they stand', async () => {
    const keys = await openSqliteKeyStore({ dir: from.dir });
    const person = nameId('person', 'one');
    const key = await keys.sealingKey(person);
    const file = backupSqliteKeys(from.dir, join(to.dir, 'keys'));
    expect(statSync(join(to.dir, 'keys')).mode & 0o777).toBe(0o700);
    await keys.close();
    expect(existsSync(join(to.dir, 'log', 'keys.sqlite'))).toBe(false);
    expect(file).toBe(join(to.dir, 'keys', 'keys.sqlite'));
    const copy = await openSqliteKeyStore({ dir: join(to.dir, 'keys') });
    expect(await copy.findSealingKey(person)).toEqual(key);
    await copy.close();
  });

  it('never takes the place of another one, and needs something to copy', () => {
    expect(() => backupSqliteLog(from.dir, join(to.dir, 'log'))).toThrow(
      'stands already; back up into another folder',
    );
    expect(() => backupSqliteLog(to.dir, join(to.dir, 'other'))).toThrow('name the DATA_DIR of a server');
    writeFileSync(join(to.dir, 'file'), '');
    expect(() => backupSqliteLog(from.dir, join(to.dir, 'file'))).toThrow('is not a folder');
  });
});
