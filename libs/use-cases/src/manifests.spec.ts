import { CodedError, isoInstant } from '@headworks/kernel';
import { holder, idIn, REEVE, source, unknownIn, VatWorld, violatedIn } from './testing/vats.testing';

const DAY = 86_400_000;

/** A world with a leave of so many gallons. */
async function given(gallons = '1000 gal') {
  const world = await VatWorld.open();
  return { world, permit: await world.leave(gallons) };
}

const refusal = async (asked: Promise<unknown>): Promise<CodedError> =>
  asked.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => (error instanceof CodedError ? error : Promise.reject(error as Error)),
  );

describe('a manifest', () => {
  it('that all clauses let through is accepted at once, holds at the vat first and at the permit last', async () => {
    const { world, permit } = await given();
    const answer = await world.ask(permit, 'T1');
    expect(answer).toMatchObject({ kind: 'recorded', body: { status: 'accepted', missing: [] } });
    const id = idIn(answer);
    expect(await world.typesIn(`load-${id}`)).toEqual(['ManifestSubmitted']);
    expect((await world.typesIn(`subject-${world.id('vat', 'V1')}`)).at(-1)).toBe('CapacityReserved');
    expect((await world.typesIn(`permit-${permit}`)).slice(-2)).toEqual([
      'CapacityReserved',
      'ManifestAccepted',
    ]);
    expect(answer.body['reservations']).toHaveLength(2);
    expect(violatedIn(answer)).toEqual([]);
    const events = await world.shared.store.readStream(`permit-${permit}`);
    const accepted = events.at(-1);
    // Who accepted it, under which text, on which heads, and why: all is in the event.
    expect(accepted?.metadata).toMatchObject({
      actor: { id: 'headworks' },
      law: { pack: 'fernhollow-vats', version: '1' },
      causationId: `load-${id}@0`,
    });
    expect(accepted?.metadata.basis?.map(({ stream }) => stream.split('-')[0])).toEqual([
      'subject',
      'subject',
      'subject',
      'subject',
    ]);
  });

  it('that a clause forbids is refused in the permit’s stream, with findings', async () => {
    const { world, permit } = await given();
    const answer = await world.ask(permit, 'T1', { sources: [source('far')] });
    expect(answer).toMatchObject({ kind: 'refused', body: { status: 'refused' } });
    expect(typeof answer.body['position']).toBe('string');
    expect(violatedIn(answer)).toEqual(['valley']);
    expect((await world.typesIn(`permit-${permit}`)).at(-1)).toBe('ManifestRefused');
    expect([...(await world.vat()).reservations.values()]).toEqual([]);
  });

  it.each([
    ['a load of two orchards, one of them outside', { sources: [source('near'), source('far')] }, 'valley'],
    ['a kind of waste that is not taken', { sources: [source('near', '100 gal', 'quince')] }, 'quince'],
    [
      'an orchard without its owner',
      { sources: [{ ...source('near'), generator: { name: 'Ann' } }] },
      'named',
    ],
    ['no source at all', { sources: [] }, 'named'],
  ])('is judged by all of its sources: %s', async (_, more, clause) => {
    const { world, permit } = await given();
    expect(violatedIn(await world.ask(permit, 'T1', more))).toEqual([clause]);
  });

  it('of which something is not known waits, and holds nothing', async () => {
    const { world, permit } = await given();
    const answer = await world.ask(permit, 'T1', { facts: {} });
    expect(answer).toMatchObject({ kind: 'recorded', body: { status: 'pending', missing: ['sound'] } });
    expect(unknownIn(answer)).toEqual(['sound']);
    expect([...(await world.permit(permit)).reservations.values()]).toEqual([]);
    expect([...(await world.vat()).reservations.values()]).toEqual([]);
    const [place] = [{ ...source('near'), place: { kind: 'orchard', key: 'nobody knows' } }];
    expect(unknownIn(await world.ask(permit, 'T2', { sources: [place] }))).toEqual(['valley']);
  });

  it('may take what is left and not a drop more', async () => {
    const { world, permit } = await given('250 gal');
    expect((await world.ask(permit, 'T1')).kind).toBe('recorded');
    const over = await world.ask(permit, 'T2', { quantity: '150.01 gal' });
    expect(violatedIn(over)).toEqual(['plan']);
    expect((await world.ask(permit, 'T3', { quantity: '150 gal' })).body['status']).toBe('accepted');
    expect(violatedIn(await world.ask(permit, 'T4', { quantity: '0.01 gal' }))).toEqual(['plan']);
    // Another's leave has gallons, and the vat has none of his.
    const other = await world.leave('250 gal', 'P2');
    expect((await world.ask(other, 'T4', { hauler: { kind: 'presser', key: 'P2' } })).kind).toBe('recorded');
  });

  it('may not put over its limit what is planned later in a window that looks back', async () => {
    const { world, permit } = await given();
    const later = isoInstant(world.shared.now + 2 * DAY);
    expect((await world.ask(permit, 'T1', { quantity: '400 gal', plannedAt: later })).kind).toBe('recorded');
    expect(violatedIn(await world.ask(permit, 'T2', { quantity: '101 gal' }))).toEqual(['vat']);
    expect((await world.ask(permit, 'T3', { quantity: '100 gal' })).kind).toBe('recorded');
    // A day later the first day is out of the window.
    const beyond = isoInstant(world.shared.now + 3 * DAY);
    expect((await world.ask(permit, 'T4', { quantity: '100 gal', plannedAt: beyond })).kind).toBe('recorded');
  });

  it('asks for a permit in force at the planned instant', async () => {
    const { world, permit } = await given();
    const next = await world.ask(permit, 'T1', { plannedAt: '2028-01-01T15:00:00Z' });
    expect(violatedIn(next)).toEqual(['permit:pressing']);
    expect((await world.ask(permit, 'T2', { plannedAt: '2027-12-31T15:00:00Z' })).kind).toBe('recorded');
  });

  it.each([
    ['does not exist', () => Promise.resolve('5f0f8cf4-16ff-5c6f-9d2c-2a7e3a5f6f11')],
    ['is another’s', (world: VatWorld) => world.leave('1000 gal', 'P2')],
  ])(
    'under a permit that %s is refused in its own stream, and no file is opened or written into',
    async (_, of) => {
      const { world } = await given();
      const named = await of(world);
      const before = await world.typesIn(`permit-${named}`);
      const answer = await world.ask(named, 'T1');
      expect(answer).toMatchObject({ kind: 'refused', body: { status: 'refused' } });
      expect(violatedIn(answer)).toEqual(['permit:pressing']);
      // What it says is what it would say of no permit at all: nothing of another's file.
      expect(JSON.stringify(answer.body['findings'])).not.toContain('P2');
      expect(await world.typesIn(`load-${idIn(answer)}`)).toEqual(['ManifestSubmitted', 'ManifestRefused']);
      expect(await world.typesIn(`permit-${named}`)).toEqual(before);
    },
  );
});

