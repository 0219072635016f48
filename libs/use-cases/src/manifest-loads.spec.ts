import { isoInstant, type JsonObject } from '@headworks/kernel';
import { violationStatus } from '@headworks/domain';
import { subjects } from './models';
import { holder, idIn, source, VatWorld, violatedIn } from './testing/vats.testing';

const MINUTE = 60_000;

async function given(gallons = '1000 gal') {
  const world = await VatWorld.open();
  return { world, permit: await world.leave(gallons) };
}

/** Clauses of the violations that stand. */
async function standing(world: VatWorld): Promise<readonly string[]> {
  const all = await world.violations();
  return all
    .filter((one) => violationStatus(one) !== 'withdrawn')
    .map((one) => one.detected?.data.clause ?? '')
    .toSorted();
}

const overOf = async (world: VatWorld, permit: string): Promise<readonly string[]> =>
  [...(await world.permit(permit)).exceeded.values()].map(({ data }) => `${data.clause} ${data.load}`);

describe('a load under a manifest', () => {
  it('stands in its stream, takes the place of what it held, and was accepted', async () => {
    const { world, permit } = await given();
    const id = idIn(await world.ask(permit, 'T1'));
    world.shared.now += 40 * MINUTE;
    const load = await world.pour(permit, 'T1', { manifestId: id });
    expect(idIn(load)).toBe(id);
    expect(violatedIn(load)).toEqual([]);
    expect(load.body).toMatchObject({
      violations: [],
      postings: [
        { limit: 'vat_days' },
        { to: expect.stringContaining(`permit-${permit}@`) as string, limit: 'leave_year' },
      ],
    });
    expect(await world.typesIn(`load-${id}`)).toEqual(['ManifestSubmitted', 'LoadDischarged']);
    expect(await world.status(id)).toBe('discharged');
    for (const state of [await world.permit(permit), await world.vat()]) {
      expect([...state.reservations.values()]).toEqual([]);
      expect(state.postings.map(({ data }) => data.load)).toEqual([id]);
    }
    // Its ticket is its manifest's, whether it says so or not.
    const other = idIn(await world.ask(permit, 'T2'));
    expect(idIn(await world.pour(permit, 'T2', { sources: [] }))).toBe(other);
    expect((await world.load(other)).current).toMatchObject({ manifestId: other, permitId: permit });
  });

  it('of more than was held is recorded and judged', async () => {
    const { world, permit } = await given('250 gal');
    const id = idIn(await world.ask(permit, 'T1'));
    await world.ask(permit, 'T2');
    const load = await world.pour(permit, 'T1', { manifestId: id, quantity: '251 gal' });
    expect(load.kind).toBe('recorded');
    expect(await overOf(world, permit)).toEqual([`plan ${id}`]);
    expect(await standing(world)).toEqual(['plan']);
    // And what is asked now finds nothing left.
    expect(violatedIn(await world.ask(permit, 'T3', { quantity: '1 gal' }))).toEqual(['plan']);
  });

  it('is not accepted after its time, nor where it never was', async () => {
    const { world, permit } = await given();
    const id = idIn(await world.ask(permit, 'T1'));
    world.at('2027-09-14T05:00:00.000Z');
    expect(await world.status(id)).toBe('lapsed');
    expect(violatedIn(await world.pour(permit, 'T1', { manifestId: id }))).toEqual(['accepted']);
    const refused = idIn(await world.ask(permit, 'T2', { sources: [source('far')] }));
    const load = await world.pour(permit, 'T2', { manifestId: refused, sources: [source('far')] });
    expect(violatedIn(load)).toEqual(['valley', 'accepted']);
    expect(await standing(world)).toEqual(['accepted', 'accepted', 'valley']);
  });

  it('that was accepted and is recorded after its time was accepted all the same', async () => {
    const { world, permit } = await given();
    const id = idIn(await world.ask(permit, 'T1'));
    world.at('2027-09-14T05:00:00.000Z');
    const late = { occurredAt: '2027-09-13T14:00:00.000Z', reason: 'the line was down', evidence: 'book' };
    expect(violatedIn(await world.pour(permit, 'T1', { manifestId: id, ...late }))).toEqual([]);
  });

  it('at another vat gives back what was held at the first', async () => {
    const { world, permit } = await given();
    const id = idIn(await world.ask(permit, 'T1'));
    await world.pour(permit, 'T1', { manifestId: id, subject: { kind: 'vat', key: 'V2' } });
    expect([...(await world.vat('V1')).reservations.values()]).toEqual([]);
    expect((await world.vat('V1')).postings).toEqual([]);
    expect((await world.vat('V2')).postings).toHaveLength(1);
  });

  it('under another permit takes nothing of the first, which gives back what it held', async () => {
    const { world, permit } = await given();
    const second = await world.leave('1000 gal');
    const id = idIn(await world.ask(permit, 'T1'));
    expect(violatedIn(await world.pour(second, 'T1', { manifestId: id }))).toEqual(['accepted']);
    for (const state of [await world.permit(permit), await world.vat()])
      expect([...state.reservations.values()]).toEqual([]);
    expect((await world.permit(permit)).postings).toEqual([]);
    expect((await world.permit(second)).postings).toHaveLength(1);
    expect((await world.permit(permit)).manifests.get(id)).toMatchObject({
      is: 'withdrawn',
      why: 'discharged_elsewhere',
    });
  });

  it('is refused where the id is another ticket’s, and kept as it was said where it is nobody’s', async () => {
    const { world, permit } = await given();
    const id = idIn(await world.ask(permit, 'T1'));
    await expect(world.pour(permit, 'T9', { manifestId: id })).rejects.toMatchObject({
      faults: [{ pointer: '/manifestId', code: 'other-ticket' }],
    });
    const nobodys = '5f0f8cf4-16ff-5c6f-9d2c-2a7e3a5f6f11';
    const load = await world.pour(permit, 'T9', { manifestId: nobodys });
    expect(violatedIn(load)).toEqual(['accepted']);
    expect(await world.typesIn(`load-${nobodys}`)).toEqual([]);
  });
});

