import { PACK, STORES, TOWN, startApi, type Api, type Json } from './support/api';
import {
  GOOD_LOAD_FACTS,
  HAULER,
  clausesThat,
  expectStatus,
  factsWith,
  findingsOf,
  idOf,
  itemsOf,
  load,
  registerSite,
  siteInOrder,
  typesOf,
} from './support/town';

describe.each(STORES)('the main job on %s', (store) => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi(store);
    expectStatus(await api.at('2027-07-03T15:00:00-05:00'), 200);
  });
  afterAll(() => api.stop());

  it('a site is registered once; a second time is a conflict', async () => {
    const site = await registerSite(api, 'A-1');
    const seen = expectStatus(await api.get(`/v1/subjects/site/${site}`), 200);
    expect(seen.body).toMatchObject({
      id: site,
      kind: 'site',
      key: 'A-1',
      jurisdiction: TOWN,
      registered: true,
    });
    expect((seen.body['facts'] as Json)['site_area']).toMatchObject({ value: { value: '40', unit: 'acre' } });
    const again = await api.post('/v1/subjects/site', { jurisdiction: TOWN, key: ' a-1 ', facts: {} });
    expect(again).toMatchObject({ status: 409, body: { registeredBy: `subject-${site}@0` } });
    expect(itemsOf(await api.get('/v1/subjects/site?key=a-1'))).toMatchObject([{ id: site }]);
  });

  it('geometry comes back as it was sent; swapped coordinates are refused', async () => {
    const ring = [
      [-88.75, 42.8],
      [-88.74, 42.8],
      [-88.74, 42.81],
      [-88.75, 42.8],
    ];
    const geometry = { type: 'Polygon', coordinates: [ring] };
    const made = expectStatus(
      await api.post('/v1/subjects/site', { jurisdiction: TOWN, key: 'G-1', name: 'North field', geometry }),
      201,
    );
    const seen = await api.get(`/v1/subjects/site/${idOf(made)}`);
    expect(seen.body).toMatchObject({ geometry, name: 'North field' });
    const swapped = { type: 'Polygon', coordinates: [ring.map(([x, y]) => [y, x])] };
    const refused = await api.post('/v1/subjects/site', {
      jurisdiction: TOWN,
      key: 'G-2',
      geometry: swapped,
    });
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.body['errors']).toMatchObject([{ pointer: '/geometry/coordinates/0/0', code: 'swapped' }]);
  });

  it('a check answers clause by clause, with what is left', async () => {
    await siteInOrder(api, 'A-2');
    const asked = {
      pack: PACK,
      assessment: 'spreading',
      subject: { kind: 'site', key: 'A-2' },
      hauler: HAULER,
      quantity: '2500 gal',
      permitId: null,
      facts: GOOD_LOAD_FACTS,
    };
    const before = await api.count();
    const answer = expectStatus(await api.post('/v1/checks', asked), 200);
    expect(answer.body).toMatchObject({ pack: PACK, packVersion: '1', judgedOn: '2027-07-03T20:00:00.000Z' });
    expect(clausesThat(answer, 'violated')).toEqual([]);
    expect(findingsOf(answer).find(({ clause }) => clause === 'F.residence')).toMatchObject({
      status: 'satisfied',
      cite: 'prohibitions, par. F',
      margin: { value: '40', unit: 'ft' },
      text: '640 ft, more than 600 ft: 40 ft to spare',
    });
    // 5 acres may take 20,000 gallons each in the year.
    expect(answer.body['headroom']).toContainEqual({
      limit: 'site_year',
      clause: 'J.wet',
      used: { value: '0', unit: 'gal' },
      allowed: { value: '100000', unit: 'gal' },
      remaining: { value: '100000', unit: 'gal' },
    });
    expect(await api.count()).toBe(before);
  });

  it.each(['full', 'brief', 'status'])('a check explains as much as asked: %s', async (explain) => {
    const asked = {
      pack: PACK,
      assessment: 'spreading',
      facts: factsWith({ distance_to_residence: '600 ft' }),
    };
    const answer = expectStatus(await api.post(`/v1/checks?explain=${explain}`, asked), 200);
    const [finding] = findingsOf(answer).filter(({ clause }) => clause === 'F.residence');
    expect(finding).toMatchObject({ status: 'violated' });
    expect(Object.hasOwn(finding ?? {}, 'operands')).toBe(explain === 'full');
    expect(Object.hasOwn(finding ?? {}, 'text')).toBe(explain !== 'status');
  });

  it('a load is recorded whatever it breaks, and each breach is a violation', async () => {
    const site = await siteInOrder(api, 'A-3');
    const bad = factsWith({ distance_to_residence: '588 ft', saturated: true });
    const made = expectStatus(
      await api.post('/v1/loads', load('A-3', '2027-07-03T14:55:00-05:00', { facts: bad })),
      201,
    );
    expect(made.headers.get('location')).toBe(`/v1/loads/${idOf(made)}`);
    expect(clausesThat(made, 'violated')).toEqual(['B.saturated', 'F.residence']);
    expect(made.body['postings']).toEqual([{ to: `subject-${site}@8`, limit: 'site_year' }]);
    const listed = itemsOf(await api.get(`/v1/violations?loadId=${idOf(made)}`));
    expect(new Set(listed.map(({ clause }) => clause))).toEqual(new Set(['B.saturated', 'F.residence']));
    expect(new Set(made.body['violations'] as string[])).toEqual(new Set(listed.map(({ id }) => id)));
    const one = listed.find(({ clause }) => clause === 'F.residence');
    const seen = expectStatus(await api.get(`/v1/violations/${String(one?.['id'])}`), 200);
    expect(seen.body).toMatchObject({
      clause: 'F.residence',
      status: 'open',
      binds: 'person',
      responsible: HAULER,
      subject: { kind: 'site', key: 'A-3' },
      loadId: idOf(made),
      from: '2027-07-03',
      days: 1,
      finding: { margin: { value: '-12', unit: 'ft' } },
    });
    expect(typesOf(await api.get(`/v1/violations/${String(one?.['id'])}/history`))).toEqual([
      'ViolationDetected',
    ]);
  });

  it('the ledger of the year counts loads, and a load over it is found', async () => {
    const site = await siteInOrder(api, 'A-4');
    const first = { quantity: '60000 gal' };
    expectStatus(await api.post('/v1/loads', load('A-4', '2027-07-03T14:50:00-05:00', first)), 201);
    const over = { quantity: '40001 gal' };
    const second = expectStatus(
      await api.post('/v1/loads', load('A-4', '2027-07-03T14:55:00-05:00', over)),
      201,
    );
    const ledger = expectStatus(
      await api.get(`/v1/subjects/site/${site}/ledgers/site_year?on=2027-07-03`),
      200,
    );
    expect(ledger.body).toMatchObject({
      count: 2,
      totals: { wet_equivalent: { value: '100001', unit: 'gal' } },
      exceeded: [{ clause: 'J.wet', load: idOf(second) }],
    });
    const [violation, ...others] = itemsOf(await api.get(`/v1/violations?subjectId=${site}`));
    expect(violation).toMatchObject({ clause: 'J.wet', loadId: idOf(second) });
    expect(others).toEqual([]);
    expect(itemsOf(await api.get(`/v1/ledgers?subjectId=${site}`))).toMatchObject([
      { window: '2027', count: 2 },
    ]);
    const next = await api.get(`/v1/subjects/site/${site}/ledgers/site_year?on=2028-01-01`);
    expect(next.body).toMatchObject({ count: 0, exceeded: [] });
  });

  it('a load on a site that nobody registered, with nothing known, is recorded and waits for facts', async () => {
    const made = expectStatus(
      await api.post('/v1/loads', load('unknown site', '2027-07-03T14:55:00-05:00', { facts: {} })),
      201,
    );
    expect(clausesThat(made, 'satisfied')).toEqual([]);
    const waiting = itemsOf(
      await api.get('/v1/loads?finding=unknown&subjectKind=site&subjectKey=UNKNOWN%20SITE'),
    );
    expect(waiting.map(({ id }) => id)).toEqual([idOf(made)]);
  });

  it('packs, kinds, acts, loads and jurisdictions are readable, with a schema of their facts', async () => {
    const pack = expectStatus(await api.get(`/v1/packs/${PACK}`), 200);
    const clauses = pack.body['clauses'] as readonly Json[];
    expect(clauses).toContainEqual(
      expect.objectContaining({ clause: 'K', rows: ['WW-26'], reading: 'WW-i' }),
    );
    expect(pack.body['versions']).toMatchObject([
      { version: '1', status: 'draft', inForce: { from: 'unknown' } },
    ]);
    expect((pack.body['readings'] as readonly Json[]).find(({ id }) => id === 'WW-i')).toMatchObject({
      choice: 'per_clause',
      clauses: ['F.residence', 'F.community_well', 'G', 'H.distance', 'K'],
    });
    const kind = expectStatus(await api.get(`/v1/packs/${PACK}/kinds/site`), 200);
    expect(kind.body).toMatchObject({ key: 'tax key', facts: { properties: { site_area: {} } } });
    const act = expectStatus(await api.get(`/v1/packs/${PACK}/acts/inspect_frost`), 200);
    expect(act.body).toMatchObject({ by: { role: 'officer' }, facts: { required: ['frost_depth'] } });
    const form = expectStatus(await api.get(`/v1/packs/${PACK}/loads/spreading`), 200);
    expect(form.body).toMatchObject({ on: 'site', judgedBy: 'spreading', countsIn: ['site_year'] });
    const assessment = expectStatus(await api.get(`/v1/packs/${PACK}/assessments/daily_permit`), 200);
    expect(assessment.body).toMatchObject({
      judgedOn: 'daily_permit_for',
      facts: { properties: { frost_depth: {} } },
    });
    const town = expectStatus(await api.get(`/v1/jurisdictions/${TOWN}`), 200);
    expect(town.body).toMatchObject({ zone: 'America/Chicago', packs: [PACK] });
    const near = expectStatus(await api.get(`/v1/packs/${PACK}/acts/inspect_frst`), 404);
    expect(near.body['detail']).toBe("There is no act 'inspect_frst' here. Did you mean 'inspect_frost'?");
    expectStatus(await api.get(`/v1/packs/${PACK}?version=9`), 404);
  });

  it('lists go page by page, each row once', async () => {
    await registerSite(api, 'P-0');
    for (let n = 0; n < 5; n++) {
      expectStatus(await api.post('/v1/loads', load('P-0', `2027-07-03T14:5${n}:00-05:00`)), 201);
    }
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const page: Json = expectStatus(
        await api.get(`/v1/loads?subjectKind=site&subjectKey=P-0&limit=2${cursor && `&cursor=${cursor}`}`),
        200,
      ).body;
      seen.push(...(page['items'] as readonly Json[]).map(({ occurredAt }) => occurredAt));
      cursor = typeof page['next'] === 'string' ? page['next'] : '';
    } while (cursor !== '');
    expect(seen).toEqual(['54', '53', '52', '51', '50'].map((minute) => `2027-07-03T19:${minute}:00.000Z`));
    expectStatus(await api.get('/v1/loads?cursor=made-up'), 400);
    expectStatus(await api.get('/v1/loads?subjectKey=P-0'), 400);
  });

  it('what was written is there after a restart', async () => {
    const site = await registerSite(api, 'R-1');
    const made = expectStatus(await api.post('/v1/loads', load('R-1', '2027-07-03T14:55:00-05:00')), 201);
    const before = await api.count();
    api = await api.restart();
    expect(await api.count()).toBe(before);
    expectStatus(await api.get(`/v1/loads/${idOf(made)}`), 200);
    expect(itemsOf(await api.get(`/v1/ledgers?subjectId=${site}`))).toMatchObject([{ count: 1 }]);
    expect((await api.get('/v1/sandbox/clock')).body['now']).toBe('2027-07-03T20:00:00.000Z');
  });
});
