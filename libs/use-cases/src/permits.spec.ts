import { CodedError, type JsonObject } from '@headworks/kernel';
import { permits, permitStream } from './models';
import { CLERK } from './testing/world.testing';
import { HOLDER, MOOT, PRESS, PressWorld, REEVE, STRANGER, WARDEN } from './testing/press.testing';

async function refusal(promise: Promise<unknown>): Promise<CodedError> {
  const error: unknown = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof CodedError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}
const codeOf = async (promise: Promise<unknown>): Promise<string> => (await refusal(promise)).code;
const faultsOf = async (promise: Promise<unknown>): Promise<readonly string[]> =>
  (await refusal(promise)).faults.map(({ pointer, code }) => `${pointer} ${code}`);
const typesIn = async (world: PressWorld, stream = ''): Promise<readonly string[]> => {
  const all: string[] = [];
  for await (const batch of world.shared.store.readAll()) {
    all.push(...batch.filter((event) => event.stream.startsWith(stream)).map(({ type }) => type));
  }
  return all;
};
const late = { reason: 'the post', evidence: 'letter 4' };

describe('an application', () => {
  it('is put on file with its findings and the day by which it is decided', async () => {
    const world = await PressWorld.open();
    const { kind, body } = await world.headworks.permits.fileApplication(
      world.by(HOLDER),
      world.application(),
    );
    expect(kind).toBe('recorded');
    expect(body).toMatchObject({ status: 'filed', live: false, number: null, valid: null, violations: [] });
    const findings = body['findings'] as readonly JsonObject[];
    expect(findings.find(({ clause }) => clause === 'decision')).toMatchObject({
      status: 'unknown',
      reason: 'not_yet_due',
      due: { date: '2027-10-01' },
      text: 'not yet due: until the end of 2027-10-01',
    });
    expect(findings.find(({ clause }) => clause === 'inn')).toMatchObject({
      status: 'satisfied',
      operands: [{ fact: 'inn_keeper', from: { source: 'subject' } }],
    });
    expect(body['position']).toEqual(expect.any(String));
  });

  it('is one, however often the request is sent, also by two processes at once', async () => {
    const world = await PressWorld.open();
    const other = new PressWorld(world.shared, { singleWriter: false });
    const body = world.application();
    const file = (one: PressWorld) =>
      one.headworks.permits.fileApplication({ ...one.keyed('k', body), caller: HOLDER }, body);
    const first = await file(world);
    world.shared.now += 3_600_000;
    expect(await file(world)).toEqual(first);
    expect(await file(other)).toMatchObject({ body: { id: first.body['id'] } });
    expect(await typesIn(world, 'permit-')).toEqual(['ApplicationFiled']);
    const changed = { ...body, facts: {} };
    const again = world.headworks.permits.fileApplication(
      { ...world.keyed('k', changed), caller: HOLDER },
      changed,
    );
    expect(await codeOf(again)).toBe('key-reused');
  });

  it('is looked at whole, and says all that is wrong with it', async () => {
    const world = await PressWorld.open();
    const file = (more: object) =>
      world.headworks.permits.fileApplication(world.request(), world.application(more));
    expect(
      await faultsOf(
        file({
          applicant: { kind: 'vat', key: 'V1' },
          facts: { yearly_volume: '5 ft', fruits: [], bonded: true },
          occurredAt: '2030-01-01T00:00:00Z',
        }),
      ),
    ).toEqual([
      '/occurredAt in-the-future',
      '/applicant/kind wrong-kind',
      '/facts/yearly_volume wrong-unit',
      '/facts/fruits unknown-fact',
      '/facts/bonded unknown-fact',
    ]);
    expect(await faultsOf(file({ permitType: 'presing' }))).toEqual(['/permitType unknown-permit-type']);
    expect(await faultsOf(file({ applicant: { kind: 'vat', key: 'V1' } }))).toEqual([
      '/applicant/kind wrong-kind',
    ]);
    expect(await codeOf(file({ pack: 'no-such-law' }))).toBe('not-found');
    expect(await typesIn(world, 'permit-')).toEqual([]);
  });

  it('is previewed without a trace', async () => {
    const world = await PressWorld.open();
    const before = await typesIn(world);
    const { kind, body } = await world.headworks.permits.fileApplication(
      world.by(HOLDER, { dryRun: true }),
      world.application(),
    );
    expect([kind, body['status']]).toEqual(['preview', 'filed']);
    expect(body['findings']).toHaveLength(6);
    expect(await typesIn(world)).toEqual(before);
  });

  it('that came in time and is entered later stands at its day, with why', async () => {
    const world = await PressWorld.open();
    world.at('2027-09-03T15:00:00Z');
    const then = { occurredAt: '2027-08-30T15:00:00Z' };
    expect(await faultsOf(world.file(then, world.by(REEVE)))).toEqual([
      '/reason late-needs',
      '/evidence late-needs',
    ]);
    const id = await world.file({ ...then, ...late }, world.by(REEVE));
    const { file } = await world.permit(id);
    expect(new Date(file.steps[0]?.key.ms ?? 0).toISOString()).toBe('2027-08-30T15:00:00.000Z');
    const shown = await world.headworks.permits.permit(world.by(REEVE), id, {}, 'status');
    const findings = shown['findings'] as readonly JsonObject[];
    expect(findings.find(({ clause }) => clause === 'season')).toMatchObject({ status: 'satisfied' });
  });
});

