import { nameId, type CodedError, type Decision, type RecordedEvent } from '@headworks/kernel';
import { LIMITS, openMemoryStore, type EventStore } from '@headworks/event-store';
import { StreamRunner, type Folded, type Job, type Model } from './stream-runner';
import { faultyStore, type Fault } from './testing/faulty-store.testing';

interface Sum extends Folded {
  readonly commands: ReadonlyMap<string, number>;
  readonly values: readonly number[];
}
const model: Model<Sum> = {
  initial: (stream) => ({ stream, revision: -1, lastRecordedAt: '', commands: new Map(), values: [] }),
  evolve: (state, { revision, metadata, data }) => ({
    ...state,
    revision,
    lastRecordedAt: metadata.recordedAt,
    commands: new Map(state.commands).set(metadata.commandId, revision),
    values: [...state.values, Number(data['n'])],
  }),
};
const STREAM = 'subject-1';
const add = (n: number, more = {}): Decision => ({
  events: [{ type: 'FactsRecorded', data: { n, ...more } }],
});

let ids = 0;
const fresh = () => nameId('job', ++ids);
function job(decide: (state: Sum) => Decision | Promise<Decision>, more: Partial<Job<Sum>> = {}): Job<Sum> {
  const commandId = more.commandId ?? fresh();
  return {
    commandId,
    envelope: {
      occurred: { at: '2027-07-05T15:00:00.000Z' },
      actor: { id: 'ada', roles: [] },
      correlationId: 'c',
      commandId,
    },
    receivedAt: '2027-07-05T15:00:00.000Z',
    deadline: 1000,
    decide,
    ...more,
  };
}
const runnerOn = (store: EventStore, singleWriter = true, monotonic = () => 0) =>
  new StreamRunner({ store, singleWriter, seal: (event) => Promise.resolve(event), monotonic });

async function setUp(faultOf: (append: number) => Fault = () => undefined, singleWriter = true) {
  const store = await openMemoryStore();
  const faulty = faultyStore(store, faultOf);
  const runner = runnerOn(faulty, singleWriter);
  const written = async (): Promise<readonly number[]> =>
    (await store.readStream(STREAM)).map(({ data }) => Number(data['n']));
  return { store, faulty, runner, written };
}
const numbers = (events: readonly RecordedEvent[]) =>
  events.map(({ data, revision }) => [data['n'], revision]);
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => (error as CodedError).code ?? String(error),
  );

describe('commands on one stream', () => {
  it('are decided in turn on the carried state, and appended together', async () => {
    const { runner, faulty, written } = await setUp();
    await runner.run(
      model,
      STREAM,
      job(() => add(1)),
    );
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () =>
        runner.run(
          model,
          STREAM,
          job(({ values }) => add(values.length + 1)),
        ),
      ),
    );
    expect(outcomes.map(({ state }) => state.values)).toEqual([
      [1, 2],
      [1, 2, 3],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5, 6],
    ]);
    expect(await written()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(faulty.appends.map(({ events }) => events.length)).toEqual([1, 5]);
  });

  it('of which one is refused or broken take nobody down', async () => {
    const { runner, written } = await setUp();
    const results = await Promise.allSettled([
      runner.run(
        model,
        STREAM,
        job(() => add(1)),
      ),
      runner.run(
        model,
        STREAM,
        job(() => {
          throw new Error('refused');
        }),
      ),
      runner.run(
        model,
        STREAM,
        job(() => ({ events: [], ignored: 'nothing to do' })),
      ),
      runner.run(
        model,
        STREAM,
        job(() => add(2)),
      ),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[2]).toMatchObject({ value: { ignored: 'nothing to do', events: [], replayed: false } });
    expect(await written()).toEqual([1, 2]);
  });

  it('of which one makes what no store can take fail alone', async () => {
    const { runner, written } = await setUp();
    await runner.run(
      model,
      STREAM,
      job(() => add(0)),
    );
    const results = await Promise.allSettled([
      runner.run(
        model,
        STREAM,
        job(() => add(1)),
      ),
      runner.run(
        model,
        STREAM,
        job(() => add(2)),
      ),
      runner.run(
        model,
        STREAM,
        job(() => add(3, { text: 'x'.repeat(LIMITS.eventBytes) })),
      ),
      runner.run(
        model,
        STREAM,
        job(() => add(4)),
      ),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await written()).toEqual([0, 1, 2, 4]);
  });

  it('are recorded no earlier than what stands before them', async () => {
    const { runner, store } = await setUp();
    const received = ['2027-07-05T15:00:00.005Z', '2027-07-05T15:00:00.001Z', '2027-07-05T15:00:00.009Z'];
    await Promise.all(
      received.map((receivedAt) =>
        runner.run(
          model,
          STREAM,
          job(() => add(1), { receivedAt }),
        ),
      ),
    );
    expect((await store.readStream(STREAM)).map(({ metadata }) => metadata.recordedAt)).toEqual([
      '2027-07-05T15:00:00.005Z',
      '2027-07-05T15:00:00.005Z',
      '2027-07-05T15:00:00.009Z',
    ]);
  });

  it('go in as many appends as their size asks for', async () => {
    const { runner, faulty, written } = await setUp();
    // Three bytes a character: what counts is what is stored.
    const text = '水'.repeat(60_000);
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        runner.run(
          model,
          STREAM,
          job(() => add(n, { text })),
        ),
      ),
    );
    expect(await written()).toEqual(Array.from({ length: 12 }, (_, n) => n));
    expect(faulty.appends.map(({ events }) => events.length)).toEqual([1, 3, 3, 3, 2]);
  });

  it('go in as many appends as their number asks for', async () => {
    const { runner, faulty, written } = await setUp();
    const two = (n: number): Decision => ({ events: [...add(n).events, ...add(n).events] });
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        runner.run(
          model,
          STREAM,
          job(() => two(n)),
        ),
      ),
    );
    expect(await written()).toHaveLength(400);
    expect(Math.max(...faulty.appends.map(({ events }) => events.length))).toBe(LIMITS.appendEvents);
  });

  it('are previewed on the tail, and nothing is written', async () => {
    const { runner, written, faulty } = await setUp();
    await runner.run(
      model,
      STREAM,
      job(() => add(1)),
    );
    const preview = await runner.preview(
      model,
      STREAM,
      job(({ values }) => add(values.length + 1)),
    );
    expect([preview.state.values, numbers(preview.events)]).toEqual([[1, 2], [[2, 1]]]);
    expect(await written()).toEqual([1]);
    expect(faulty.appends).toHaveLength(1);
  });
});

