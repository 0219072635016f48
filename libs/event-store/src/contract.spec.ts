import type { RecordedEvent } from '@headworks/kernel';
import { contractChecks, runCheck } from './contract';
import type { StoreUnderTest } from './contract/contract-check';
import { memoryUnderTest } from './memory-under-test.testing';
import type { MemoryStore } from './memory-store';
import type { AppendRequest, OpenStore } from './port';
import { UnstorableAppend } from './port';
import { positionNumber, sortable } from './position-token';

/** A wrong adapter, and checks of the suite that must catch it. */
interface Planted {
  readonly wrong: string;
  readonly breaks: (store: MemoryStore) => Partial<OpenStore>;
  readonly caughtBy: readonly RegExp[];
}

const shift = (events: readonly RecordedEvent[], by: (position: number) => number): RecordedEvent[] =>
  events.map((event) => ({ ...event, position: sortable(by(positionNumber(event.position))) }));

async function* each(
  store: OpenStore,
  options: Parameters<OpenStore['readAll']>[0],
  change: (events: readonly RecordedEvent[]) => readonly RecordedEvent[],
): AsyncGenerator<readonly RecordedEvent[]> {
  for await (const batch of store.readAll(options)) {
    const changed = change(batch);
    if (changed.length > 0) yield changed;
  }
}

const twiceAt = 's@1';
const planted: readonly Planted[] = [
  {
    wrong: 'loses conflicts: writes on whatever head there is',
    breaks: (store) => ({
      async append(request: AppendRequest) {
        const verdict = await store.append(request);
        return verdict.ok ? verdict : store.append({ ...request, expected: verdict.actual });
      },
    }),
    caughtBy: [/another head than the expected/, /verdict of its own/, /not is a conflict/],
  },
  {
    wrong: 'checks the revision and not the hash',
    breaks: (store) => ({
      async append(request: AppendRequest) {
        const { expected } = request;
        const at =
          expected === 'none' ? undefined : (await store.readStream(request.stream))[expected.revision];
        return store.append(
          at ? { ...request, expected: { revision: at.revision, hash: at.hash } } : request,
        );
      },
    }),
    caughtBy: [/another head than the expected/, /history that does not stand/],
  },
  {
    wrong: 'answers a retry with a conflict',
    breaks: (store) => ({
      async append(request: AppendRequest) {
        const verdict = await store.append(request);
        return verdict.ok && verdict.duplicate ? { ok: false, actual: verdict.head } : verdict;
      },
    }),
    caughtBy: [/a retry is answered with the first write/, /sent twice at once/],
  },
  {
    wrong: 'takes any append whose first id stands as a retry',
    breaks: (store) => ({
      async append(request: AppendRequest) {
        const [first] = await store.readStream(request.stream);
        if (first?.id !== request.events[0]?.id || !first) return store.append(request);
        const head = { revision: first.revision, hash: first.hash };
        return { ok: true, head, position: await store.tokenOf(first.position), duplicate: true };
      },
    }),
    caughtBy: [/the first id alike/, /an id that stands elsewhere/],
  },
  {
    wrong: 'leaves gaps between positions',
    breaks: (store) => ({
      readAll: (options) => each(store, options, (events) => shift(events, (position) => position * 2)),
    }),
    caughtBy: [/leave each stream dense/, /the last position is that/],
  },
  {
    wrong: 'shows a follower an event twice',
    breaks: (store) => ({
      readAll: (options) =>
        each(store, options, (events) =>
          events.flatMap((event) =>
            `${event.stream}@${event.revision}` === twiceAt ? [event, event] : [event],
          ),
        ),
    }),
    caughtBy: [/whole log is read in the order/, /waits for what is appended later/],
  },
  {
    wrong: 'misses an event in a race',
    breaks: (store) => ({
      readAll: (options) =>
        each(store, options, (events) => events.filter(({ position }) => positionNumber(position) !== 100)),
    }),
    caughtBy: [/64 racing writers/],
  },
  {
    wrong: 'reads a stream in the order of arrival backwards',
    breaks: (store) => ({ readStream: async (...args) => (await store.readStream(...args)).toReversed() }),
    caughtBy: [/an append on the head is written/, /a stream is read from a revision/, /10,000 events/],
  },
  {
    wrong: 'ignores the cut of a position',
    breaks: (store) => ({
      readStream: (stream, options = {}) => {
        const { upTo: ignored, ...rest } = options;
        return store.readStream(stream, ignored === 'x' ? options : rest);
      },
    }),
    caughtBy: [/a cut at any position/, /up to a position, at most/],
  },
  {
    wrong: 'cuts by recordedAt of each event, not by its running maximum',
    breaks: (store) => ({
      async cutAt(at) {
        await store.cutAt(at);
        let cut: string | undefined;
        for await (const batch of store.readAll())
          for (const { metadata, position } of batch) if (metadata.recordedAt <= at) cut = position;
        return cut;
      },
    }),
    caughtBy: [/the cut of an instant/],
  },
  {
    wrong: 'gives tokens without looking at the event',
    breaks: (store) => ({ tokenOf: async (position) => `${store.storeId}.${position}.00000000` }),
    caughtBy: [/tokens of another store/],
  },
  {
    wrong: 'refuses an event of exactly the limit',
    breaks: (store) => ({
      async append(request: AppendRequest) {
        if (JSON.stringify(request).length > 261_000) throw new UnstorableAppend('too large');
        return store.append(request);
      },
    }),
    caughtBy: [/event of exactly the limit/, /append of exactly the limit/],
  },
  {
    wrong: 'does not end a follower at its abort',
    breaks: (store) => ({
      readAll: ({ signal: ignored, ...options } = {}) =>
        store.readAll({ ...options, follow: ignored === undefined }),
    }),
    caughtBy: [/a follower ends at its abort/],
  },
  {
    wrong: 'folds the case of stream names',
    breaks: (store) => ({
      append: (request: AppendRequest) => store.append({ ...request, stream: request.stream.toLowerCase() }),
      readStream: (stream, options) => store.readStream(stream.toLowerCase(), options),
    }),
    caughtBy: [/odd stream names/],
  },
  {
    wrong: 'drops what waits when it is closed',
    breaks: (store) => {
      let closing = false;
      return {
        async append(request: AppendRequest) {
          await Promise.resolve();
          if (closing) throw new Error('dropped');
          return store.append(request);
        },
        close() {
          closing = true;
          return store.close();
        },
      };
    },
    caughtBy: [/closing writes what waits/],
  },
];

