import { nameId, type RecordedEvent } from '@headworks/kernel';
import { freshDatabase } from '../../../../test/servers/fresh-database';
import { openSqliteStore, openPostgresStore } from '../adapters';
import { readEverything } from '../contract/contract-check';
import { request } from '../contract/sample-events';
import { openMemoryKeyStore } from '../keys/memory-keys';
import { openMemoryStore } from '../memory-store';
import type { Expected, OpenStore } from '../port';
import { OPENED, temporaryFolder } from '../sqlite/sqlite-under-test.testing';
import { carryLog } from './carry-log';
import { carryKeys, keyLines } from './key-lines';
import { logLines } from './log-lines';

const OPEN = { clock: 'real', now: () => '2010-01-01T00:00:00.000Z' } as const;

/** A log with streams that grow in turns, so that their order across streams is seen. */
async function origin(turns = 300): Promise<OpenStore> {
  const store = await openMemoryStore({ clock: 'real', now: () => OPENED });
  const heads = new Map<string, Expected>();
  for (let turn = 0; turn < turns; turn++) {
    const stream = `s-${turn % 7}`;
    const verdict = await store.append(request(stream, heads.get(stream) ?? 'none', `${turn}ä`, `${turn}b`));
    if (!verdict.ok) throw new Error('refused');
    heads.set(stream, verdict.head);
  }
  return store;
}

async function linesOf(store: OpenStore): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of logLines(store)) lines.push(line.trimEnd());
  return lines;
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** What stays the same from store to store: everything but the position. */
const withoutPosition = (events: readonly RecordedEvent[]) =>
  events.map(({ position: _position, ...event }) => event);

interface Target {
  open(first?: Parameters<Parameters<typeof carryLog>[1]>[0]): Promise<OpenStore>;
  remove(): Promise<void> | void;
}

const targets: Readonly<Record<string, () => Promise<Target>>> = {
  async sqlite() {
    const { dir, remove } = temporaryFolder();
    return {
      open: (carriedFrom) => openSqliteStore({ dir, ...OPEN, ...(carriedFrom && { carriedFrom }) }),
      remove,
    };
  },
  async postgres() {
    const { url, drop } = await freshDatabase();
    return {
      open: (carriedFrom) => openPostgresStore({ url, ...OPEN, ...(carriedFrom && { carriedFrom }) }),
      remove: drop,
    };
  },
};

describe.each(Object.entries(targets))('a log carried into %s', (_name, make) => {
  let target: Target;
  beforeEach(async () => {
    target = await make();
  });
  afterEach(() => target.remove());

  it('is the same log: ids, streams, revisions, bytes, hashes, in the same order', async () => {
    const from = await origin();
    const lines = await linesOf(from);
    expect(await carryLog(each(lines), target.open)).toEqual({ events: 601, already: 0 });
    const store = await target.open();
    expect(store.logId).toBe(from.logId);
    expect(store.storeId).not.toBe(from.storeId);
    expect(withoutPosition(await readEverything(store))).toEqual(withoutPosition(await readEverything(from)));
    // And it can be carried on from here, to the same file.
    expect(await linesOf(store)).toEqual(lines);
    const verdict = await store.append(request('s-new', 'none', 'later'));
    expect(verdict.ok).toBe(true);
    await store.close();
  });

  it('goes on where it was cut off, and nobody opens the half of it before', async () => {
    const from = await origin();
    const lines = await linesOf(from);
    await expect(carryLog(each(lines.slice(0, 400)), target.open)).rejects.toThrow(
      'cut off: its last line is missing',
    );
    await expect(target.open()).rejects.toThrow('Only a part of the log stands in');
    const again = await carryLog(each(lines), target.open);
    expect(again.events).toBe(601);
    expect(again.already).toBeGreaterThan(0);
    const store = await target.open();
    expect(withoutPosition(await readEverything(store))).toEqual(withoutPosition(await readEverything(from)));
    await store.close();
    // All of it is here: once more changes nothing.
    expect(await carryLog(each(lines), target.open)).toEqual({ events: 601, already: 600 });
  });

  it('is refused where another log stands', async () => {
    const other = await target.open();
    await other.close();
    const lines = await linesOf(await origin(1));
    await expect(carryLog(each(lines), target.open)).rejects.toThrow('There is another log in');
  });

  it('is refused where the log that stands went another way', async () => {
    const from = await origin(1);
    const lines = await linesOf(from);
    await carryLog(each(lines), target.open);
    const store = await target.open();
    await store.append(request('s-1', 'none', 'here'));
    await store.close();
    await from.append(request('s-1', 'none', 'there'));
    await expect(carryLog(each(await linesOf(from)), target.open)).rejects.toThrow(
      's-1@0 (line 5) stands otherwise in the log that is there',
    );
  });
});

