import type { CodedError, JsonObject, RecordedEvent } from '@headworks/kernel';
import type { EventStore } from '@headworks/event-store';
import { faultyStore } from '../testing/faulty-store.testing';
import { loadIdOf } from '../commands/record-load';
import { JURISDICTION, openShared, World, type Shared } from '../testing/world.testing';
import { automations } from './reconciler';

/** What follows here: postings, limits, duties missed and reversed, findings, violations, successors, an act judged. */
const STEPS: readonly ((world: World) => Promise<unknown>)[] = [
  (world) => world.register('M1', { meadow_area: '1 acre', fenced: false }),
  (world) => world.register('M2', { meadow_area: '1 acre' }),
  (world) => world.tip('T1', { quantity: '60 gal', occurredAt: '2027-07-01T15:00:00Z' }),
  (world) => world.tip('T2', { quantity: '60 gal', occurredAt: '2027-07-01T18:00:00Z' }),
  (world) => world.tip('T0', { quantity: '50 gal', occurredAt: '2027-06-20T18:00:00Z' }),
  (world) => world.act('M1', 'fork_in', { rake: 'fork' }, '2027-07-01T20:00:00Z'),
  (world) => world.act('M1', 'close_fence', {}, '2027-07-03T20:00:00Z'),
  (world) => world.facts('M1', { brook_distance: '40 ft' }, '2027-06-01T00:00:00Z'),
  (world) => correct(world, 'T2', { set: { subject: { kind: 'meadow', key: 'M2' } } }),
  (world) => correct(world, 'T0', { void: true }),
  (world) =>
    world.headworks.supersedeSubject(world.request(), 'meadow', world.meadow('M1'), {
      successors: [{ key: 'M2' }],
      on: '2027-07-04',
      reason: 'merged',
    }),
];

/** A load is named by its hauler's ticket. */
const idOfTicket = (world: World, ticket: string): string => loadIdOf(JURISDICTION, world.body(ticket), '');

const correct = (world: World, ticket: string, body: object): Promise<unknown> =>
  world.headworks.correctLoad(world.request(), idOfTicket(world, ticket), { reason: 'misread', ...body });

/** What the log holds in the end, without who did it when: the same facts, postings and breaches. */
async function finalState(world: World): Promise<JsonObject> {
  const things: Record<string, unknown> = {};
  for (const key of ['M1', 'M2']) {
    const { postings, exceeded, openDuties, missed, facts } = await world.thing(key);
    things[key] = {
      postings: postings.map(({ data, key: { ms } }) => [data.load, ms, data.quantity.value]),
      exceeded: [...exceeded.values()].map(({ data }) => `${data.clause} ${data.load}`).toSorted(),
      openDuties: [...openDuties.keys()].toSorted(),
      missed: [...missed.values()]
        .filter(({ reversedBy }) => reversedBy === undefined)
        .map(({ data }) => data.duty)
        .toSorted(),
      facts: Object.fromEntries([...facts.rows].map(([fact, rows]) => [fact, rows.map(({ json }) => json)])),
    };
  }
  return { things: things as JsonObject, violations: await world.standing() };
}

/** A fresh process follows the log from its first event, as the follower does after a crash. */
async function followLog(shared: Shared): Promise<World> {
  const world = new World(shared);
  const seen = new Set<string>();
  for (;;) {
    const events: RecordedEvent[] = [];
    for await (const batch of shared.store.readAll()) events.push(...batch);
    const fresh = events.filter(({ stream, revision }) => !seen.has(`${stream}@${revision}`));
    if (fresh.length === 0) return world;
    for (const event of fresh) {
      seen.add(`${event.stream}@${event.revision}`);
      if (!world.headworks.reconciler.isFinished(event)) await world.headworks.reconciler.follow([event]);
    }
  }
}

/** One step after the other, each under a key of its own; answers how many came through. */
async function tell(world: World, from = 0): Promise<number> {
  for (let index = from; index < STEPS.length; index++) {
    world.shared.now += 1000;
    world.key = `step ${index}`;
    try {
      await STEPS[index]?.(world);
    } catch (error) {
      if ((error as CodedError).code === 'store-unavailable') return index;
      throw error;
    }
  }
  return STEPS.length;
}

async function withoutCrash(): Promise<{ readonly appends: number; readonly state: JsonObject }> {
  const shared = await openShared();
  const store = faultyStore(shared.store, () => undefined);
  const world = new World(shared, { store });
  await tell(world);
  return { appends: store.appends.length, state: await finalState(world) };
}

