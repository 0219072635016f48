import assert from 'node:assert/strict';
import type { RecordedEvent } from '@headworks/kernel';
import type { OpenStore } from '../port';
import { positionNumber } from '../position-token';
import { verifyChain } from '../verify-chain';
import {
  appendInRace,
  assertDenseStreams,
  assertGrowingPositions,
  followFor,
  positionOf,
  readEverything,
} from './contract-check';
import type { ContractCheck, StoreUnderTest, Written } from './contract-check';
import { sample } from './sample-events';

const WRITERS = 64;
const STREAMS = 8;
const EACH = 10;

interface Acknowledged {
  readonly stream: string;
  readonly ids: readonly string[];
  readonly verdict: Written;
}

/** Each writer appends so often, one or two events at a time, to streams that others write to as well. */
async function race(stores: readonly OpenStore[]): Promise<readonly Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const write = async (writer: number) => {
    const store = stores[writer % stores.length] as OpenStore;
    for (let turn = 0; turn < EACH; turn++) {
      const stream = `race-${(writer * 7 + turn) % STREAMS}`;
      const events = [sample(`${writer}/${turn}/0`), sample(`${writer}/${turn}/1`)].slice(turn % 2);
      const verdict = await appendInRace(store, stream, events);
      acknowledged.push({ stream, ids: events.map(({ id }) => id), verdict });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  return acknowledged;
}

const TOTAL = WRITERS * EACH * 1.5 + 1;

function assertAllOnce(events: readonly RecordedEvent[], acknowledged: readonly Acknowledged[]): void {
  const places = new Map(events.map((event) => [event.id, event]));
  assert.equal(places.size, events.length, 'an event stands twice');
  for (const { stream, ids, verdict } of acknowledged) {
    const last = places.get(ids.at(-1) ?? '');
    assert.ok(last, 'an acknowledged event is missing');
    assert.deepEqual(
      [last.stream, last.revision, last.hash],
      [stream, verdict.head.revision, verdict.head.hash],
    );
    assert.equal(last.position, positionOf(verdict));
  }
}

function assertDensePositions(events: readonly RecordedEvent[]): void {
  for (const [index, { position }] of events.entries()) assert.equal(positionNumber(position), index + 1);
}

async function raceAndFollow({ store, second }: StoreUnderTest): Promise<void> {
  const stores = second ? [store, second] : [store];
  const early = stores.map((each) => followFor(each, TOTAL, 7));
  const racing = race(stores);
  const late = followFor(store, TOTAL, 100);
  const acknowledged = await racing;
  const all = await readEverything(store);
  assert.equal(all.length, TOTAL);
  for (const followed of await Promise.all([...early, late])) {
    assert.deepEqual(
      followed.map(({ position, id }) => `${position} ${id}`),
      all.map(({ position, id }) => `${position} ${id}`),
    );
  }
  assertAllOnce(all, acknowledged);
}

export const racingChecks: readonly ContractCheck[] = [
  {
    name: '64 racing writers leave each stream dense, the log dense and every chain whole',
    async run({ store, second, sparse }) {
      const acknowledged = await race(second ? [store, second] : [store]);
      const events = await readEverything(store);
      assert.equal(events.length, TOTAL);
      assertAllOnce(events, acknowledged);
      assertDenseStreams(events);
      if (!sparse) assertDensePositions(events);
      assertGrowingPositions(events);
      assert.equal(verifyChain(events, store.logId).ok, true);
    },
  },
  {
    name: 'followers that read while others write see each event once, in order',
    run: raceAndFollow,
  },
];