describe('a holder', () => {
  it('files for itself alone', async () => {
    const world = await PressWorld.open();
    expect(await codeOf(world.file({}, world.by(STRANGER)))).toBe('forbidden');
    expect(await typesIn(world, 'permit-')).toEqual([]);
    expect(await world.file({}, world.by(REEVE))).toEqual(expect.any(String));
  });

  it("sees its own alone: another's is not found, whatever is asked", async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const { permits: all } = world.headworks;
    const asks = (caller = STRANGER) => [
      all.permit(world.by(caller), id, {}, 'full'),
      all.acts(world.by(caller), id),
      all.history(world.by(caller), id, {}),
      all.ledger(world.by(caller), { id, limit: 'leave_year' }, {}),
      all.decide(world.by(caller), id, 'information', { facts: {} }),
      all.renew(world.by(caller), id, {}),
      all.doAct(world.by(caller), id, 'accept_bond', { pack: PRESS, facts: { bonded: true } }),
      all.recordFacts(world.by(caller), id, { facts: { plan_of_work: 'x' } }),
    ];
    for (const ask of asks()) expect(await codeOf(ask)).toBe('not-found');
    const elsewhere = { ...REEVE, jurisdictions: ['xx-otherwise'] };
    for (const ask of asks(elsewhere)) expect(await codeOf(ask)).toBe('not-found');
    const words = (await refusal(all.permit(world.by(STRANGER), id, {}, 'full'))).message;
    expect((await refusal(all.permit(world.by(STRANGER), permitStream('none'), {}, 'full'))).message).toBe(
      words,
    );
    expect(await all.permit(world.by(HOLDER), id, {}, 'full')).toMatchObject({ id });
  });

  it('decides nothing, but adds what is asked for and withdraws', async () => {
    const world = await PressWorld.open();
    const id = await world.file();
    for (const decision of ['completion', 'information-requests', 'denial'] as const) {
      const body = {
        reason: 'r',
        grounds: ['volume'],
        ...(decision === 'completion' && { grounds: undefined }),
      };
      const { reason, grounds } = body;
      const said = decision === 'denial' ? { reason, grounds: grounds ?? [] } : { reason };
      expect(await codeOf(world.decide(HOLDER, id, decision, said))).toBe('forbidden');
    }
    await world.decide(REEVE, id, 'information-requests', { reason: 'how?', facts: ['plan_of_work'] });
    const told = await world.decide(HOLDER, id, 'information', {
      facts: { plan_of_work: 'by hand' },
      note: 'see p. 2',
    });
    expect(told.body).toMatchObject({ status: 'filed', events: [{ type: 'InformationReceived' }] });
    expect((await world.decide(HOLDER, id, 'withdrawal', { reason: 'too dear' })).body['status']).toBe(
      'withdrawn',
    );
  });
});