describe('a command that stands already', () => {
  it('is answered from its own events, whatever it would decide now', async () => {
    const { runner, written } = await setUp();
    const commandId = fresh();
    const first = await runner.run(
      model,
      STREAM,
      job(() => add(1), { commandId }),
    );
    await runner.run(
      model,
      STREAM,
      job(() => add(2)),
    );
    const again = await runner.run(
      model,
      STREAM,
      job(() => add(99), { commandId }),
    );
    expect(again).toMatchObject({ replayed: true, state: { values: [1, 2] } });
    expect(numbers(again.events)).toEqual(numbers(first.events));
    expect(await runner.replay(model, STREAM, fresh())).toBeUndefined();
    expect(await written()).toEqual([1, 2]);
  });

  it('asked twice at once is done once: the second waits for the first', async () => {
    const { runner, written } = await setUp();
    const commandId = fresh();
    const [first, second] = await Promise.all([
      runner.run(
        model,
        STREAM,
        job(() => add(1), { commandId }),
      ),
      runner.run(
        model,
        STREAM,
        job(() => add(2), { commandId }),
      ),
    ]);
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(numbers(second.events)).toEqual([[1, 0]]);
    expect(await written()).toEqual([1]);
  });

  it('is found again by a fold that keeps no revisions of its commands', async () => {
    const { runner } = await setUp();
    const plain: Model<Folded> = {
      initial: (stream) => ({ stream, revision: -1, lastRecordedAt: '', commands: new Set<string>() }),
      evolve: (state, { revision, metadata }) => ({
        ...state,
        revision,
        commands: new Set([metadata.commandId]),
      }),
    };
    const told = job(() => add(2)) as unknown as Job<Folded>;
    await runner.run(plain, STREAM, told);
    const again = await runner.run(plain, STREAM, told);
    expect([again.replayed, numbers(again.events)]).toEqual([true, [[2, 0]]]);
  });
});

describe('two processes on one log', () => {
  it('decide again on the new state: nothing is lost, nothing is decided on what was', async () => {
    const { store, runner, written } = await setUp(undefined, false);
    const other = runnerOn(store, false);
    const next = ({ values }: Sum) => add(values.length);
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? runner : other).run(model, STREAM, job(next))),
    );
    expect(await written()).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  it('that race for the last place: one has it, the other is told', async () => {
    const { store, runner, written } = await setUp(undefined, false);
    const other = runnerOn(store, false);
    const once = ({ values }: Sum): Decision =>
      values.length > 0 ? { events: [], ignored: 'taken' } : add(1);
    const outcomes = await Promise.all([runner, other].map((one) => one.run(model, STREAM, job(once))));
    expect(outcomes.map(({ ignored }) => ignored ?? 'mine').toSorted()).toEqual(['mine', 'taken']);
    expect(await written()).toEqual([1]);
  });

  it('refuse on the tail of the stream, not on what they remember', async () => {
    const { store, runner } = await setUp(undefined, false);
    await runner.run(
      model,
      STREAM,
      job(() => add(1)),
    );
    await runnerOn(store, false).run(
      model,
      STREAM,
      job(() => add(2)),
    );
    const full = ({ values }: Sum): Decision => {
      if (values.length < 2) throw new Error('not yet');
      return { events: [], ignored: 'full' };
    };
    expect(await runner.run(model, STREAM, job(full))).toMatchObject({
      ignored: 'full',
      state: { values: [1, 2] },
    });
  });

  it('with one command between them do it once, and both answer what was done', async () => {
    const { store, runner, written } = await setUp(undefined, false);
    const other = runnerOn(store, false);
    await runner.run(
      model,
      STREAM,
      job(() => add(0)),
    );
    await other.read(model, STREAM);
    const commandId = fresh();
    await runner.run(
      model,
      STREAM,
      job(() => add(1), { commandId }),
    );
    // The other remembers the stream as it was: its append is a duplicate, and the first write is its answer.
    const again = await other.run(
      model,
      STREAM,
      job(() => add(99), { commandId }),
    );
    expect(again.replayed).toBe(true);
    expect(numbers(again.events)).toEqual([[1, 1]]);
    expect(await written()).toEqual([0, 1]);
  });
});