describe('a load without leave', () => {
  it.each([
    ['names no permit', undefined],
    ['names one that does not exist', '5f0f8cf4-16ff-5c6f-9d2c-2a7e3a5f6f11'],
    ['names another’s', 'another'],
  ])('is recorded, and a violation: it %s', async (_, named) => {
    const { world } = await given();
    const others = await world.leave('1000 gal', 'P2');
    const id = named === 'another' ? others : named;
    const { permitId: _unused, ...body } = world.must('', 'T1');
    const load = await world.headworks.recordLoad(world.request(), {
      ...body,
      ...(id !== undefined && { permitId: id }),
    });
    expect(load.kind).toBe('recorded');
    expect(violatedIn(load)).toEqual(['leave', 'accepted']);
    expect(await standing(world)).toEqual(['accepted', 'leave']);
    // It counts in the vat, and against nobody's leave.
    expect((await world.vat()).postings).toHaveLength(1);
    if (id !== undefined) expect((await world.permit(id)).postings).toEqual([]);
  });

  it('or during a suspension is a violation; its own permit counts it', async () => {
    const { world, permit } = await given();
    const decide = (decision: 'suspension' | 'reinstatement', body: object) =>
      world.headworks.permits.decide(world.request(), permit, decision, { reason: 'r', ...body });
    await decide('suspension', { grounds: ['plan'] });
    world.shared.now += MINUTE;
    expect(violatedIn(await world.pour(permit, 'T1'))).toEqual(['leave', 'accepted']);
    expect((await world.permit(permit)).postings).toHaveLength(1);
    await decide('reinstatement', {});
    world.shared.now += MINUTE;
    expect(violatedIn(await world.pour(permit, 'T2'))).toEqual(['accepted']);
  });
});

