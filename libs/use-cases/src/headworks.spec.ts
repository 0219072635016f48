import { CodedError, subjectId, type JsonObject } from '@headworks/kernel';
import { loadIdOf } from './commands/record-load';
import { subjects, subjectStream } from './models';
import { JURISDICTION, PACK, World } from './testing/world.testing';

const events = async (world: World): Promise<readonly string[]> => {
  const all: string[] = [];
  for await (const batch of world.shared.store.readAll()) all.push(...batch.map(({ type }) => type));
  return all;
};
const faultsOf = async (promise: Promise<unknown>): Promise<readonly string[]> => {
  const error: unknown = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof CodedError)) throw new Error(`not refused: ${String(error)}`);
  return error.faults.length > 0
    ? error.faults.map(({ pointer, code }) => `${pointer} ${code}`)
    : [`${error.code}`];
};

describe('the same request again', () => {
  it('is answered from the log, also when it would be late by now', async () => {
    const world = await World.open();
    await world.register('M1', { meadow_area: '1 acre', fenced: true });
    const { reason: _reason, evidence: _evidence, ...body } = world.body('T1', { quantity: '150 gal' });
    const ask = () => world.headworks.recordLoad(world.keyed('k', body), body);
    const first = await ask();
    const written = await events(world);
    // An hour on, the body by itself would need a reason and evidence.
    world.shared.now += 3_600_000;
    expect(await faultsOf(world.headworks.recordLoad(world.request(), body))).toEqual([
      '/reason late-needs',
      '/evidence late-needs',
    ]);
    expect(await ask()).toEqual(first);
    expect(await events(world)).toEqual(written);
  });

  it('with another body is refused: a key stands for one request', async () => {
    const world = await World.open();
    const ask = (body: ReturnType<World['body']>) => world.headworks.recordLoad(world.keyed('k', body), body);
    await ask(world.body('T1'));
    expect(await faultsOf(ask(world.body('T1', { quantity: '11 gal' })))).toEqual(['key-reused']);
    expect(await faultsOf(ask(world.body('T2')))).toEqual(['key-reused']);
  });

  it('of two callers, each with the same key, are two', async () => {
    const world = await World.open();
    const ask = (id: string, ticket: string) => {
      const body = world.body(ticket);
      const caller = { id, roles: ['clerk'], jurisdictions: [JURISDICTION] };
      return world.headworks.recordLoad({ ...world.keyed('k', body), caller }, body);
    };
    expect([(await ask('a', 'T1')).kind, (await ask('b', 'T2')).kind]).toEqual(['recorded', 'recorded']);
  });

  it.each([
    ['registration', (world: World) => world.register('M9', { fenced: true })],
    ['fact', (world: World) => world.facts('M1', { fenced: false })],
    ['act', (world: World) => world.act('M1', 'visit', { soggy: true })],
    ['act that is refused', (world: World) => world.act('M1', 'give_leave', {})],
    [
      'succession',
      (world: World) =>
        world.headworks.supersedeSubject(world.request(), 'meadow', world.meadow('M1'), {
          successors: [{ key: 'M2' }],
          on: '2027-07-01',
          reason: 'split',
        }),
    ],
  ])('of a %s writes nothing and answers the same', async (_, ask) => {
    const world = await World.open();
    await world.register('M1', { fenced: true });
    await world.tip('T1');
    world.key = 'k';
    const first = await ask(world);
    const written = await events(world);
    world.shared.now += 3_600_000;
    expect(await ask(world)).toEqual(first);
    // Also by a process that never saw it.
    const other = new World(world.shared);
    other.key = 'k';
    expect(await ask(other)).toEqual(first);
    expect(await events(world)).toEqual(written);
  });

  it('at the same moment waits for the first', async () => {
    const world = await World.open();
    const body = world.body('T1');
    const answers = await Promise.all(
      [1, 2, 3].map(() => world.headworks.recordLoad(world.keyed('k', body), body)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await events(world)).filter((type) => type === 'LoadDischarged')).toHaveLength(1);
  });
});

