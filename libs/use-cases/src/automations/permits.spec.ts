import { registerId } from '@headworks/domain';
import type { CodedError, RecordedEvent } from '@headworks/kernel';
import { permitStream, registers, registerStream } from '../models';
import { HOLDER, MOOT, PRESS, PressWorld, REEVE } from '../testing/press.testing';
import { Reconciler } from './reconciler';

const JURISDICTION = 'xx-fernhollow';
const YEAR = { from: '2028-01-01', until: '2028-12-31' };
const REGISTER = registerStream(registerId(JURISDICTION, PRESS, 'pressing', YEAR));

const eventsOf = async (world: PressWorld): Promise<readonly RecordedEvent[]> => {
  const all: RecordedEvent[] = [];
  for await (const batch of world.shared.store.readAll()) all.push(...batch);
  return all;
};
const numbersIn = (events: readonly RecordedEvent[], prefix: string): readonly number[] =>
  events
    .filter(({ type, stream }) => type === 'PermitNumbered' && stream.startsWith(prefix))
    .map(({ data }) => data['number'] as number);

/** Approved and bonded, but for the issue. */
async function ready(world: PressWorld, key: string): Promise<string> {
  world.at('2027-08-10T15:00:00Z');
  await world.presser(key);
  const id = await world.file({ applicant: { kind: 'presser', key } }, world.by(REEVE));
  await world.decide(REEVE, id, 'completion');
  await world.act(id, 'accept_bond', { bonded: true });
  await world.decide(MOOT, id, 'approval', { reason: 'sound', issue: false });
  return id;
}

