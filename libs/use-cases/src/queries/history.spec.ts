import type { JsonObject } from '@headworks/kernel';
import { subjectStream } from '../models';
import { World } from '../testing/world.testing';
import type { HistoryQuery } from './history';

interface Entry {
  readonly event: string;
  readonly type: string;
  readonly cause?: string;
  readonly changedBy?: readonly { readonly event: string; readonly type: string }[];
}

describe('the history of a thing', () => {
  let world: World;
  let stream: string;
  const history = (query: HistoryQuery = {}): Promise<JsonObject> =>
    world.headworks.subjectHistory(world.request(), 'meadow', world.meadow('M1'), query);
  const entries = async (query: HistoryQuery = {}): Promise<readonly Entry[]> =>
    (await history(query))['events'] as unknown as readonly Entry[];
  const revisions = async (query: HistoryQuery = {}): Promise<readonly number[]> =>
    (await entries(query)).map(({ event }) => Number(event.split('@')[1]));

  beforeEach(async () => {
    world = await World.open();
    stream = subjectStream(world.meadow('M1'));
    await world.register('M1', { meadow_area: '1 acre' });
    // Recorded in this order; in law the second comes last and the third before it.
    await world.facts('M1', { fenced: true }, '2027-07-05T14:00:00Z');
    await world.facts('M1', { fenced: false }, '2027-03-01T12:00:00Z');
    await world.facts('M1', { meadow_area: '2 acre' }, '2027-05-01T12:00:00Z');
  });

  it('comes as it was recorded, or as it happened', async () => {
    expect(await revisions()).toEqual([0, 1, 2, 3]);
    expect(await revisions({ order: 'legal' })).toEqual([0, 2, 3, 1]);
  });

  it.each(['recorded', 'legal'] as const)('goes page by page over every event once, %s', async (order) => {
    const seen: number[] = [];
    let query: HistoryQuery = { order, limit: 1 };
    for (;;) {
      const page = await history(query);
      seen.push(
        ...(page['events'] as unknown as readonly Entry[]).map(({ event }) => Number(event.split('@')[1])),
      );
      if (page['next'] === null) break;
      query = { ...query, after: page['next'] as number };
    }
    expect(seen).toEqual(await revisions({ order }));
    expect(await revisions({ order, after: 99 })).toEqual([]);
  });

  it('is of what occurred between instants, the last out; of a type; and of what was known', async () => {
    expect(await revisions({ from: '2027-03-01T12:00:00Z' })).toEqual([1, 2, 3]);
    expect(await revisions({ to: '2027-05-01T07:00:00-05:00' })).toEqual([0, 2]);
    expect(await revisions({ from: '2027-03-01T12:00:00Z', to: '2027-05-01T12:00:00Z' })).toEqual([2]);
    expect(await revisions({ type: 'SubjectRegistered' })).toEqual([0]);
    expect(await revisions({ type: 'Nothing' })).toEqual([]);
    expect(await revisions({ knownAt: '2027-07-01T00:00:00Z' })).toEqual([]);
  });

  it('names, beside an event, what later changed what it says', async () => {
    const told = await entries();
    expect(told.map(({ changedBy }) => changedBy)).toEqual([undefined, undefined, undefined, undefined]);
    const on = { reason: 'misread' };
    const record = (body: object) =>
      world.headworks.recordFacts(world.request(), 'meadow', world.meadow('M1'), { ...on, ...body });
    await record({ corrects: `${stream}@3`, facts: { meadow_area: '3 acre' } });
    await record({ annuls: `${stream}@1` });
    await world.tip('T1');
    const [, second, , fourth] = await entries();
    expect(fourth?.changedBy).toEqual([{ event: `${stream}@4`, type: 'FactsCorrected' }]);
    expect(second?.changedBy).toEqual([{ event: `${stream}@5`, type: 'RecordedInError' }]);
    // What was known before they came shows nothing of them.
    const before = await entries({ knownAt: '2027-07-05T14:59:59Z' });
    expect(before.every(({ changedBy }) => changedBy === undefined)).toBe(true);
  });

  it('a posting that is over a limit is not changed by it, and one that is reversed is', async () => {
    const { body } = await world.tip('T1', { quantity: '900 gal' });
    const types = (await entries()).map(({ type }) => type);
    expect(types).toContain('LimitExceeded');
    const posted = async () => (await entries()).find(({ type }) => type === 'LoadPosted');
    expect((await posted())?.changedBy).toBeUndefined();
    await world.headworks.correctLoad(world.request(), body['id'] as string, { reason: 'none', void: true });
    expect((await posted())?.changedBy).toMatchObject([{ type: 'PostingReversed' }]);
  });

  it('of a load, each correction changes what stood before it', async () => {
    const { body } = await world.tip('T1');
    const id = body['id'] as string;
    for (const quantity of ['9 gal', '8 gal']) {
      await world.headworks.correctLoad(world.request(), id, { reason: 'misread', set: { quantity } });
    }
    const load = await world.headworks.loadHistory(world.request(), id, {});
    const changed = (load['events'] as unknown as readonly Entry[]).map(({ type, changedBy }) => [
      type,
      (changedBy ?? []).map(({ event }) => event.split('@')[1]),
    ]);
    const corrections = changed.filter(([type]) => type === 'LoadCorrected');
    expect(changed[0]).toEqual(['LoadDischarged', [expect.any(String)]]);
    expect(corrections.map(([, by]) => (by ?? []).length)).toEqual([1, 0]);
  });
});
