import { heldAt } from '@headworks/domain';
import { CodedError, isoInstant, type JsonObject, type RecordedEvent } from '@headworks/kernel';
import { loadIdOf } from './commands/record-load';
import { faultyStore } from './testing/faulty-store.testing';
import { MORNING, source, VatWorld } from './testing/vats.testing';
import { VatLog } from './testing/vat-log.testing';
import { JURISDICTION, openShared, type Shared } from './testing/world.testing';

type Step = (world: VatWorld, permit: string) => Promise<unknown>;

const hauler = { kind: 'presser', key: 'P1' };
const idOf = (ticket: string): string => loadIdOf(JURISDICTION, { hauler, ticket }, '');

/** Accepted, waiting and accepted by a clerk, refused, poured, closed, corrected, barred, suspended, taken back. */
const STEPS: readonly Step[] = [
  (world, permit) => world.ask(permit, 'T1'),
  (world, permit) => world.ask(permit, 'T2', { facts: {} }),
  (world) =>
    world.headworks.manifests.decide(world.request(), idOf('T2'), 'acceptance', { facts: { sound: true } }),
  (world, permit) => world.ask(permit, 'T3', { sources: [source('far')] }),
  (world, permit) => world.pour(permit, 'T1', { manifestId: idOf('T1') }),
  (world) => world.closeVat(true),
  (world, permit) => world.pour(permit, 'T2', { manifestId: idOf('T2') }),
  (world) => world.closeVat(false),
  (world, permit) => world.ask(permit, 'T4'),
  (world, permit) => world.ask(permit, 'T5', { quantity: '10 gal', subject: { kind: 'vat', key: 'V2' } }),
  (world) =>
    world.headworks.manifests.decide(world.request(), idOf('T5'), 'withdrawal', { reason: 'broken cart' }),
  (world) =>
    world.headworks.correctLoad(world.request(), idOf('T1'), { reason: 'r', set: { quantity: '360 gal' } }),
  (world, permit) => world.bar(permit, true),
  (world, permit) => world.bar(permit, false),
  (world) => world.headworks.correctLoad(world.request(), idOf('T1'), { reason: 'never was', void: true }),
  (world, permit) => world.ask(permit, 'T6', { quantity: '10 gal', subject: { kind: 'vat', key: 'V2' } }),
  (world, permit) =>
    world.headworks.permits.decide(world.request(), permit, 'revocation', { reason: 'r', grounds: ['plan'] }),
  (world, permit) => world.ask(permit, 'T7'),
];

async function begun(): Promise<{ readonly shared: Shared; readonly permit: string }> {
  const shared = await openShared();
  const world = new VatWorld(shared);
  await world.begin();
  return { shared, permit: await world.leave('450 gal') };
}

/** One step after the other, each under a key of its own; answers how many came through. */
async function tell(world: VatWorld, permit: string, from = 0): Promise<number> {
  for (let index = from; index < STEPS.length; index++) {
    // A request that is sent again is sent about the same instant.
    world.at(isoInstant(Date.parse(MORNING) + index * 1000));
    world.key = `step ${index}`;
    try {
      await STEPS[index]?.(world, permit);
    } catch (error) {
      if (error instanceof CodedError && error.code === 'store-unavailable') return index;
      throw error;
    }
  }
  return STEPS.length;
}

async function followLog(shared: Shared): Promise<VatWorld> {
  const world = new VatWorld(shared);
  const seen = new Set<string>();
  for (;;) {
    const all: RecordedEvent[] = [];
    for await (const batch of shared.store.readAll()) all.push(...batch);
    const fresh = all.filter(({ stream, revision }) => !seen.has(`${stream}@${revision}`));
    if (fresh.length === 0) return world;
    for (const event of fresh) {
      seen.add(`${event.stream}@${event.revision}`);
      if (!world.headworks.reconciler.isFinished(event)) await world.headworks.reconciler.follow([event]);
    }
  }
}

/** What stands in the end, without who did it when. */
async function finalState(world: VatWorld, permit: string): Promise<JsonObject> {
  const { manifests, postings, exceeded, reservations } = await world.permit(permit);
  const [one, other] = [await world.vat('V1'), await world.vat('V2')];
  const held = [reservations, one.reservations, other.reservations].flatMap((all) =>
    heldAt(all, world.shared.now),
  );
  return {
    manifests: [...manifests.entries()].map(([id, { is }]) => `${id} ${is}`).toSorted(),
    held: held.map(({ data }) => data.manifest),
    postings: [postings, one.postings, other.postings].map((all) =>
      all.map(({ data }) => `${data.load} ${data.quantity.value}`),
    ),
    exceeded: [exceeded, one.exceeded].map((all) =>
      [...all.values()].map(({ data }) => `${data.clause} ${data.load}`),
    ),
    violations: await world.standing(),
  };
}

it('a process that dies between two appends leaves nothing undone, nothing doubled and nothing behind', async () => {
  const whole = await begun();
  const counted = faultyStore(whole.shared.store, () => undefined);
  const alive = new VatWorld(whole.shared, { store: counted });
  expect(await tell(alive, whole.permit)).toBe(STEPS.length);
  const end = await finalState(alive, whole.permit);
  expect(end['held']).toEqual([]);
  expect(counted.appends.length).toBeGreaterThan(50);
  for (let append = 1; append <= counted.appends.length; append++) {
    const { shared, permit } = await begun();
    const dying = new VatWorld(shared, {
      store: faultyStore(shared.store, (n) => (n === append ? 'dead' : undefined)),
    });
    const done = await tell(dying, permit);
    expect(done).toBeLessThan(STEPS.length);
    const next = await followLog(shared);
    // The request that died is sent again, and the others after it.
    expect(await tell(next, permit, done)).toBe(STEPS.length);
    expect({ append, state: await finalState(next, permit) }).toEqual({ append, state: end });
    const log = await VatLog.of(shared);
    expect({ append, faults: log.faults, left: log.leftBehind(shared.now) }).toEqual({
      append,
      faults: [],
      left: [],
    });
  }
});

it('and one whose answers are lost goes on by itself', async () => {
  const whole = await begun();
  await tell(new VatWorld(whole.shared), whole.permit);
  const end = await finalState(new VatWorld(whole.shared), whole.permit);
  const { shared, permit } = await begun();
  const store = faultyStore(shared.store, (n) => (n % 2 === 0 ? 'answer lost' : undefined));
  const world = new VatWorld(shared, { store });
  await tell(world, permit);
  expect(await finalState(world, permit)).toEqual(end);
});

it('following the whole log again writes nothing', async () => {
  const { shared, permit } = await begun();
  await tell(new VatWorld(shared), permit);
  const before = await shared.store.lastPosition();
  await followLog(shared);
  await followLog(shared);
  expect(await shared.store.lastPosition()).toBe(before);
});
