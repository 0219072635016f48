import { heldAt } from '@headworks/domain';
import type { AppendRequest, EventStore } from '@headworks/event-store';
import { isoInstant, type RecordedEvent } from '@headworks/kernel';
import { idIn, REEVE, VatWorld, violatedIn, WARDEN } from './testing/vats.testing';
import { openShared } from './testing/world.testing';

const MINUTE = 60_000;

async function given(gallons = '1000 gal') {
  const world = await VatWorld.open();
  return { world, permit: await world.leave(gallons) };
}

const held = async (world: VatWorld, permit: string): Promise<readonly string[]> => {
  const states = [await world.permit(permit), await world.vat()];
  return states.flatMap(({ reservations }) =>
    heldAt(reservations, world.shared.now).map(({ data }) => data.manifest),
  );
};

/** Types of the events of one append, by the append of the event. */
async function appendOf(world: VatWorld, stream: string, type: string): Promise<readonly string[]> {
  const events = await world.shared.store.readStream(stream);
  const found = events.findLast((event) => event.type === type);
  return events
    .filter(({ metadata }) => metadata.commandId === found?.metadata.commandId)
    .map((event) => event.type);
}

describe('a restriction of the thing', () => {
  it('ends what it holds in its own append; the permit follows, and what is asked after is refused', async () => {
    const { world, permit } = await given();
    const ids = [idIn(await world.ask(permit, 'T1')), idIn(await world.ask(permit, 'T2'))];
    await world.closeVat(true);
    const vat = `subject-${world.id('vat', 'V1')}`;
    expect(await appendOf(world, vat, 'fernhollow-vats.VatClosed')).toEqual([
      'fernhollow-vats.VatClosed',
      'AcceptanceWithdrawn',
      'AcceptanceWithdrawn',
    ]);
    expect(await held(world, permit)).toEqual([]);
    for (const id of ids) {
      const shown = await world.headworks.manifests.manifest(world.request(), id, {}, 'full');
      expect(shown).toMatchObject({ status: 'withdrawn', withdrawn: { why: 'reservation_ended' } });
      expect(violatedIn({ kind: 'recorded', body: shown })).toEqual(['closed']);
    }
    expect(violatedIn(await world.ask(permit, 'T3'))).toEqual(['closed']);
    // Lifted, nothing comes back by itself; what is asked anew is accepted.
    world.shared.now += MINUTE;
    await world.closeVat(false);
    expect(await world.status(ids[0] ?? '')).toBe('withdrawn');
    expect((await world.ask(permit, 'T4')).body['status']).toBe('accepted');
  });

  it('leaves what is planned elsewhere, what was discharged, and loads that come after without leave', async () => {
    const { world, permit } = await given();
    const elsewhere = idIn(await world.ask(permit, 'T1', { subject: { kind: 'vat', key: 'V2' } }));
    const poured = idIn(await world.ask(permit, 'T2'));
    await world.pour(permit, 'T2', { manifestId: poured });
    const asked = idIn(await world.ask(permit, 'T3'));
    world.shared.now += MINUTE;
    await world.closeVat(true);
    expect(await world.status(elsewhere)).toBe('accepted');
    expect(await world.status(poured)).toBe('discharged');
    world.shared.now += MINUTE;
    expect(violatedIn(await world.pour(permit, 'T3', { manifestId: asked }))).toEqual(['closed', 'accepted']);
  });

  it('that is recorded late ends from when it was recorded: what was poured before was accepted', async () => {
    const { world, permit } = await given();
    const id = idIn(await world.ask(permit, 'T1'));
    world.shared.now += 60 * MINUTE;
    await world.closeVat(true);
    const late = { occurredAt: '2027-09-13T13:45:00.000Z', reason: 'late', evidence: 'book' };
    expect(violatedIn(await world.pour(permit, 'T1', { manifestId: id, ...late }))).toEqual([]);
  });

  it('ends all at once, though they are more than one append can name, and says why of each', async () => {
    const { world, permit } = await given('100000 gal');
    const ids: string[] = [];
    const quantity = '1 gal';
    for (let n = 0; n < 230; n++) ids.push(idIn(await world.ask(permit, `T${n}`, { quantity })));
    const seen: number[] = [];
    const { runner } = world.services;
    const run = runner.run.bind(runner);
    // As the append of the restriction is through, whatever follows.
    runner.run = async (model, stream, job) => {
      const outcome = await run(model, stream, job);
      if (stream.startsWith('subject-'))
        seen.push(heldAt((await world.vat()).reservations, world.shared.now).length);
      return outcome;
    };
    await world.closeVat(true);
    expect(seen[0]).toBe(0);
    const events = await world.shared.store.readStream(`subject-${world.id('vat', 'V1')}`);
    const told = events.filter(({ type }) => type === 'AcceptanceWithdrawn');
    expect(new Set(told.map(({ data }) => data['manifest']))).toEqual(new Set(ids));
    expect(told).toHaveLength(ids.length);
    for (const { data } of told)
      expect(data['findings']).toMatchObject([{ clause: 'closed', status: 'violated' }]);
    expect(await held(world, permit)).toEqual([]);
    const permitState = await world.permit(permit);
    for (const id of ids) expect(permitState.manifests.get(id)?.is).toBe('withdrawn');
  });
});

