import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request, sample } from '../contract/sample-events';
import { readEverything, written } from '../contract/contract-check';
import { StartRefused, StoreUnavailable } from '../port';
import type { OpenStore } from '../port';
import { verifyChain } from '../verify-chain';
import { LOG_FILE } from './log-file';
import { openSqlite } from '../open-sqlite';
import { openSqliteStore } from './sqlite-store';
import { OPENED, temporaryFolder } from './sqlite-under-test.testing';

const folders: ReturnType<typeof temporaryFolder>[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

function freshFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.dir;
}

const open = (dir: string, clock: 'real' | 'virtual' = 'real'): Promise<OpenStore> =>
  openSqliteStore({ dir, clock, now: () => OPENED });

/** The sentence that the start is refused with: one sentence, and it says what to do. */
async function refusal(opening: Promise<OpenStore>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (raised: unknown) => raised,
  );
  expect(error).toBeInstanceOf(StartRefused);
  const { message } = error as StartRefused;
  expect(message).toMatch(/^[^\n]*[.]$/);
  return message;
}

/** Changes the file as another program might. */
function edit(dir: string, sql: string): void {
  const db = openSqlite(join(dir, LOG_FILE));
  db.exec(sql);
  db.close();
}

describe('a log on a folder', () => {
  it('is found again as it was, with its identity', async () => {
    const dir = join(freshFolder(), 'made', 'by', 'the', 'start');
    const first = await open(dir);
    const { head } = await written(first.append(request('s', 'none', 'a', 'b')));
    const before = await readEverything(first);
    await first.close();
    const again = await open(dir);
    expect(again).toMatchObject({ storeId: first.storeId, logId: first.logId, clock: 'real' });
    expect(await readEverything(again)).toEqual(before);
    await written(again.append(request('s', head, 'c')));
    expect(verifyChain(await readEverything(again), again.logId)).toMatchObject({ ok: true, events: 4 });
    await again.close();
  });

  it('takes up an empty file that a killed start left', async () => {
    const dir = freshFolder();
    writeFileSync(join(dir, LOG_FILE), '');
    const store = await open(dir);
    expect(await readEverything(store)).toHaveLength(1);
    await store.close();
  });

  it('carries a log from elsewhere with its id, bytes and hashes', async () => {
    const origin = await open(freshFolder());
    const [carriedFrom] = await readEverything(origin);
    if (!carriedFrom) throw new Error('no LogOpened');
    const store = await openSqliteStore({
      dir: freshFolder(),
      clock: 'real',
      now: () => 'never asked',
      carriedFrom,
    });
    expect(store.logId).toBe(origin.logId);
    expect(store.storeId).not.toBe(origin.storeId);
    expect(await readEverything(store)).toEqual([carriedFrom]);
    const wrong = { ...carriedFrom, type: 'SampleTaken' };
    const opening = openSqliteStore({
      dir: freshFolder(),
      clock: 'real',
      now: () => OPENED,
      carriedFrom: wrong,
    });
    expect(await refusal(opening)).toMatch(/does not begin with LogOpened/);
    await store.close();
    await origin.close();
  });

  it('never lets a row be changed or removed', async () => {
    const dir = freshFolder();
    await (await open(dir)).close();
    expect(() => edit(dir, "UPDATE events SET type = 'x'")).toThrow('an event is never changed');
    expect(() => edit(dir, 'DELETE FROM events')).toThrow('an event is never removed');
  });

  it('is read beside the process that writes, which alone may write', async () => {
    const dir = freshFolder();
    const writer = await open(dir);
    const reader = await openSqliteStore({ dir, clock: 'real', now: () => OPENED, readOnly: true });
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const batch of reader.readAll({ follow: true, signal: stop.signal })) {
        seen.push(...batch.map(({ stream }) => stream));
        if (seen.length === 3) stop.abort();
      }
    })();
    await written(writer.append(request('s', 'none', 'a', 'b')));
    await following;
    expect(seen).toEqual(['log', 's', 's']);
    await expect(reader.append(request('t', 'none', 'a'))).rejects.toThrow(StoreUnavailable);
    const missing = openSqliteStore({ dir: freshFolder(), clock: 'real', now: () => OPENED, readOnly: true });
    expect(await refusal(missing)).toMatch(/There is no log in/);
    await reader.close();
    await writer.close();
  });
});

