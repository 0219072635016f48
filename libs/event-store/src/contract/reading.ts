import assert from 'node:assert/strict';
import type { RecordedEvent } from '@headworks/kernel';
import { LIMITS, StoreUnavailable } from '../port';
import type { Expected, OpenStore } from '../port';
import {
  assertGrowingPositions,
  assertRejects,
  followFor,
  names,
  positionOf,
  readEverything,
  written,
} from './contract-check';
import type { ContractCheck } from './contract-check';
import { instant, request, sample } from './sample-events';

/** Three streams, mixed: s@0 s@1 t@0 s@2 u@0 t@1, behind log@0. */
async function mixedLog(store: OpenStore): Promise<string[]> {
  const s = await written(store.append(request('s', 'none', 'a', 'b')));
  const t = await written(store.append(request('t', 'none', 'a')));
  const more = await written(store.append(request('s', s.head, 'c')));
  const u = await written(store.append(request('u', 'none', 'a')));
  const last = await written(store.append(request('t', t.head, 'b')));
  return [s, t, more, u, last].map(positionOf);
}

const MIXED = ['log@0', 's@0', 's@1', 't@0', 's@2', 'u@0', 't@1'];

const order: readonly ContractCheck[] = [
  {
    name: 'the whole log is read in the order of writing, in batches of any size',
    async run({ store }) {
      await mixedLog(store);
      for (const batch of [1, 2, 3, 7, 500]) {
        const events = await readEverything(store, { batch });
        assert.deepEqual(names(events), MIXED);
        assertGrowingPositions(events);
      }
    },
  },
  {
    name: 'reading resumes after any position, and misses or repeats nothing',
    async run({ store }) {
      await mixedLog(store);
      const events = await readEverything(store);
      for (const [index, { position }] of events.entries()) {
        assert.deepEqual(
          names(await readEverything(store, { after: position, batch: 2 })),
          MIXED.slice(index + 1),
        );
      }
    },
  },
  {
    name: 'a stream is read from a revision, up to a position, at most so many',
    async run({ store }) {
      const [s, , more] = await mixedLog(store);
      assert.deepEqual(names(await store.readStream('s', { from: 1 })), ['s@1', 's@2']);
      assert.deepEqual(names(await store.readStream('s', { from: 3 })), []);
      assert.deepEqual(names(await store.readStream('s', { limit: 2 })), ['s@0', 's@1']);
      assert.deepEqual(names(await store.readStream('s', { limit: 0 })), []);
      assert.deepEqual(names(await store.readStream('s', { upTo: s ?? '' })), ['s@0', 's@1']);
      assert.deepEqual(names(await store.readStream('s', { upTo: more ?? '', from: 1, limit: 1 })), ['s@1']);
      assert.deepEqual(await store.readStream('nowhere'), []);
    },
  },
  {
    name: 'a cut at any position reads what stood there then, in one stream and in all',
    async run({ store }) {
      await mixedLog(store);
      const events = await readEverything(store);
      for (const [index, { position }] of events.entries()) {
        assert.deepEqual(names(await readEverything(store, { upTo: position })), MIXED.slice(0, index + 1));
        const then = MIXED.slice(0, index + 1).filter((name) => name.startsWith('s@'));
        assert.deepEqual(names(await store.readStream('s', { upTo: position })), then);
      }
    },
  },
  {
    name: 'the cut of an instant is the last position that was recorded by then, whatever came late',
    async run({ store }) {
      const positions: string[] = [];
      for (const [index, recorded] of [10, 30, 20, 30, 50].entries()) {
        const events = [sample(`late-${index}`, { recorded })];
        positions.push(
          positionOf(await written(store.append({ stream: `l-${index}`, expected: 'none', events }))),
        );
      }
      const opened = (await readEverything(store))[0]?.position;
      assert.equal(await store.cutAt('1999-12-31T23:59:59.999Z'), undefined);
      assert.equal(await store.cutAt(instant(9)), opened);
      assert.equal(await store.cutAt(instant(10)), positions[0]);
      // The third was recorded at 20, but after one recorded at 30: then it was not known at 20.
      assert.equal(await store.cutAt(instant(29)), positions[0]);
      assert.equal(await store.cutAt(instant(30)), positions[3]);
      assert.equal(await store.cutAt(instant(50)), positions[4]);
      assert.equal(await store.cutAt(instant(1_000_000)), positions[4]);
      await assertRejects(store.cutAt('2027-01-01'), RangeError, /write it in UTC with milliseconds/);
    },
  },
  {
    name: 'the cut is the same where what came late was written in one batch',
    async run({ store }) {
      const write = async (recorded: number, index: number) => {
        const events = [sample(`batch-${index}`, { recorded })];
        return positionOf(await written(store.append({ stream: `b-${index}`, expected: 'none', events })));
      };
      const positions = await Promise.all([20, 40, 30, 50].map(write));
      const again = await Promise.all([10, 60].map((recorded, index) => write(recorded, index + 4)));
      assert.equal(await store.cutAt(instant(20)), positions[0]);
      assert.equal(await store.cutAt(instant(30)), positions[0]);
      assert.equal(await store.cutAt(instant(40)), positions[2]);
      assert.equal(await store.cutAt(instant(59)), again[0]);
      assert.equal(await store.cutAt(instant(60)), again[1]);
    },
  },
  {
    name: 'a stream of 10,000 events is read whole and in order',
    async run({ store }) {
      let expected: Expected = 'none';
      for (let count = 0; count < 10_000;) {
        const size = Math.min(LIMITS.appendEvents, 10_000 - count);
        const events = Array.from({ length: size }, (_, index) => sample(`long-${count + index}`));
        expected = (await written(store.append({ stream: 'long', expected, events }))).head;
        count += size;
      }
      const events = await store.readStream('long');
      assert.equal(events.length, 10_000);
      assert.ok(events.every(({ revision }, index) => revision === index));
      assert.deepEqual(names(await store.readStream('long', { from: 9_998 })), ['long@9998', 'long@9999']);
      assert.equal((await readEverything(store)).length, 10_001);
    },
  },
];