describe('a ticket', () => {
  it('that comes again with the same content is the load that stands', async () => {
    const world = await World.open();
    const first = await world.tip('T1');
    const again = await world.tip(' t1 ', { hauler: { kind: 'hauler', key: 'h1' } });
    expect([first.kind, again.kind]).toEqual(['recorded', 'standing']);
    expect(again.body['id']).toBe(first.body['id']);
    expect(again.body['position']).toEqual(expect.any(String));
  });

  it('with other content is refused with what differs, unless it says that it is another load', async () => {
    const world = await World.open();
    const first = await world.tip('T1');
    await expect(world.tip('T1', { quantity: '11 gal' })).rejects.toMatchObject({
      code: 'conflict',
      details: { load: first.body['id'], differs: ['quantity'] },
    });
    expect(
      await faultsOf(world.tip('T1', { quantity: '11 gal', distinct: true, reason: undefined as never })),
    ).toContain('/reason distinct-needs');
    const distinct = await world.tip('T1', { quantity: '11 gal', distinct: true });
    expect(distinct.kind).toBe('recorded');
    expect(distinct.body['id']).not.toBe(first.body['id']);
  });

  it('after a correction is still the load that it was', async () => {
    const world = await World.open();
    const { body } = await world.tip('T1');
    const set = { quantity: '9 gal' };
    await world.headworks.correctLoad(world.request(), body['id'] as string, { reason: 'misread', set });
    expect((await world.tip('T1')).kind).toBe('standing');
  });
});

describe('a dry run', () => {
  it.each([
    [
      'load',
      (world: World, dryRun: boolean) =>
        world.headworks.recordLoad({ ...world.request(), dryRun }, world.body('T2')),
    ],
    [
      'correction',
      (world: World, dryRun: boolean) =>
        world.headworks.correctLoad(
          { ...world.request(), dryRun },
          loadIdOf(JURISDICTION, world.body('T1'), ''),
          { reason: 'misread', void: true },
        ),
    ],
    [
      'fact',
      (world: World, dryRun: boolean) =>
        world.headworks.recordFacts({ ...world.request(), dryRun }, 'meadow', world.meadow('M1'), {
          facts: { fenced: false },
        }),
    ],
    [
      'act',
      (world: World, dryRun: boolean) =>
        world.headworks.doAct(
          { ...world.request(), dryRun },
          { kind: 'meadow', id: world.meadow('M1'), act: 'give_leave' },
          { pack: PACK },
        ),
    ],
  ])('of a %s shows what would be recorded, writes nothing and claims nothing', async (_, ask) => {
    const world = await World.open();
    await world.register('M1', { fenced: true });
    await world.tip('T1');
    const written = await events(world);
    world.key = 'k';
    const shown = await ask(world, true);
    expect(shown).toMatchObject({ kind: 'preview', body: { dryRun: true } });
    expect((shown.body['events'] as readonly JsonObject[]).length).toBeGreaterThan(0);
    expect(await events(world)).toEqual(written);
    // The key is free for the request itself.
    world.key = undefined;
    const claim = await world.shared.keys.claim('clerk-1', 'k', { bodyHash: 'mine', commandId: 'mine' });
    expect(claim).toEqual({ bodyHash: 'mine', commandId: 'mine' });
  });
});

