import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartRefused, StoreUnavailable, verifyChain } from '@headworks/event-store';
import type { OpenStore } from '@headworks/event-store';
import { openSqliteKeyStore, openSqliteStore } from '../../libs/event-store/src/adapters';
import { readEverything, written } from '../../libs/event-store/src/contract/contract-check';
import { request, sample } from '../../libs/event-store/src/contract/sample-events';
import { refusing } from '../../libs/event-store/src/sqlite/data-folder';
import { openLogFile } from '../../libs/event-store/src/sqlite/log-file';
import { sqliteStoreOn } from '../../libs/event-store/src/sqlite/sqlite-store';
import { runTs } from '../servers/run-ts';

const OPEN = { clock: 'real', now: () => '2000-01-01T00:00:00.000Z' } as const;
const folders: string[] = [];
const mounts: string[] = [];

afterAll(() => {
  for (const mount of mounts) spawnSync('umount', ['-l', mount]);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-disk-'));
  folders.push(dir);
  return dir;
}

/** A log on a disk that is soon full, and the way to make room on it. */
interface SmallDisk {
  readonly store: OpenStore;
  readonly makeRoom: () => void;
}

/** SQLite's own bound on its pages: what it raises there is what it raises on a full disk. */
async function boundedFile(): Promise<SmallDisk> {
  const file = openLogFile({ dir: newFolder(), ...OPEN });
  file.db.exec('PRAGMA max_page_count = 64');
  return { store: sqliteStoreOn(file), makeRoom: () => file.db.exec('PRAGMA max_page_count = 100000') };
}

/** A file system of two megabytes, or undefined where this process may mount none. */
function smallFileSystem(): string | undefined {
  const dir = newFolder();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', dir]);
  if (status !== 0) return undefined;
  mounts.push(dir);
  return dir;
}

async function fullFileSystem(dir: string): Promise<SmallDisk> {
  const ballast = join(dir, 'ballast');
  writeFileSync(ballast, Buffer.alloc(1024 * 1024));
  return { store: await openSqliteStore({ dir, ...OPEN }), makeRoom: () => rmSync(ballast) };
}

const small = smallFileSystem();
const disks: readonly (readonly [string, () => Promise<SmallDisk>])[] = [
  ['a file that may not grow', boundedFile],
  ...(small === undefined ? [] : [['a full file system', () => fullFileSystem(small)] as const]),
];

const large = (name: string) => sample(name, { data: { fill: 'x'.repeat(20_000) } });

describe.each(disks)('on %s', (_, open) => {
  it('an append fails without a trace, others are read on, and it goes through when there is room', async () => {
    const { store, makeRoom } = await open();
    const stored: string[] = [];
    let refused: unknown;
    for (let count = 0; refused === undefined && count < 1000; count++) {
      const append = store.append({ stream: `s-${count}`, expected: 'none', events: [large(`s-${count}`)] });
      await written(append).then(
        () => stored.push(`s-${count}`),
        (error: unknown) => (refused = error),
      );
    }
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect(stored.length).toBeGreaterThan(1);
    // A batch of which one part is too large: what still has room is written, each with its own answer.
    const batch = await Promise.allSettled([
      store.append({
        stream: 'too-large',
        expected: 'none',
        events: Array.from({ length: 30 }, (__, i) => large(`l-${i}`)),
      }),
      store.append({
        stream: 'too-large-2',
        expected: 'none',
        events: Array.from({ length: 30 }, (__, i) => large(`l-${i}`)),
      }),
    ]);
    expect(batch.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const streams = (await readEverything(store)).map(({ stream }) => stream);
    expect(streams).toEqual(['log', ...stored]);
    makeRoom();
    await written(store.append(request('after', 'none', 'a')));
    const events = await readEverything(store);
    expect(events.map(({ stream }) => stream)).toEqual(['log', ...stored, 'after']);
    expect(verifyChain(events, store.logId).ok).toBe(true);
    await store.close();
  });
});

it('a start on a full disk is refused in a sentence', async () => {
  const dir = smallFileSystem();
  if (dir === undefined) {
    // Without the right to mount, the same refusal is seen where SQLite says that it is full.
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    const raise = () => {
      throw full;
    };
    expect(() => refusing('/data', '/data/log.sqlite', raise)).toThrow(
      "The disk that holds '/data' is full; free some",
    );
    return;
  }
  const fill = spawnSync('dd', ['if=/dev/zero', `of=${join(dir, 'ballast')}`, 'bs=4096']);
  expect(fill.status).not.toBe(0);
  for (const opening of [openSqliteStore({ dir, ...OPEN }), openSqliteKeyStore({ dir })]) {
    await expect(opening).rejects.toThrow(StartRefused);
    await expect(opening).rejects.toThrow(
      `The disk that holds '${dir}' is full; free some space and start again.`,
    );
  }
  rmSync(join(dir, 'ballast'));
  await (await openSqliteStore({ dir, ...OPEN })).close();
});

describe('a folder that the user may not write to', () => {
  // Root may write anywhere: the start runs as another user then.
  const uid = process.getuid?.() === 0 ? '65534' : '';

  async function opens(dir: string): Promise<string> {
    const opener = runTs(join(__dirname, 'store-opener.testing.ts'), [dir, uid]);
    const line = String((await opener.lines.next()).value);
    await opener.ended;
    return line;
  }
  const own = (path: string) => {
    if (uid) chownSync(path, Number(uid), Number(uid));
  };

  it('is refused in a sentence, as is one whose log may not be written', async () => {
    const dir = newFolder();
    own(dir);
    expect(await opens(dir)).toBe('opened');
    chmodSync(join(dir, 'log.sqlite'), 0o444);
    expect(await opens(dir)).toBe(
      `StartRefused: The folder '${dir}' can't be written by this user; let it write there or use another DATA_DIR.`,
    );
    chmodSync(join(dir, 'log.sqlite'), 0o644);
    chmodSync(dir, 0o555);
    expect(await opens(dir)).toMatch(
      /^StartRefused: The folder '.*' can't be written by this user; let it write there/,
    );
    const below = join(dir, 'below');
    expect(await opens(below)).toMatch(/^StartRefused: The folder '.*below' can't be written by this user/);
    chmodSync(dir, 0o755);
    mkdirSync(below);
    own(below);
    expect(await opens(below)).toBe('opened');
  });
});
