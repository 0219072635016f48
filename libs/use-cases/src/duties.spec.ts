import { LATE, Weirs } from './testing/weirs.testing';

/** Ten working days from Thursday, July 1, 2027; the 5th is Weir Day. */
const DUE = '2027-07-17T05:00:00.000Z';
/** With the 9th closed too. */
const MOVED = '2027-07-20T05:00:00.000Z';

describe('one duty', () => {
  it('is shown with its count, day by day, and its paper says the same', async () => {
    const weirs = await Weirs.opened();
    const permit = await weirs.filed();
    const at = await weirs.duty(permit);
    const shown = await weirs.headworks.duties.duty(weirs.request(), at, {}, 'full');
    expect(shown).toMatchObject({
      status: 'open',
      due: { date: '2027-07-16', at: DUE },
      who: 'moot',
      owedTo: 'applicant',
      permitId: permit,
      extendedBy: 'moot',
      waivedBy: null,
      countedBy: {
        zone: 'America/Chicago',
        calendars: [{ as: 'office', id: 'fern-office', version: '1' }],
        start: { on: '2027-07-01', event: `permit-${permit}@0` },
      },
      finding: { clause: 'decide', status: 'unknown', reason: 'not_yet_due' },
    });
    const paper = await weirs.headworks.duties.derivationPaper(weirs.request(), at, {}, [['Printed', 'now']]);
    expect(paper).toContain('Due by the end of Friday, 2027-07-16');
    expect(paper).toMatch(/2027-07-05 \| Monday \| no \| .*Weir Day/);
    expect(paper).toContain('- Printed: now');
    const derivation = await weirs.headworks.duties.derivation(weirs.request(), at, {});
    expect(derivation['derivation']).toEqual(shown['derivation']);
  });

  it('gets more time from the body that may, and a refusal with findings where it was not owed', async () => {
    const weirs = await Weirs.opened();
    const at = await weirs.duty(await weirs.filed());
    const { duties } = weirs.headworks;
    const said = { reason: 'hearing', times: 2 };
    const answer = await duties.decide(weirs.request(), at, 'extension', said);
    expect(answer).toMatchObject({ kind: 'recorded', body: { duty: { due: { date: '2027-07-30' } } } });
    await expect(duties.decide(weirs.request(), at, 'waiver', { reason: 'no' })).rejects.toMatchObject({
      code: 'refused',
      details: { findings: [{ clause: 'decide', status: 'violated' }] },
    });
    const stranger = { ...weirs.request().caller, roles: ['officer'] };
    const asked = weirs.request({ caller: stranger });
    await expect(duties.decide(asked, at, 'extension', said)).rejects.toMatchObject({ code: 'forbidden' });
    expect(
      await duties.duty(weirs.request(), at, { asOf: '2027-06-30T00:00:00Z' }, 'full').catch(String),
    ).toContain('no such duty then');
  });
});