describe('corrections', () => {
  it('move a load: its posting, limits and violations go with it', async () => {
    const world = await World.open();
    await world.register('M1', { meadow_area: '1 acre', fenced: true });
    await world.register('M2', { meadow_area: '1 acre', fenced: false });
    const { body } = await world.tip('T1', { quantity: '150 gal' });
    expect((await world.standing()).map((one) => one.split(' by ')[0])).toEqual([
      'rate on M1',
      'whole on M1',
    ]);
    const set = { subject: { kind: 'meadow', key: 'M2' } };
    await world.headworks.correctLoad(world.request(), body['id'] as string, { reason: 'other field', set });
    expect((await world.standing()).map((one) => one.split(' by ')[0])).toEqual([
      'fence on M2',
      'rate on M2',
      'whole on M2',
    ]);
    expect((await world.thing('M1')).postings).toEqual([]);
    expect([...(await world.thing('M1')).exceeded.values()]).toEqual([]);
  });

  it('move what a load violates by itself, also where every finding comes out as before', async () => {
    const world = await World.open();
    const { body } = await world.tip('T1', { facts: { make: 'compost', brook_distance: '30 ft' } });
    const id = body['id'] as string;
    for (const key of ['M2', 'M3', 'M1']) {
      const set = { subject: { kind: 'meadow', key } };
      await world.headworks.correctLoad(world.request(), id, { reason: 'other field', set });
      expect((await world.standing()).map((one) => one.split(' by ')[0])).toEqual([`brook on ${key}`]);
    }
  });

  it('of the order of loads judge the later ones again: a campaign may have begun before', async () => {
    const world = await World.open();
    const { body } = await world.tip('T2');
    await world.tip('T1', { occurredAt: '2027-07-05T14:00:00Z' });
    const shown = await world.headworks.load(world.request(), body['id'] as string, {}, 'full');
    const rake = (shown['findings'] as readonly JsonObject[]).find(({ clause }) => clause === 'rake');
    expect(rake?.['operands']).toContainEqual(
      expect.objectContaining({ fact: 'first_tipped_at', value: '2027-07-05T14:00:00.000Z' }),
    );
  });

  it('to another spelling of its key leave it where it stands', async () => {
    const world = await World.open();
    const { body } = await world.tip('T1');
    const set = { subject: { kind: 'meadow', key: ' m1' } };
    await world.headworks.correctLoad(world.request(), body['id'] as string, { reason: 'spelling', set });
    expect((await world.thing('M1')).postings).toHaveLength(1);
  });

  it('show findings on what is so now', async () => {
    const world = await World.open();
    const { body } = await world.tip('T1', { facts: { make: 'wet', brook_distance: '60 ft' } });
    const id = body['id'] as string;
    const set = { facts: { brook_distance: '55 ft' } };
    const answer = await world.headworks.correctLoad(world.request(), id, { reason: 'survey', set });
    const brook = (answer.body['findings'] as readonly JsonObject[]).find(({ clause }) => clause === 'brook');
    expect(brook).toMatchObject({ status: 'satisfied', margin: { value: '5', unit: 'ft' } });
  });

  it('are refused all at once where they make no sense', async () => {
    const world = await World.open();
    const { body } = await world.tip('T1', { finishedAt: '2027-07-05T15:00:00Z' });
    const correct = (set: object, more = {}) =>
      faultsOf(
        world.headworks.correctLoad(world.request(), body['id'] as string, { reason: 'x', set, ...more }),
      );
    expect(await correct({})).toEqual(['/set nothing-to-correct']);
    expect(await correct({ quantity: '5 gal' }, { void: true })).toEqual(['/set void-and-set']);
    const bad = {
      quantity: '5 ft',
      occurredAt: '2027-07-05T16:00:00Z',
      subject: { kind: 'hauler', key: 'x' },
    };
    expect((await correct(bad)).toSorted()).toEqual([
      '/set/occurredAt ends-before-start',
      '/set/occurredAt in-the-future',
      '/set/quantity wrong-kind-of-quantity',
      '/set/subject/kind wrong-kind',
    ]);
  });
});

