import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { OpenStore } from '@headworks/event-store';
import { openSqliteStore } from '../../event-store/src/adapters';
import { expectEachOnce, raceForTheLastGallons, raceOnOneMeadow } from './testing/race.testing';
import { storyArb, tellInTime, tellLate } from './testing/stories.testing';
import { whatStands } from './testing/what-stands.testing';
import { VatWorld } from './testing/vats.testing';
import { openShared, World } from './testing/world.testing';

/** A log in a folder of its own, closed and gone afterwards. */
async function onSqlite<T>(
  run: (store: OpenStore, reopen: () => Promise<OpenStore>) => Promise<T>,
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-'));
  const open = () => openSqliteStore({ dir, clock: 'real', now: () => '2027-01-01T00:00:00.000Z' });
  let store = await open();
  const reopen = async (): Promise<OpenStore> => {
    await store.close();
    store = await open();
    return store;
  };
  try {
    return await run(store, reopen);
  } finally {
    await store.close();
    rmSync(dir, { recursive: true });
  }
}

it('two hundred loads that race on one meadow: each is recorded once, each breach is one violation', async () => {
  await onSqlite(async (store, reopen) => {
    const world = await raceOnOneMeadow(store);
    await expectEachOnce(world);
    // What was answered stands after a restart too.
    const shared = { ...(await openShared(await reopen())), now: world.shared.now };
    await expectEachOnce(new World(shared));
  });
});

it('three hundred manifests that race for a hundred gallons', async () => {
  await onSqlite(async (store) => {
    expect(await raceForTheLastGallons([new VatWorld(await openShared(store))])).toBe(100);
  });
});

it('any order of arrival gives the same on SQLite as in memory', async () => {
  await fc.assert(
    fc.asyncProperty(storyArb, async (story) => {
      const inMemory = await whatStands(await tellInTime(story));
      await onSqlite(async (store) => {
        expect(await whatStands(await tellLate(story, undefined, store))).toEqual(inMemory);
      });
    }),
    { numRuns: 6 },
  );
});

it('an answer is rebuilt from the log by the next process', async () => {
  await onSqlite(async (store, reopen) => {
    const shared = await openShared(store);
    const world = new World(shared);
    await world.register('M1', { meadow_area: '1 acre', fenced: true });
    world.key = 'k';
    const first = await world.tip('T1', { quantity: '150 gal' });
    const next = new World({ ...shared, store: await reopen() });
    next.key = 'k';
    expect(await next.tip('T1', { quantity: '150 gal' })).toEqual(first);
  });
});