describe('a restriction of the permit', () => {
  it('ends what holds and what waits there in its own append, and the vat gives back what it held', async () => {
    const { world, permit } = await given();
    const accepted = idIn(await world.ask(permit, 'T1'));
    const pending = idIn(await world.ask(permit, 'T2', { facts: {} }));
    await world.bar(permit, true);
    expect(await appendOf(world, `permit-${permit}`, 'fernhollow-vats.PresserBarred')).toEqual([
      'fernhollow-vats.PresserBarred',
      'AcceptanceWithdrawn',
      'AcceptanceWithdrawn',
    ]);
    expect(await world.status(accepted)).toBe('withdrawn');
    expect(await world.status(pending)).toBe('withdrawn');
    expect(await held(world, permit)).toEqual([]);
    expect(violatedIn(await world.ask(permit, 'T3'))).toEqual(['barred']);
    await expect(
      world.headworks.manifests.decide(world.by(REEVE), pending, 'acceptance', {}),
    ).rejects.toMatchObject({ code: 'conflict' });
  });

  it('a smaller plan ends what no longer fits, the latest first', async () => {
    const { world, permit } = await given('300 gal');
    const ids: string[] = [];
    for (const ticket of ['T1', 'T2', 'T3']) ids.push(idIn(await world.ask(permit, ticket)));
    const body = { reason: 'less', sets: { yearly_volume: '200 gal' }, conditions: ['less'] };
    await world.headworks.permits.decide(world.request(), permit, 'conditions', body);
    const now = await Promise.all(ids.map((id) => world.status(id)));
    expect(now).toEqual(['accepted', 'accepted', 'withdrawn']);
    expect(violatedIn(await world.ask(permit, 'T4', { quantity: '1 gal' }))).toEqual(['plan']);
  });
});

describe.each([
  ['suspension', 'PermitSuspended'],
  ['revocation', 'PermitRevoked'],
  ['voidance', 'PermitVoided'],
] as const)('a %s', (decision, type) => {
  it('ends what waits and what is accepted in its own append; the vat follows; nothing is accepted after it', async () => {
    const { world, permit } = await given();
    const accepted = idIn(await world.ask(permit, 'T1'));
    const pending = idIn(await world.ask(permit, 'T2', { facts: {} }));
    const poured = idIn(await world.ask(permit, 'T3'));
    await world.pour(permit, 'T3', { manifestId: poured });
    const grounds = decision === 'voidance' ? {} : { grounds: ['plan'] };
    await world.headworks.permits.decide(world.request(), permit, decision, { reason: 'r', ...grounds });
    const ended = (await world.shared.store.readStream(`permit-${permit}`)).find(
      (event) => event.type === type,
    );
    expect(ended?.data['ends']).toEqual([
      { manifest: accepted, was: 'accepted' },
      { manifest: pending, was: 'pending' },
    ]);
    expect(await held(world, permit)).toEqual([]);
    expect(await world.status(accepted)).toBe('withdrawn');
    expect(await world.status(pending)).toBe('withdrawn');
    expect(await world.status(poured)).toBe('discharged');
    // At the very same instant, and planned for a time before it.
    const before = '2027-09-13T13:00:00.000Z';
    for (const [ticket, more] of [
      ['T4', {}],
      ['T5', { plannedAt: before }],
    ] as const)
      expect(violatedIn(await world.ask(permit, ticket, more))).toEqual(['permit:pressing']);
  });
});

describe('the end of a permit’s days', () => {
  it('refuses what is asked after it, and ends nothing that was not in its time', async () => {
    const { world, permit } = await given();
    world.at('2027-12-31T20:00:00.000Z');
    const id = idIn(await world.ask(permit, 'T1'));
    expect(await world.status(id)).toBe('accepted');
    world.at('2028-01-01T06:00:00.000Z');
    await world.headworks.settle(`permit-${permit}`);
    expect(await world.status(id)).toBe('lapsed');
    expect(await held(world, permit)).toEqual([]);
    expect(violatedIn(await world.ask(permit, 'T2'))).toEqual(['permit:pressing']);
  });
});