describe('a decision', () => {
  it('is the body’s that the pack names, whose role the caller has; an administrator may stand in', async () => {
    const world = await PressWorld.open();
    const id = await world.file();
    expect((await refusal(world.decide(MOOT, id, 'completion'))).message).toBe(
      "The completion is the Reeve's; it needs the role 'clerk'.",
    );
    await world.decide(REEVE, id, 'completion');
    expect(await codeOf(world.decide(REEVE, id, 'approval', { reason: 'r' }))).toBe('forbidden');
    expect((await world.decide(CLERK, id, 'approval', { reason: 'r' })).body['status']).toBe('approved');
    const { file } = await world.permit(id);
    expect(file.steps.map(({ body, person }) => `${body ?? '-'} ${person ?? '-'}`)).toEqual([
      '- pat',
      'reeve rae',
      'moot clerk-1',
    ]);
  });

  it('names the person who acted where another writes it down', async () => {
    const world = await PressWorld.open();
    const id = await world.file();
    await world.decide(REEVE, id, 'completion', { by: { person: 'old-rae', evidence: 'minutes 12' } });
    const [, completed] = await world.shared.store.readStream(permitStream(id));
    expect(completed?.metadata).toMatchObject({
      actor: { id: 'rae' },
      by: { body: 'reeve', person: 'old-rae', evidence: 'minutes 12' },
    });
  });

  it('says what it lacks, and what has no place in it', async () => {
    const world = await PressWorld.open();
    const id = await world.file();
    const ask = (decision: Parameters<PressWorld['decide']>[2], body: Parameters<PressWorld['decide']>[3]) =>
      faultsOf(world.decide(CLERK, id, decision, body));
    expect(await ask('denial', {})).toEqual(['/reason reason-needed', '/grounds grounds-needed']);
    expect(await ask('denial', { reason: ' ', grounds: ['x'] })).toEqual(['/reason reason-needed']);
    expect(await ask('denial', { reason: 'r', grounds: ['volum'] })).toEqual(['/grounds/0 no-ground']);
    expect(await ask('completion', { sets: {}, grounds: [] })).toEqual([
      '/sets not-here',
      '/grounds not-here',
    ]);
    expect(await ask('information', {})).toEqual(['/facts facts-needed']);
    expect(await ask('information', { facts: { inn_keeper: false } })).toEqual([
      '/facts/inn_keeper fact-not-allowed',
    ]);
    expect(await ask('information-requests', { reason: 'r', facts: ['froot', 'fruit'] })).toEqual([
      '/facts/0 unknown-fact',
    ]);
    expect(await ask('information-requests', { reason: 'r', facts: { fruit: 1 } })).toEqual([
      '/facts no-list',
    ]);
    expect(await ask('approval', { reason: 'r', sets: { fruit: ['pears'] } })).toEqual([
      '/sets/fruit fact-not-allowed',
    ]);
    expect(await ask('conditions', { reason: 'r' })).toEqual(['/conditions nothing-said']);
    expect(await typesIn(world, 'permit-')).toEqual(['ApplicationFiled']);
  });

  it('that the law refuses is answered with findings and leaves no trace', async () => {
    const world = await PressWorld.open();
    const id = await world.file({ facts: { fruit: ['apples'], yearly_volume: '1200 gal' } });
    await world.decide(REEVE, id, 'completion');
    const before = await typesIn(world);
    const error = await refusal(world.decide(MOOT, id, 'approval', { reason: 'r' }));
    expect([error.code, error.message]).toEqual([
      'refused',
      'The approval is refused as things stand: volume (par. 3) is violated. Nothing was recorded.',
    ]);
    expect(error.details['findings']).toMatchObject([
      { clause: 'volume', text: '1200 gal, not at most 1000 gal: 200 gal over' },
    ]);
    expect(await typesIn(world)).toEqual(before);
    const less = await world.decide(MOOT, id, 'approval', {
      reason: 'r',
      sets: { yearly_volume: '900 gal' },
    });
    // Nobody has found the bond enough, so it is approved alone.
    expect(less.body).toMatchObject({
      status: 'approved',
      issuance: {
        may: 'no',
        why: [{ clause: 'bond', text: 'bond_ends has not happened, not on or after 2028-01-01' }],
      },
    });
  });

  it('is one, however often it is sent', async () => {
    const world = await PressWorld.open();
    const id = await world.file();
    world.key = 'k';
    const first = await world.decide(REEVE, id, 'completion');
    expect(await world.decide(REEVE, id, 'completion')).toEqual(first);
    world.key = undefined;
    const again = await refusal(world.decide(REEVE, id, 'completion'));
    expect([again.code, again.details['phase']]).toEqual(['conflict', 'complete']);
    expect(await typesIn(world, 'permit-')).toEqual(['ApplicationFiled', 'ApplicationCompleted']);
  });

  it('of two at once is one: the other is told what stands there', async () => {
    const world = await PressWorld.open();
    const other = new PressWorld(world.shared, { singleWriter: false });
    const id = await world.file();
    await world.decide(REEVE, id, 'completion');
    const asks = await Promise.allSettled([
      world.decide(MOOT, id, 'approval', { reason: 'yes' }),
      other.decide(MOOT, id, 'denial', { reason: 'no', grounds: ['volume'] }),
    ]);
    expect(asks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = asks.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect((refused.reason as CodedError).code).toBe('conflict');
  });

  it('taken in time and recorded after the end of the year takes its legal place', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    world.at('2029-01-02T15:00:00Z');
    await world.headworks.settle(permitStream(id));
    expect((await world.permit(id)).file.steps.at(-1)?.type).toBe('PermitExpired');
    await world.decide(MOOT, id, 'revocation', {
      ...late,
      grounds: ['clean'],
      occurredAt: '2028-12-01T15:00:00Z',
    });
    const shown = (asOf: string) => world.headworks.permits.permit(world.by(REEVE), id, { asOf }, 'status');
    expect((await shown('2028-11-30T15:00:00Z'))['status']).toBe('issued');
    expect((await shown('2028-12-02T15:00:00Z'))['status']).toBe('revoked');
    expect((await shown('2029-01-02T16:00:00Z'))['status']).toBe('revoked');
    const known = await world.headworks.permits.permit(
      world.by(REEVE),
      id,
      { knownAt: '2029-01-02T14:59:00Z' },
      'status',
    );
    expect(known['status']).toBe('expired');
  });
});