describe('an act that is judged', () => {
  const id = subjectId(JURISDICTION, 'hauler', 'H1');
  const target = { kind: 'hauler', id };
  async function watched(): Promise<{ world: World; event: string }> {
    const world = await World.open();
    await world.headworks.registerSubject(world.request(), 'hauler', {
      jurisdiction: JURISDICTION,
      key: 'H1',
    });
    const answer = await world.headworks.doAct(
      world.request(),
      { ...target, act: 'watch_cart' },
      { pack: PACK, facts: { covered: false } },
    );
    const [act] = answer.body['events'] as readonly { event: string }[];
    return { world, event: act?.event ?? '' };
  }
  const record = (world: World, body: object) =>
    world.headworks.recordFacts(world.request(), 'hauler', id, { reason: 'misread', ...body });

  it('is a violation of its clause, withdrawn when what it recorded is corrected', async () => {
    const { world, event } = await watched();
    expect(await world.standing()).toHaveLength(1);
    await record(world, { corrects: event, facts: { covered: true } });
    expect(await world.standing()).toEqual([]);
    await record(world, { corrects: event, facts: { covered: false } });
    expect(await world.standing()).toHaveLength(1);
  });

  it('is none where it was recorded in error', async () => {
    const { world, event } = await watched();
    await record(world, { annuls: event });
    expect(await world.standing()).toEqual([]);
  });

  it('is judged again when what it stood on is recorded late', async () => {
    const { world } = await watched();
    await world.headworks.doAct(
      world.request(),
      { ...target, act: 'grant_pass' },
      {
        pack: PACK,
        facts: { pass_from: '2027-07-01' },
        occurredAt: '2027-07-01T15:00:00Z',
        reason: 'late',
        evidence: 'book',
      },
    );
    expect(await world.standing()).toEqual([]);
  });
});

describe('parcels that are split and merged', () => {
  const supersede = (world: World, key: string, ...successors: readonly string[]) =>
    world.headworks.supersedeSubject(world.request(), 'meadow', world.meadow(key), {
      successors: successors.map((one) => ({ key: one })),
      on: '2027-07-05',
      reason: 'deed',
    });

  it('carry the year along by every way, once', async () => {
    const world = await World.open();
    for (const key of ['M1', 'M2', 'M3', 'M4'])
      await world.register(key, { meadow_area: '1 acre', fenced: true });
    await world.tip('T1', { quantity: '60 gal', occurredAt: '2027-07-01T15:00:00Z' });
    await supersede(world, 'M1', 'M2', 'M3');
    await supersede(world, 'M2', 'M4');
    await supersede(world, 'M3', 'M4');
    expect((await world.thing('M4')).postings).toHaveLength(1);
    await world.tip('T2', { quantity: '60 gal', subject: { kind: 'meadow', key: 'M4' } });
    expect((await world.standing()).map((one) => one.split(' by ')[0])).toEqual([
      'once on M4',
      'rake on M1',
      'rate on M4',
      'whole on M4',
    ]);
    // A late load on the old parcel counts in the new one too.
    await world.tip('T3', { quantity: '1 gal', occurredAt: '2027-07-01T16:00:00Z' });
    expect((await world.thing('M4')).postings).toHaveLength(3);
  });

  it('come to rest where they succeed each other in a circle', async () => {
    const world = await World.open();
    for (const key of ['M1', 'M2']) await world.register(key, { meadow_area: '1 acre' });
    await world.tip('T1', { occurredAt: '2027-07-01T15:00:00Z' });
    await supersede(world, 'M1', 'M2');
    await supersede(world, 'M2', 'M1');
    await world.tip('T2', { subject: { kind: 'meadow', key: 'M2' }, occurredAt: '2027-07-02T15:00:00Z' });
    for (const key of ['M1', 'M2']) {
      expect((await world.thing(key)).postings.map(({ data }) => data.load)).toHaveLength(2);
    }
    // What came from the first never goes back to it: taken out there, it would come again from here.
    const back = (await world.shared.store.readStream(`subject-${world.meadow('M1')}`))
      .filter(({ type }) => type === 'BroughtForward')
      .flatMap(({ data }) => data['postings'] as readonly JsonObject[]);
    expect(new Set(back.map(({ load }) => load))).toEqual(
      new Set([loadIdOf(JURISDICTION, world.body('T2'), '')]),
    );
  });

  it('end once, on a day that has come, and not as themselves', async () => {
    const world = await World.open();
    await world.register('M1', {});
    const ask = (on: string, key = 'M2') =>
      world.headworks.supersedeSubject(world.request(), 'meadow', world.meadow('M1'), {
        successors: [{ key }],
        on,
        reason: 'deed',
      });
    expect(await faultsOf(ask('2027-07-06', ' m1'))).toEqual([
      '/on in-the-future',
      '/successors/0/key itself',
    ]);
    expect(await faultsOf(ask('2027-02-30'))).toEqual(['/on no-date']);
    await ask('2027-07-01');
    expect(await faultsOf(ask('2027-07-01'))).toEqual(['conflict']);
  });
});