describe('a ticket', () => {
  it('with the same content stands for the first; with another it is refused, naming what differs', async () => {
    const { world, permit } = await given();
    const first = await world.ask(permit, 'T1');
    const again = await world.ask(permit, ' t1 ', {});
    expect(again).toMatchObject({ kind: 'standing', body: { id: idIn(first), status: 'accepted' } });
    const other = await refusal(world.ask(permit, 'T1', { quantity: '90 gal' }));
    expect(other).toMatchObject({
      code: 'conflict',
      details: { manifest: idIn(first), differs: ['quantity'] },
    });
    const many = await refusal(
      world.ask(permit, 'T1', { plannedAt: isoInstant(world.shared.now + DAY), sources: [source('far')] }),
    );
    expect(many.details['differs']).toEqual(['plannedAt', 'sources']);
    const distinct = await world.ask(permit, 'T1', {
      quantity: '90 gal',
      distinct: true,
      reason: 'two books',
    });
    expect(distinct.kind).toBe('recorded');
    expect(idIn(distinct)).not.toBe(idIn(first));
    expect(
      (await world.shared.store.readStream(`permit-${permit}`)).filter(
        ({ type }) => type === 'ManifestAccepted',
      ),
    ).toHaveLength(2);
  });

  it('is one for manifests and loads', async () => {
    const { world, permit } = await given();
    await world.pour(permit, 'T1');
    expect(await refusal(world.ask(permit, 'T1'))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('discharged already') as string,
    });
  });

  it('refused once is answered refused again, and recorded once', async () => {
    const { world, permit } = await given();
    world.key = 'K1';
    const first = await world.ask(permit, 'T1', { sources: [source('far')] });
    const again = await world.ask(permit, 'T1', { sources: [source('far')] });
    expect([first.kind, again.kind]).toEqual(['refused', 'refused']);
    expect(again.body).toMatchObject({ id: idIn(first), status: 'refused' });
    expect(
      (await world.typesIn(`permit-${permit}`)).filter((type) => type === 'ManifestRefused'),
    ).toHaveLength(1);
  });
});