describe('acts on a permit', () => {
  it('are done by the body, and are facts of the permit', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const see = world.headworks.permits.doAct(world.by(REEVE), id, 'see_vats', {
      pack: PRESS,
      facts: { vat_clean: false },
    });
    expect(await codeOf(see)).toBe('forbidden');
    const done = await world.act(id, 'see_vats', { vat_clean: false });
    expect(done).toMatchObject({ kind: 'recorded', body: { type: `${PRESS}.VatsSeen`, status: 'issued' } });
    const stopped = await world.decide(WARDEN, id, 'suspension', { reason: 'dirt', grounds: ['clean'] });
    expect(stopped.body['findings']).toMatchObject([{ clause: 'clean', status: 'violated' }]);
    const shown = await world.headworks.permits.permit(world.by(HOLDER), id, {}, 'full');
    expect(shown['facts']).toMatchObject({
      vat_clean: { value: false },
      vat_seen_on: { value: '2027-09-20' },
    });
    expect(await codeOf(world.act(id, 'no_such_act', {}))).toBe('not-found');
  });

  it('that find a breach make the holder answer for it, until it is corrected or annulled', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const seen = await world.act(id, 'see_vats', { vat_clean: false });
    const [violation] = await world.violations();
    expect(seen.body['violations']).toEqual([violation?.stream.slice('violation-'.length)]);
    expect(violation?.detected?.data).toMatchObject({
      clause: 'clean',
      responsible: { kind: 'presser', key: 'P1' },
      permitId: id,
      subject: { kind: 'permit', key: id },
    });
    await world.headworks.permits.recordFacts(world.by(REEVE), id, {
      corrects: seen.body['event'] as string,
      facts: { vat_clean: true },
      reason: 'the vat beside it',
    });
    expect((await world.violations()).map(({ withdrawn }) => withdrawn !== undefined)).toEqual([true]);
  });

  it('and decisions are told with who may, what blocks them, and under which clause', async () => {
    const world = await PressWorld.open();
    const id = await world.file({ facts: { fruit: ['apples'] } });
    const told = async (caller: typeof REEVE) => {
      const all = await world.headworks.permits.acts(world.by(caller), id);
      return Object.fromEntries(
        all.map((one) => [
          (one['decision'] ?? one['act']) as string,
          [one['may'], one['yours'], ...(one['why'] as readonly JsonObject[]).map(({ clause }) => clause)],
        ]),
      );
    };
    expect(await told(REEVE)).toEqual({
      'information-requests': ['yes', true],
      information: ['yes', true],
      completion: ['unknown', true, 'permit:pressing.needs'],
      approval: ['no', false, 'permit:pressing.approval'],
      denial: ['yes', false],
      withdrawal: ['yes', true],
      issuance: ['no', false, 'permit:pressing.issuance'],
      conditions: ['no', false, 'permit:pressing.conditions'],
      suspension: ['no', false, 'permit:pressing.suspension'],
      reinstatement: ['no', false, 'permit:pressing.reinstatement'],
      revocation: ['no', false, 'permit:pressing.revocation'],
      voidance: ['no', false, 'permit:pressing.voidance'],
      see_vats: ['yes', false],
      accept_bond: ['yes', true],
    });
    await world.decide(HOLDER, id, 'information', { facts: { yearly_volume: '1200 gal' } });
    await world.decide(REEVE, id, 'completion');
    expect((await told(MOOT))['approval']).toEqual(['no', true, 'volume']);
    // Whoever called it complete is told that another has to decide.
    const both = { ...REEVE, roles: ['clerk', 'board'] };
    expect((await told(both))['approval']).toEqual(['no', true, 'volume', 'permit:pressing.approval.by']);
    // The law of this permit type names nobody who suspends or revokes.
    const tasting = await world.file({ permitType: 'tasting', facts: { fruit: ['pears'] } });
    const names = (await world.headworks.permits.acts(world.by(REEVE), tasting)).map(
      ({ decision }) => decision,
    );
    expect(names).not.toContain('suspension');
    expect(names).not.toContain('revocation');
  });
});