describe('numbers of permits', () => {
  it('have no gaps and no doubles, whoever issues, however many at once, in two processes', async () => {
    const world = await PressWorld.open();
    const other = new PressWorld(world.shared, { singleWriter: false });
    const own = new PressWorld(world.shared, { singleWriter: false });
    const ids: string[] = [];
    for (let n = 0; n < 24; n++) ids.push(await ready(world, `R${n}`));
    const answers = await Promise.all(
      ids.map((id, index) => (index % 2 === 0 ? own : other).decide(MOOT, id, 'issuance')),
    );
    const told = answers.map(({ body }) => body['number'] as number).toSorted((a, b) => a - b);
    const expected = Array.from({ length: ids.length }, (_, index) => index + 1);
    const events = await eventsOf(world);
    expect(told).toEqual(expected);
    expect(numbersIn(events, 'register-')).toEqual(expected);
    expect(numbersIn(events, 'permit-').toSorted((a, b) => a - b)).toEqual(expected);
    // Looked at again from the first event on, nothing is drawn.
    const again = new PressWorld(world.shared, { singleWriter: false });
    await new Reconciler(again.services).follow(events);
    expect(await eventsOf(world)).toHaveLength(events.length);
  });

  it('are finished behind the log for a process that died after the issue, or after the drawing', async () => {
    const world = await PressWorld.open();
    const [first, second] = [await ready(world, 'R1'), await ready(world, 'R2')];
    const { decide } = await silently(world);
    // Died after the issue: nothing was drawn.
    await decide(first);
    expect(numbersIn(await eventsOf(world), 'register-')).toEqual([]);
    // Died between the register and the permit.
    await decide(second, { dieAt: 'permit-' });
    const before = await eventsOf(world);
    expect([numbersIn(before, 'register-'), numbersIn(before, 'permit-')]).toEqual([[1], []]);
    const later = new PressWorld(world.shared, { singleWriter: false });
    await new Reconciler(later.services).follow(before);
    const after = await eventsOf(world);
    expect([numbersIn(after, 'register-'), numbersIn(after, 'permit-').toSorted((a, b) => a - b)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    const { numbers } = await later.services.runner.read(registers, REGISTER);
    expect([numbers.get(second)?.data.number, numbers.get(first)?.data.number]).toEqual([1, 2]);
  });

  it('are dated by the issue and say which event drew them', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const [numbered] = (await world.shared.store.readStream(permitStream(id))).filter(
      ({ type }) => type === 'PermitNumbered',
    );
    expect(numbered).toMatchObject({
      data: { permit: id, series: `${PRESS}/pressing/2028`, number: 1 },
      metadata: {
        occurred: { at: '2027-09-20T15:00:00.000Z' },
        causationId: `${REGISTER}@0`,
        actor: { id: 'headworks', roles: ['automation'] },
        law: { pack: PRESS },
      },
    });
  });

  it('are of the year for which the permit is good, and of its type', async () => {
    const world = await PressWorld.open();
    await world.issued();
    world.at('2028-08-10T15:00:00Z');
    const next = await world.file();
    await world.decide(REEVE, next, 'completion');
    await world.act(next, 'accept_bond', { bonded: true });
    const { body } = await world.decide(MOOT, next, 'approval', { reason: 'sound' });
    expect([body['number'], body['valid']]).toEqual([1, { from: '2029-01-01', until: '2029-12-31' }]);
  });
});

describe('a renewal', () => {
  it('is an application of its own, and once issued stands in the file of the permit that it follows', async () => {
    const world = await PressWorld.open();
    const id = await world.issued({
      facts: { fruit: ['apples'], yearly_volume: '500 gal', plan_of_work: 'by hand' },
    });
    world.at('2028-08-10T15:00:00Z');
    const renewed = await world.headworks.permits.renew(world.by(HOLDER), id, {
      facts: { yearly_volume: '600 gal' },
    });
    const next = renewed.body['id'] as string;
    expect(next).not.toBe(id);
    const shown = async (one: string) => world.headworks.permits.permit(world.by(HOLDER), one, {}, 'status');
    expect(await shown(next)).toMatchObject({
      status: 'filed',
      renews: id,
      facts: {
        fruit: { value: ['apples'] },
        yearly_volume: { value: { value: '600', unit: 'gal' } },
        plan_of_work: { value: 'by hand' },
      },
    });
    expect(await shown(id)).toMatchObject({ renewedBy: null });
    await world.decide(REEVE, next, 'completion');
    await world.act(next, 'accept_bond', { bonded: true });
    await world.decide(MOOT, next, 'approval', { reason: 'again' });
    expect(await shown(id)).toMatchObject({ renewedBy: next });
    const log = await world.shared.store.readStream(permitStream(id));
    expect(log.at(-1)).toMatchObject({
      type: 'PermitRenewed',
      metadata: { causationId: expect.stringContaining(next) },
    });
  });

  it('that is refused is not renewed', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const { body } = await world.headworks.permits.renew(world.by(HOLDER), id, {});
    const denied = await world.decide(MOOT, body['id'] as string, 'denial', {
      reason: 'no',
      grounds: ['clean'],
    });
    expect(denied.body['status']).toBe('not_renewed');
  });

  it('is of what was issued, where the law renews', async () => {
    const world = await PressWorld.open();
    const renew = (id: string) =>
      world.headworks.permits
        .renew(world.by(HOLDER), id, {})
        .catch((error: unknown) => (error as CodedError).message);
    expect(await renew(await world.file())).toContain('was never issued');
    const tasting = await world.file({ permitType: 'tasting', facts: { fruit: ['pears'] } });
    expect(await renew(tasting)).toContain('(par. 9) is not renewed');
  });
});

/** Issues as a process does that dies before an append to a stream of the kind, or right after the issue. */
async function silently(world: PressWorld) {
  return {
    decide: async (id: string, { dieAt = 'register-' }: { dieAt?: string } = {}): Promise<void> => {
      const { store } = world.shared;
      let isIssued = false;
      const dying = new PressWorld(world.shared, {
        store: {
          ...store,
          append: (request) => {
            if (isIssued && request.stream.startsWith(dieAt)) throw new Error('killed');
            isIssued ||= request.stream === permitStream(id);
            return store.append(request);
          },
        },
        singleWriter: false,
      });
      await expect(dying.decide(MOOT, id, 'issuance')).rejects.toThrow('killed');
    },
  };
}
