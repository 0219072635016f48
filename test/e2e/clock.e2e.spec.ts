import { STORES, startApi, type Api, type Json } from './support/api';
import { LATE, act, eventsOf, expectStatus, idOf, itemsOf, load, siteInOrder, typesOf } from './support/town';

/** A load that begins on a Saturday morning: the statutory count leaves out the Sunday. */
const BEGUN = '2027-07-10T08:00:00-05:00';
/** A Tuesday: a day of 24 hours by either count. */
const WEEKDAY = '2027-07-13T08:00:00-05:00';

describe.each(STORES)('the virtual clock on %s', (store) => {
  let api: Api;
  beforeEach(async () => {
    api = await startApi(store);
  });
  afterEach(() => api.stop());

  const spread = async (
    key: string,
    begun = BEGUN,
  ): Promise<{ readonly site: string; readonly loadId: string }> => {
    const site = await siteInOrder(api, key);
    return { site, loadId: idOf(expectStatus(await api.post('/v1/loads', load(key, begun)), 201)) };
  };
  const violations = async (site: string, more = ''): Promise<readonly Json[]> =>
    itemsOf(expectStatus(await api.get(`/v1/violations?subjectId=${site}${more}`), 200));

  it('is unset until the first PUT, and only moves forward', async () => {
    expectStatus(await api.get('/v1/sandbox/clock'), 409);
    const early = expectStatus(await api.post('/v1/loads', load('C-0', BEGUN)), 409);
    expect(early.body['type']).toBe('https://headworks.invalid/problems/clock-unset');
    expect(itemsOf(await api.get('/v1/loads'))).toEqual([]);
    expect(expectStatus(await api.at(BEGUN), 200).body).toEqual({
      now: '2027-07-10T13:00:00.000Z',
      fell: [],
    });
    const back = expectStatus(await api.at('2027-07-10T07:59:59-05:00'), 409);
    expect(back.body['type']).toBe('https://headworks.invalid/problems/clock-behind');
    expectStatus(await api.call('PUT', '/v1/sandbox/clock', { now: '2027-02-30T00:00:00Z' }), 400);
    expectStatus(await api.call('PUT', '/v1/sandbox/clock?dryRun=true', { now: BEGUN }), 400);
  });

  it('sludge that is not worked in: open, then missed at the statutory instant, then a violation that lasts', async () => {
    expectStatus(await api.at(BEGUN), 200);
    const { site, loadId } = await spread('C-1');
    const [duty] = itemsOf(await api.get(`/v1/duties?status=open&subjectId=${site}`));
    expect(duty).toMatchObject({ clause: 'E.wet', status: 'open', rows: ['WW-17'], binds: 'person' });
    // Saturday 8:00 and 24 hours, Sunday left out: Monday 8:00.
    expect(duty?.['due']).toMatchObject({
      at: '2027-07-12T13:00:00.000Z',
      elapsedAt: '2027-07-11T13:00:00.000Z',
    });
    expectStatus(await api.at('2027-07-12T08:00:00-05:00'), 200);
    expect(await violations(site)).toEqual([]);
    const moved = expectStatus(await api.at('2027-07-14T12:00:00-05:00'), 200);
    expect(moved.body['fell']).toEqual([{ duty: duty?.['id'], dueAt: '2027-07-12T13:00:00.000Z' }]);
    const [violation, ...others] = await violations(site);
    expect(others).toEqual([]);
    expect(violation).toMatchObject({ clause: 'E.wet', status: 'open', loadId, until: null });
    // The 12th, 13th and 14th.
    expect(violation).toMatchObject({ detectedAt: '2027-07-12T13:00:00.000Z', from: '2027-07-12', days: 3 });
    const missed = eventsOf(await api.get(`/v1/subjects/site/${site}/history?type=DutyMissed`));
    expect(missed).toMatchObject([{ occurred: { at: '2027-07-12T13:00:00.000Z' } }]);

    const cured = { facts: { incorporation_method: 'knifed_in' } };
    expectStatus(await act(api, site, 'incorporate', cured), 201);
    expectStatus(await api.at('2027-07-20T12:00:00-05:00'), 200);
    const [abated] = await violations(site);
    // First day in, the day of the cure out.
    expect(abated).toMatchObject({ status: 'abated', until: '2027-07-14', days: 2 });
    const asOf = await api.get(`/v1/violations/${String(abated?.['id'])}?asOf=2027-07-13T12:00:00-05:00`);
    expect(asOf.body).toMatchObject({ status: 'open', days: 2 });
    expect(itemsOf(await api.get(`/v1/duties?status=open&subjectId=${site}`))).toEqual([]);
  });

  it('worked in within a day, nothing falls due', async () => {
    expectStatus(await api.at(BEGUN), 200);
    const { site } = await spread('C-2');
    expectStatus(await api.at('2027-07-11T07:00:00-05:00'), 200);
    expectStatus(await act(api, site, 'incorporate', { facts: { incorporation_method: 'knifed_in' } }), 201);
    expectStatus(await api.at('2027-07-20T12:00:00-05:00'), 200);
    expect(await violations(site)).toEqual([]);
    const [duty] = itemsOf(await api.get(`/v1/duties?subjectId=${site}`));
    expect(duty).toMatchObject({ status: 'met', metAt: '2027-07-11T12:00:00.000Z' });
  });

  it('worked in in time and entered two days later: the consequence is reversed, and both stand', async () => {
    expectStatus(await api.at(BEGUN), 200);
    const { site } = await spread('C-3');
    expectStatus(await api.at('2027-07-14T12:00:00-05:00'), 200);
    const [violation] = await violations(site, '&status=open');
    const late = {
      occurredAt: '2027-07-11T07:00:00-05:00',
      facts: { incorporation_method: 'knifed_in' },
      ...LATE,
    };
    expectStatus(await act(api, site, 'incorporate', late), 201);
    const seen = await api.get(`/v1/violations/${String(violation?.['id'])}`);
    expect(seen.body['status']).toBe('withdrawn');
    const known = await api.get(
      `/v1/violations/${String(violation?.['id'])}?knownAt=2027-07-14T11:59:00-05:00`,
    );
    expect(known.body).toMatchObject({ status: 'open' });
    const types = typesOf(await api.get(`/v1/subjects/site/${site}/history`));
    expect(types).toContain('DutyMissed');
    expect(types.at(-1)).toBe('ConsequenceReversed');
  });

  it('a second use in the year, after the campaign ended, is a violation of its own', async () => {
    expectStatus(await api.at(WEEKDAY), 200);
    const { site } = await spread('C-4', WEEKDAY);
    expectStatus(await act(api, site, 'incorporate', { facts: { incorporation_method: 'knifed_in' } }), 201);
    // The last instant of the campaign is still the same use.
    expectStatus(await api.at('2027-07-14T08:00:00-05:00'), 200);
    const same = expectStatus(await api.post('/v1/loads', load('C-4', '2027-07-14T08:00:00-05:00')), 201);
    expect(await violations(site, `&loadId=${idOf(same)}`)).toEqual([]);
    expectStatus(await api.at('2027-07-14T08:00:01-05:00'), 200);
    const again = expectStatus(await api.post('/v1/loads', load('C-4', '2027-07-14T08:00:01-05:00')), 201);
    const found = await violations(site, `&loadId=${idOf(again)}`);
    expect(found.map(({ clause }) => clause)).toEqual(['I']);
  });

  it('stands where it stood after a restart, and what fell due meanwhile is there once', async () => {
    expectStatus(await api.at(BEGUN), 200);
    const { site } = await spread('C-5');
    expectStatus(await api.at('2027-07-13T12:00:00-05:00'), 200);
    const [before] = await violations(site);
    api = await api.restart();
    expect((await api.get('/v1/sandbox/clock')).body['now']).toBe('2027-07-13T17:00:00.000Z');
    expect(await violations(site)).toEqual([before]);
  });
});

describe('a real clock', () => {
  it('has no sandbox: the address does not exist', async () => {
    const api = await startApi('sqlite', 'real');
    try {
      expectStatus(await api.at(BEGUN), 404);
      expectStatus(await api.get('/v1/sandbox/clock'), 404);
      expect(Object.keys(api.app.document().paths)).not.toContain('/v1/sandbox/clock');
    } finally {
      await api.stop();
    }
  });
});