describe('facts of a permit', () => {
  it('are recorded as they are, where no decision fixes them and no act records them', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const record = (body: Parameters<typeof world.headworks.permits.recordFacts>[2]) =>
      world.headworks.permits.recordFacts(world.by(REEVE), id, body);
    expect(
      await faultsOf(record({ facts: { yearly_volume: '1 gal', bonded: true, asked_on: '2027-01-01' } })),
    ).toEqual([
      '/facts/yearly_volume fact-not-allowed',
      '/facts/bonded fact-not-allowed',
      '/facts/asked_on fact-not-allowed',
    ]);
    expect(await faultsOf(record({}))).toEqual(['/facts no-facts']);
    expect((await record({ facts: { plan_of_work: 'by foot' } })).body['events']).toMatchObject([
      { type: 'FactsRecorded' },
    ]);
    const { stream } = await world.permit(id);
    const corrected = await record({
      corrects: `${stream}@3`,
      facts: { yearly_volume: '450 gal' },
      reason: 'a slip',
    });
    expect(corrected.body['events']).toMatchObject([{ type: 'FactsCorrected' }]);
    const shown = await world.headworks.permits.permit(world.by(REEVE), id, {}, 'full');
    expect(shown['facts']).toMatchObject({
      yearly_volume: { value: { value: '450', unit: 'gal' }, from: '2027-09-20T15:00:00.000Z' },
    });
  });

  it('and decisions are annulled, where nothing rests on them', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    await world.decide(WARDEN, id, 'suspension', { reason: 'dirt', grounds: ['clean'] });
    const { stream, revision } = await world.permit(id);
    const annul = (at: number, reason?: string) =>
      world.headworks.permits.recordFacts(world.by(REEVE), id, {
        annuls: `${stream}@${at}`,
        ...(reason !== undefined && { reason }),
      });
    expect(await faultsOf(annul(revision))).toEqual(['/reason change-needs']);
    expect(await faultsOf(annul(99, 'r'))).toEqual(['/annuls no-such-event']);
    expect(await codeOf(annul(3, 'r'))).toBe('conflict');
    expect((await annul(revision, 'the wrong file')).body['status']).toBe('issued');
  });
});

