import { openMemoryStore, positionToken, type MemoryStore } from '@headworks/event-store';
import { allViews } from '../all-views';
import type { ViewDatabase } from '../database/view-database';
import { CHECKPOINTS } from '../database/view-tables';
import { listLoads } from '../loads/query';
import { newPlace, type Place } from '../testing/databases.testing';
import { append, discharged, ZONES } from '../testing/events.testing';
import type { ViewNotice } from './follow';
import { rebuildView, startViews, type RunningViews } from './start-views';

const LONG = 30_000;
const views = allViews(ZONES);
let place: Place;
let running: RunningViews[] = [];

afterEach(async () => {
  for (const one of running) await one.stop();
  running = [];
  await place.dispose();
});

async function start(store: MemoryStore, database: ViewDatabase, notices: ViewNotice[] = []) {
  const started = await startViews({
    store,
    database,
    views,
    elapsedMs: () => performance.now(),
    onError: (notice) => notices.push(notice),
    retryMs: 1,
  });
  running.push(started);
  return started;
}

/** Views that were built from a log of their own, and another log. */
async function given(kind: ViewDatabase['kind']) {
  place = await newPlace(kind);
  const database = place.open();
  const first = await openMemoryStore();
  const following = await start(first, database);
  await following.reached(
    await append(
      first,
      ['1', '2', '3'].map((name) => discharged(name, 'A')),
    ),
    LONG,
  );
  await following.stop();
  return { database, first };
}

const tickets = async (database: ViewDatabase) =>
  (await listLoads(database, '*')).items.map(({ ticket }) => ticket).toSorted();

describe('embedded', () => {
  it('views of another log are built again from this one', async () => {
    const { database } = await given('sqlite');
    const other = await openMemoryStore();
    const token = await append(other, [discharged('9', 'A')]);
    const notices: ViewNotice[] = [];
    const following = await start(other, database, notices);
    await following.reached(token, LONG);
    expect(await tickets(database)).toEqual(['T-9']);
    expect(notices.map(({ message }) => message).toSorted()).toEqual(
      views
        .map(({ name }) => `The view '${name}' was built from another log; it is built again from this one.`)
        .toSorted(),
    );
  });

  it.each([
    ['ahead of the log', '0000000000000099'],
    ['at another event than it was', '0000000000000002'],
  ])('views that are %s (a log put back from a backup) are built again', async (_, position) => {
    const { database, first } = await given('sqlite');
    const token = positionToken(first.storeId, position, '0'.repeat(64));
    await database.kysely.updateTable(CHECKPOINTS).set({ token }).execute();
    await database.kysely.updateTable('loads_v2').set({ ticket: 'from what was lost' }).execute();
    const following = await start(first, database);
    await following.reached(await append(first, [discharged('4', 'A')]), LONG);
    expect(await tickets(database)).toEqual(['T-1', 'T-2', 'T-3', 'T-4']);
  });
});

describe('on a server', () => {
  it('a view of another log stops, says how to rebuild it, and goes on after that', async () => {
    const { database } = await given('postgres');
    const other = await openMemoryStore();
    const token = await append(other, [discharged('9', 'A')]);
    const notices: ViewNotice[] = [];
    const following = await start(other, database, notices);
    await expect(following.reached(token, LONG)).rejects.toMatchObject({ code: 'position-not-reached' });
    await Promise.all(
      views.map(({ name }) =>
        expect(following.reached(token, LONG, [name])).rejects.toThrow(`'${name}' is stopped`),
      ),
    );
    expect(notices).toHaveLength(views.length);
    expect(notices.find(({ view }) => view === 'loads')).toMatchObject({
      stopped: true,
      message:
        "The view 'loads' was built from another log and is stopped; run 'npm run cli -- rebuild loads'.",
    });
    expect(await tickets(database)).toEqual(['T-1', 'T-2', 'T-3']);
    await following.rebuildView('loads');
    await following.reached(await append(other, [discharged('8', 'A')]), LONG, ['loads']);
    expect(await tickets(database)).toEqual(['T-8', 'T-9']);
    const stopped = (await following.lag()).filter((lag) => lag.stopped !== undefined);
    expect(stopped).toHaveLength(views.length - 1);
  });

  it('a view can be rebuilt from another log before anything follows it', async () => {
    const { database } = await given('postgres');
    const other = await openMemoryStore();
    const token = await append(other, [discharged('9', 'A')]);
    for (const { name } of views) {
      await rebuildView({ store: other, database, views, elapsedMs: () => performance.now() }, name);
    }
    const notices: ViewNotice[] = [];
    const following = await start(other, database, notices);
    await following.reached(token, LONG);
    expect([await tickets(database), notices]).toEqual([['T-9'], []]);
  });
});