describe('what is seen', () => {
  it('another kind is not there, registered or known by its loads', async () => {
    const world = await World.open();
    await world.tip('T1');
    const ask = (kind: string) => world.headworks.subject(world.request(), kind, world.meadow('M1'), {});
    expect(await ask('meadow')).toMatchObject({ registered: false, postings: 1 });
    expect(await faultsOf(ask('hauler'))).toEqual(['not-found']);
  });

  it("another agency's is not there either", async () => {
    const world = await World.open();
    await world.register('M1', {});
    const caller = { id: 'x', roles: ['admin'], jurisdictions: ['xx-otherwise'] };
    const request = world.request({ caller });
    expect(await faultsOf(world.headworks.subject(request, 'meadow', world.meadow('M1'), {}))).toEqual([
      'not-found',
    ]);
    expect(await faultsOf(world.headworks.recordLoad(request, world.body('T1')))).toEqual([
      '/pack unknown-pack',
    ]);
  });

  it('a limit is shown on the kind that it is kept on, by the version of the day', async () => {
    const world = await World.open();
    await world.register('M1', { meadow_area: '1 acre' });
    const ask = (limit: string, kind = 'meadow') =>
      world.headworks.ledger(world.request(), { kind, id: world.meadow('M1'), limit }, { on: '2027-07-05' });
    expect(await ask('meadow_week')).toMatchObject({ pack: PACK, count: 0 });
    expect(await faultsOf(ask('no_such'))).toEqual(['not-found']);
  });
});

it('what one append could not judge is judged by what follows', async () => {
  const world = await World.open();
  await world.register('M1', {});
  const { body } = await world.tip('T1', { quantity: '150 gal' });
  const stream = subjectStream(world.meadow('M1'));
  // As if a correction of the area had put more loads over than its append could say.
  const { events: cut } = await world.services.runner.run(subjects, stream, {
    commandId: 'a0000000-0000-5000-8000-000000000001',
    envelope: {
      occurred: { at: '2027-01-01T00:00:00.000Z' },
      actor: { id: 'clerk-1', roles: [] },
      jurisdiction: JURISDICTION,
      correlationId: 'c',
      commandId: 'a0000000-0000-5000-8000-000000000001',
    },
    receivedAt: '2027-07-05T15:00:00.000Z',
    deadline: 1000,
    decide: () => ({
      events: [
        {
          type: 'FactsRecorded',
          data: {
            facts: { meadow_area: { value: '1', unit: 'acre' } },
            unjudged: { since: '2027-01-01T00:00:00.000Z', limits: ['meadow_year'] },
          },
        },
      ],
    }),
  });
  const followed = await world.headworks.reconciler.follow(cut);
  expect(followed.map(({ type }) => type)).toContain('LimitExceeded');
  expect((await world.standing())[0]).toContain(`rate on M1 by H1 for ${(body['id'] as string).slice(0, 8)}`);
});

it('facts of either law that looks at a thing may be recorded on it, and those of acts by acts alone', async () => {
  const world = await World.open();
  await world.register('M1', {});
  await world.facts('M1', { meadow_area: '2 acre' });
  await world.facts('M1', { ash_tested: true });
  expect([...(await world.thing('M1')).facts.rows.keys()]).toEqual(['meadow_area', 'ash_tested']);
  expect(await faultsOf(world.facts('M1', { raked_at: '2027-07-05T15:00:00Z' }))).toEqual([
    '/facts/raked_at fact-not-allowed',
  ]);
});
