import { PACK, STORES, TOWN, startApi, type Api, type Json } from './support/api';
import {
  HAULER,
  clausesThat,
  eventsOf,
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

const NOW = '2027-07-03T15:00:00-05:00';
const JUST_NOW = '2027-07-03T14:55:00-05:00';

describe.each(STORES)('writes on %s', (store) => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi(store);
    expectStatus(await api.at(NOW), 200);
    await siteInOrder(api, 'W-1');
  });
  afterAll(() => api.stop());

  describe('Idempotency-Key', () => {
    const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

    it('the same request again is answered, not written again', async () => {
      const body = load('W-1', JUST_NOW);
      const first = expectStatus(await api.post('/v1/loads', body, keyed('one')), 201);
      const before = await api.count();
      const again = expectStatus(await api.post('/v1/loads', body, keyed('one')), 201);
      expect(await api.count()).toBe(before);
      expect(again.body).toEqual({ ...first.body, position: again.body['position'] });
    });

    it('the order of keys does not make another request', async () => {
      const body = load('W-1', JUST_NOW);
      const turned = Object.fromEntries(Object.entries(body).toReversed());
      const first = expectStatus(await api.post('/v1/loads', body, keyed('turned')), 201);
      expect(idOf(expectStatus(await api.post('/v1/loads', turned, keyed('turned')), 201))).toBe(idOf(first));
    });

    it('another body, or another address, under the key is a problem of its own', async () => {
      const body = load('W-1', JUST_NOW);
      expectStatus(await api.post('/v1/loads', body, keyed('two')), 201);
      const before = await api.count();
      const other = expectStatus(
        await api.post('/v1/loads', { ...body, quantity: '1 gal' }, keyed('two')),
        422,
      );
      expect(other.body['type']).toBe('https://headworks.invalid/problems/key-reused');
      const site = { jurisdiction: TOWN, key: 'W-2' };
      expectStatus(await api.post('/v1/subjects/site', site, keyed('two')), 422);
      expect(await api.count()).toBe(before);
    });

    it('of two at once, one writes and both are answered the same', async () => {
      const body = load('W-1', JUST_NOW);
      const before = await api.count();
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() => api.post('/v1/loads', body, keyed('at-once'))),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(idOf)).size).toBe(1);
      // The load, and its posting on the site.
      expect(await api.count()).toBe(before + 2);
    });

    it('another caller may use the same key', async () => {
      const clerk = await api.keyOf(['clerk']);
      const [mine, theirs] = [load('W-1', JUST_NOW), load('W-1', JUST_NOW)];
      const first = expectStatus(await api.post('/v1/loads', mine, keyed('shared')), 201);
      const second = expectStatus(
        await api.post('/v1/loads', theirs, { ...keyed('shared'), key: clerk }),
        201,
      );
      expect(idOf(second)).not.toBe(idOf(first));
    });

    it('a facts and an act request are replayed from the log, also after more was written', async () => {
      const site = await registerSite(api, 'W-3');
      const facts = { facts: { distance_to_residence: '640 ft' } };
      const path = `/v1/subjects/site/${site}/facts`;
      const first = expectStatus(await api.post(path, facts, keyed('facts')), 201);
      expectStatus(await api.post(path, { facts: { distance_to_residence: '650 ft' } }), 201);
      const again = expectStatus(await api.post(path, facts, keyed('facts')), 201);
      expect(again.body['events']).toEqual(first.body['events']);
      const act = { pack: PACK, facts: { frost_depth: '1 in' } };
      const actPath = `/v1/subjects/site/${site}/acts/inspect_frost`;
      const done = expectStatus(await api.post(actPath, act, keyed('act')), 201);
      const replayed = expectStatus(await api.post(actPath, act, keyed('act')), 201);
      expect(replayed.body['event']).toBe(done.body['event']);
    });

    it('a request that was refused as malformed claims nothing', async () => {
      expectStatus(
        await api.post('/v1/loads', { ...load('W-1', JUST_NOW), quantity: 5 }, keyed('claim')),
        400,
      );
      expectStatus(await api.post('/v1/loads', load('W-1', JUST_NOW), keyed('claim')), 201);
    });

    it.each([
      ['empty', ''],
      ['of 256 characters', 'x'.repeat(256)],
      ['with a space in it', 'a b'],
    ])('a key %s is none', async (_, key) => {
      const answer = expectStatus(await api.post('/v1/loads', load('W-1', JUST_NOW), keyed(key)), 400);
      expect(answer.body['errors']).toMatchObject([{ code: 'idempotency-key' }]);
    });
  });

  describe('tickets', () => {
    it('a repeated ticket with the same content answers the first, with 200', async () => {
      const body = load('W-1', JUST_NOW);
      const first = expectStatus(await api.post('/v1/loads', body), 201);
      const before = await api.count();
      const again = expectStatus(await api.post('/v1/loads', { ...body, quantity: '2500 gal' }), 200);
      expect(idOf(again)).toBe(idOf(first));
      expect(await api.count()).toBe(before);
    });

    it('with other content it is a conflict that names the difference', async () => {
      const body = load('W-1', JUST_NOW);
      const first = expectStatus(await api.post('/v1/loads', body), 201);
      const other = expectStatus(await api.post('/v1/loads', { ...body, quantity: '2400 gal' }), 409);
      expect(other.body).toMatchObject({ load: idOf(first), differs: ['quantity'] });
    });

    it('a distinct one needs a reason and has an id of its own', async () => {
      const body = load('W-1', JUST_NOW);
      const first = expectStatus(await api.post('/v1/loads', body), 201);
      const distinct = { ...body, quantity: '2400 gal', distinct: true };
      const bare = expectStatus(await api.post('/v1/loads', distinct), 400);
      expect(bare.body['errors']).toMatchObject([{ pointer: '/reason' }]);
      const second = expectStatus(
        await api.post('/v1/loads', { ...distinct, reason: 'the pad was reprinted' }),
        201,
      );
      expect(idOf(second)).not.toBe(idOf(first));
      const seen = await api.get(`/v1/loads/${idOf(second)}`);
      expect(seen.body['distinct']).toEqual({ reason: 'the pad was reprinted' });
    });
  });

  describe('corrections', () => {
    it('a load that was over is corrected: its posting, finding and violation follow, and both stand in the history', async () => {
      const site = await siteInOrder(api, 'W-4');
      const made = expectStatus(
        await api.post('/v1/loads', load('W-4', JUST_NOW, { quantity: '100001 gal' })),
        201,
      );
      const [violation] = itemsOf(await api.get(`/v1/violations?loadId=${idOf(made)}`));
      expect(violation).toMatchObject({ clause: 'J.wet', status: 'open' });
      const correction = { reason: 'meter misread', set: { quantity: '10000 gal' } };
      expectStatus(await api.post(`/v1/loads/${idOf(made)}/corrections`, correction), 201);
      const seen = await api.get(`/v1/violations/${String(violation?.['id'])}`);
      expect(seen.body['status']).toBe('withdrawn');
      const ledger = await api.get(`/v1/subjects/site/${site}/ledgers/site_year?on=2027-07-03`);
      expect(ledger.body).toMatchObject({
        count: 1,
        totals: { wet_equivalent: { value: '10000' } },
        exceeded: [],
      });
      const history = await api.get(`/v1/loads/${idOf(made)}/history`);
      expect(typesOf(history).slice(0, 2)).toEqual(['LoadDischarged', 'LoadCorrected']);
      expect((await api.get(`/v1/loads/${idOf(made)}`)).body['quantity']).toEqual({
        value: '10000',
        unit: 'gal',
      });
    });

    it('a load that is moved to another site counts there, and one that is voided counts nowhere', async () => {
      const [from, to] = [await registerSite(api, 'W-5'), await registerSite(api, 'W-6')];
      const made = expectStatus(await api.post('/v1/loads', load('W-5', JUST_NOW)), 201);
      const path = `/v1/loads/${idOf(made)}/corrections`;
      const moved = { reason: 'wrong field', set: { subject: { kind: 'site', key: 'W-6' } } };
      expectStatus(await api.post(path, moved), 201);
      const counts = async (site: string) =>
        (await api.get(`/v1/subjects/site/${site}/ledgers/site_year?on=2027-07-03`)).body['count'];
      expect([await counts(from), await counts(to)]).toEqual([0, 1]);
      expectStatus(await api.post(path, { reason: 'never happened', void: true }), 201);
      expect([await counts(from), await counts(to)]).toEqual([0, 0]);
      expectStatus(await api.post(path, { reason: 'again', set: { quantity: '1 gal' } }), 409);
      expect(itemsOf(await api.get('/v1/loads?voided=true')).map(({ id }) => id)).toContain(idOf(made));
    });

    it.each<[string, Json, string]>([
      ['nothing in it', { reason: 'r' }, '/set'],
      ['void and set', { reason: 'r', void: true, set: { quantity: '1 gal' } }, '/set'],
      ['no reason', { void: true }, '/reason'],
      ['a unit that is none', { reason: 'r', set: { quantity: '5 buckets' } }, '/set/quantity'],
      ['a length for a load', { reason: 'r', set: { quantity: '5 ft' } }, '/set/quantity'],
      ['an unknown key', { reason: 'r', set: { quantty: '5 gal' } }, '/set/quantty'],
    ])('a correction with %s is refused', async (_, body, pointer) => {
      const made = expectStatus(await api.post('/v1/loads', load('W-1', JUST_NOW)), 201);
      const answer = expectStatus(await api.post(`/v1/loads/${idOf(made)}/corrections`, body), 400);
      expect(answer.body['errors']).toMatchObject([{ pointer }]);
    });

    it('facts are corrected by the address of their event, and a load that stood on them is judged again', async () => {
      const site = await siteInOrder(api, 'W-7');
      const path = `/v1/subjects/site/${site}/facts`;
      const said = expectStatus(
        await api.post(path, {
          facts: { distance_to_waterway: '580 ft' },
          occurredAt: '2027-07-03T14:52:00-05:00',
        }),
        201,
      );
      const { event } = eventsOf(said)[0] ?? {};
      const { distance_to_waterway: _left, ...facts } = factsWith({});
      const made = expectStatus(await api.post('/v1/loads', load('W-7', JUST_NOW, { facts })), 201);
      expect(clausesThat(made, 'violated')).toEqual(['K']);
      const correction = { corrects: event, facts: { distance_to_waterway: '680 ft' }, reason: 'survey 12' };
      expectStatus(await api.post(path, correction), 201);
      const [violation] = itemsOf(await api.get(`/v1/violations?loadId=${idOf(made)}`));
      expect(violation).toMatchObject({ clause: 'K', status: 'withdrawn' });
      const judged = await api.get(`/v1/loads/${idOf(made)}`);
      expect(findingsOf(judged).find(({ clause }) => clause === 'K')).toMatchObject({ status: 'satisfied' });
      const wrong = { corrects: `subject-${site}@99`, facts: { distance_to_waterway: '1 ft' }, reason: 'r' };
      expect(expectStatus(await api.post(path, wrong), 400).body['errors']).toMatchObject([
        { pointer: '/corrects' },
      ]);
    });
  });

  describe('dryRun', () => {
    it('decides and answers, and writes nothing, on every write', async () => {
      const site = await registerSite(api, 'W-8');
      const made = expectStatus(await api.post('/v1/loads', load('W-8', JUST_NOW)), 201);
      const before = await api.count();
      const writes: readonly (readonly [string, Json])[] = [
        ['/v1/subjects/site', { jurisdiction: TOWN, key: 'W-9' }],
        [`/v1/subjects/site/${site}/facts`, { facts: { distance_to_residence: '1 ft' } }],
        [`/v1/subjects/site/${site}/acts/inspect_frost`, { pack: PACK, facts: { frost_depth: '1 in' } }],
        [`/v1/subjects/site/${site}/acts/issue_daily_permit`, { pack: PACK }],
        [
          `/v1/subjects/site/${site}/supersession`,
          { successors: [{ key: 'W-8a' }], on: '2027-07-03', reason: 'split' },
        ],
        ['/v1/loads', load('W-8', JUST_NOW, { facts: factsWith({ saturated: true }) })],
        [`/v1/loads/${idOf(made)}/corrections`, { reason: 'r', void: true }],
      ];
      for (const [path, body] of writes) {
        const answer = expectStatus(
          await api.post(`${path}?dryRun=true`, body, { headers: { 'idempotency-key': 'dry' } }),
          200,
        );
        expect(answer.body).toMatchObject({ dryRun: true });
        expect(eventsOf(answer).length).toBeGreaterThan(0);
      }
      expect(await api.count()).toBe(before);
      // It claimed nothing either.
      expectStatus(
        await api.post('/v1/loads', load('W-8', JUST_NOW), { headers: { 'idempotency-key': 'dry' } }),
        201,
      );
    });

    it('of a load says what would be found', async () => {
      const body = load('W-1', JUST_NOW, { facts: factsWith({ saturated: true }) });
      const answer = expectStatus(await api.post('/v1/loads?dryRun=true', body), 200);
      expect(clausesThat(answer, 'violated')).toEqual(['B.saturated']);
      expectStatus(await api.get(`/v1/loads/${idOf(answer)}`), 404);
    });
  });

  describe('then and now', () => {
    it('asOf tells what had occurred, knownAt what was on record, and history who said it when', async () => {
      const site = await registerSite(api, 'W-10');
      const path = `/v1/subjects/site/${site}`;
      const distance = async (query: string) => {
        const facts = expectStatus(await api.get(`${path}?${query}`), 200).body['facts'] as Json;
        return (facts['distance_to_residence'] as Json | undefined)?.['value'];
      };
      expectStatus(await api.at('2027-07-04T09:00:00-05:00'), 200);
      const said = expectStatus(
        await api.post(`${path}/facts`, { facts: { distance_to_residence: '640 ft' } }),
        201,
      );
      expectStatus(await api.at('2027-07-05T09:00:00-05:00'), 200);
      const correction = {
        corrects: eventsOf(said)[0]?.['event'],
        facts: { distance_to_residence: '590 ft' },
        reason: 'r',
      };
      expectStatus(await api.post(`${path}/facts`, correction), 201);
      expect(await distance('asOf=2027-07-03T23:00:00-05:00')).toBeUndefined();
      expect(await distance('knownAt=2027-07-04T12:00:00-05:00')).toEqual({ value: '640', unit: 'ft' });
      expect(await distance('asOf=2027-07-04T12:00:00-05:00')).toEqual({ value: '590', unit: 'ft' });
      expect(await distance('')).toEqual({ value: '590', unit: 'ft' });
      const history = expectStatus(await api.get(`${path}/history?limit=2`), 200);
      expect(typesOf(history)).toEqual(['SubjectRegistered', 'FactsRecorded']);
      const rest = await api.get(`${path}/history?after=${String(history.body['next'])}`);
      expect(typesOf(rest)).toEqual(['FactsCorrected']);
      expect(rest.body['next']).toBeNull();
      expect(typesOf(await api.get(`${path}/history?type=FactsRecorded`))).toEqual(['FactsRecorded']);
      expect(typesOf(await api.get(`${path}/history?knownAt=2027-07-04T00:00:00-05:00`))).toEqual([
        'SubjectRegistered',
      ]);
    });

    it('a read waits for the position that a write answered; one of another log is gone', async () => {
      const made = expectStatus(await api.post('/v1/loads', load('W-1', '2027-07-05T08:55:00-05:00')), 201);
      const position = String(made.body['position']);
      expectStatus(await api.get(`/v1/loads/${idOf(made)}?atLeast=${position}`), 200);
      const listed = itemsOf(await api.get(`/v1/loads?atLeast=${position}&limit=1`));
      expect(listed).toMatchObject([{ id: idOf(made) }]);
      const foreign = `another-store.${position.split('.').slice(1).join('.')}`;
      expect((await api.get(`/v1/loads?atLeast=${foreign}`)).status).toBe(410);
      expect((await api.get('/v1/loads?atLeast=nonsense')).status).toBe(400);
    });
  });

  describe('when', () => {
    it('later than now is refused; more than ten minutes ago needs reason and evidence, and a role that may', async () => {
      const future = expectStatus(await api.post('/v1/loads', load('W-1', '2027-07-05T09:00:01-05:00')), 400);
      expect(future.body['errors']).toMatchObject([{ pointer: '/occurredAt', code: 'in-the-future' }]);
      const late = load('W-1', '2027-07-05T08:49:59-05:00');
      const bare = expectStatus(await api.post('/v1/loads', late), 400);
      expect(bare.body['errors']).toMatchObject([{ pointer: '/reason' }, { pointer: '/evidence' }]);
      const made = expectStatus(
        await api.post('/v1/loads', { ...late, reason: 'paper', evidence: 'sheet 7' }),
        201,
      );
      const [event] = eventsOf(await api.get(`/v1/loads/${idOf(made)}/history`));
      expect(event).toMatchObject({ late: { reason: 'paper', evidence: 'sheet 7' } });
    });
  });

  it('a split parcel carries its year along', async () => {
    const site = await registerSite(api, 'W-11');
    expectStatus(
      await api.post('/v1/loads', load('W-11', '2027-07-05T08:55:00-05:00', { hauler: HAULER })),
      201,
    );
    const split = { successors: [{ key: 'W-11A' }, { key: 'W-11B' }], on: '2027-07-05', reason: 'deed 4711' };
    expectStatus(await api.post(`/v1/subjects/site/${site}/supersession`, split), 201);
    expectStatus(await api.post(`/v1/subjects/site/${site}/supersession`, split), 409);
    const ledgers = itemsOf(await api.get('/v1/ledgers?limitName=site_year&window=2027'));
    const brought = ledgers.filter(({ postings }) =>
      JSON.stringify(postings).includes(`"broughtFrom":"subject-${site}"`),
    );
    expect(brought).toHaveLength(2);
  });
});