describe('a process that dies between two appends', () => {
  it('leaves nothing undone: whoever follows the log ends where it would have ended', async () => {
    const whole = await withoutCrash();
    expect(whole.appends).toBeGreaterThan(40);
    for (let append = 1; append <= whole.appends; append++) {
      const shared = await openShared();
      const dying = new World(shared, {
        store: faultyStore(shared.store, (n) => (n === append ? 'dead' : undefined)),
      });
      const done = await tell(dying);
      expect(done).toBeLessThan(STEPS.length);
      const next = await followLog(shared);
      // The request that died is sent again, and the others after it.
      expect(await tell(next, done)).toBe(STEPS.length);
      expect({ append, state: await finalState(next) }).toEqual({ append, state: whole.state });
    }
  });

  it('and one whose answers are lost goes on by itself', async () => {
    const whole = await withoutCrash();
    const shared = await openShared();
    const store = faultyStore(shared.store, (n) => (n % 2 === 0 ? 'answer lost' : undefined));
    const world = new World(shared, { store });
    await tell(world);
    expect(await finalState(world)).toEqual(whole.state);
  });
});

describe('following', () => {
  it('does the same again without an event', async () => {
    const shared = await openShared();
    const world = new World(shared);
    await tell(world);
    const before = await shared.store.lastPosition();
    await followLog(shared);
    await followLog(shared);
    expect(await shared.store.lastPosition()).toBe(before);
  });

  it('by two at once is done once', async () => {
    const shared = await openShared();
    const first = new World(shared, { store: quiet(shared.store) });
    // The loads are recorded, and nobody has followed them.
    for (const [index, step] of STEPS.entries()) if (index < 5) await step(first).catch(() => undefined);
    await Promise.all([followLog(shared), followLog(shared)].map(async (one) => one));
    const thing = await new World(shared).thing('M1');
    expect(thing.postings).toHaveLength(3);
    expect(new Set((await first.violations()).map(({ stream }) => stream)).size).toBe(
      (await first.violations()).length,
    );
  });

  it('of an event that is being followed waits for that, and passes its result on', async () => {
    const world = await World.open();
    await world.register('M1', { meadow_area: '1 acre' });
    const { reconciler } = world.headworks;
    const followed: (readonly RecordedEvent[])[] = [];
    const { runner } = world.services;
    const read = runner.read.bind(runner);
    let asked = false;
    // As the request begins to follow its load, the follower comes with the same event.
    runner.read = async (model, stream) => {
      if (stream.startsWith('load-') && !asked) {
        asked = true;
        const [event] = await world.shared.store.readStream(stream);
        if (event) void reconciler.follow([event]).then((events) => followed.push(events));
      }
      return read(model, stream);
    };
    await world.tip('T1', { quantity: '150 gal' });
    await Promise.resolve();
    expect(followed.flat().map(({ type }) => type)).toContain('LoadPosted');
    expect((await world.thing('M1')).postings).toHaveLength(1);
  });

  it('refuses where the law of the log is not the law here, and does it later', async () => {
    const shared = await openShared();
    const world = new World(shared);
    await world.register('M1', {});
    const [event] = await shared.store.readStream(`subject-${world.meadow('M1')}`);
    const foreign = new World(shared);
    Object.assign(foreign.services, { lawFaults: new Map([['xx-fernhollow', 'pack 1 has another text']]) });
    const load: RecordedEvent = { ...(event as RecordedEvent), type: 'LoadDischarged', stream: 'load-x' };
    await expect(foreign.headworks.reconciler.follow([load])).resolves.toEqual([]);
    await expect(foreign.tip('T1')).rejects.toThrow('another text');
    await world.tip('T1');
    const [told] = await shared.store.readStream(`load-${idOfTicket(world, 'T1')}`);
    await expect(foreign.headworks.reconciler.follow(told ? [told] : [])).rejects.toThrow('another text');
    expect(told && foreign.headworks.reconciler.isFinished(told)).toBe(false);
  });
});

/** Lets loads and registrations be recorded and nothing that follows: as if every process had died right then. */
function quiet(store: EventStore): EventStore {
  return {
    readAll: (options) => store.readAll(options),
    readStream: (stream, options) => store.readStream(stream, options),
    append: (request) =>
      request.events.some(({ type }) => type === 'LoadPosted')
        ? Promise.reject(new Error('died'))
        : store.append(request),
  };
}

it('the closed list of automations is the one that is written down', () => {
  expect(automations.names()).toEqual([
    'when-manifest-submitted-then-answer',
    'when-reservation-ended-then-withdraw',
    'when-calendar-amended-then-move-duties',
    'when-load-changed-then-post',
    'when-judging-was-cut-then-go-on',
    'when-thing-changed-then-judge-loads',
    'when-breach-changed-then-violation',
    'when-superseded-then-bring-forward',
    'when-permit-issued-then-number',
    'when-permit-issued-then-renew',
  ]);
});