describe('a day that is closed late', () => {
  it('moves what is open, in every list and derivation, and no earlier cut', async () => {
    const weirs = await Weirs.opened();
    const permit = await weirs.filed();
    const at = await weirs.duty(permit);
    weirs.at('2027-07-08T15:00:00.000Z');
    const answer = await weirs.closed('2027-07-09');
    expect(answer).toMatchObject({
      kind: 'recorded',
      body: { events: [{ type: 'CalendarAmended' }], followed: [{ type: 'DutyMoved' }] },
    });
    const { duties } = weirs.headworks;
    expect(await duties.duty(weirs.request(), at, {}, 'full')).toMatchObject({
      due: { date: '2027-07-19', at: MOVED },
      moved: [{ from: { date: '2027-07-16' }, to: { date: '2027-07-19' }, by: ['law-xx-fernhollow@0'] }],
    });
    expect(await duties.derivationPaper(weirs.request(), at, {}, [])).toContain('law-xx-fernhollow@0');
    const before = '2027-07-08T14:00:00.000Z';
    for (const cut of [{ asOf: before }, { knownAt: before }]) {
      expect(await duties.duty(weirs.request(), at, cut, 'full')).toMatchObject({
        due: { at: DUE },
        moved: [],
      });
    }
    expect((await weirs.closed('2027-07-09')).kind).toBe('standing');
  });

  it('is refused where it is no day, or of a calendar that nobody counts by', async () => {
    const weirs = await Weirs.opened();
    await expect(weirs.closed('2027-02-30')).rejects.toMatchObject({
      faults: [{ pointer: '/days/0/date', code: 'no-date' }],
    });
    const of = { jurisdiction: 'xx-fernhollow', calendar: 'gone' };
    await expect(weirs.headworks.duties.amendCalendar(weirs.request(), of, { days: [] })).rejects.toThrow(
      'it has fern-office',
    );
  });

  it('puts what was decided on the stale list, from which an officer takes it', async () => {
    const weirs = await Weirs.opened();
    const permit = await weirs.filed();
    const at = await weirs.duty(permit);
    weirs.at('2027-07-17T15:00:00.000Z');
    await weirs.settle(permit);
    const { duties, permits } = weirs.headworks;
    expect(await duties.staleAt(at, {})).toBeUndefined();
    expect((await weirs.closed('2027-07-09')).body['followed']).toEqual([]);
    expect(await duties.staleAt(at, {})).toMatchObject({
      duty: at.id,
      why: 'not_due_yet',
      due: { date: '2027-07-16' },
      dueNow: { date: '2027-07-19' },
      outcome: 'deemed_approved',
      consequences: [`${at.stream}@2`],
      cause: 'law-xx-fernhollow@0',
    });
    // Nobody knew of the storm the day before.
    expect(await duties.staleAt(at, { asOfMs: Date.parse('2027-07-17T14:00:00Z') })).toBeUndefined();
    const status = async () => (await permits.permit(weirs.request(), permit, {}, 'status'))['status'];
    expect(await status()).toBe('deemed_approved');
    const reversed = await duties.decide(weirs.request(), at, 'reversal', LATE);
    expect(reversed.body).toMatchObject({ duty: { status: 'open', due: { date: '2027-07-19' } } });
    expect(await status()).toBe('filed');
    expect(await duties.staleAt(at, {})).toBeUndefined();
  });
});