describe('a store that fails', () => {
  it('after writing: what stands in the stream is the answer', async () => {
    const { runner, written } = await setUp((append) => (append === 2 ? 'answer lost' : undefined));
    await runner.run(
      model,
      STREAM,
      job(() => add(0)),
    );
    const outcomes = await Promise.all(
      [1, 2].map((n) =>
        runner.run(
          model,
          STREAM,
          job(() => add(n)),
        ),
      ),
    );
    expect(outcomes.map(({ events }) => numbers(events))).toEqual([[[1, 1]], [[2, 2]]]);
    expect(outcomes.every(({ replayed }) => replayed)).toBe(true);
    expect(
      await runner.run(
        model,
        STREAM,
        job(({ values }) => add(values.length)),
      ),
    ).toMatchObject({
      state: { values: [0, 1, 2, 3] },
    });
    expect(await written()).toEqual([0, 1, 2, 3]);
  });

  it('before writing: it is said so, and the same command may come again', async () => {
    const { runner, written } = await setUp((append) => (append === 1 ? 'not written' : undefined));
    const commandId = fresh();
    expect(
      await codeOf(
        runner.run(
          model,
          STREAM,
          job(() => add(1), { commandId }),
        ),
      ),
    ).toBe('store-unavailable');
    expect(await written()).toEqual([]);
    expect(
      await runner.run(
        model,
        STREAM,
        job(() => add(1), { commandId }),
      ),
    ).toMatchObject({ replayed: false });
    expect(await written()).toEqual([1]);
  });

  it('and can not be read either: nobody is told anything that is not so', async () => {
    const { runner } = await setUp((append) => (append === 2 ? 'dead' : undefined));
    await runner.run(
      model,
      STREAM,
      job(() => add(0)),
    );
    expect(
      await codeOf(
        runner.run(
          model,
          STREAM,
          job(() => add(1)),
        ),
      ),
    ).toBe('store-unavailable');
    expect(
      await codeOf(
        runner.run(
          model,
          'subject-2',
          job(() => add(1)),
        ),
      ),
    ).toBe('store-unavailable');
  });
});

describe('a deadline', () => {
  it('past before anything was tried: nothing is written', async () => {
    const { store } = await setUp();
    const runner = runnerOn(store, true, () => 1001);
    expect(
      await codeOf(
        runner.run(
          model,
          STREAM,
          job(() => add(1)),
        ),
      ),
    ).toBe('deadline');
    expect(await store.readStream(STREAM)).toEqual([]);
  });

  it('ends the retries of a command that never gets through, not a count', async () => {
    const { store } = await setUp();
    let [now, tries] = [0, 0];
    const contested: EventStore = {
      readAll: (options) => store.readAll(options),
      readStream: (stream, options) => store.readStream(stream, options),
      append: () => {
        [now, tries] = [now + 10, tries + 1];
        return Promise.resolve({ ok: false, actual: 'none' });
      },
    };
    const runner = runnerOn(contested, false, () => now);
    expect(
      await codeOf(
        runner.run(
          model,
          STREAM,
          job(() => add(1)),
        ),
      ),
    ).toBe('deadline');
    expect(tries).toBe(101);
  });
});

it('a state that this process holds will do for who needs a revision of it; else the stream is read', async () => {
  const { runner, store } = await setUp(undefined, false);
  await runner.run(
    model,
    STREAM,
    job(() => add(1)),
  );
  // Another process goes on.
  await runnerOn(store, false).run(
    model,
    STREAM,
    job(() => add(2)),
  );
  expect((await runner.read(model, STREAM, 0)).values).toEqual([1]);
  expect((await runner.read(model, STREAM, 1)).values).toEqual([1, 2]);
  expect((await runner.read(model, STREAM, 0)).values).toEqual([1, 2]);
  await runnerOn(store, false).run(
    model,
    STREAM,
    job(() => add(3)),
  );
  expect((await runner.read(model, STREAM)).values).toEqual([1, 2, 3]);
});

it('a state is dropped when the cache is full, and read again', async () => {
  const { store } = await setUp();
  const runner = new StreamRunner({
    store,
    singleWriter: true,
    seal: (event) => Promise.resolve(event),
    monotonic: () => 0,
    cacheBytes: 4000,
  });
  for (const stream of ['a', 'b', 'c', 'd', 'a'])
    await runner.run(
      model,
      stream,
      job(({ values }) => add(values.length)),
    );
  expect((await runner.read(model, 'a')).values).toEqual([0, 1]);
});