const named = (words: RegExp) => {
  const found = contractChecks.filter(({ name }) => words.test(name));
  expect(found).toHaveLength(1);
  return found;
};

async function brokenUnderTest(breaks: Planted['breaks']): Promise<StoreUnderTest> {
  const test = await memoryUnderTest();
  return { ...test, store: { ...test.store, ...breaks(test.store) } };
}

describe('the conformance suite catches an adapter that', () => {
  it.each(planted)('$wrong', async ({ breaks, caughtBy }) => {
    for (const check of caughtBy.flatMap(named)) {
      const outcome = await runCheck(check, () => brokenUnderTest(breaks)).then(
        () => 'passed',
        (error: Error) => error.name,
      );
      expect([check.name, outcome]).toEqual([check.name, expect.not.stringMatching('passed')]);
    }
  });

  it('stores other bytes than those of RFC 8785, or a hash that is none of theirs', async () => {
    const [check] = named(/bytes are exactly/);
    const wrong = [
      (at: { bytes: Uint8Array; hash: Uint8Array }) => ({
        ...at,
        bytes: Buffer.concat([at.bytes, Buffer.from(' ')]),
      }),
      (at: { bytes: Uint8Array; hash: Uint8Array }) => ({ ...at, hash: Buffer.alloc(32) }),
    ];
    for (const change of wrong) {
      const make = async (): Promise<StoreUnderTest> => {
        const test = await memoryUnderTest();
        return { ...test, stored: async (position) => change(await test.stored(position)) };
      };
      await expect(check && runCheck(check, make)).rejects.toThrow(
        /Expected values to be strictly equal|Expected value to/,
      );
    }
  });
});