describe('what changes of those that a load is judged by', () => {
  const facts: readonly [string, string, string, JsonObject, string][] = [
    ['hauler', 'presser', 'P1', { licensed: false }, 'licensed'],
    ['vehicle', 'cart', 'C1', { cart_clean: false }, 'clean'],
    ['place', 'orchard', 'near', { in_valley: false }, 'valley'],
  ];

  it.each(facts)('judges it again: its %s', async (as, kind, key, fact, clause) => {
    const { world, permit } = await given();
    await world.pour(permit, 'T1');
    const before = await standing(world);
    expect(before).not.toContain(clause);
    const noted = await world.services.runner.read(subjects, `subject-${world.id(kind, key)}`);
    expect(noted.postings.map(({ data }) => [data.as, data.limits])).toEqual([[as, []]]);
    const at = '2027-09-01T15:00:00.000Z';
    const { body } = await world.factsOf(kind, key, fact, at);
    expect(await standing(world)).toEqual([...before, clause].toSorted());
    // And back, by a correction of what was said.
    const [told] = body['events'] as readonly { event: string }[];
    const corrected = Object.fromEntries(Object.keys(fact).map((name) => [name, true]));
    await world.headworks.recordFacts(world.request(), kind, world.id(kind, key), {
      corrects: told?.event ?? '',
      facts: corrected,
      reason: 'misread',
    });
    expect(await standing(world)).toEqual(before);
  });

  it('judges it again: its permit, by an act on it that is recorded late', async () => {
    const { world, permit } = await given();
    await world.pour(permit, 'T1');
    world.shared.now += 60 * MINUTE;
    await world.headworks.permits.doAct(world.request(), permit, 'bar', {
      pack: 'fernhollow-vats',
      facts: { barred: true },
      occurredAt: isoInstant(world.shared.now - 61 * MINUTE),
      reason: 'told late',
      evidence: 'book',
    });
    expect(await standing(world)).toEqual(['accepted', 'barred']);
  });

  it('and a smaller plan judges again what was poured under the larger', async () => {
    const { world, permit } = await given('300 gal');
    for (const ticket of ['T1', 'T2', 'T3']) await world.pour(permit, ticket);
    expect(await overOf(world, permit)).toEqual([]);
    world.shared.now += MINUTE;
    const body = {
      pack: 'fernhollow-vats',
      reason: 'less',
      sets: { yearly_volume: '250 gal' },
      conditions: ['less'],
    };
    await world.headworks.permits.decide(world.request(), permit, 'conditions', body);
    // What was poured before was poured under the larger plan.
    expect(await overOf(world, permit)).toEqual([]);
    world.shared.now += MINUTE;
    expect(violatedIn(await world.pour(permit, 'T4', { quantity: '1 gal' }))).toContain('plan');
    expect(await overOf(world, permit)).toHaveLength(1);
  });
});

