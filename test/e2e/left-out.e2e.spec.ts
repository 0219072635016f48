import { STORES, startApi, type Api, type Answered } from './support/api';
import {
  expectStatus,
  factsWith,
  findingsOf,
  GOOD_LOAD_FACTS,
  idOf,
  LATE,
  load,
  registerSite,
} from './support/town';

/** A year's uses are counted of what the article covers (par. I); manure is left out of it (definition of sludge). */
describe.each(STORES)('loads that the article leaves out, on %s', (store) => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi(store);
    expectStatus(await api.at('2027-06-01T15:00:00-05:00'), 200);
  });
  afterAll(() => api.stop());

  const useIn = (answered: Answered) => findingsOf(answered).find(({ clause }) => clause === 'I');
  const useOf = async (id: string) => useIn(await api.get(`/v1/loads/${id}`))?.status;
  const correct = async (id: string, waste: string) => {
    const body = { reason: 'the source was looked at again', set: { facts: { waste_type: waste } } };
    expectStatus(await api.post(`/v1/loads/${id}/corrections`, body), 201);
  };

  it('use up nothing of the year; corrected to be sludge, they do, and back', async () => {
    await registerSite(api, 'L-1');
    const manure = load('L-1', '2027-06-01T15:00:00-05:00', {
      facts: factsWith({ waste_type: 'farm_manure' }),
    });
    const spread = expectStatus(await api.post('/v1/loads', manure), 201);
    expect(spread.body['postings']).toEqual([]);

    expectStatus(await api.at('2027-07-06T15:00:00-05:00'), 200);
    const use = expectStatus(await api.post('/v1/loads', load('L-1', '2027-07-06T15:00:00-05:00')), 201);
    expect(useIn(use)?.status).toBe('satisfied');
    await correct(idOf(spread), 'dairy');
    expect(await useOf(idOf(use))).toBe('violated');
    await correct(idOf(spread), 'farm_manure');
    expect(await useOf(idOf(use))).toBe('satisfied');
  });

  it('while nobody knows what was spread, whether a later use is the second is unknown', async () => {
    await registerSite(api, 'L-2');
    const { waste_type: _unsaid, ...facts } = GOOD_LOAD_FACTS;
    const unsaid = load('L-2', '2027-07-02T15:00:00-05:00', { facts, ...LATE });
    expect(expectStatus(await api.post('/v1/loads', unsaid), 201).body['postings']).toHaveLength(1);
    const after = expectStatus(await api.post('/v1/loads', load('L-2', '2027-07-06T15:00:00-05:00')), 201);
    expect(useIn(after)).toMatchObject({ status: 'unknown', missing: ['use_number'] });
  });
});
