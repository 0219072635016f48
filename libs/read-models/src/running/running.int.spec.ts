import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStore, type MemoryStore } from '@headworks/event-store';
import { openSqliteStore } from '../../../event-store/src/adapters';
import { runTs } from '../../../../test/servers/run-ts';
import { allViews } from '../all-views';
import type { ViewDatabase } from '../database/view-database';
import { CHECKPOINTS, dropOldTables, oldTables } from '../database/view-tables';
import { findSubject, listSubjects } from '../subjects/query';
import { newPlace, placeKinds, type Place } from '../testing/databases.testing';
import { append, discharged, posted, streamOf, ZONES, type Told } from '../testing/events.testing';
import type { View } from '../view';
import type { ViewNotice } from './follow';
import {
  rebuildView,
  startViews,
  verifyViews,
  type RunningViews,
  type StartViewsOptions,
} from './start-views';

const LONG = 30_000;
const views = allViews(ZONES);

/** Loads on three things, each posted. */
const story = (from: number, count: number): readonly Told[] =>
  Array.from({ length: count }, (_, i) => {
    const [name, key] = [String(from + i), 'ABC'.charAt(i % 3)];
    return [discharged(name, key), posted(name, key)];
  }).flat();

describe.each(placeKinds)('views on %s', (kind) => {
  let place: Place;
  let store: MemoryStore;
  let notices: ViewNotice[];
  let running: RunningViews[];

  beforeEach(async () => {
    place = await newPlace(kind);
    store = await openMemoryStore();
    [notices, running] = [[], []];
  });

  afterEach(async () => {
    for (const one of running) await one.stop();
    await place.dispose();
  });

  /** As a process would; the pauses are short, so that a test need not wait for them. */
  async function start(database: ViewDatabase, more: Partial<StartViewsOptions> = {}): Promise<RunningViews> {
    const started = await startViews({
      store,
      database,
      views,
      elapsedMs: () => performance.now(),
      onError: (notice) => notices.push(notice),
      heldMs: 1,
      retryMs: 1,
      ...more,
    });
    running.push(started);
    return started;
  }

  const verified = async (database: ViewDatabase) => {
    const verdicts = await verifyViews({ store, database, views, elapsedMs: () => performance.now() });
    return verdicts.map(({ view, wrong, differences }) => ({ view, wrong, differences }));
  };
  const ALL_RIGHT = views.map(({ name }) => ({ view: name, wrong: 0, differences: [] }));
  const postings = async (database: ViewDatabase) =>
    (await listSubjects(database, '*')).items.map(({ key, counts }) => `${key} ${counts.postings}`);

  it('follow the log, and say where they are', async () => {
    const database = place.open();
    await append(store, story(0, 3));
    const following = await start(database);
    const token = await append(store, story(3, 3));
    await following.reached(token, LONG);
    expect(await postings(database)).toEqual(['A 2', 'B 2', 'C 2']);
    for (const { name } of views) expect(following.viewPosition(name)).toBe(token);
    expect(await following.lag()).toEqual(
      views.map(({ name }) => ({ view: name, position: token, upToDate: true, behind: 0 })),
    );
    expect(await verified(database)).toEqual(ALL_RIGHT);
    expect(notices).toEqual([]);
  });

  it('go on where they were, after a stop', async () => {
    const database = place.open();
    const first = await start(database);
    await first.reached(await append(store, story(0, 5)), LONG);
    await first.stop();
    const token = await append(store, story(5, 5));
    expect((await first.lag())[0]).toMatchObject({ upToDate: false, behind: 10 });
    const signal = new AbortController();
    const second = await start(place.open(), { signal: signal.signal });
    await second.reached(token, LONG);
    expect(await verified(database)).toEqual(ALL_RIGHT);
    signal.abort();
    await second.stop();
  });

  it('say so where a position is not reached in time, or never will be', async () => {
    const following = await start(place.open());
    await following.stop();
    const token = await append(store, story(0, 1));
    await expect(following.reached(token, 1, ['loads'])).rejects.toMatchObject({
      code: 'position-not-reached',
      message: "The view 'loads' has not come so far yet; ask again in a moment.",
    });
    await expect(following.reached(token, 1, ['bills'])).rejects.toThrow("no view 'bills'");
    const other = await openMemoryStore();
    await expect(following.reached(await append(other, story(0, 1)), 1)).rejects.toMatchObject({
      name: 'ForeignPosition',
    });
  });

  it('count each event once, however many processes follow', async () => {
    const databases = [place.open(), place.open(), place.open()];
    const first = append(store, story(0, 60));
    const all: RunningViews[] = [];
    for (const database of databases) all.push(await start(database, { batch: 5 }));
    await first;
    const token = await append(store, story(60, 60));
    await Promise.all(all.map((one) => one.reached(token, LONG)));
    expect(await postings(place.open())).toEqual(['A 40', 'B 40', 'C 40']);
    expect(await verified(place.open())).toEqual(ALL_RIGHT);
    expect(notices.filter(({ stopped }) => stopped)).toEqual([]);
  });

  it('leave nothing half done where a process dies with the rows written and no checkpoint', async () => {
    let turns = 0;
    const database = place.open(() => turns++ % 3 === 1);
    const following = await start(database, { batch: 5 });
    const token = await append(store, story(0, 30));
    await following.reached(token, LONG);
    expect(turns).toBeGreaterThan(5);
    expect(notices.length).toBeGreaterThan(2);
    expect(notices.every(({ stopped }) => !stopped)).toBe(true);
    expect(await postings(place.open())).toEqual(['A 10', 'B 10', 'C 10']);
    expect(await verified(place.open())).toEqual(ALL_RIGHT);
  });

  describe('rebuilt', () => {
    it('are right again, while the log goes on and others read', async () => {
      const database = place.open();
      const following = await start(database, { batch: 5 });
      await following.reached(await append(store, story(0, 40)), LONG);
      await database.kysely.updateTable('subjects_v1').set({ name: 'wrong' }).execute();
      await database.kysely.deleteFrom('loads_v2').where('ticket', '<', 'T-2').execute();
      const appending = append(store, story(40, 40));
      const reading = Promise.all(
        Array.from({ length: 20 }, async () => (await listSubjects(database, '*')).items.length),
      );
      await following.rebuildView('subjects');
      await rebuildView({ store, database, views, elapsedMs: () => performance.now() }, 'loads');
      expect(new Set(await reading)).toEqual(new Set([3]));
      await following.reached(await appending, LONG);
      expect(await verified(database)).toEqual(ALL_RIGHT);
      await following.rebuildView('subjects');
      await following.reached(await append(store, story(80, 3)), LONG);
      expect(await verified(database)).toEqual(ALL_RIGHT);
      expect(await oldTables(database, views)).toEqual([]);
    });

    it('are so by one at a time; the other says why it gave up', async () => {
      const database = place.open();
      const following = await start(database);
      await following.reached(await append(store, story(0, 40)), LONG);
      const options = { store, database, views, elapsedMs: () => performance.now(), batch: 3 };
      const both = await Promise.allSettled([rebuildView(options, 'loads'), rebuildView(options, 'loads')]);
      const reasons = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
      expect(reasons).toEqual(['Error: Another rebuild of this view took over; let that one end.']);
      expect(await verified(database)).toEqual(ALL_RIGHT);
    });

    it('leave no table behind that was begun and not ended', async () => {
      const database = place.open();
      await start(database);
      await database.kysely.schema.createTable('loads_v0').addColumn('id', 'text').execute();
      await database.kysely
        .insertInto(CHECKPOINTS)
        .values({ view_table: 'loads_v0', token: '', generation: 0 })
        .execute();
      expect(await oldTables(database, views)).toEqual(['loads_v0']);
      expect(await dropOldTables(database, views)).toEqual(['loads_v0']);
      expect(await oldTables(database, views)).toEqual([]);
      expect(await dropOldTables(database, views)).toEqual([]);
    });
  });

  it('are compared with the log, row by row', async () => {
    const database = place.open();
    const following = await start(database);
    await following.reached(await append(store, story(0, 6)), LONG);
    const { kysely } = database;
    const [wrong, gone] = [streamOf('A').slice(8), streamOf('B').slice(8)];
    const subject = await findSubject(database, '*', wrong);
    expect(subject?.counts.postings).toBe(2);
    await kysely.updateTable('subjects_v1').set({ revision: 0, doc: '{}' }).where('id', '=', wrong).execute();
    await kysely.deleteFrom('subjects_v1').where('id', '=', gone).execute();
    const [row] = await kysely.selectFrom('subjects_v1').selectAll().execute();
    await kysely
      .insertInto('subjects_v1')
      .values({ ...row, id: 'planted' })
      .execute();
    const [subjects, ...others] = await following.verifyViews();
    expect(subjects).toMatchObject({ view: 'subjects', rows: 3, wrong: 3 });
    expect(subjects?.differences.toSorted((a, b) => (a.what < b.what ? -1 : 1))).toEqual([
      { id: wrong, what: 'differs', columns: ['doc', 'revision'] },
      { id: 'planted', what: 'extra', columns: [] },
      { id: gone, what: 'missing', columns: [] },
    ]);
    expect(others.every((verdict) => verdict.wrong === 0)).toBe(true);
  });

  it('stop alone where one of them fails, and say what to do', async () => {
    const failing: View = {
      ...(views[0] as View),
      evolve: () => {
        throw new Error('no such thing');
      },
    };
    const database = place.open();
    const following = await start(database, { views: [failing, ...views.slice(1)] });
    const token = await append(store, story(0, 2));
    await following.reached(token, LONG, ['loads', 'ledgers', 'violations', 'duties']);
    await expect(following.reached(token, LONG)).rejects.toMatchObject({ code: 'position-not-reached' });
    const sentence =
      /^The view 'subjects' can't take in load-\S+@0 \(no such thing\)\. It is stopped; start a release/;
    expect(notices).toMatchObject([{ view: 'subjects', stopped: true }]);
    expect(notices[0]?.message).toMatch(sentence);
    expect((await following.lag())[0]?.stopped).toMatch(sentence);
    expect(await postings(database)).toEqual([]);
  });

  it('wait for a database that is away, and go on', async () => {
    let away = true;
    const database = place.open(() => away);
    const token = await append(store, story(0, 2));
    const noticed = new Promise<ViewNotice>((onError) => void start(database, { onError }));
    expect((await noticed).message).toMatch(/^The view '\w+' waits to go on: /);
    away = false;
    const following = await start(place.open());
    await following.reached(token, LONG);
    expect(await verified(place.open())).toEqual(ALL_RIGHT);
  });

  it('are at their place after a real kill, wherever it came', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headworks-killed-'));
    const open = () => openSqliteStore({ dir, clock: 'real', now: () => '2000-01-01T00:00:00.000Z' });
    const log = await open();
    const token = await append(log, story(0, 10));
    await log.close();
    for (const n of ['1', '4', '7']) {
      const child = runTs(join(__dirname, 'kill-child.testing.ts'), [dir, kind, place.where, n]);
      expect([await child.ended, child.errors()]).toEqual(['SIGKILL', '']);
    }
    const again = await open();
    const database = place.open();
    const following = await start(database, { store: again });
    await following.reached(token, LONG);
    expect(await postings(database)).toEqual(['A 4', 'B 3', 'C 3']);
    expect((await following.verifyViews()).map(({ wrong }) => wrong)).toEqual(views.map(() => 0));
    await following.stop();
    await again.close();
    rmSync(dir, { recursive: true });
  });
});