describe('what is sent with a manifest', () => {
  it('is refused with every fault at once', async () => {
    const { world, permit } = await given();
    const error = await refusal(
      world.ask(permit, 'T1', {
        permitId: 'x',
        plannedAt: '2027-02-30T10:00:00Z',
        quantity: '0 gal',
        sources: [{ ...source('near', '5 ft', 'aple'), place: { kind: 'vat', key: 'V1' } }],
        facts: { sond: true },
        distinct: true,
      }),
    );
    expect(error.faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/plannedAt no-instant',
      '/permitId no-id',
      '/quantity not-positive',
      expect.stringContaining('/facts/sond'),
      '/sources/0/wasteType unknown-waste-type',
      '/sources/0/place/kind wrong-kind',
      '/sources/0/quantity wrong-kind-of-quantity',
      '/reason distinct-needs',
    ]);
  });

  it('is for a time to come, on a thing that the pack has manifests for', async () => {
    const { world, permit } = await given();
    const over = await refusal(world.ask(permit, 'T1', { plannedAt: '2027-09-12T15:00:00Z' }));
    expect(over.faults).toMatchObject([{ pointer: '/plannedAt', code: 'is-over' }]);
    const wrong = await refusal(world.ask(permit, 'T1', { subject: { kind: 'cart', key: 'C1' } }));
    expect(wrong.faults).toMatchObject([{ pointer: '/subject/kind', code: 'wrong-kind' }]);
    const named = await refusal(world.ask(permit, 'T1', { manifest: 'brining' }));
    expect(named.faults).toMatchObject([{ pointer: '/manifest', code: 'unknown-manifest' }]);
  });

  it('comes from the presser himself, who judges nothing of it', async () => {
    const { world, permit } = await given();
    const own = world.by(holder('P1'));
    const judged = await refusal(world.ask(permit, 'T1', {}, own));
    expect(judged.faults).toMatchObject([{ pointer: '/facts/sound', code: 'not-yours' }]);
    const answer = await world.ask(permit, 'T1', { facts: {} }, own);
    expect(answer.body['status']).toBe('pending');
    expect(await refusal(world.ask(permit, 'T2', { facts: {} }, world.by(holder('P2'))))).toMatchObject({
      code: 'forbidden',
    });
    const id = idIn(answer);
    const seen = (caller = holder('P1')) =>
      world.headworks.manifests.manifest(world.by(caller), id, {}, 'brief');
    expect(await seen()).toMatchObject({ id, status: 'pending', permitId: permit, manifest: 'bringing' });
    expect(await refusal(seen(holder('P2')))).toMatchObject({ code: 'not-found' });
  });
});