/** Runs something once, right before an append that has such an event reaches the log. */
function before(
  store: EventStore,
  wanted: (request: AppendRequest) => boolean,
  meanwhile: () => Promise<unknown>,
): EventStore {
  let done = false;
  return {
    readAll: (options) => store.readAll(options),
    readStream: (stream, options) => store.readStream(stream, options),
    append: async (request) => {
      if (!done && wanted(request)) {
        done = true;
        await meanwhile();
      }
      return store.append(request);
    },
  };
}

const appends =
  (stream: string, type: string) =>
  (request: AppendRequest): boolean =>
    request.stream.startsWith(stream) && request.events.some((event) => event.type === type);

/** Two processes on one log: what the other does comes between two appends of the first. */
async function racing(
  wanted: (request: AppendRequest) => boolean,
  meanwhile: (other: VatWorld, permit: string) => Promise<unknown>,
) {
  const shared = await openShared();
  const other = new VatWorld(shared, { singleWriter: false });
  await other.begin();
  const permit = await other.leave('1000 gal');
  const store = before(shared.store, wanted, () => meanwhile(other, permit));
  return { world: new VatWorld(shared, { store, singleWriter: false }), permit };
}

describe('what comes between holding at the vat and accepting in the permit’s stream', () => {
  it.each([
    ['a restriction of the vat', (other: VatWorld) => other.closeVat(true), ['closed']],
    [
      'one that is lifted again',
      async (other: VatWorld) => {
        await other.closeVat(true);
        await other.closeVat(false);
      },
      ['closed'],
    ],
    [
      'a licence that is lost',
      (other: VatWorld) => other.factsOf('presser', 'P1', { licensed: false }),
      ['licensed'],
    ],
    [
      'a cart that is found dirty',
      (other: VatWorld) => other.factsOf('cart', 'C1', { cart_clean: false }),
      ['clean'],
    ],
    [
      'an orchard that lies elsewhere',
      (other: VatWorld) => other.factsOf('orchard', 'near', { in_valley: false }),
      ['valley'],
    ],
  ])('%s: the acceptance is taken back before it is answered', async (_, meanwhile, clauses) => {
    const { world, permit } = await racing(appends('permit-', 'ManifestAccepted'), (other) =>
      meanwhile(other),
    );
    const answer = await world.ask(permit, 'T1');
    expect(answer).toMatchObject({ kind: 'refused', body: { status: 'withdrawn' } });
    expect(violatedIn(answer)).toEqual(clauses);
    expect(await held(world, permit)).toEqual([]);
  });

  it.each([
    [
      'a revocation',
      (other: VatWorld, permit: string) =>
        other.headworks.permits.decide(other.request(), permit, 'revocation', {
          reason: 'r',
          grounds: ['plan'],
        }),
      ['permit:pressing'],
    ],
    ['a bar', (other: VatWorld, permit: string) => other.bar(permit, true), ['barred']],
  ])('%s: it is refused there, and the vat gives back what it held', async (_, meanwhile, clauses) => {
    const { world, permit } = await racing(appends('permit-', 'ManifestAccepted'), meanwhile);
    const answer = await world.ask(permit, 'T1');
    expect(answer).toMatchObject({ kind: 'refused', body: { status: 'refused' } });
    expect(violatedIn(answer)).toEqual(clauses);
    expect(await held(world, permit)).toEqual([]);
  });

  it('the last gallons of the plan: one is accepted, and the other told why', async () => {
    const { world, permit } = await racing(appends('permit-', 'ManifestAccepted'), (other, id) =>
      other.ask(id, 'O1', { quantity: '450 gal', subject: { kind: 'vat', key: 'V2' } }),
    );
    const answer = await world.ask(permit, 'T1', { quantity: '500 gal' });
    expect(answer.kind).toBe('recorded');
    const last = await world.ask(permit, 'T2', { quantity: '51 gal', subject: { kind: 'vat', key: 'V2' } });
    expect(violatedIn(last)).toEqual(['plan', 'vat']);
  });
});

