import { openMemoryStore, openSqlite } from '@headworks/event-store';
import { allViews } from '../all-views';
import { openSqliteViews } from '../database/view-database';
import { fs } from '../testing/databases.testing';
import { append, posted, ZONES } from '../testing/events.testing';
import { startViews } from './start-views';

/** Turns that others had of the event loop while a view took in one batch of so many events. */
async function turnsDuring(events: number, elapsedMs: () => number): Promise<number> {
  const store = await openMemoryStore();
  const token = await append(
    store,
    Array.from({ length: events }, (_, i) => posted(String(i), 'A')),
  );
  const database = openSqliteViews({ file: ':memory:', open: openSqlite, fs });
  let [turns, counting] = [0, true];
  const count = (): void => {
    turns++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const views = allViews(ZONES).filter(({ name }) => name === 'ledgers');
  const options = { store, database, views, elapsedMs, onError: () => undefined, batch: events + 1 };
  const following = await startViews(options);
  await following.reached(token, 30_000);
  counting = false;
  await following.stop();
  await database.close();
  return turns;
}

it('lets others work while a long batch is taken in, though SQLite never waits', async () => {
  let slow = 0;
  expect(await turnsDuring(200, () => 0)).toBeLessThan(50);
  expect(await turnsDuring(200, () => (slow += 6))).toBeGreaterThan(100);
});

it('stops a view whose file is damaged, and says what to do', async () => {
  const store = await openMemoryStore();
  const open = (file: string) => {
    const db = openSqlite(file);
    const prepare: typeof db.prepare = (sql) => {
      if (sql.includes('insert into "ledgers_v1"')) throw new Error('database disk image is malformed');
      return db.prepare(sql);
    };
    return { exec: (sql: string) => db.exec(sql), close: () => db.close(), prepare };
  };
  const database = openSqliteViews({ file: ':memory:', open, fs });
  const views = allViews(ZONES).filter(({ name }) => name === 'ledgers');
  const notices: string[] = [];
  const onError = ({ message }: { message: string }) => void notices.push(message);
  const following = await startViews({ store, database, views, elapsedMs: () => 0, onError });
  const token = await append(store, [posted('1', 'A')]);
  await expect(following.reached(token, 30_000)).rejects.toMatchObject({ code: 'position-not-reached' });
  expect(notices).toEqual(['The file of the views is damaged; start again, and it is built anew.']);
  await following.stop();
  await database.close();
});
