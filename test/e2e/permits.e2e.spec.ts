import { STORES, startApi, type Api, type Json } from './support/api';
import {
  applied,
  application,
  CITY,
  CITY_PACK,
  decide,
  DISPOSER,
  FILED_AT,
  formWith,
  issuedPermit,
  OTHER_DISPOSER,
  planWith,
  staffOf,
  type Staff,
} from './support/city';
import { expectStatus, findingsOf, idOf, itemsOf, typesOf } from './support/town';

describe.each(STORES)('permits over HTTP on %s', (store) => {
  let api: Api;
  let staff: Staff;
  beforeAll(async () => {
    api = await startApi(store);
    expectStatus(await api.at(FILED_AT), 200);
    staff = await staffOf(api);
  });
  afterAll(() => api.stop());

  const permit = (id: string, query = '', key = staff.clerk) => api.get(`/v1/permits/${id}${query}`, { key });

  it('an application is put on file with its findings, whatever is wrong with it', async () => {
    const body = application({ facts: formWith({ indemnity_agreed: false, waste_locations: null }) });
    const filed = expectStatus(await api.post('/v1/applications', body, { key: staff.holder }), 201);
    expect(filed.headers.get('location')).toBe(`/v1/permits/${idOf(filed)}`);
    expect(filed.body).toMatchObject({ status: 'filed', live: false, number: null, valid: null });
    const violated = findingsOf(filed).filter(({ status }) => status === 'violated');
    expect(violated.map(({ clause }) => clause)).toEqual(expect.arrayContaining(['IN.indemnity']));
    const [one, other] = [await permit(idOf(filed)), await api.get(`/v1/applications/${idOf(filed)}`)];
    expect(expectStatus(one, 200).body).toEqual(expectStatus(other, 200).body);
    expect(one.body).toMatchObject({ permitType: 'disposal', applicant: DISPOSER, status: 'filed' });
  });

  it('the same request is answered once, and dry it writes nothing', async () => {
    const options = { key: staff.holder, headers: { 'idempotency-key': `file-${store}` } };
    const [first, again] = [
      await api.post('/v1/applications', application(), options),
      await api.post('/v1/applications', application(), options),
    ];
    expect([first.status, again.status, idOf(again)]).toEqual([201, 201, idOf(first)]);
    const before = await api.count();
    const dry = await api.post('/v1/applications?dryRun=true', application(), { key: staff.holder });
    expect([dry.status, dry.body['dryRun'], await api.count()]).toEqual([200, true, before]);
  });

  it('is asked for information, told it, completed, approved with a plan, issued and numbered', async () => {
    const id = await applied(api, staff.holder);
    const asked = { reason: 'where from?', facts: ['waste_locations'] };
    expectStatus(await decide(api, staff.clerk, id, 'information-requests', asked), 201);
    expect((await permit(id)).body).toMatchObject({ status: 'awaiting_information' });
    const told = { facts: { waste_locations: 'households of West Point' } };
    expectStatus(await decide(api, staff.holder, id, 'information', told), 201);
    expectStatus(await decide(api, staff.clerk, id, 'completion', {}), 201);
    expect((await permit(id)).body).toMatchObject({ status: 'complete' });
    const approval = { reason: 'in order', sets: planWith({}) };
    const refused = await decide(api, staff.officer, id, 'approval', approval);
    expect([refused.status, refused.body['type']]).toEqual([
      422,
      'https://headworks.invalid/problems/refused',
    ]);
    expect(findingsOf(refused).map(({ clause, status }) => [clause, status])).toContainEqual([
      'B.2',
      'unknown',
    ]);
    const seen = { license_confirmed: true, license_valid_until: '2027-12-31' };
    const act = { pack: CITY_PACK, facts: seen };
    expectStatus(await api.post(`/v1/permits/${id}/acts/confirm_license`, act, { key: staff.clerk }), 201);
    const approved = expectStatus(await decide(api, staff.officer, id, 'approval', approval), 201);
    expect(approved.body).toMatchObject({ status: 'approved' });
    const certificate = {
      pack: CITY_PACK,
      facts: { certificate_adequate: true, certificate_gives_notice: true },
    };
    expectStatus(
      await api.post(`/v1/permits/${id}/acts/judge_certificate`, certificate, { key: staff.officer }),
      201,
    );
    const issued = expectStatus(await decide(api, staff.officer, id, 'issuance', {}), 201);
    expect(issued.body).toMatchObject({ status: 'issued', live: false });
    const shown = await permit(id);
    expect(shown.body).toMatchObject({ number: 1, valid: { until: '2027-12-31' } });
    expect((shown.body['facts'] as Json)['annual_volume']).toMatchObject({ value: { value: '350000' } });
  });

  it('whose decision it is, the pack says', async () => {
    const id = await applied(api, staff.holder);
    const byClerk = await decide(api, staff.clerk, id, 'approval', { reason: 'r' });
    expect([byClerk.status, byClerk.body['detail']]).toEqual([
      403,
      expect.stringContaining("needs the role 'officer'"),
    ]);
    expectStatus(await decide(api, staff.holder, id, 'approval', { reason: 'r' }), 403);
    expectStatus(await decide(api, staff.reader, id, 'withdrawal', { reason: 'r' }), 403);
  });

  it('says what can be done next, by whom, and what blocks it', async () => {
    const id = await applied(api, staff.holder);
    const next = async (decision: string) => {
      const answer = await api.get(`/v1/permits/${id}/acts`, { key: staff.officer });
      const items = itemsOf(expectStatus(answer, 200));
      return { items, asked: items.find((item) => item['decision'] === decision) };
    };
    const early = (await next('approval')).asked;
    expect(early).toMatchObject({
      ...{ may: 'no', yours: true, by: { role: 'officer' } },
      why: [{ cite: '272-21.B and F', text: 'filed, not one of complete' }],
    });
    expectStatus(await decide(api, staff.clerk, id, 'completion', {}), 201);
    const { items, asked } = await next('approval');
    expect(asked).toMatchObject({ may: 'unknown', yours: true });
    const why = asked?.['why'] as readonly Json[];
    expect(why.map(({ clause }) => clause)).toContain('B.2');
    expect(items.find(({ decision }) => decision === 'revocation')).toMatchObject({ may: 'no' });
    expect(items.find(({ act }) => act === 'confirm_license')).toMatchObject({ may: 'yes', yours: false });
  });

  it('is denied with grounds, or withdrawn; neither without a reason', async () => {
    const [denied, withdrawn] = [await applied(api, staff.holder), await applied(api, staff.holder)];
    const bare = await decide(api, staff.officer, denied, 'denial', {});
    expect([bare.status, JSON.stringify(bare.body['errors'])]).toEqual([
      400,
      expect.stringMatching(/reason.*grounds|grounds.*reason/),
    ]);
    const body = { reason: 'no licence was shown', grounds: ['B.2'] };
    expect((await decide(api, staff.officer, denied, 'denial', body)).body).toMatchObject({
      status: 'denied',
    });
    const taken = await decide(api, staff.holder, withdrawn, 'withdrawal', { reason: 'sold the truck' });
    expect(taken.body).toMatchObject({ status: 'withdrawn' });
    const twice = await decide(api, staff.holder, withdrawn, 'withdrawal', { reason: 'again' });
    expect([twice.status, twice.body['phase'], twice.body['cite']]).toEqual([
      409,
      'withdrawn',
      '272-21.B and F',
    ]);
  });

  describe('one that is issued', () => {
    let id: string;
    beforeAll(async () => {
      id = await issuedPermit(api, staff);
    });
    const at = (decision: string, body: Json, key = staff.officer) =>
      api.post(`/v1/permits/${id}/${decision}`, body, { key });

    it('has a ledger of its own, before the first load', async () => {
      const ledger = await api.get(`/v1/permits/${id}/ledgers/permit_year?on=2027-03-01`, {
        key: staff.holder,
      });
      expect(expectStatus(ledger, 200).body).toMatchObject({
        limit: 'permit_year',
        count: 0,
        on: '2027-03-01',
        // Nobody has said a day of discharge: it is the one that is asked for.
        headroom: [{ used: { value: '0', unit: 'gal' }, remaining: { unit: 'gal' } }],
      });
      expectStatus(await api.get(`/v1/permits/${id}/ledgers/nothing`, { key: staff.holder }), 404);
    });

    it('is conditioned, and facts are recorded on it', async () => {
      const conditions = {
        reason: 'spring thaw',
        conditions: ['Not before 9:00.'],
        sets: { plan_times: 'from 9:00' },
      };
      expectStatus(await at('conditions', conditions), 201);
      expect((await permit(id)).body).toMatchObject({ conditions: ['Not before 9:00.'] });
      expectStatus(await api.post(`/v1/permits/${id}/facts`, { facts: { annual_volume: '612' } }), 400);
    });

    it('is renewed by an application that carries its form over', async () => {
      const renewal = await api.post(`/v1/permits/${id}/renewal`, {}, { key: staff.holder });
      const next = idOf(expectStatus(renewal, 201));
      expect((await permit(next)).body).toMatchObject({ renews: id, status: 'filed', applicant: DISPOSER });
      expectStatus(await api.post(`/v1/permits/${id}/renewal`, {}, { key: staff.otherHolder }), 404);
    });

    it('is suspended by nobody where the pack has no such body, and revoked on grounds of the pack', async () => {
      const grounds = { reason: 'leaking truck', grounds: ['H'] };
      const suspension = await at('suspension', grounds);
      expect(suspension.status).toBeGreaterThanOrEqual(400);
      expect(suspension.status).toBeLessThan(500);
      expect((await at('revocation', { ...grounds, grounds: ['O.2'] })).status).toBeGreaterThanOrEqual(400);
      expectStatus(await at('revocation', grounds, staff.clerk), 403);
      expect(expectStatus(await at('revocation', grounds), 201).body).toMatchObject({ status: 'revoked' });
      expect((await at('voidance', { reason: 'r' })).status).toBe(409);
      expect((await at('reinstatement', { reason: 'r' })).status).toBe(409);
    });
  });

  describe('in a list', () => {
    let ids: readonly string[];
    let start: string;
    beforeAll(async () => {
      start = (await api.get('/v1/sandbox/clock')).body['now'] as string;
      expectStatus(await api.at('2026-08-20T09:00:00-05:00'), 200);
      const mine = await applied(api, staff.holder);
      // Later, so that one is the last filed: of two at once the ids would tell, and those are random.
      expectStatus(await api.at('2026-08-20T09:10:00-05:00'), 200);
      const others = await applied(api, staff.clerk, { applicant: OTHER_DISPOSER });
      expectStatus(await api.at('2026-08-20T10:00:00-05:00'), 200);
      expectStatus(await decide(api, staff.clerk, mine, 'completion', {}), 201);
      ids = [mine, others];
    });

    const listed = async (query: string, key = staff.clerk) => {
      const answer = await api.get(`/v1/permits?from=2026-08-20T00:00:00-05:00&${query}`, { key });
      return itemsOf(expectStatus(answer, 200)).map(({ id, status }) => [ids.indexOf(String(id)), status]);
    };

    it('is found by holder, status, type and time of filing', async () => {
      expect(await listed('')).toEqual([
        [1, 'filed'],
        [0, 'complete'],
      ]);
      expect(await listed('status=complete')).toEqual([[0, 'complete']]);
      expect(await listed('holderKind=hauler&holderKey=67890')).toEqual([[1, 'filed']]);
      expect(await listed('permitType=other')).toEqual([]);
      const numbered = await api.get('/v1/permits?number=1', { key: staff.clerk });
      expect(itemsOf(numbered)[0]).toMatchObject({ number: 1, series: `${CITY_PACK}/disposal/2027` });
    });

    it('stands as it stood then', async () => {
      expect(await listed('asOf=2026-08-20T09:30:00-05:00')).toEqual([
        [1, 'filed'],
        [0, 'filed'],
      ]);
      expect(await listed('asOf=2026-08-20T09:30:00-05:00&status=complete')).toEqual([]);
      expect(await listed(`asOf=${encodeURIComponent(start)}`)).toEqual([]);
      expect(await listed('knownAt=2026-08-20T09:30:00-05:00&status=filed')).toHaveLength(2);
      expect(await listed('asOf=2028-03-01T00:00:00-06:00&limit=1')).toHaveLength(1);
    });

    it.each(['asOf=yesterday', 'status=nothing', 'number=0', 'holderKey=1', 'limit=0', 'nonsense=1'])(
      'what can not be asked is refused: %s',
      async (query) => {
        expectStatus(await api.get(`/v1/permits?${query}`, { key: staff.clerk }), 400);
      },
    );
  });

  it('ends by itself when its days are over, dated at that instant', async () => {
    const id = await issuedPermit(api, staff);
    const moved = expectStatus(await api.at('2028-01-15T09:00:00-06:00'), 200);
    const fell = moved.body['fell'] as readonly Json[];
    expect(fell).toContainEqual({ duty: id, dueAt: '2028-01-01T06:00:00.000Z' });
    expect((await permit(id)).body).toMatchObject({ status: 'expired', since: '2028-01-01T06:00:00.000Z' });
    const history = await api.get(`/v1/permits/${id}/history?type=PermitExpired`, { key: staff.clerk });
    expect(typesOf(expectStatus(history, 200))).toEqual(['PermitExpired']);
    expect((await permit(id, '?asOf=2027-06-01T00:00:00-05:00')).body).toMatchObject({
      status: 'issued',
      live: true,
    });
    const list = await api.get('/v1/permits?status=expired', { key: staff.clerk });
    expect(itemsOf(list).map((item) => item['id'])).toContain(id);
    const before = await api.get('/v1/permits?status=issued&asOf=2027-06-01T00:00:00-05:00', {
      key: staff.clerk,
    });
    expect(itemsOf(before).map((item) => item['id'])).toContain(id);
  });

  describe('the forms of the pack', () => {
    it('are those of an application and a manifest, with who decides', async () => {
      const form = await api.get(`/v1/packs/${CITY_PACK}/permits/disposal`, { key: staff.holder });
      expect(expectStatus(form, 200).body).toMatchObject({
        holder: 'hauler',
        decisions: {
          approval: { by: { role: 'officer', notSameAs: 'completion' } },
          suspension: { by: null },
        },
        facts: { required: expect.arrayContaining(['waste_types']) as unknown },
      });
      const manifest = await api.get(`/v1/packs/${CITY_PACK}/manifests/disposal`, { key: staff.holder });
      expect(expectStatus(manifest, 200).body).toMatchObject({
        on: 'plant',
        load: 'discharge',
        places: 'premises',
      });
      expectStatus(await api.get(`/v1/packs/${CITY_PACK}/permits/dispsal`, { key: staff.holder }), 404);
      expect(expectStatus(await api.get(`/v1/packs/${CITY_PACK}`), 200).body).toMatchObject({
        jurisdiction: CITY,
        permits: [{ permitType: 'disposal' }],
        manifests: [{ manifest: 'disposal' }],
      });
    });
  });
});
