import fc from 'fast-check';
import { isoInstant, type JsonObject } from '@headworks/kernel';
import { idOf } from './models';
import type { CutQuery } from './queries/cut';
import { MEADOWS, storyArb, tellLate, type Telling } from './testing/stories.testing';
import { World } from './testing/world.testing';

const LEDGERS = [
  ['meadow_year', '2027-07-10'],
  ['meadow_week', '2027-07-04'],
] as const;

/** Everything that can be asked of what a story has told so far. */
async function show({ world, answers }: Telling, cut: CutQuery): Promise<JsonObject> {
  const { headworks } = world;
  const request = world.request();
  const shown: Record<string, JsonObject> = {};
  for (const key of MEADOWS) {
    const id = world.meadow(key);
    shown[key] = await headworks.subject(request, 'meadow', id, cut);
    for (const [limit, on] of LEDGERS) {
      shown[`${key} ${limit}`] = await headworks.ledger(
        request,
        { kind: 'meadow', id, limit },
        { ...cut, on },
      );
    }
  }
  for (const { body } of answers.values()) {
    if (!('findings' in body)) continue;
    const id = body['id'] as string;
    shown[id] = await orNothing(headworks.load(request, id, cut, 'full'));
  }
  for (const { stream } of await world.violations()) {
    const id = idOf(stream);
    shown[id] = await orNothing(headworks.violation(request, id, cut, 'full'));
  }
  return shown;
}

/** Of what came later there was nothing to see. */
const orNothing = (shown: Promise<JsonObject>): Promise<JsonObject> =>
  shown.catch((error: Error) => ({ error: error.message }));

const plain = (shown: JsonObject, ids: Iterable<string>): JsonObject =>
  JSON.parse(JSON.stringify(Object.fromEntries([...ids].map((id) => [id, shown[id] ?? null])))) as JsonObject;

describe('what was known then', () => {
  it('is what was shown then, at each prefix of the story, however it went on', async () => {
    await fc.assert(
      fc.asyncProperty(storyArb, async (story) => {
        const remembered: { readonly at: number; readonly shown: JsonObject }[] = [];
        const told = await tellLate(story, async (telling) => {
          remembered.push({ at: telling.world.shared.now, shown: await show(telling, {}) });
        });
        for (const { at, shown } of remembered) {
          const then = isoInstant(at);
          const again = await show(told, { knownAt: then, asOf: then });
          expect(plain(again, Object.keys(shown))).toEqual(plain(shown, Object.keys(shown)));
        }
      }),
      { numRuns: 6 },
    );
  });

  it('of another process too: it is in the log', async () => {
    const world = await World.open();
    await world.register('M1', { meadow_area: '1 acre' });
    await world.tip('T1', { quantity: '150 gal' });
    const then = isoInstant(world.shared.now);
    const id = world.meadow('M1');
    const ask = (of: World, cut: CutQuery) =>
      of.headworks.ledger(
        of.request(),
        { kind: 'meadow', id, limit: 'meadow_year' },
        { ...cut, on: '2027-07-05' },
      );
    const shown = await ask(world, {});
    world.shared.now += 1000;
    await world.tip('T2', { quantity: '10 gal' });
    const other = new World(world.shared);
    expect(await ask(other, { knownAt: then })).toEqual(shown);
    expect(await ask(other, {})).not.toEqual(shown);
    expect(await ask(other, { knownAt: '2027-01-01T00:00:00Z' })).toMatchObject({ count: 0 });
  });
});

describe('as of an instant', () => {
  it('a load that a correction dates later had not happened', async () => {
    const world = await World.open();
    await world.tip('T1', { occurredAt: '2027-07-01T15:00:00Z' });
    const { body } = await world.tip('T2', { occurredAt: '2027-07-03T15:00:00Z' });
    const id = body['id'] as string;
    const asOf = (iso: string) => world.headworks.load(world.request(), id, { asOf: iso }, 'status');
    await expect(asOf('2027-07-02T00:00:00Z')).rejects.toThrow('no such load then');
    const set = { occurredAt: '2027-07-01T18:00:00Z' };
    await world.headworks.correctLoad(world.request(), id, { reason: 'misread', set });
    expect(await asOf('2027-07-02T00:00:00Z')).toMatchObject({ occurredAt: '2027-07-01T18:00:00.000Z' });
  });

  it('nothing is shown as pending that the law has ended, though nobody has settled it', async () => {
    const world = await World.open();
    await world.tip('T1');
    const duties = async (cut: CutQuery) => {
      const shown = await world.headworks.subject(world.request(), 'meadow', world.meadow('M1'), cut);
      return (shown['openDuties'] as readonly unknown[]).length;
    };
    expect(await duties({})).toBe(1);
    world.at('2027-07-06T03:00:00.001Z');
    expect(await duties({})).toBe(0);
    expect(await duties({ asOf: '2027-07-06T03:00:00.000Z' })).toBe(1);
  });
});
