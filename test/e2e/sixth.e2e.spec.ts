import { join } from 'node:path';
import { startApi, type Answered, type Api, type Json } from './support/api';
import { clausesThat, expectStatus, findingsOf, idOf, itemsOf, LATE, typesOf } from './support/town';

const VILLAGE = 'xx-fernhollow';
const PACK = 'fernhollow-marl';
const MARLER = { kind: 'marler', key: 'M-1' };
const FIELD = { kind: 'field', key: 'F-1' };

/** An ordinance that nobody wrote a line of code for: a folder of files, run from the application to the revocation. */
describe('a sixth ordinance over HTTP', () => {
  let api: Api;
  let keys: Readonly<Record<'reeve' | 'moot' | 'warden' | 'marler', string>>;
  let field: string;
  let leave: string;
  let hauling: string;
  let tickets = 0;

  beforeAll(async () => {
    api = await startApi('sqlite', 'virtual', { RULES_DIR: join(__dirname, '../fixtures/sixth') });
    expectStatus(await api.at('2027-05-03T09:00:00-05:00'), 200);
    const of = (role: string) => api.keyOf([role], [VILLAGE], [MARLER]);
    keys = {
      reeve: await of('clerk'),
      moot: await of('board'),
      warden: await of('officer'),
      marler: await of('holder'),
    };
    const facts = { field_area: '10 acre', slope: '5 %' };
    const body = { jurisdiction: VILLAGE, key: FIELD.key, facts };
    field = idOf(expectStatus(await api.post('/v1/subjects/field', body), 201));
  });
  afterAll(() => api.stop());

  const permit = async (id: string): Promise<Json> =>
    expectStatus(await api.get(`/v1/permits/${id}`), 200).body;
  const onField = (name: string, facts: Json, key: string) =>
    api.post(`/v1/subjects/field/${field}/acts/${name}`, { pack: PACK, facts }, { key });
  const spread = (facts: Json, more: Json = {}): Promise<Answered> =>
    api.post(
      '/v1/loads',
      {
        ...{ pack: PACK, load: 'spreading', permitId: leave, subject: FIELD, hauler: MARLER },
        ticket: `L-${++tickets}`,
        occurredAt:
          api.program.services.clock.now() > 0
            ? new Date(api.program.services.clock.now()).toISOString()
            : '',
        quantity: { value: '10', unit: 'cuyd' },
        facts: {
          method: 'surface',
          to_be_plowed: false,
          near: 'house',
          distance: '600 ft',
          hauling_leave: hauling,
          ...facts,
        },
        ...more,
      },
      { key: keys.marler },
    );
  const loadOf = async (id: string): Promise<Answered> => expectStatus(await api.get(`/v1/loads/${id}`), 200);

  it('an application is answered with its fee by the acre, and silence makes it complete', async () => {
    const body = { pack: PACK, permitType: 'marling', applicant: MARLER, facts: { acres: '12 acre' } };
    const filed = expectStatus(await api.post('/v1/applications', body, { key: keys.marler }), 201);
    leave = idOf(filed);
    expect(findingsOf(filed).find(({ clause }) => clause === 'fee')).toMatchObject({
      status: 'satisfied',
      amount: { value: '50', unit: 'USD' },
    });
    // Five days from May 3 end with May 8.
    expectStatus(await api.at('2027-05-08T23:00:00-05:00'), 200);
    expect(await permit(leave)).toMatchObject({ status: 'filed' });
    expectStatus(await api.at('2027-05-10T09:00:00-05:00'), 200);
    expect(await permit(leave)).toMatchObject({ status: 'complete' });
  });

  it('a question stops the clock, and silence gives leave when what was left is over', async () => {
    const asked = { reason: 'which fields?', facts: ['acres'] };
    const decide = (name: string, body: Json, key: string) =>
      api.post(`/v1/applications/${leave}/${name}`, body, { key });
    expectStatus(await api.at('2027-05-17T09:00:00-05:00'), 200);
    expectStatus(await decide('information-requests', asked, keys.reeve), 201);
    expectStatus(await api.at('2027-05-24T09:00:00-05:00'), 200);
    expectStatus(await decide('information', { facts: { acres: '12 acre' } }, keys.marler), 201);
    // From May 9: 5 working days to May 14, the 6th is May 17; from May 25 on 14 more end with June 11.
    expectStatus(await api.at('2027-06-11T23:00:00-05:00'), 200);
    expect(await permit(leave)).toMatchObject({ live: false });
    expectStatus(await api.at('2027-06-12T09:00:00-05:00'), 200);
    expect(await permit(leave)).toMatchObject({ status: 'deemed_approved', live: true });
  });

  it('both leaves must be live, and the other one is looked up where it stands', async () => {
    const body = { pack: PACK, permitType: 'hauling', applicant: MARLER, facts: { carts: 3 } };
    hauling = idOf(expectStatus(await api.post('/v1/applications', body, { key: keys.marler }), 201));
    const early = expectStatus(await spread({}), 201);
    expect(clausesThat(early, 'violated')).toEqual(['both_leaves']);
    expectStatus(
      await api.post(`/v1/applications/${hauling}/approval`, { reason: 'in order' }, { key: keys.reeve }),
      201,
    );
    if ((await permit(hauling))['status'] !== 'issued') {
      expectStatus(await api.post(`/v1/permits/${hauling}/issuance`, {}, { key: keys.reeve }), 201);
    }
    expectStatus(await api.at('2027-06-14T08:00:00-05:00'), 200);
    const load = expectStatus(await spread({}), 201);
    expect([load.body['violations'], clausesThat(load, 'unknown')]).toEqual([[], []]);
    const asked = { pack: PACK, assessment: 'spreading', subject: FIELD, hauler: MARLER };
    const check = expectStatus(
      await api.post('/v1/checks', { ...asked, permitId: leave, facts: { hauling_leave: hauling } }),
      200,
    );
    expect(clausesThat(check, 'satisfied')).toContain('both_leaves');
    const unnamed = expectStatus(await spread({ hauling_leave: undefined }), 201);
    expect(findingsOf(unnamed).find(({ clause }) => clause === 'both_leaves')).toMatchObject({
      status: 'unknown',
      missing: ['hauling_leave'],
    });
  });

  it('a leave that was suspended before and is recorded late changes what was found', async () => {
    const load = expectStatus(await spread({}), 201);
    const stop = { reason: 'loose wheels', grounds: ['carts'], occurredAt: '2027-06-14T07:55:00-05:00' };
    expectStatus(await api.post(`/v1/permits/${hauling}/suspension`, stop, { key: keys.warden }), 201);
    expect(clausesThat(await loadOf(idOf(load)), 'violated')).toEqual(['both_leaves']);
    const again = { reason: 'mended' };
    expectStatus(await api.post(`/v1/permits/${hauling}/reinstatement`, again, { key: keys.warden }), 201);
    expect(clausesThat(expectStatus(await spread({}), 201), 'violated')).toEqual([]);
  });

  it('what is planned is a duty, and changes what was found before when it is done in time or is not', async () => {
    const near = { to_be_plowed: true, distance: '250 ft' };
    expectStatus(await api.at('2027-06-15T08:00:00-05:00'), 200);
    const load = expectStatus(await spread(near), 201);
    expect(clausesThat(load, 'unknown')).toEqual(['keep_away', 'plow_in']);
    expectStatus(await api.at('2027-06-15T13:00:00-05:00'), 200);
    expectStatus(await onField('plow', {}, keys.marler), 201);
    const met = await loadOf(idOf(load));
    expect(findingsOf(met).find(({ clause }) => clause === 'keep_away')).toMatchObject({
      status: 'satisfied',
    });
    expectStatus(await api.at('2027-06-16T08:00:00-05:00'), 200);
    const late = expectStatus(await spread(near), 201);
    expectStatus(await api.at('2027-06-16T15:00:00-05:00'), 200);
    expect(clausesThat(await loadOf(idOf(late)), 'violated')).toEqual(['keep_away']);
    const tooNear = itemsOf(expectStatus(await api.get('/v1/violations?clause=keep_away'), 200));
    expect(tooNear).toMatchObject([
      { clause: 'keep_away', status: 'open', from: '2027-06-16', loadId: idOf(late) },
    ]);
    const found = itemsOf(expectStatus(await api.get('/v1/violations?clause=plow_in'), 200));
    expect(found).toMatchObject([{ clause: 'plow_in', status: 'open', from: '2027-06-16' }]);
  });

  it('what was done in time and written down late takes back what followed from it', async () => {
    const done = { pack: PACK, facts: {}, occurredAt: '2027-06-16T10:00:00-05:00', ...LATE };
    expectStatus(await api.post(`/v1/subjects/field/${field}/acts/plow`, done), 201);
    const statuses = async (clause: string) =>
      itemsOf(expectStatus(await api.get(`/v1/violations?clause=${clause}`), 200)).map(
        ({ status }) => status,
      );
    expect(await statuses('plow_in')).toEqual(['withdrawn']);
    expect(await statuses('keep_away')).toEqual(['withdrawn']);
  });

  it('an owner waives a distance for a while', async () => {
    const waiver = { waived_by_owner: '7 Mill Lane', waiver_ends: '2027-06-30' };
    expectStatus(await onField('waive', waiver, keys.marler), 201);
    expect(clausesThat(expectStatus(await spread({ distance: '5 ft' }), 201), 'violated')).toEqual([]);
    expectStatus(await api.at('2027-07-01T08:00:00-05:00'), 200);
    expect(clausesThat(expectStatus(await spread({ distance: '5 ft' }), 201), 'violated')).toEqual([
      'keep_away',
    ]);
  });

  it('a week and 365 days hold what they hold', async () => {
    const week = expectStatus(await spread({}, { quantity: { value: '195', unit: 'cuyd' } }), 201);
    // With 10 on the same Thursday that is 205 of 200 in the week; with 60 in June 265 of 300 in the year.
    expect(clausesThat(week, 'violated')).toEqual(expect.arrayContaining(['week']));
    expect(clausesThat(week, 'violated')).not.toContain('year');
    expectStatus(await api.at('2027-07-06T08:00:00-05:00'), 200);
    const year = expectStatus(await spread({}, { quantity: { value: '60', unit: 'cuyd' } }), 201);
    expect(clausesThat(year, 'violated')).toEqual(expect.arrayContaining(['year']));
    expect(clausesThat(year, 'violated')).not.toContain('week');
  });

  it('an order sets its day; what is not mended by then is a ground to take the leave away', async () => {
    expectStatus(await onField('order', { mend_by: '2027-07-20' }, keys.warden), 201);
    const duties = itemsOf(expectStatus(await api.get('/v1/duties?status=open&limit=50'), 200));
    expect(duties).toContainEqual(
      expect.objectContaining({ clause: 'mend', due: expect.objectContaining({ date: '2027-07-20' }) }),
    );
    expectStatus(await api.at('2027-07-22T08:00:00-05:00'), 200);
    const found = itemsOf(expectStatus(await api.get('/v1/violations?clause=mend'), 200));
    expect(found).toMatchObject([{ clause: 'mend', status: 'open', from: '2027-07-21' }]);
    // Appealed after the fourteen days: refused.
    const late = await onField('appeal', {}, keys.marler);
    expect([late.status, clausesThat(late, 'violated')]).toEqual([422, ['appeal_in_time']]);
    const taken = { grounds: ['mend'], reason: 'not mended' };
    expectStatus(await api.post(`/v1/permits/${leave}/revocation`, taken, { key: keys.moot }), 201);
    expect(await permit(leave)).toMatchObject({ status: 'revoked', live: false });
    expect(typesOf(expectStatus(await api.get(`/v1/permits/${leave}/history?limit=100`), 200))).toEqual(
      expect.arrayContaining(['ApplicationCompleted', 'ApplicationDeemedApproved', 'PermitRevoked']),
    );
  });

  it('shows what a breach may cost, and who hears whom', async () => {
    const shown = expectStatus(await api.get(`/v1/packs/${PACK}`), 200).body;
    expect(shown['penalties']).toMatchObject([
      { id: 'forfeiture', escalates: { offences: [{ offence: 2 }, { offence: 3 }] } },
    ]);
    expect(shown['appeals']).toMatchObject([{ id: 'moot', filedUnder: 'appeal_in_time', stays: true }]);
  });
});