describe('a process that dies', () => {
  const following = async (shared: VatWorld['shared']): Promise<VatWorld> => {
    const next = new VatWorld(shared, { singleWriter: false });
    const all: RecordedEvent[] = [];
    for await (const batch of shared.store.readAll()) all.push(...batch);
    for (const event of all)
      if (!next.headworks.reconciler.isFinished(event)) await next.headworks.reconciler.follow([event]);
    return next;
  };
  const dying = async (wanted: (request: AppendRequest) => boolean) => {
    const shared = await openShared();
    const first = new VatWorld(shared);
    await first.begin();
    const permit = await first.leave('1000 gal');
    let dead = false;
    const store: EventStore = {
      readAll: (options) => shared.store.readAll(options),
      readStream: (stream, options) => shared.store.readStream(stream, options),
      append: (request) => {
        dead ||= wanted(request);
        return dead ? Promise.reject(new Error('dead')) : shared.store.append(request);
      },
    };
    return { shared, permit, world: new VatWorld(shared, { store }), first };
  };

  it('between holding and accepting is finished by whoever follows the log', async () => {
    const { shared, permit, world } = await dying(appends('permit-', 'ManifestAccepted'));
    await expect(world.ask(permit, 'T1')).rejects.toThrow('dead');
    expect([...(await world.vat()).reservations.values()]).toHaveLength(1);
    const next = await following(shared);
    expect(await held(next, permit)).toHaveLength(2);
    const answer = await next.ask(permit, 'T1');
    expect(answer).toMatchObject({ kind: 'standing', body: { status: 'accepted' } });
  });

  it('between a clerk’s holding and accepting is finished in the clerk’s name', async () => {
    const { shared, permit, first } = await dying(() => false);
    const id = idIn(await first.ask(permit, 'T1', { facts: {} }));
    let dead = false;
    const store: EventStore = {
      readAll: (options) => shared.store.readAll(options),
      readStream: (stream, options) => shared.store.readStream(stream, options),
      append: (request) => {
        dead ||= appends('permit-', 'ManifestAccepted')(request);
        return dead ? Promise.reject(new Error('dead')) : shared.store.append(request);
      },
    };
    const clerk = new VatWorld(shared, { store });
    const accepting = clerk.headworks.manifests.decide(clerk.by(WARDEN), id, 'acceptance', {
      facts: { sound: true },
    });
    await expect(accepting).rejects.toThrow('dead');
    const next = await following(shared);
    expect(await next.status(id)).toBe('accepted');
    const accepted = (await shared.store.readStream(`permit-${permit}`)).at(-1);
    expect(accepted).toMatchObject({ metadata: { actor: { id: 'wes' } }, data: { facts: { sound: true } } });
  });

  it('ends the acceptance when the vat was closed, however much later it is written down', async () => {
    const { shared, permit, world, first } = await dying(appends('permit-', 'AcceptanceWithdrawn'));
    const id = idIn(await first.ask(permit, 'T1'));
    await expect(world.closeVat(true)).rejects.toThrow('dead');
    const poured = isoInstant(shared.now + 30 * MINUTE);
    shared.now += 60 * MINUTE;
    const next = await following(shared);
    const late = { occurredAt: poured, reason: 'late', evidence: 'book' };
    expect(violatedIn(await next.pour(permit, 'T1', { manifestId: id, ...late }))).toEqual([
      'closed',
      'accepted',
    ]);
  });

  it('between the end at the vat and the end of the acceptance: whoever asks is told why, from the vat', async () => {
    const { shared, permit, world, first } = await dying(appends('permit-', 'AcceptanceWithdrawn'));
    const id = idIn(await first.ask(permit, 'T1'));
    await expect(world.closeVat(true)).rejects.toThrow('dead');
    const shown = await new VatWorld(shared, { singleWriter: false }).headworks.manifests.manifest(
      first.request(),
      id,
      {},
      'full',
    );
    const ended = `subject-${first.id('vat', 'V1')}@3`;
    expect(shown).toMatchObject({
      status: 'withdrawn',
      event: ended,
      withdrawn: { why: 'reservation_ended' },
    });
    expect(violatedIn({ kind: 'recorded', body: shown })).toEqual(['closed']);
  });

  it.each([
    ['after a restriction, before the permit follows', 'permit-', 'AcceptanceWithdrawn'],
    ['after a refusal, before the vat gives back', 'subject-', 'AcceptanceWithdrawn'],
  ])('%s leaves nothing behind', async (_, stream, type) => {
    const { shared, permit, world, first } = await dying(appends(stream, type));
    if (stream === 'permit-') {
      await first.ask(permit, 'T1');
      await expect(world.closeVat(true)).rejects.toThrow('dead');
    } else {
      await first.ask(permit, 'T1');
      await expect(
        world.headworks.permits.decide(world.request(), permit, 'revocation', {
          reason: 'r',
          grounds: ['plan'],
        }),
      ).rejects.toThrow('dead');
    }
    const next = await following(shared);
    expect(await held(next, permit)).toEqual([]);
  });
});