describe('what waits', () => {
  const waiting = async () => {
    const { world, permit } = await given();
    return { world, permit, id: idIn(await world.ask(permit, 'T1', { facts: {} })) };
  };
  const decide = (
    world: VatWorld,
    id: string,
    decision: 'acceptance' | 'refusal' | 'withdrawal',
    body = {},
  ) => world.headworks.manifests.decide(world.by(REEVE, {}), id, decision, body);

  it('is accepted by a clerk with the facts that were missing, which the load is judged by too', async () => {
    const { world, permit, id } = await waiting();
    const admin = world.request();
    const facts = { sound: true, tasted: true };
    const answer = await world.headworks.manifests.decide(admin, id, 'acceptance', {
      facts,
      reason: 'tried it',
    });
    expect(answer).toMatchObject({ kind: 'recorded', body: { status: 'accepted', filled: facts } });
    const accepted = (await world.shared.store.readStream(`permit-${permit}`)).at(-1);
    expect(accepted).toMatchObject({
      type: 'ManifestAccepted',
      metadata: { actor: { id: 'clerk-1' }, by: { person: 'clerk-1' } },
      data: { facts, reason: 'tried it' },
    });
    world.shared.now += 40 * 60_000;
    const load = await world.pour(permit, 'T1', { manifestId: id, facts: {} });
    expect(violatedIn(load)).toEqual([]);
    expect(unknownIn(load)).toEqual([]);
  });

  it('is not accepted as long as something is missing, and never against a violation', async () => {
    const { world, permit, id } = await waiting();
    const still = await decide(world, id, 'acceptance');
    expect(still).toMatchObject({ kind: 'recorded', body: { status: 'pending', missing: ['sound'] } });
    const no = await world.headworks.manifests.decide(world.request(), id, 'acceptance', {
      facts: { sound: false },
    });
    expect(no).toMatchObject({ kind: 'refused', body: { status: 'refused' } });
    expect(violatedIn(no)).toEqual(['sound']);
    expect([...(await world.permit(permit)).reservations.values()]).toEqual([]);
    expect([...(await world.vat()).reservations.values()]).toEqual([]);
  });

  it('is refused with a reason, taken back by its hauler, and neither twice', async () => {
    const { world, permit, id } = await waiting();
    expect((await refusal(decide(world, id, 'refusal'))).faults).toMatchObject([{ pointer: '/reason' }]);
    const refused = await decide(world, id, 'refusal', { reason: 'no room' });
    expect(refused).toMatchObject({ kind: 'recorded', body: { status: 'refused', reason: 'no room' } });
    expect(await refusal(decide(world, id, 'refusal', { reason: 'again' }))).toMatchObject({
      code: 'conflict',
    });
    expect(await refusal(decide(world, id, 'acceptance'))).toMatchObject({
      message: expect.stringContaining('this one is refused') as string,
    });
    const other = idIn(await world.ask(permit, 'T2'));
    const own = world.by(holder('P1'));
    const back = await world.headworks.manifests.decide(own, other, 'withdrawal', {
      reason: 'the cart broke',
    });
    expect(back).toMatchObject({
      kind: 'recorded',
      body: { status: 'withdrawn', withdrawn: { why: 'by_hauler' } },
    });
    expect([...(await world.permit(permit)).reservations.values()]).toEqual([]);
    expect([...(await world.vat()).reservations.values()]).toEqual([]);
    await expect(
      world.headworks.manifests.decide(own, other, 'withdrawal', { reason: 'again' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await expect(world.headworks.manifests.decide(own, id, 'acceptance', {})).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('lapses at the end of its day, and can’t be accepted then', async () => {
    const { world, id } = await waiting();
    world.at('2027-09-14T05:00:00.000Z');
    expect(await world.status(id)).toBe('lapsed');
    expect(await refusal(decide(world, id, 'acceptance'))).toMatchObject({
      message: expect.stringContaining('this one is lapsed') as string,
    });
  });
});

describe('a dry run', () => {
  it('shows the answer and every event, and writes nothing', async () => {
    const { world, permit } = await given();
    const before = await world.shared.store.lastPosition();
    const shown = await world.ask(permit, 'T1', {}, world.request({ dryRun: true }));
    expect(shown).toMatchObject({ kind: 'preview', body: { dryRun: true, status: 'accepted' } });
    const events = shown.body['events'] as readonly { type: string }[];
    expect(events.map(({ type }) => type)).toEqual([
      'ManifestSubmitted',
      'CapacityReserved',
      'CapacityReserved',
      'ManifestAccepted',
    ]);
    expect(await world.shared.store.lastPosition()).toBe(before);
    expect((await world.ask(permit, 'T1')).body['id']).toBe(shown.body['id']);
  });
});

describe('a check of a manifest', () => {
  it('is of the permit, the vat, the presser and the cart, with headroom net of what others hold', async () => {
    const { world, permit } = await given('400 gal');
    await world.pour(permit, 'L1');
    await world.ask(permit, 'T1');
    const body = {
      pack: 'fernhollow-vats',
      assessment: 'bringing',
      permitId: permit,
      subject: { kind: 'vat', key: 'V1' },
      vehicle: { kind: 'cart', key: 'C1' },
      quantity: '201 gal',
      facts: { sound: true, from_valley: true, named: true, makes: ['apple'] },
    };
    const over = await world.headworks.check(world.request(), body, 'status');
    expect(over.summary).toMatchObject({ status: 'violated', violated: 1, unknown: 0 });
    expect(over.headroom).toMatchObject([
      { limit: 'leave_year', used: { value: '200' }, allowed: { value: '400' }, remaining: { value: '200' } },
    ]);
    const fits = await world.headworks.check(world.request(), { ...body, quantity: '200 gal' }, 'status');
    expect(fits.summary).toMatchObject({ status: 'satisfied' });
    const { permitId: _none, ...without } = body;
    const open = await world.headworks.check(world.request(), without, 'status');
    expect(open.headroom).toMatchObject([{ remaining: null }]);
  });
});
