import { PACK, STORES, TOWN, startApi, type Api, type Json } from './support/api';
import {
  act,
  clausesThat,
  eventsOf,
  expectStatus,
  idOf,
  itemsOf,
  registerSite,
  typesOf,
} from './support/town';

let bad = 0;

describe.each(STORES)('acts of the law on %s', (store) => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi(store);
    // In the closed season, so that a permit of the day means something.
    expectStatus(await api.at('2027-01-12T08:00:00-06:00'), 200);
  });
  afterAll(() => api.stop());

  const acts = async (site: string, key?: string): Promise<Readonly<Record<string, Json>>> => {
    const answer = await api.get(`/v1/subjects/site/${site}/acts`, key === undefined ? {} : { key });
    return Object.fromEntries(itemsOf(expectStatus(answer, 200)).map((item) => [String(item['act']), item]));
  };

  it('before the inspection the daily permit may not be given, and the answer says why', async () => {
    const site = await registerSite(api, 'B-1');
    const { issue_daily_permit: permit, inspect_frost: inspect } = await acts(site);
    expect(inspect).toMatchObject({ may: 'yes', yours: true, records: ['frost_depth'] });
    expect(permit).toMatchObject({ by: { body: 'town_board_member', role: 'officer' } });
    expect(permit?.['may']).not.toBe('yes');
    const why = (permit?.['why'] ?? []) as readonly Json[];
    expect(why.map(({ clause }) => clause)).toContain('A2.inspected');
  });

  it('a refused act is recorded, and answered 422 with findings, id and position', async () => {
    const site = await registerSite(api, 'B-2');
    const before = await api.count();
    const refused = expectStatus(await act(api, site, 'issue_daily_permit'), 422);
    expect(refused.body).toMatchObject({
      type: 'https://headworks.invalid/problems/refused',
      id: site,
      event: `subject-${site}@1`,
      position: expect.stringMatching(/^[\w-]+\.\w+\.[0-9a-f]{8}$/),
    });
    expect(clausesThat(refused, 'satisfied')).not.toContain('A2.inspected');
    expect(await api.count()).toBe(before + 1);
    expect(typesOf(await api.get(`/v1/subjects/site/${site}/history`))).toEqual([
      'SubjectRegistered',
      'ActRefused',
    ]);
  });

  it('under 2 inches of frost the same officer gives the permit; at 2 inches nobody does', async () => {
    const officer = await api.keyOf(['officer']);
    const asOfficer = (site: string, name: string, body: Json = {}) =>
      api.post(`/v1/subjects/site/${site}/acts/${name}`, { pack: PACK, ...body }, { key: officer });
    const site = await registerSite(api, 'B-3');
    expectStatus(await asOfficer(site, 'inspect_frost', { facts: { frost_depth: '1.9 in' } }), 201);
    expect((await acts(site, officer))['issue_daily_permit']).toMatchObject({ may: 'yes' });
    const done = expectStatus(await asOfficer(site, 'issue_daily_permit'), 201);
    expect(done.body).toMatchObject({ type: `${PACK}.DailyPermitIssued`, event: `subject-${site}@2` });
    const seen = await api.get(`/v1/subjects/site/${site}`);
    expect((seen.body['facts'] as Json)['daily_permit_for']).toMatchObject({ value: '2027-01-12' });

    const frozen = await registerSite(api, 'B-4');
    expectStatus(await asOfficer(frozen, 'inspect_frost', { facts: { frost_depth: '2.0 in' } }), 201);
    const refused = expectStatus(await asOfficer(frozen, 'issue_daily_permit'), 422);
    expect(clausesThat(refused, 'violated')).toContain('A2.frost');
  });

  it('an act of another body is forbidden, whatever else the key may do', async () => {
    const site = await registerSite(api, 'B-5');
    const clerk = await api.keyOf(['clerk']);
    const body = { pack: PACK, facts: { frost_depth: '1 in' } };
    const path = `/v1/subjects/site/${site}/acts/inspect_frost`;
    const refused = expectStatus(await api.post(path, body, { key: clerk }), 403);
    expect(refused.body['detail']).toContain("needs the role 'officer'");
    expect((await acts(site, clerk))['inspect_frost']).toMatchObject({ yours: false });
    expect(typesOf(await api.get(`/v1/subjects/site/${site}/history`))).toEqual(['SubjectRegistered']);
  });

  it.each<[string, string, Json, number, string]>([
    ['a fact that the act records is missing', 'inspect_frost', {}, 400, '/facts/frost_depth'],
    ['a volume is no depth', 'inspect_frost', { facts: { frost_depth: '2 gal' } }, 400, '/facts/frost_depth'],
    [
      'a fact of another act',
      'inspect_frost',
      { facts: { frost_depth: '1 in', nuisance: true } },
      400,
      '/facts/nuisance',
    ],
    ['an unknown key', 'inspect_frost', { facts: { frost_depth: '1 in' }, remark: 'x' }, 400, '/remark'],
    [
      'a choice that is none',
      'incorporate',
      { facts: { incorporation_method: 'raked' } },
      400,
      '/facts/incorporation_method',
    ],
  ])('%s', async (_, name, body, status, pointer) => {
    const site = await registerSite(api, `B-bad-${++bad}`);
    const answer = expectStatus(await act(api, site, name, body), status);
    expect((answer.body['errors'] as readonly Json[]).map((fault) => fault['pointer'])).toEqual([pointer]);
  });

  it('an act that the pack does not know, or of another kind, is not found', async () => {
    const site = await registerSite(api, 'B-6');
    expectStatus(await act(api, site, 'inspect_snow'), 404);
    expectStatus(await act(api, site, 'grant_road_use', { facts: { road_route: 'County N' } }), 404);
    expectStatus(await api.post(`/v1/subjects/site/${site}/acts/inspect_frost`, { pack: 'no-law' }), 404);
  });

  it('an act recorded in error is annulled: what it said is unsaid, and both stand', async () => {
    const site = await registerSite(api, 'B-7');
    const done = expectStatus(await act(api, site, 'find_nuisance', { facts: { nuisance: true } }), 201);
    const annul = { annuls: done.body['event'], reason: 'the wrong parcel' };
    expectStatus(await api.post(`/v1/subjects/site/${site}/facts`, annul), 201);
    const seen = await api.get(`/v1/subjects/site/${site}`);
    expect(Object.keys(seen.body['facts'] as Json)).not.toContain('nuisance');
    const history = await api.get(`/v1/subjects/site/${site}/history`);
    expect(typesOf(history)).toEqual(['SubjectRegistered', `${PACK}.NuisanceFound`, 'RecordedInError']);
  });

  it('a hauler has acts of its own: leave to use roads waits for the security that was asked', async () => {
    const made = expectStatus(await api.post('/v1/subjects/hauler', { jurisdiction: TOWN, key: 'H-7' }), 201);
    const path = `/v1/subjects/hauler/${idOf(made)}/acts`;
    const done = async (name: string, facts: Json) => api.post(`${path}/${name}`, { pack: PACK, facts });
    expectStatus(await done('require_bond', { bond_required: '$5000' }), 201);
    const refused = expectStatus(
      await done('grant_road_use', { road_route: 'County N to Town Hall Rd' }),
      422,
    );
    expect(clausesThat(refused, 'violated')).toEqual(['R.security']);
    expectStatus(await done('post_bond', { bond_kind: 'cash_bond', bond_amount: '$5000' }), 201);
    expectStatus(await done('grant_road_use', { road_route: 'County N to Town Hall Rd' }), 201);
    const history = await api.get(`/v1/subjects/hauler/${idOf(made)}/history`);
    expect(eventsOf(history).map(({ type }) => String(type).replace(`${PACK}.`, ''))).toEqual([
      ...['SubjectRegistered', 'BondRequired', 'ActRefused', 'BondPosted', 'RoadUseGranted'],
    ]);
  });
});
