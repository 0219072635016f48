import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { openMemoryStore, openSqlite, type MemoryStore } from '@headworks/event-store';
import { allViews } from '../all-views';
import { openSqliteViews, type ViewDatabase } from '../database/view-database';
import { listSubjects } from '../subjects/query';
import { fs } from '../testing/databases.testing';
import { append, discharged, posted, ZONES } from '../testing/events.testing';
import type { View } from '../view';
import type { ViewNotice } from './follow';
import { newProgress } from './progress';
import { remoteViews, serveViews, type Channel, type RemoteViews } from './remote-views';

const LONG = 30_000;

const channelOn = <Out, In>(port: MessagePort): Channel<Out, In> => ({
  send: (message) => port.postMessage(message),
  onMessage: (take) => port.on('message', (message: In) => take(message)),
});

describe('views that are folded on the other side of a channel', () => {
  let dir: string;
  let store: MemoryStore;
  let databases: ViewDatabase[];
  let notices: ViewNotice[];
  let remote: RemoteViews;
  let ended: Promise<void>;
  let cut: () => void;
  let stopped: boolean;

  const open = (): ViewDatabase => {
    const database = openSqliteViews({ file: join(dir, 'views.sqlite'), open: openSqlite, fs });
    databases.push(database);
    return database;
  };

  /** Both sides, in this process: what is between them is what two threads have. `lingerMs` is for ever: only asking ends it. */
  async function start(views: readonly View[] = allViews(ZONES)): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    const died = new Promise<void>((resolve) => (cut = resolve));
    ended = serveViews(channelOn(port2), {
      store,
      database: open(),
      views,
      elapsedMs: () => 0,
      lingerMs: 3_600_000,
    }).finally(() => port2.close());
    remote = remoteViews(channelOn(port1), {
      store,
      views,
      onError: (notice) => notices.push(notice),
      gone: Promise.race([ended, died]),
    });
    await remote.ready;
  }

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'headworks-remote-'));
    store = await openMemoryStore();
    [databases, notices, stopped] = [[], [], false];
  });
  afterEach(async () => {
    if (!stopped) await remote.stop();
    await ended;
    for (const database of databases) await database.close();
    rmSync(dir, { recursive: true });
  });

  it('are read here as soon as they are asked for, however long they would wait for company', async () => {
    await start();
    const lists = open();
    for (const count of [1, 2, 3]) {
      const token = await append(store, [discharged(`${count}`, 'A'), posted(`${count}`, 'A')]);
      await remote.reached(token, LONG);
      const { items } = await listSubjects(lists, '*');
      expect(items.map(({ key, counts }) => `${key} ${counts.postings}`)).toEqual([`A ${count}`]);
      expect(remote.viewPosition('subjects')).toBe(token);
    }
    expect(await remote.lag()).toEqual(
      allViews(ZONES).map(({ name }) => ({
        view: name,
        position: remote.viewPosition(name),
        upToDate: true,
        behind: 0,
      })),
    );
  });

  it('are rebuilt and verified there, and refuse here what there is not', async () => {
    await start();
    await remote.reached(await append(store, [posted('1', 'A')]), LONG);
    await remote.rebuildView('ledgers');
    const verdicts = await remote.verifyViews();
    expect(verdicts.map(({ view, wrong }) => ({ view, wrong }))).toEqual(
      allViews(ZONES).map(({ name }) => ({ view: name, wrong: 0 })),
    );
    await expect(remote.rebuildView('lidgers')).rejects.toThrow("There is no view 'lidgers'");
  });

  it('tell what is wrong with them in the words of the other side', async () => {
    const views: readonly View[] = allViews(ZONES).map((view) =>
      view.name === 'ledgers'
        ? {
            ...view,
            evolve: () => {
              throw new Error('no such thing');
            },
          }
        : view,
    );
    await start(views);
    const token = await append(store, [posted('1', 'A')]);
    await expect(remote.reached(token, LONG)).rejects.toMatchObject({ code: 'position-not-reached' });
    expect((await remote.lag()).find(({ view }) => view === 'ledgers')?.stopped).toContain('no such thing');
    await expect(remote.rebuildView('ledgers')).rejects.toThrow('no such thing');
    expect(notices).toMatchObject([{ view: 'ledgers', stopped: true }]);
  });

  it('are stopped, and say so, where the other side ends by itself', async () => {
    await start();
    cut();
    await append(store, [posted('1', 'A')]);
    await remote.stop();
    stopped = true;
    const token = await store.tokenOf((await store.lastPosition()) ?? '');
    await remote.reached(token, LONG).catch(() => undefined);
    expect(notices.map(({ message }) => message)).toEqual([
      'The thread of the views has ended; start again, and they go on from where they are.',
    ]);
    expect((await remote.lag()).every(({ stopped: why }) => why !== undefined)).toBe(true);
  });
});

describe('a view that nobody waits for', () => {
  it('waits for company until somebody asks for it, or for something else of it', async () => {
    const progress = newProgress();
    const { signal } = new AbortController();
    const order: string[] = [];
    const lingering = progress.wanted('loads', LONG, signal).then(() => order.push('loads'));
    const other = progress.wanted('duties', LONG, signal).then(() => order.push('duties'));
    const asked = progress.reached('000002', ['loads'], LONG);
    await lingering;
    expect(order).toEqual(['loads']);
    // Somebody waits already: no time is lost.
    await progress.wanted('loads', LONG, signal);
    progress.moved('loads', { token: 't', position: '000002' });
    await asked;
    const all = progress.reached('000003', ['duties'], LONG);
    await other;
    progress.moved('duties', { token: 't', position: '000003' });
    await all;
  });

  it('waits no longer than the time it is given, or the signal', async () => {
    const progress = newProgress();
    await expect(progress.wanted('loads', 1, new AbortController().signal)).resolves.toBeUndefined();
    const ending = new AbortController();
    const waiting = progress.wanted('loads', LONG, ending.signal);
    ending.abort();
    await expect(waiting).resolves.toBeUndefined();
  });
});