async function firstOf(
  store: OpenStore,
  after: string | undefined,
  signal: AbortSignal,
): Promise<RecordedEvent[]> {
  const seen: RecordedEvent[] = [];
  for await (const batch of store.readAll({ follow: true, signal, ...(after ? { after } : {}) }))
    seen.push(...batch);
  return seen;
}

const following: readonly ContractCheck[] = [
  {
    name: 'a follower waits for what is appended later',
    async run({ store }) {
      const following = followFor(store, MIXED.length, 2);
      await mixedLog(store);
      assert.deepEqual(names(await following), MIXED);
    },
  },
  {
    name: 'a follower is shown what any later reading shows, whatever the order of members it was written in',
    async run({ store }) {
      const following = followFor(store, 3);
      const data = { z: { b: [1, { d: null, c: 'é' }], a: 0 }, a: true };
      const { type, id, metadata } = sample('odd', { data });
      await written(store.append({ stream: 's', expected: 'none', events: [{ type, data, metadata, id }] }));
      await written(store.append(request('t', 'none', 'a')));
      assert.deepEqual(await following, await readEverything(store));
    },
  },
  {
    name: 'a follower ends at its abort: while it waits, while it reads, and before it began',
    async run({ store }) {
      await mixedLog(store);
      const waits = new AbortController();
      const waiting = firstOf(store, await store.lastPosition(), waits.signal);
      await followFor(store, MIXED.length);
      waits.abort();
      assert.deepEqual(await waiting, []);
      const reads = new AbortController();
      for await (const batch of store.readAll({ follow: true, batch: 1, signal: reads.signal })) {
        assert.deepEqual(names(batch), ['log@0']);
        reads.abort();
      }
      assert.deepEqual(await firstOf(store, undefined, AbortSignal.abort()), []);
    },
  },
  {
    name: 'following up to a position ends there',
    async run({ store }) {
      const [, upTo] = await mixedLog(store);
      const seen: string[] = [];
      for await (const batch of store.readAll({ follow: true, upTo: upTo ?? '' })) seen.push(...names(batch));
      assert.deepEqual(seen, MIXED.slice(0, 4));
    },
  },
  {
    name: 'closing writes what waits, refuses what comes later, and ends followers and reads',
    async run({ store }) {
      const follower = firstOf(store, undefined, new AbortController().signal);
      const refused = assertRejects(follower, StoreUnavailable, /closed/);
      const appends = Array.from({ length: 50 }, (_, index) =>
        store.append(request(`c-${index}`, 'none', 'a')),
      );
      const pending = Promise.allSettled(appends);
      const closing = store.close();
      await assertRejects(store.append(request('late', 'none', 'a')), StoreUnavailable, /closed/);
      for (const one of await pending)
        assert.ok(one.status === 'fulfilled' && one.value.ok, 'an append was dropped');
      await closing;
      await refused;
      await assertRejects(store.readStream('c-1'), StoreUnavailable, /closed/);
      await assertRejects(store.lastPosition(), StoreUnavailable, /closed/);
      await store.close();
    },
  },
];

export const readingChecks: readonly ContractCheck[] = [...order, ...following];
