import { setImmediate as nextTurn } from 'node:timers/promises';
import { isoInstant } from '@headworks/kernel';
import type { EventStore } from '@headworks/event-store';
import { loadIdOf } from './commands/record-load';
import { JURISDICTION, openShared, World } from './testing/world.testing';

const LOADS = 24;
const at = (index: number): string =>
  isoInstant(Date.parse('2027-07-05T05:00:00.000Z') + index * 25 * 60_000);

async function processes(count: number, singleWriter: boolean): Promise<readonly World[]> {
  const shared = await openShared();
  const worlds = Array.from({ length: count }, () => new World(shared, { singleWriter }));
  await worlds[0]?.register('M1', { meadow_area: '1 acre', fenced: true });
  await worlds[0]?.register('M2', { meadow_area: '1 acre', fenced: true });
  return worlds.map((world) => world.at('2027-07-06T14:00:00.000Z'));
}

const tip = (world: World, index: number) =>
  world.tip(`P-${index}`, { occurredAt: at(index), quantity: '9 gal' });

/** Every third load is void, every third moves to the other meadow, in whatever process. */
function change(world: World, index: number): Promise<unknown> {
  const id = loadIdOf(JURISDICTION, world.body(`P-${index}`), '');
  const request = world.request();
  if (index % 3 === 0) return world.headworks.correctLoad(request, id, { reason: 'never was', void: true });
  if (index % 3 === 1) {
    const set = { subject: { kind: 'meadow', key: 'M2' } };
    return world.headworks.correctLoad(request, id, { reason: 'other field', set });
  }
  return Promise.resolve();
}

async function whatStands(world: World): Promise<unknown> {
  const things = [];
  for (const key of ['M1', 'M2']) {
    const { postings, exceeded } = await world.thing(key);
    things.push({
      postings: postings.map(({ data }) => data.load),
      exceeded: [...exceeded.values()].map(({ data }) => `${data.clause} ${data.load}`).toSorted(),
    });
  }
  return { things, violations: await world.standing() };
}

it('two processes that record, void and move the same loads at once end where one would', async () => {
  const [alone] = await processes(1, true);
  if (!alone) throw new Error('no process');
  for (let index = 0; index < LOADS; index++) await tip(alone, index);
  for (let index = 0; index < LOADS; index++) await change(alone, index);

  const worlds = await processes(2, false);
  const [one, other] = worlds;
  if (!one || !other) throw new Error('no processes');
  await Promise.all(
    Array.from({ length: LOADS }, async (_, index) => {
      const [first, second] = index % 2 ? [one, other] : [other, one];
      // Corrected by the other process as soon as the load stands, while what follows from it is still under way.
      const told = tip(first, index);
      for (;;) {
        const done = await change(second, index).then(
          () => true,
          (error: Error) => (/no such load/.test(error.message) ? false : Promise.reject(error)),
        );
        if (done) break;
        await nextTurn();
      }
      await told;
    }),
  );
  expect(await whatStands(one)).toEqual(await whatStands(alone));
  expect(await whatStands(other)).toEqual(await whatStands(alone));
});

it('a load that another process voids between its reading and its posting is taken out again', async () => {
  const shared = await openShared();
  const other = new World(shared, { singleWriter: false });
  let voided = false;
  const store: EventStore = {
    readAll: (options) => shared.store.readAll(options),
    readStream: (stream, options) => shared.store.readStream(stream, options),
    append: async (request) => {
      if (!voided && request.events.some(({ type }) => type === 'LoadPosted')) {
        voided = true;
        // Nothing is posted yet, so the other finds nothing to reverse, and the head that this one expects stands.
        const id = loadIdOf(JURISDICTION, other.body('T1'), '');
        await other.headworks.correctLoad(other.request(), id, { reason: 'never was', void: true });
      }
      return shared.store.append(request);
    },
  };
  const world = new World(shared, { store, singleWriter: false });
  await world.tip('T1');
  expect((await world.thing('M1')).postings).toEqual([]);
  expect(await world.standing()).toEqual([]);
});
