import {
  openMemoryStore,
  StoreUnavailable,
  type MemoryStore,
  type ReadAllOptions,
} from '@headworks/event-store';
import type { RecordedEvent } from '@headworks/kernel';
import { append, posted } from '../testing/events.testing';
import { sharedReader } from './log-reader';

const ending = new AbortController();
afterAll(() => ending.abort());

/** A log of so many postings, that counts how often it is read and can be away. */
async function givenLog(events: number) {
  const memory = await openMemoryStore();
  await append(
    memory,
    Array.from({ length: events }, (_, i) => posted(String(i), 'A')),
  );
  const reads: ReadAllOptions[] = [];
  let away = false;
  const store: MemoryStore = {
    ...memory,
    readAll(options = {}) {
      reads.push(options);
      if (away) throw new StoreUnavailable('The log is away.');
      return memory.readAll(options);
    },
  };
  return { store, reads, setAway: (is: boolean) => (away = is) };
}

/** Reads on from a position until so many events were seen; answers their positions. */
async function readOn(
  next: (after: string) => Promise<readonly RecordedEvent[]>,
  count: number,
  start = '',
): Promise<readonly number[]> {
  const seen: string[] = [];
  for (let after = start; seen.length < count; after = seen.at(-1) ?? '') {
    seen.push(...(await next(after)).map(({ position }) => position));
  }
  return seen.map(Number);
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, i) => i + first);

it('reads once for all who keep step', async () => {
  const { store, reads } = await givenLog(29);
  const { next } = sharedReader(store, 10, ending.signal);
  const all = await Promise.all([readOn(next, 30), readOn(next, 30), readOn(next, 30)]);
  expect(all).toEqual([upTo(30), upTo(30), upTo(30)]);
  expect(reads).toHaveLength(1);
});

it('gives all of them what comes later, in order, each once', async () => {
  const { store, reads } = await givenLog(4);
  const { next } = sharedReader(store, 10, ending.signal);
  const all = Promise.all([readOn(next, 25), readOn(next, 25)]);
  await append(
    store,
    Array.from({ length: 20 }, (_, i) => posted(`later ${i}`, 'A')),
  );
  expect(await all).toEqual([upTo(25), upTo(25)]);
  expect(reads).toHaveLength(1);
});

it('lets one that is far behind read for itself, and joins it to the others at the head', async () => {
  const { store, reads } = await givenLog(99);
  const { next } = sharedReader(store, 10, ending.signal);
  expect(await readOn(next, 100)).toEqual(upTo(100));
  expect(await readOn(next, 100)).toEqual(upTo(100));
  // Six of the ten batches were no longer kept.
  expect(reads).toHaveLength(1 + 6);
  const both = [next('0000000000000100'), next('0000000000000100')];
  await append(store, [posted('new', 'A')]);
  expect((await Promise.all(both)).map((events) => events.length)).toEqual([1, 1]);
  expect(reads).toHaveLength(1 + 6);
});

it('follows from the head, also where another one began further back', async () => {
  const { store } = await givenLog(49);
  const { next } = sharedReader(store, 10, ending.signal);
  expect(await next('')).toHaveLength(10);
  const ahead = next('0000000000000050');
  expect(await readOn(next, 40, '0000000000000010')).toEqual(upTo(50, 11));
  await append(store, [posted('new', 'A')]);
  expect((await ahead).map(({ position }) => Number(position))).toEqual([51]);
});

it('gives only what is behind the position, from within a batch too', async () => {
  const { store } = await givenLog(9);
  const { next } = sharedReader(store, 10, ending.signal);
  await next('');
  expect((await next('0000000000000007')).map(({ position }) => Number(position))).toEqual([8, 9, 10]);
});

it('tells whoever waits that the log is away, and reads again when asked again', async () => {
  const { store, setAway } = await givenLog(4);
  const { next } = sharedReader(store, 10, ending.signal);
  setAway(true);
  await expect(next('')).rejects.toThrow(StoreUnavailable);
  setAway(false);
  expect(await next('')).toHaveLength(5);
});

it('ends at the signal, also while it waits', async () => {
  const { store } = await givenLog(0);
  const stop = new AbortController();
  const { next } = sharedReader(store, 10, stop.signal);
  const waiting = next('0000000000000001');
  stop.abort();
  expect(await waiting).toEqual([]);
});
