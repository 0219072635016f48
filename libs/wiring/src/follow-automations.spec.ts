import { openMemoryStore, type OpenStore } from '@headworks/event-store';
import { eventId, type RecordedEvent } from '@headworks/kernel';
import { followAutomations, type FollowOptions } from './follow-automations';
import { Reached } from './reached';

const AT = '2027-07-01T00:00:00.000Z';

async function logOf(...streams: readonly string[]): Promise<OpenStore> {
  const store = await openMemoryStore({ clock: 'real', now: () => AT });
  const heads = new Map<string, Awaited<ReturnType<typeof add>>>();
  async function add(stream: string, index: number) {
    const commandId = eventId('0', stream, index);
    const actor = { id: 'somebody', roles: [] };
    const metadata = {
      occurred: { at: AT },
      recordedAt: AT,
      actor,
      correlationId: commandId,
      commandId,
      schema: 1,
    };
    const event = { id: eventId(commandId, stream, 0), type: 'FactsRecorded', data: {}, metadata };
    const verdict = await store.append({ stream, expected: heads.get(stream) ?? 'none', events: [event] });
    if (!verdict.ok) throw new Error('the head is known');
    return verdict.head;
  }
  for (const [index, stream] of streams.entries()) heads.set(stream, await add(stream, index));
  return store;
}

interface Told {
  readonly followed: string[];
  /** How many were followed when the checkpoint was written. */
  readonly written: number[];
  readonly parked: string[];
}

/** Follows until everything was followed; `fails` says how often an event of a stream fails first. */
async function follow(
  store: OpenStore,
  fails: Map<string, number>,
  more: Partial<FollowOptions> = {},
): Promise<Told> {
  const told: Told = { followed: [], written: [], parked: [] };
  const stopping = new AbortController();
  const wanted = (await readAll(store)).length;
  const checkpoint = {
    read: () => Promise.resolve(undefined),
    write: () => {
      told.written.push(told.followed.length);
      if (told.followed.length === wanted) stopping.abort();
      return Promise.resolve();
    },
  };
  await followAutomations({
    store,
    checkpoint,
    reconciler: {
      isFinished: () => false,
      follow([event]) {
        const left = fails.get(event?.stream ?? '') ?? 0;
        fails.set(event?.stream ?? '', left - 1);
        if (left > 0) return Promise.reject(new Error('no room'));
        told.followed.push(`${event?.stream}@${event?.revision}`);
        return Promise.resolve([]);
      },
    },
    onEvent: () => undefined,
    onError: (event) => void told.parked.push(`${event.stream}@${event.revision}`),
    onTrouble: () => undefined,
    onReached: () => undefined,
    signal: stopping.signal,
    ...more,
  });
  return told;
}

async function readAll(store: OpenStore): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of store.readAll()) events.push(...batch);
  return events;
}

test('a failing event parks its stream, not the follower; it is tried again without anything new in the log', async () => {
  const store = await logOf('a', 'b', 'a', 'c');
  const told = await follow(store, new Map([['a', 1]]));
  expect(told.parked).toEqual(['a@0']);
  expect(told.followed).toEqual(['log@0', 'b@0', 'c@0', 'a@0', 'a@1']);
});

test('the checkpoint does not pass a parked event', async () => {
  const store = await logOf('a', 'b');
  const told = await follow(store, new Map([['a', 1]]));
  expect(told.written).toEqual([3]);
});

test('a log that is lost for a while is followed on from the same place', async () => {
  const store = await logOf('a', 'b');
  let lost = 1;
  const troubles: string[] = [];
  const flaky: OpenStore = {
    ...store,
    append: (request) => store.append(request),
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (options) => {
      if (options?.follow && lost-- > 0) throw new Error('the database is away');
      return store.readAll(options);
    },
  };
  const told = await follow(flaky, new Map(), {
    onTrouble: (error) => void troubles.push((error as Error).message),
  });
  expect(troubles).toEqual(['the database is away']);
  expect(told.followed).toEqual(['log@0', 'a@0', 'b@0']);
});

test('who waits for a position is told when it is reached, and when the time is over', async () => {
  const reached = new Reached();
  const waiting = reached.wait('0002', 60_000);
  reached.moved('0001');
  reached.moved('0003');
  reached.moved('0002');
  expect(await waiting).toBe(true);
  expect(reached.at).toBe('0003');
  expect(await reached.wait('0004', 1)).toBe(false);
});