describe('a day that was closed by mistake', () => {
  const CLOSED = 'law-xx-fernhollow@0';
  const BACK = 'law-xx-fernhollow@1';

  it('counts until it is taken back: what is open moves back, in another process too', async () => {
    const weirs = await Weirs.opened();
    const permit = await weirs.filed();
    const at = await weirs.duty(permit);
    weirs.at('2027-07-08T15:00:00.000Z');
    await weirs.closed('2027-07-09');
    weirs.at('2027-07-09T15:00:00.000Z');
    const dry = await weirs.takenBack(CLOSED, { dryRun: true });
    expect(dry).toMatchObject({ kind: 'preview', body: { events: [{ type: 'ClosedDaysAnnulled' }] } });
    const other = weirs.beside();
    const answer = await weirs.takenBack(CLOSED);
    expect(answer.body).toMatchObject({
      events: [{ event: BACK, type: 'ClosedDaysAnnulled' }],
      followed: [{ type: 'DutyMoved' }],
    });
    await other.headworks.reconciler.follow(await weirs.shared.store.readStream('law-xx-fernhollow'));
    for (const { headworks } of [weirs, other]) {
      expect(await headworks.duties.duty(weirs.request(), at, {}, 'full')).toMatchObject({
        due: { date: '2027-07-16', at: DUE },
        moved: [{ by: [CLOSED] }, { from: { date: '2027-07-19' }, to: { date: '2027-07-16' }, by: [BACK] }],
      });
    }
    const { duties } = weirs.headworks;
    const between = '2027-07-09T14:00:00.000Z';
    const listed = (query: object) => duties.closedDays(weirs.request(), 'xx-fernhollow', query);
    for (const cut of [{ asOf: between }, { knownAt: between }]) {
      expect(await duties.duty(weirs.request(), at, cut, 'full')).toMatchObject({ due: { at: MOVED } });
      expect(await listed(cut)).toMatchObject([{ date: '2027-07-09', event: CLOSED, takenBack: null }]);
    }
    const takenBack = { event: BACK, at: '2027-07-09T15:00:00.000Z', ...LATE };
    expect(await listed({})).toMatchObject([{ event: CLOSED, takenBack }]);
    await expect(weirs.takenBack(CLOSED)).rejects.toMatchObject({
      code: 'conflict',
      details: { standing: BACK },
    });
    await expect(weirs.takenBack(BACK)).rejects.toMatchObject({ code: 'not-found' });
    // It was no mistake after all.
    expect((await weirs.closed('2027-07-09')).body).toMatchObject({ followed: [{ type: 'DutyMoved' }] });
    expect(await duties.duty(weirs.request(), at, {}, 'full')).toMatchObject({ due: { at: MOVED } });
  });

  it('puts what was decided meanwhile on the stale list, and leaves what was done in time', async () => {
    const weirs = await Weirs.opened();
    const [missed, done] = [await weirs.filed(), await weirs.filed()];
    const [at, met] = [await weirs.duty(missed), await weirs.duty(done)];
    weirs.at('2027-07-08T15:00:00.000Z');
    await weirs.closed('2027-07-09');
    weirs.at('2027-07-19T15:00:00.000Z');
    await weirs.approve(done);
    weirs.at('2027-07-20T15:00:00.000Z');
    await weirs.settle(missed);
    const { duties } = weirs.headworks;
    expect(await duties.staleAt(at, {})).toBeUndefined();
    await weirs.takenBack(CLOSED);
    expect(await duties.staleAt(at, {})).toMatchObject({
      why: 'judged_anew',
      due: { date: '2027-07-19' },
      dueNow: { date: '2027-07-16' },
      cause: BACK,
    });
    expect(await duties.duty(weirs.request(), met, {}, 'full')).toMatchObject({
      status: 'met',
      due: { date: '2027-07-19' },
    });
    expect(await weirs.settle(done)).toEqual([]);
  });

  it('held nothing open: what was due without it is missed on that day, until the day is closed again', async () => {
    const weirs = await Weirs.opened();
    const at = await weirs.duty(await weirs.filed());
    weirs.at('2027-07-08T15:00:00.000Z');
    await weirs.closed('2027-07-09');
    weirs.at('2027-07-18T15:00:00.000Z');
    const { followed } = (await weirs.takenBack(CLOSED)).body;
    expect(followed).toMatchObject([
      { type: 'DutyMoved' },
      { type: 'DutyMissed' },
      { type: 'ApplicationDeemedApproved' },
    ]);
    const { duties } = weirs.headworks;
    const missed = await duties.duty(weirs.request(), at, {}, 'brief');
    expect(missed).toMatchObject({ status: 'missed', due: { at: DUE } });
    await weirs.closed('2027-07-09');
    expect(await duties.staleAt(at, {})).toMatchObject({
      why: 'not_due_yet',
      dueNow: { date: '2027-07-19' },
    });
  });
});

it('a decision that races its own deadline: exactly one stands, and the log says why', async () => {
  for (const ms of [-1, 0, 1]) {
    const weirs = await Weirs.opened();
    const permit = await weirs.filed();
    weirs.shared.now = Date.parse(DUE) + ms;
    const [decided] = await Promise.allSettled([weirs.approve(permit), weirs.settle(permit)]);
    const events = await weirs.shared.store.readStream(`permit-${permit}`);
    const types = events.map(({ type }) => type);
    const isInTime = ms < 0;
    expect(types.includes('ApplicationDeemedApproved')).toBe(!isInTime);
    expect(decided?.status).toBe(isInTime ? 'fulfilled' : 'rejected');
    if (decided?.status === 'rejected') {
      expect(decided.reason).toMatchObject({ code: 'conflict' });
    }
    expect(types.filter((type) => type.endsWith('Approved'))).toHaveLength(1);
  }
});