describe('a file that is not what was exported', () => {
  const never = (): Promise<OpenStore> => Promise.reject(new Error('must not be opened'));

  it.each<[what: string, change: (lines: string[]) => string[], says: string]>([
    ['is empty', () => [], 'The file is cut off'],
    [
      'is of another kind',
      (lines) => ['{"headworks":"keys","format":1}', ...lines.slice(1)],
      'The file holds no log of Headworks',
    ],
    [
      'is of a later format',
      (lines) => ['{"headworks":"log","format":2}', ...lines.slice(1)],
      'has format 2 and this release knows 1',
    ],
    [
      'has no first event',
      ([head = '', , ...rest]) => [head, ...rest],
      'Line 2 of the file is not the event that a log begins with',
    ],
    ['is no JSON', ([head = '', ...rest]) => [head, '{', ...rest], 'Line 2 of the file is no JSON'],
    [
      'holds something else',
      ([head = '', ...rest]) => [head, '{"event":7,"hash":"x"}', ...rest],
      'Line 2 of the file holds no event',
    ],
  ])('%s', async (_what, change, says) => {
    const lines = change(await linesOf(await origin(2)));
    await expect(carryLog(each(lines), never)).rejects.toThrow(says);
  });

  it.each<[what: string, change: (lines: string[]) => string[], says: string]>([
    [
      'has another byte',
      (lines) => lines.map((line, at) => (at === 3 ? line.replace('0b', '0c') : line)),
      'Line 4 of the file is not what was exported',
    ],
    ['goes on behind its end', (lines) => [...lines, '{}'], 'stands behind the last one'],
    [
      'lost an event',
      (lines) => lines.filter((_, at) => at !== 2).map((line) => line.replace('"rows":5', '"rows":4')),
      'Line 3 of the file does not follow',
    ],
    [
      'counts otherwise',
      (lines) => lines.map((line) => line.replace('"rows":5', '"rows":6')),
      'counts 6 rows, and 5 came',
    ],
    [
      'holds what no store takes',
      (lines) =>
        lines.map((line, at) => (at === 2 ? line.replace('"stream":"s-0"', '"stream":"a b"') : line)),
      "Line 3 of the file can't be stored",
    ],
  ])('%s', async (_what, change, says) => {
    const lines = change(await linesOf(await origin(2)));
    await expect(
      carryLog(each(lines), (first) => openMemoryStore({ ...OPEN, carriedFrom: first })),
    ).rejects.toThrow(says);
  });

  it('can not be made of a log that is damaged', async () => {
    const store = await openMemoryStore();
    await store.append(request('s', 'none', 'a', 'b'));
    const [, row] = store.rows;
    if (!row) throw new Error('no row');
    row.bytes = Buffer.from(row.bytes.toString('utf8').replace('tester', 'forger'));
    await expect(linesOf(store)).rejects.toThrow('s@0: its hash is not that of its bytes');
  });
});

describe('the file of the keys', () => {
  const lines = async (keys: ReturnType<typeof openMemoryKeyStore>): Promise<string[]> => {
    const all: string[] = [];
    for await (const line of keyLines(keys)) all.push(line.trimEnd());
    return all;
  };

  it('carries everything', async () => {
    const [from, to] = [openMemoryKeyStore(), openMemoryKeyStore()];
    const [live, erased] = [nameId('person', 'live'), nameId('person', 'erased')];
    const key = await from.sealingKey(live);
    await from.eraseSealingKey(erased);
    await from.claim('caller', 'key', { bodyHash: 'b', commandId: 'c' });
    expect(await carryKeys(each(await lines(from)), to)).toBe(4);
    expect(await to.personSecret()).toEqual(await from.personSecret());
    expect(await to.findSealingKey(live)).toEqual(key);
    expect(await to.findSealingKey(erased)).toEqual({ state: 'erased' });
    expect(await to.claim('caller', 'key', { bodyHash: 'x', commandId: 'y' })).toEqual({
      bodyHash: 'b',
      commandId: 'c',
    });
  });

  it.each([
    ['{"is":"person","person":"p","key":"AAAA"}', "has a 'key' of 3 bytes"],
    ['{"is":"person","key":null}', "has no 'person'"],
    ['{"is":"claim","caller":"a","key":"b","claim":{}}', 'holds no claim'],
    ['{"is":"api-key","row":{"id":"k"}}', 'holds no API key'],
    ['{"is":"treasure"}', 'is no row of keys'],
  ])('refuses %s', async (line, says) => {
    const [head = '', ...rest] = await lines(openMemoryKeyStore());
    await expect(carryKeys(each([head, line, ...rest]), openMemoryKeyStore())).rejects.toThrow(
      `Line 2 of the file ${says}`,
    );
  });
});