describe('a correction', () => {
  it('shows first all that follows, in every stream, and then does just that', async () => {
    const { world, permit } = await given('250 gal');
    const first = idIn(await world.pour(permit, 'T1'));
    world.shared.now += MINUTE;
    const second = idIn(await world.pour(permit, 'T2'));
    const body = { reason: 'meter misread', set: { quantity: '200 gal' } };
    const before = await world.shared.store.lastPosition();
    const shown = await world.headworks.correctLoad(world.request({ dryRun: true }), first, body);
    expect(await world.shared.store.lastPosition()).toBe(before);
    expect(shown.kind).toBe('preview');
    expect(shown.body['consequences']).toMatchObject({
      postings: { reversed: [{ load: first }, { load: first }], made: [{ load: first }, { load: first }] },
      limits: {
        exceeded: [{ on: `permit-${permit}`, limit: 'leave_year', clause: 'plan', load: second }],
        withdrawn: [],
      },
      violations: { opened: [{ clause: 'plan' }], withdrawn: [] },
      judgedAgain: [{ load: first }, { load: second }],
    });
    const done = await world.headworks.correctLoad(world.request(), first, body);
    const log: string[] = [];
    for await (const batch of world.shared.store.readAll(before === undefined ? {} : { after: before }))
      log.push(...batch.map(({ stream, revision, type }) => `${stream}@${revision} ${type}`));
    const told = shown.body['events'] as readonly { event: string; type: string }[];
    expect(told.map(({ event, type }) => `${event} ${type}`).toSorted()).toEqual(log.toSorted());
    expect(done.body['violations']).toEqual(shown.body['violations']);
    // Everything that followed names what caused it, back to the correction.
    const posted = (await world.shared.store.readStream(`permit-${permit}`)).findLast(
      ({ type }) => type === 'LoadPosted',
    );
    expect(posted?.metadata.causationId).toBe(`load-${first}@1`);
  });

  it('moves a load to another permit: both ledgers follow, and what was over is over no longer', async () => {
    const { world, permit } = await given('150 gal');
    const second = await world.leave('1000 gal');
    const load = idIn(await world.pour(permit, 'T1'));
    world.shared.now += MINUTE;
    const over = idIn(await world.pour(permit, 'T2'));
    expect(await overOf(world, permit)).toEqual([`plan ${over}`]);
    expect(await standing(world)).toContain('plan');
    const body = { reason: 'the other leave', set: { permitId: second } };
    const shown = await world.headworks.correctLoad(world.request({ dryRun: true }), load, body);
    expect(shown.body['consequences']).toMatchObject({
      limits: { withdrawn: [{ clause: 'plan', load: over }] },
      violations: { withdrawn: [{}] },
    });
    await world.headworks.correctLoad(world.request(), load, body);
    expect(await overOf(world, permit)).toEqual([]);
    expect(await standing(world)).not.toContain('plan');
    expect((await world.permit(permit)).postings.map(({ data }) => data.load)).toEqual([over]);
    expect((await world.permit(second)).postings.map(({ data }) => data.load)).toEqual([load]);
  });

  it('moves a load between years', async () => {
    const { world, permit } = await given('150 gal');
    const load = idIn(await world.pour(permit, 'T1'));
    world.shared.now += MINUTE;
    const over = idIn(await world.pour(permit, 'T2'));
    expect(await overOf(world, permit)).toEqual([`plan ${over}`]);
    const set = { occurredAt: '2026-12-31T15:00:00.000Z' };
    await world.headworks.correctLoad(world.request(), load, { reason: 'last year', set });
    expect(await overOf(world, permit)).toEqual([]);
    const back = { occurredAt: '2027-09-13T13:00:00.000Z' };
    await world.headworks.correctLoad(world.request(), load, { reason: 'no, this one', set: back });
    expect(await overOf(world, permit)).toEqual([`plan ${over}`]);
  });

  it('that voids a load takes it out everywhere', async () => {
    const { world, permit } = await given();
    const id = idIn(await world.ask(permit, 'T1'));
    await world.pour(permit, 'T1', { manifestId: id });
    await world.headworks.correctLoad(world.request(), id, { reason: 'never was', void: true });
    for (const state of [await world.permit(permit), await world.vat()]) {
      expect(state.postings).toEqual([]);
      expect([...state.reservations.values()]).toEqual([]);
    }
  });

  it('names no permit where a load has none to be under, and none that is no id', async () => {
    const { world, permit } = await given();
    const load = idIn(await world.pour(permit, 'T1'));
    await expect(
      world.headworks.correctLoad(world.request(), load, { reason: 'r', set: { permitId: 'x' } }),
    ).rejects.toMatchObject({ faults: [{ pointer: '/set/permitId', code: 'no-id' }] });
  });
});

it('a holder records and sees his own loads alone', async () => {
  const { world, permit } = await given();
  const body = world.must(permit, 'T1');
  const load = await world.headworks.recordLoad(world.by(holder('P1')), body);
  await expect(
    world.headworks.recordLoad(world.by(holder('P2')), { ...body, ticket: 'T2' }),
  ).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(world.headworks.load(world.by(holder('P2')), idIn(load), {}, 'brief')).rejects.toMatchObject({
    code: 'not-found',
  });
  await expect(world.headworks.load(world.by(holder('P1')), idIn(load), {}, 'brief')).resolves.toMatchObject({
    permitId: permit,
  });
});
