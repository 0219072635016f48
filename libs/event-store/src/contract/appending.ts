import assert from 'node:assert/strict';
import { LIMITS, UnstorableAppend } from '../port';
import { assertConflict, assertRejects, names, readEverything, written } from './contract-check';
import type { ContractCheck } from './contract-check';
import { request, sample } from './sample-events';

const other = 'f'.repeat(64);

async function beginsWithLogOpened({ store }: Parameters<ContractCheck['run']>[0]): Promise<void> {
  const [first, ...rest] = await readEverything(store);
  assert.equal(rest.length, 0);
  assert.equal(first?.type, 'LogOpened');
  assert.equal(first.stream, 'log');
  assert.equal(first.revision, 0);
  assert.equal(first.data['log'], store.logId);
  assert.equal(first.data['clock'], store.clock);
  assert.equal(await store.lastPosition(), first.position);
}

const heads: readonly ContractCheck[] = [
  { name: 'a new log holds LogOpened, with its id and its clock', run: beginsWithLogOpened },
  {
    name: 'an append on the head is written, and answers the next head',
    async run({ store }) {
      const first = await written(store.append(request('s', 'none', 'a', 'b')));
      assert.equal(first.head.revision, 1);
      assert.equal(first.duplicate, false);
      const second = await written(store.append(request('s', first.head, 'c')));
      assert.equal(second.head.revision, 2);
      const stream = await store.readStream('s');
      assert.deepEqual(names(stream), ['s@0', 's@1', 's@2']);
      assert.equal(stream[1]?.hash, first.head.hash);
      assert.equal(stream[2]?.hash, second.head.hash);
      assert.deepEqual(
        { ...stream[2], position: '', hash: '' },
        {
          ...sample('s/c'),
          stream: 's',
          revision: 2,
          position: '',
          hash: '',
        },
      );
    },
  },
  {
    name: 'another head than the expected is a conflict that names the actual one, and writes nothing',
    async run({ store }) {
      await assertConflict(store, request('s', { revision: 0, hash: other }, 'x'), 'none');
      const { head } = await written(store.append(request('s', 'none', 'a')));
      await assertConflict(store, request('s', 'none', 'x'), head);
      await assertConflict(store, request('s', { revision: 1, hash: head.hash }, 'x'), head);
      await assertConflict(store, request('s', { revision: 0, hash: other }, 'x'), head);
      const { head: later } = await written(store.append(request('s', head, 'b')));
      await assertConflict(store, request('s', head, 'x'), later);
      assert.deepEqual(names(await readEverything(store)), ['log@0', 's@0', 's@1']);
    },
  },
  {
    name: 'each append of one batch has a verdict of its own, judged in turn',
    async run({ store }) {
      const start = await written(store.append(request('s', 'none', 'a')));
      const verdicts = await Promise.all([
        store.append(request('s', start.head, 'b')),
        store.append(request('s', start.head, 'lost')),
        store.append(request('t', 'none', 'a')),
        store.append(request('t', { revision: 3, hash: other }, 'lost')),
        store.append(request('s', 'none', 'a')),
      ]);
      const b = await written(verdicts[0]);
      assert.deepEqual(verdicts[1], { ok: false, actual: b.head });
      const t = await written(verdicts[2]);
      assert.deepEqual(verdicts[3], { ok: false, actual: t.head });
      assert.deepEqual(verdicts[4], { ...start, duplicate: true });
      assert.deepEqual(names(await readEverything(store)), ['log@0', 's@0', 's@1', 't@0']);
    },
  },
];

const duplicates: readonly ContractCheck[] = [
  {
    name: 'a retry is answered with the first write, also when the stream has moved on',
    async run({ store }) {
      const first = await written(store.append(request('s', 'none', 'a', 'b')));
      const second = await written(store.append(request('s', first.head, 'c', 'd')));
      await written(store.append(request('s', second.head, 'e')));
      assert.deepEqual(await store.append(request('s', 'none', 'a', 'b')), { ...first, duplicate: true });
      assert.deepEqual(await store.append(request('s', first.head, 'c', 'd')), {
        ...second,
        duplicate: true,
      });
      assert.equal((await store.readStream('s')).length, 5);
    },
  },
  {
    name: 'one append sent twice at once is written once',
    async run({ store }) {
      const verdicts = await Promise.all([1, 2, 3].map(() => store.append(request('s', 'none', 'a', 'b'))));
      const answers = await Promise.all(verdicts.map(written));
      assert.equal(answers.filter(({ duplicate }) => duplicate).length, 2);
      assert.equal(new Set(answers.map(({ position }) => position)).size, 1);
      assert.equal((await store.readStream('s')).length, 2);
    },
  },
  {
    name: 'the first id alike and a later one not is a conflict, and so is a longer retry',
    async run({ store }) {
      const { head } = await written(store.append(request('s', 'none', 'a', 'b')));
      await assertConflict(store, request('s', 'none', 'a', 'x'), head);
      await assertConflict(store, request('s', 'none', 'a', 'b', 'c'), head);
      await assertConflict(store, request('s', 'none', 'b', 'a'), head);
    },
  },
  {
    name: 'the same ids on a history that does not stand are a conflict',
    async run({ store }) {
      const first = await written(store.append(request('s', 'none', 'a')));
      const second = await written(store.append(request('s', first.head, 'b')));
      await assertConflict(store, request('s', { revision: 0, hash: other }, 'b'), second.head);
    },
  },
  {
    name: 'an id that stands elsewhere means nothing',
    async run({ store }) {
      const event = sample('everywhere');
      const first = await written(store.append({ stream: 's', expected: 'none', events: [event] }));
      const next = await written(store.append({ stream: 's', expected: first.head, events: [event] }));
      const elsewhere = await written(
        store.append({ stream: 't', expected: 'none', events: [event, event] }),
      );
      assert.deepEqual([next.duplicate, elsewhere.duplicate], [false, false]);
      assert.deepEqual(names(await readEverything(store)), ['log@0', 's@0', 's@1', 't@0', 't@1']);
    },
  },
];