describe('a start is refused in one sentence', () => {
  it('on the folder of a process that runs', async () => {
    const dir = freshFolder();
    const store = await open(dir);
    expect(await refusal(open(dir))).toBe(
      `Headworks already runs on '${dir}' (process ${process.pid}); stop it or use another DATA_DIR.`,
    );
    // The refused one has not let go of the lock of the other.
    expect(await refusal(open(dir))).toMatch(/already runs/);
    await written(store.append(request('s', 'none', 'a')));
    await store.close();
    expect(existsSync(join(dir, 'headworks.pid'))).toBe(false);
    await (await open(dir)).close();
  });

  it('not by what a dead process left, even where its number is in use again', async () => {
    const dir = freshFolder();
    writeFileSync(join(dir, 'headworks.pid'), JSON.stringify({ process: process.ppid, host: 'anywhere' }));
    writeFileSync(join(dir, 'lock.sqlite'), '');
    const store = await open(dir);
    expect(readFileSync(join(dir, 'headworks.pid'), 'utf8')).toContain(String(process.pid));
    await store.close();
  });

  it('where the lock is held and the number not written yet', async () => {
    const dir = freshFolder();
    const holder = openSqlite(join(dir, 'lock.sqlite'));
    holder.exec('BEGIN EXCLUSIVE');
    expect(await refusal(open(dir))).toMatch(/\(a process that is just starting\)/);
    writeFileSync(join(dir, 'headworks.pid'), JSON.stringify({ process: 12, host: 'far-away' }));
    expect(await refusal(open(dir))).toMatch(/\(process 12 on far-away\)/);
    holder.close();
  });

  it.each([
    ['real', 'virtual'],
    ['virtual', 'real'],
  ] as const)('on a log of a %s clock with a %s one', async (opened, asked) => {
    const dir = freshFolder();
    await (await open(dir, opened)).close();
    expect(await refusal(open(dir, asked))).toMatch(
      `was opened with a ${opened} clock and can't go on with a ${asked} one; start with HEADWORKS_CLOCK=${opened}`,
    );
    await (await open(dir, opened)).close();
  });

  it('on a log of a later release', async () => {
    const dir = freshFolder();
    await (await open(dir)).close();
    edit(dir, "UPDATE meta SET value = '2' WHERE key = 'schema'");
    expect(await refusal(open(dir))).toMatch(
      /has schema 2 and this release knows 1; start the release that wrote it/,
    );
  });

  it('on a file that is no database, or one of another program, which is left as it was', async () => {
    const dir = freshFolder();
    const text = 'a text that somebody named like our log '.repeat(50);
    writeFileSync(join(dir, LOG_FILE), text);
    expect(await refusal(open(dir))).toMatch(/log.sqlite' is no Headworks file; move it away/);
    expect(readFileSync(join(dir, LOG_FILE), 'utf8')).toBe(text);
    const other = freshFolder();
    edit(other, 'CREATE TABLE theirs (a)');
    const bytes = readFileSync(join(other, LOG_FILE));
    expect(await refusal(open(other))).toMatch(/is no Headworks log; move it away/);
    expect(readFileSync(join(other, LOG_FILE))).toEqual(bytes);
    edit(other, 'CREATE TABLE meta (key, value)');
    expect(await refusal(open(other))).toMatch(/is no Headworks log; move it away/);
  });

  it('on a log whose identity is gone', async () => {
    const dir = freshFolder();
    await (await open(dir)).close();
    edit(dir, "DELETE FROM meta WHERE key = 'log'");
    expect(await refusal(open(dir))).toMatch(/is no Headworks log; move it away/);
  });

  it('on a file where the folder should be, or a folder where the log should be', async () => {
    const dir = join(freshFolder(), 'file');
    writeFileSync(dir, '');
    expect(await refusal(open(dir))).toBe(
      `DATA_DIR '${dir}' is not a folder; name one that Headworks may write to.`,
    );
    expect(await refusal(open(join(dir, 'below')))).toMatch(/is not a folder; name one/);
    const taken = freshFolder();
    mkdirSync(join(taken, LOG_FILE));
    expect(await refusal(open(taken))).toMatch(/can't be (written|opened)/);
  });

  it('and gives the folder back, so that the next start can go on', async () => {
    const dir = freshFolder();
    writeFileSync(join(dir, LOG_FILE), 'no database '.repeat(100));
    await refusal(open(dir));
    writeFileSync(join(dir, LOG_FILE), '');
    const store = await open(dir);
    expect(await readEverything(store)).toHaveLength(1);
    await store.close();
  });
});

describe('an append', () => {
  it('that meets a row written behind its back fails without a trace, and goes through afterwards', async () => {
    const dir = freshFolder();
    const store = await open(dir);
    // A row that somebody wrote behind our back takes the next position: the write raises.
    edit(
      dir,
      "INSERT INTO events SELECT 2, 'intruder', 0, id, type, bytes, hash, recorded_max FROM events WHERE position = 1",
    );
    const { head } = await written(store.append(request('s', 'none', 'a')));
    expect((await store.readStream('s')).map(({ position }) => Number(position))).toEqual([3]);
    edit(
      dir,
      "INSERT INTO events SELECT 4, 'intruder', 1, id, type, bytes, hash, recorded_max FROM events WHERE position = 1",
    );
    await expect(store.append({ stream: 's', expected: head, events: [sample('b')] })).rejects.toThrow(
      StoreUnavailable,
    );
    await written(store.append({ stream: 's', expected: head, events: [sample('b')] }));
    await store.close();
  });
});

it('the lock ends with its process, however that ends', async () => {
  const dir = freshFolder();
  const script = `
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? require('@photostructure/sqlite');
    const db = new DatabaseSync(process.argv[1]);
    db.exec('BEGIN EXCLUSIVE');
    process.stdout.write('held');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['-e', script, join(dir, 'lock.sqlite')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(await refusal(open(dir))).toMatch(/already runs on/);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  await (await open(dir)).close();
});