describe('a read', () => {
  it('shows a permit as it stood, with its steps, its days and its number', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const shown = (asOf?: string) =>
      world.headworks.permits.permit(world.by(HOLDER), id, asOf === undefined ? {} : { asOf }, 'brief');
    expect(await shown()).toMatchObject({
      id,
      pack: PRESS,
      packVersion: '1',
      permitType: 'pressing',
      applicant: { kind: 'presser', key: 'P1' },
      status: 'issued',
      since: '2027-09-20T15:00:00.000Z',
      filedAt: '2027-08-10T15:00:00.000Z',
      live: false,
      number: 1,
      series: 'fernhollow-press/pressing/2028',
      valid: { from: '2028-01-01', until: '2028-12-31' },
      endsAt: '2029-01-01T06:00:00.000Z',
      waivers: [],
      steps: [
        { type: 'ApplicationFiled' },
        { type: 'ApplicationCompleted' },
        { type: 'ApplicationApproved' },
        { type: 'PermitIssued' },
      ],
    });
    expect(await shown('2027-09-15T15:00:00Z')).toMatchObject({
      status: 'complete',
      number: null,
      valid: null,
      endsAt: null,
    });
    expect(await shown('2028-05-01T15:00:00Z')).toMatchObject({ status: 'issued', live: true });
    expect(await codeOf(shown('2027-08-01T15:00:00Z'))).toBe('not-found');
  });

  it('shows no permit as issued whose days are over, and writes nothing', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const before = await typesIn(world);
    world.at('2029-03-01T15:00:00Z');
    const { revision } = await world.permit(id);
    expect(await world.headworks.permits.permit(world.by(HOLDER), id, {}, 'full')).toMatchObject({
      status: 'expired',
      since: '2029-01-01T06:00:00.000Z',
      endsAt: null,
      revision,
    });
    expect(await typesIn(world)).toEqual(before);
    // Settle writes it, once, as of the instant.
    await world.headworks.settle(permitStream(id));
    await world.headworks.settle(permitStream(id));
    expect((await typesIn(world)).slice(before.length)).toEqual(['PermitExpired']);
    const last = (await world.shared.store.readStream(permitStream(id))).at(-1);
    expect(last?.metadata).toMatchObject({
      occurred: { at: '2029-01-01T06:00:00.000Z' },
      actor: { id: 'headworks' },
    });
  });

  it('shows the ledger of the plan before the first load', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const ledger = await world.headworks.permits.ledger(
      world.by(HOLDER),
      { id, limit: 'leave_year' },
      { on: '2028-02-01' },
    );
    expect(ledger).toMatchObject({
      count: 0,
      headroom: [
        {
          clause: 'plan',
          used: { value: '0', unit: 'gal' },
          allowed: { value: '500', unit: 'gal' },
          remaining: { value: '500', unit: 'gal' },
        },
      ],
    });
  });

  it('shows its history page by page', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const page = await world.headworks.permits.history(world.by(HOLDER), id, { limit: 2 });
    const events = (page['events'] as readonly JsonObject[]).map(({ type }) => type);
    expect([events, page['next']]).toEqual([['ApplicationFiled', 'ApplicationCompleted'], 1]);
    const state = await world.services.runner.read(permits, permitStream(id));
    expect(state.revision).toBe(5);
  });
});
