import { STORES, TOWN, startApi, type Api, type Json } from './support/api';
import { act, expectStatus, idOf, itemsOf, LATE, load, registerSite } from './support/town';

const NOW = '2027-07-03T15:00:00-05:00';
const IN_TIME = '2027-07-03T14:50:00-05:00';
const TOO_LATE = '2027-07-03T14:49:59-05:00';
const FOUND = { reason: 'the inspector was ill', evidence: 'field book 12' };
const OTHER = 'wi-lodi-city';
const PATH = '/v1/audit/late';

describe.each(STORES)('what was recorded late, on %s', (store) => {
  let api: Api;
  let site: string;
  let loadId: string;
  let clerk: string;
  let auditor: string;

  /** In this order: a late load, late facts a minute later, a late act another one later; between them what is in time. */
  beforeAll(async () => {
    api = await startApi(store);
    expectStatus(await api.at(NOW), 200);
    [clerk, auditor] = [await api.keyOf(['clerk']), await api.keyOf(['auditor'])];
    site = await registerSite(api, 'A-1');
    const late = load('A-1', TOO_LATE, LATE);
    loadId = idOf(expectStatus(await api.post('/v1/loads', late, { key: clerk }), 201));
    // Reasons alone make nothing late.
    expectStatus(await api.post('/v1/loads', load('A-1', IN_TIME, LATE), { key: clerk }), 201);
    expectStatus(await api.at('2027-07-03T15:01:00-05:00'), 200);
    const facts = { facts: { distance_to_residence: '640 ft' } };
    const path = `/v1/subjects/site/${site}/facts`;
    expectStatus(await api.post(path, { ...facts, ...FOUND, occurredAt: TOO_LATE }, { key: clerk }), 201);
    expectStatus(await api.post(path, { ...facts, occurredAt: NOW }, { key: clerk }), 201);
    expectStatus(await api.at('2027-07-03T15:02:00-05:00'), 200);
    const frost = { facts: { frost_depth: '1 in' }, occurredAt: TOO_LATE, ...FOUND };
    expectStatus(await act(api, site, 'inspect_frost', frost), 201);
    expectStatus(await act(api, site, 'inspect_frost', { facts: frost.facts }), 201);
  });
  afterAll(() => api.stop());

  const listed = async (query = '', key = auditor): Promise<readonly Json[]> =>
    itemsOf(expectStatus(await api.get(`${PATH}${query}`, { key }), 200));
  const typesListed = async (query: string) => (await listed(query)).map(({ type }) => type);
  const ALL = ['whitewater-sludge.FrostInspected', 'FactsRecorded', 'LoadDischarged'];

  it('is listed with reason and evidence; what was in time, and what follows, is not', async () => {
    const rows = await listed();
    const recorded = (minute: string) => ({
      jurisdiction: TOWN,
      occurredAt: '2027-07-03T19:49:59.000Z',
      recordedAt: `2027-07-03T20:0${minute}:00.000Z`,
    });
    expect(rows).toMatchObject([
      { ...recorded('2'), ...FOUND, type: ALL[0], by: { body: 'town_board_member' } },
      { ...recorded('1'), ...FOUND, type: ALL[1], stream: `subject-${site}`, actor: { roles: ['clerk'] } },
      { ...recorded('0'), ...LATE, type: ALL[2], event: `load-${loadId}@0`, stream: `load-${loadId}` },
    ]);
    expect(rows).toHaveLength(3);
  });

  it('is found by when and by whom it was recorded, and by what it is of', async () => {
    const actor = (await listed()).at(-1)?.['actor'] as { readonly id: string };
    expect(await typesListed('?from=2027-07-03T15:01:00-05:00')).toEqual(ALL.slice(0, 2));
    expect(await typesListed('?to=2027-07-03T15:01:00-05:00')).toEqual(ALL.slice(2));
    expect(await typesListed(`?actor=${actor.id}`)).toEqual(ALL.slice(1));
    expect(await typesListed('?actor=nobody')).toEqual([]);
    expect(await typesListed('?streamKind=load')).toEqual(ALL.slice(2));
    expect(await typesListed('?streamKind=subject')).toEqual(ALL.slice(0, 2));
  });

  it('comes page by page', async () => {
    const types: unknown[] = [];
    let query = '?limit=2';
    for (const more of [true, false]) {
      const page = expectStatus(await api.get(PATH + query, { key: auditor }), 200);
      types.push(...itemsOf(page).map(({ type }) => type));
      expect(page.body['next'] !== null).toBe(more);
      query = `?limit=2&cursor=${String(page.body['next'])}`;
    }
    expect(types).toEqual(ALL);
  });

  it.each([
    ['from', '?from=2027-07-03'],
    ['to', '?to=yesterday'],
    ['streamKind', '?streamKind=site'],
    ['reason', '?reason=paper'],
  ])('names %s where the address is no good', async (name, query) => {
    const { body } = expectStatus(await api.get(PATH + query, { key: auditor }), 400);
    expect(body['errors']).toEqual([
      expect.objectContaining({ detail: expect.stringContaining(`'${name}'`) as string }),
    ]);
  });

  it('is for those who oversee: a clerk, an officer, a holder and a reader are refused', async () => {
    for (const role of ['admin', 'auditor', 'board']) {
      expect(await listed('', await api.keyOf([role]))).toHaveLength(3);
    }
    for (const role of ['clerk', 'officer', 'holder', 'reader']) {
      expectStatus(await api.get(PATH, { key: await api.keyOf([role]) }), 403);
    }
  });

  it('is nothing to another agency, also where it asks for it', async () => {
    const foreign = await api.keyOf(['auditor'], [OTHER]);
    expect(await listed('', foreign)).toEqual([]);
    expect(await listed(`?jurisdiction=${TOWN}`, foreign)).toEqual([]);
    expect(await listed(`?jurisdiction=${TOWN}`)).toHaveLength(3);
  });

  it('stays listed when it was recorded in error', async () => {
    const [, facts] = await listed();
    const body = { annuls: facts?.['event'], reason: 'another site' };
    expectStatus(await api.post(`/v1/subjects/site/${site}/facts`, body), 201);
    expect(await typesListed('')).toEqual(ALL);
  });
});
