import type { JsonObject } from '@headworks/kernel';
import { PACK, World } from '../testing/world.testing';
import type { CheckBody } from './check';

const ask = (world: World, more: Partial<CheckBody> = {}) =>
  world.headworks.check(
    world.request(),
    {
      pack: PACK,
      assessment: 'tipping',
      subject: { kind: 'meadow', key: 'M1' },
      quantity: '10 gal',
      ...more,
    },
    'full',
  );
const statusOf = (findings: readonly JsonObject[], clause: string) =>
  findings.find((finding) => finding['clause'] === clause)?.['status'];

async function meadow(): Promise<World> {
  const world = await World.open();
  await world.register('M1', { meadow_area: '1 acre', brook_distance: '40 ft', fenced: true });
  await world.tip('T1', { quantity: '60 gal', occurredAt: '2027-07-01T15:00:00Z' });
  return world;
}

describe('a check', () => {
  it('asks of stored facts and ledgers, and writes nothing', async () => {
    const world = await meadow();
    const before = await world.shared.store.lastPosition();
    const answer = await ask(world, { quantity: '41 gal' });
    expect(answer).toMatchObject({
      packVersion: '1',
      asOf: '2027-07-05T15:00:00.000Z',
      summary: { status: 'violated' },
      totals: { use_number: 2, tipped_this_year: { value: '101', unit: 'gal' } },
      headroom: [{ limit: 'meadow_year', clause: 'rate', remaining: { value: '40', unit: 'gal' } }],
    });
    expect(statusOf(answer.findings, 'rate')).toBe('violated');
    expect(statusOf(answer.findings, 'brook')).toBe('violated');
    expect(await world.shared.store.lastPosition()).toBe(before);
  });

  it('takes facts given before facts stored; what nobody said is unknown, and so is what is left', async () => {
    const world = await meadow();
    const given = await ask(world, { facts: { brook_distance: '90 ft', make: 'compost' } });
    expect(statusOf(given.findings, 'brook')).toBe('satisfied');
    expect(statusOf(given.findings, 'rake')).toBe('not_applicable');
    const { subject: _subject, ...nothing } = { pack: PACK, assessment: 'tipping', subject: null };
    const unknown = await world.headworks.check(world.request(), nothing, 'status');
    expect(unknown.summary.status).toBe('unknown');
    expect(unknown.headroom).toMatchObject([{ remaining: null }]);
  });

  it('is asked as of any instant, under the version of that day', async () => {
    const world = await meadow();
    expect(statusOf((await ask(world, { asOf: '2027-06-01T15:00:00Z' })).findings, 'once')).toBe('satisfied');
    expect((await ask(world, { asOf: '2028-06-01T15:00:00Z' })).packVersion).toBe('2');
  });

  it('says all that is wrong with it at once', async () => {
    const world = await meadow();
    const body = { assessment: 'dancing', asOf: 'today', facts: { brook_distance: '9 gal', earlier: [] } };
    await expect(ask(world, body)).rejects.toMatchObject({
      code: 'invalid-request',
      faults: expect.arrayContaining([
        expect.objectContaining({ pointer: '/assessment', code: 'unknown-assessment' }),
        expect.objectContaining({ pointer: '/asOf' }),
        expect.objectContaining({ pointer: '/facts/brook_distance' }),
        expect.objectContaining({ pointer: '/facts/earlier' }),
      ]),
    });
    await expect(ask(world, { subject: { kind: 'hauler', key: 'H1' } })).rejects.toMatchObject({
      faults: [expect.objectContaining({ code: 'wrong-kind' })],
    });
  });
});
