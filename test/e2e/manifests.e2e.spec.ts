import { STORES, startApi, type Api, type Json } from './support/api';
import {
  CITY_PACK,
  cityInOrder,
  DISPOSER,
  FILED_AT,
  issuedPermit,
  manifestBody,
  OTHER_DISPOSER,
  PLANT,
  placeJudged,
  staffOf,
  type Staff,
} from './support/city';
import { expectStatus, findingsOf, idOf, itemsOf, typesOf } from './support/town';

const PLANNED = '2027-07-06T09:30:00-05:00';

describe.each(STORES)('manifests over HTTP on %s', (store) => {
  let api: Api;
  let staff: Staff;
  let permit: string;
  let plant: string;
  let place: string;
  beforeAll(async () => {
    api = await startApi(store);
    expectStatus(await api.at(FILED_AT), 200);
    staff = await staffOf(api);
    ({ plant, place } = await cityInOrder(api, staff));
    permit = await issuedPermit(api, staff);
    expectStatus(await api.at('2027-07-06T08:50:00-05:00'), 200);
  });
  afterAll(() => api.stop());

  const ask = (more: Json = {}, query = '', plannedAt = PLANNED) =>
    api.post(`/v1/manifests${query}`, manifestBody(permit, plannedAt, more), { key: staff.holder });
  const see = (id: string, query = '') => api.get(`/v1/manifests/${id}${query}`, { key: staff.holder });
  const discharge = (manifestId: string, ticket: unknown, more: Json = {}): Json => {
    const { plannedAt: _planned, ...body } = manifestBody(permit, PLANNED);
    const times = { occurredAt: '2027-07-06T09:56:00-05:00', finishedAt: '2027-07-06T10:00:00-05:00' };
    return { ...body, load: 'discharge', ticket, manifestId, ...times, ...more };
  };

  describe('while nobody judged the place', () => {
    let waiting: string;
    it('waits for what is missing, and holds nothing', async () => {
      const asked = expectStatus(await ask(), 201);
      waiting = idOf(asked);
      expect(asked.headers.get('location')).toBe(`/v1/manifests/${waiting}`);
      expect(asked.body).toMatchObject({ status: 'pending', reservations: [] });
      expect(asked.body['missing']).toEqual(expect.arrayContaining(['sources_in_area']));
      const list = await api.get('/v1/manifests?status=pending', { key: staff.clerk });
      expect(itemsOf(list)).toMatchObject([{ id: waiting, permitId: permit, hauler: DISPOSER }]);
    });

    it('is refused by a clerk with a reason, once', async () => {
      const refusal = (body: Json) =>
        api.post(`/v1/manifests/${waiting}/refusal`, body, { key: staff.clerk });
      expectStatus(await refusal({}), 400);
      expect(expectStatus(await refusal({ reason: 'no such place' }), 201).body).toMatchObject({
        status: 'refused',
      });
      expect((await see(waiting)).body).toMatchObject({ status: 'refused' });
      expectStatus(await refusal({ reason: 'again' }), 409);
    });

    it('is taken back by its hauler', async () => {
      const id = idOf(expectStatus(await ask(), 201));
      const withdrawal = await api.post(
        `/v1/manifests/${id}/withdrawal`,
        { reason: 'breakdown' },
        { key: staff.holder },
      );
      expect(expectStatus(withdrawal, 201).body).toMatchObject({ status: 'withdrawn' });
    });

    it('is accepted by a clerk once nothing is missing any more', async () => {
      const id = idOf(expectStatus(await ask(), 201));
      const acceptance = () => api.post(`/v1/manifests/${id}/acceptance`, {}, { key: staff.clerk });
      expect((await acceptance()).body).toMatchObject({ status: 'pending' });
      await placeJudged(api, staff, place);
      expect(expectStatus(await acceptance(), 201).body).toMatchObject({ status: 'accepted' });
    });
  });

  it('is accepted at once where all is in order, and holds its gallons', async () => {
    const asked = expectStatus(await ask(), 201);
    expect(asked.body).toMatchObject({ status: 'accepted', missing: [], until: '2027-07-07T05:00:00.000Z' });
    const ledger = await api.get(`/v1/permits/${permit}/ledgers/permit_year?on=2027-07-06`, {
      key: staff.holder,
    });
    expect(JSON.stringify(expectStatus(ledger, 200).body)).toContain(idOf(asked));
    expect(findingsOf(asked).every(({ status }) => status !== 'violated')).toBe(true);
  });

  it('dry, it is answered and nothing is written', async () => {
    const before = await api.count();
    const dry = expectStatus(await ask({}, '?dryRun=true'), 200);
    expect([dry.body['dryRun'], dry.body['status'], await api.count()]).toEqual([true, 'accepted', before]);
    expect(typesOf(dry)).toContain('ManifestAccepted');
  });

  it('is refused at 15:31 on record, with the clause', async () => {
    const refused = await ask({}, '', '2027-07-06T15:31:00-05:00');
    expect([refused.status, refused.body['type']]).toEqual([
      422,
      'https://headworks.invalid/problems/refused',
    ]);
    const against = findingsOf(refused).filter(({ status }) => status === 'violated');
    expect(against.map(({ clause }) => clause)).toEqual(['G.start']);
    expect(String(refused.body['event'])).toContain(`permit-${permit}@`);
    expect((await see(idOf(refused))).body).toMatchObject({ status: 'refused' });
  });

  it('a ticket is the hauler’s own: the same again is the first, another one under it a conflict', async () => {
    const first = expectStatus(await ask({ ticket: 'T-1' }), 201);
    const again = await ask({ ticket: 'T-1' });
    expect([again.status, idOf(again)]).toEqual([200, idOf(first)]);
    expectStatus(await ask({ ticket: 'T-1', quantity: { value: '2400', unit: 'gal' } }), 409);
  });

  it('the load takes its place', async () => {
    const asked = expectStatus(await ask({ ticket: 'T-2' }), 201);
    expectStatus(await api.at('2027-07-06T10:05:00-05:00'), 200);
    const load = await api.post('/v1/loads', discharge(idOf(asked), 'T-2'), { key: staff.holder });
    expect(expectStatus(load, 201).body).toMatchObject({ id: idOf(asked), violations: [] });
    expect((await see(idOf(asked))).body).toMatchObject({ status: 'discharged' });
    const listed = await api.get('/v1/manifests?status=discharged', { key: staff.holder });
    expect(itemsOf(listed)).toMatchObject([{ id: idOf(asked), dischargedAt: '2027-07-06T14:56:00.000Z' }]);
    const loads = await api.get(`/v1/loads?permitId=${permit}`, { key: staff.holder });
    expect(itemsOf(loads)).toMatchObject([{ id: idOf(asked), permitId: permit, manifestId: idOf(asked) }]);
    const ledgers = await api.get(`/v1/ledgers?permitId=${permit}`, { key: staff.holder });
    expect(itemsOf(ledgers)).toMatchObject([{ permitId: permit, subjectId: null, count: 1 }]);
    expectStatus(
      await api.get(`/v1/ledgers?permitId=${permit}&subjectId=${plant}`, { key: staff.clerk }),
      400,
    );
  });

  it('a load that nobody asked for is recorded, and is a violation under its permit', async () => {
    const { manifestId: _none, ...load } = discharge('', 'T-3');
    const made = expectStatus(await api.post('/v1/loads', load, { key: staff.holder }), 201);
    expect((made.body['violations'] as readonly string[]).length).toBeGreaterThan(0);
    const list = await api.get(`/v1/violations?permitId=${permit}`, { key: staff.holder });
    expect(itemsOf(list).map(({ loadId }) => loadId)).toContain(idOf(made));
    const before = await api.get('/v1/violations?asOf=2027-07-06T09:00:00-05:00', { key: staff.clerk });
    expect(itemsOf(before)).toEqual([]);
    const then = await api.get('/v1/violations?asOf=2027-07-06T12:00:00-05:00&status=open', {
      key: staff.clerk,
    });
    expect(itemsOf(then).map(({ loadId }) => loadId)).toContain(idOf(made));
  });

  it('a restriction ends what is not discharged, and each is told why', async () => {
    const asked = idOf(expectStatus(await ask({ ticket: 'T-4' }, '', '2027-07-06T14:00:00-05:00'), 201));
    const facts = { restriction_cause: 'operational_problem', restriction_excuse: 'no_excuse' };
    const stop = `/v1/subjects/plant/${plant}/acts/stop_acceptance`;
    expectStatus(await api.post(stop, { pack: CITY_PACK, facts }, { key: staff.officer }), 201);
    expect((await see(asked)).body).toMatchObject({
      status: 'withdrawn',
      withdrawn: { why: expect.any(String) as unknown },
    });
    const listed = await api.get('/v1/manifests?status=withdrawn&ticket=T-4', { key: staff.holder });
    expect(itemsOf(listed)).toMatchObject([{ id: asked }]);
    expect((await ask()).status).toBe(422);
  });

  it('stood as it stood then; past its time it has lapsed', async () => {
    const history = await api.get('/v1/manifests?ticket=T-1', { key: staff.holder });
    const [first] = itemsOf(history);
    const id = String(first?.['id']);
    expect((await see(id, '?asOf=2027-07-06T09:00:00-05:00')).body).toMatchObject({ status: 'accepted' });
    expectStatus(await see(id, '?asOf=2027-07-06T08:00:00-05:00'), 404);
    expectStatus(await api.at('2027-07-07T09:00:00-05:00'), 200);
    const lapsed = await api.get('/v1/manifests?status=lapsed', { key: staff.holder });
    expect(itemsOf(lapsed).every(({ status }) => status === 'lapsed')).toBe(true);
  });

  it.each([
    ['no permit', { permitId: undefined }, '/permitId'],
    ['a permit that is no id', { permitId: 'mine' }, '/permitId'],
    ['no plan', { plannedAt: undefined }, '/plannedAt'],
    ['a quantity without a unit', { quantity: '2500' }, '/quantity'],
    [
      'a place of another kind',
      { sources: [{ wasteType: 'septage', quantity: '1 gal', place: PLANT }] },
      '/sources/0/place/kind',
    ],
    ['an unknown member', { colour: 'brown' }, '/colour'],
  ])('what can not be asked is refused in place: %s', async (_, more, pointer) => {
    const answer = expectStatus(await ask(more), 400);
    const errors = answer.body['errors'] as readonly Json[];
    expect(errors.map((error) => error['pointer'])).toContain(pointer);
  });

  it('under another’s permit it is refused, and that file is not touched', async () => {
    const before = await api.get(`/v1/permits/${permit}/history`, { key: staff.clerk });
    const body = manifestBody(permit, '2027-07-07T10:30:00-05:00', { hauler: OTHER_DISPOSER });
    const asked = await api.post('/v1/manifests', body, { key: staff.otherHolder });
    expect(asked.status).toBe(422);
    const after = await api.get(`/v1/permits/${permit}/history`, { key: staff.clerk });
    expect(typesOf(after)).toEqual(typesOf(before));
  });
});