/** An event whose canonical bytes in that place are exactly so many. */
function eventOf(bytes: number, name: string, measure: (fill: string) => number) {
  const fill = 'x'.repeat(bytes - measure(''));
  return sample(name, { data: { fill } });
}

async function sizedEvents(
  test: Parameters<ContractCheck['run']>[0],
  stream: string,
  sizes: readonly number[],
) {
  const { store, stored } = test;
  // Measured on what the store itself wrote: an empty one of the same name and revision.
  const probe = sizes.map((_, index) => sample(`size-${index}`, { data: { fill: '' } }));
  const verdict = await written(store.append({ stream: `${stream}0`, expected: 'none', events: probe }));
  assert.equal(verdict.head.revision, sizes.length - 1);
  const empty = await Promise.all(
    (await store.readStream(`${stream}0`)).map(async ({ position }) => (await stored(position)).bytes.length),
  );
  return sizes.map((size, index) => eventOf(size, `size-${index}`, () => empty[index] ?? 0));
}

const limits: readonly ContractCheck[] = [
  {
    name: 'an event of exactly the limit is stored, one byte more is refused',
    async run(test) {
      const at = await sizedEvents(test, 'a', [LIMITS.eventBytes]);
      const { store } = test;
      const { head } = await written(store.append({ stream: 'a1', expected: 'none', events: at }));
      assert.equal((await store.readStream('a1'))[0]?.hash, head.hash);
      const above = await sizedEvents(test, 'b', [LIMITS.eventBytes + 1]);
      const append = store.append({ stream: 'b1', expected: 'none', events: above });
      await assertRejects(append, UnstorableAppend, /has 262145 bytes and may have 262144/);
    },
  },
  {
    name: 'an append of exactly the limit is stored, one byte more is refused',
    async run(test) {
      const third = LIMITS.appendBytes / 3;
      const at = await sizedEvents(test, 'a', [third, third, third]);
      await written(test.store.append({ stream: 'a1', expected: 'none', events: at }));
      const above = await sizedEvents(test, 'b', [third, third, third - 100, 101].map(atLeastEmpty));
      const append = test.store.append({ stream: 'b1', expected: 'none', events: above });
      await assertRejects(append, UnstorableAppend, /and may have 786432; append in parts/);
    },
  },
  {
    name: 'an append of 256 events is stored whole, of 257 or none refused',
    async run({ store }) {
      const many = Array.from({ length: LIMITS.appendEvents + 1 }, (_, index) => `e${index}`);
      const { head } = await written(store.append(request('s', 'none', ...many.slice(1))));
      assert.equal(head.revision, LIMITS.appendEvents - 1);
      assert.equal((await store.readStream('s')).length, LIMITS.appendEvents);
      await assertRejects(store.append(request('t', 'none', ...many)), UnstorableAppend, /has 257 events/);
      await assertRejects(store.append(request('t', 'none')), UnstorableAppend, /has 0 events/);
    },
  },
  {
    name: 'a full batch of large appends is stored',
    async run({ store }) {
      const data = { fill: 'x'.repeat(200_000) };
      const streams = Array.from({ length: 12 }, (_, index) => `large-${index}`);
      await Promise.all(
        streams.map((stream) =>
          written(store.append({ stream, expected: 'none', events: [sample(stream, { data })] })),
        ),
      );
      assert.equal((await readEverything(store)).length, 13);
    },
  },
];

/** No event is smaller than an empty one; what is missing to the size is in the others. */
const atLeastEmpty = (size: number): number => Math.max(size, 1000);

const ODD = [
  'a',
  '0',
  '-',
  '_',
  '.',
  '..',
  ':',
  'A',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  'null',
  'a:b.c_d-e',
];
const REFUSED = [
  '',
  ' ',
  'a b',
  'a\n',
  'a@1',
  'a/b',
  '$all',
  'é',
  "';--",
  '%',
  'a\0',
  'x'.repeat(201),
  '\ud800',
];

const streamNames: readonly ContractCheck[] = [
  {
    name: 'odd stream names are streams like any other, told apart by every character',
    async run({ store }) {
      const odd = [...ODD, 'x'.repeat(200), 'x'.repeat(199), 'a.', 'a-'];
      for (const stream of odd) assert.deepEqual(await store.readStream(stream), []);
      await Promise.all(odd.map((stream) => written(store.append(request(stream, 'none', 'a')))));
      for (const stream of odd) assert.deepEqual(names(await store.readStream(stream)), [`${stream}@0`]);
    },
  },
  {
    name: 'names that can be no stream are refused in a sentence and write nothing',
    async run({ store }) {
      for (const stream of REFUSED) {
        const append = store.append({ stream, expected: 'none', events: [sample('a')] });
        await assertRejects(append, UnstorableAppend, /can't name a stream; use/);
      }
      assert.equal((await readEverything(store)).length, 1);
    },
  },
];

export const appendingChecks: readonly ContractCheck[] = [...heads, ...duplicates, ...limits, ...streamNames];
