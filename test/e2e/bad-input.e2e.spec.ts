import { connect } from 'node:net';
import fc from 'fast-check';
import { PACK, STORES, TOWN, startApi, type Answered, type Api, type Json } from './support/api';
import { GOOD_LOAD_FACTS, expectStatus, factsWith, idOf, load, registerSite } from './support/town';

const AT = '2027-07-03T14:55:00-05:00';
const faults = ({ body }: Answered): readonly string[] =>
  ((body['errors'] ?? []) as readonly Json[]).map(({ pointer }) => String(pointer));
const said = ({ body }: Answered): string => JSON.stringify(body['errors'] ?? body['detail']);

/** Names of members, some of which are good somewhere. */
const NAMES =
  'pack load subject kind key facts set quantity occurredAt successors on reason jurisdiction geometry type coordinates by corrects annuls value unit __proto__ toString';
const LEAVES: readonly unknown[] = [
  ...[null, true, 0, -0, 1e308, PACK, TOWN, 'site', AT, '1 gal', `${'9'.repeat(40)} gal`, 'Polygon'],
];
const names = fc.constantFrom('', ...NAMES.split(' '));
const { any } = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(...LEAVES),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(names, tie('any')),
  ),
}));
const ANY_BODY = fc.dictionary(names, any);

describe.each(STORES)('bad input on %s: a 4xx that says what to do, and nothing written', (store) => {
  let api: Api;
  let site: string;
  let before: number;
  beforeAll(async () => {
    api = await startApi(store);
    expectStatus(await api.at('2027-07-03T15:00:00-05:00'), 200);
    site = await registerSite(api, 'Z-1');
    before = await api.count();
  });
  afterEach(async () => {
    const now = await api.count();
    if (now !== before) throw new Error(`${now - before} events were written`);
  });
  afterAll(() => api.stop());

  const good = (more: Json = {}): Json => load('Z-1', AT, more);

  it.each<[string, Json, string, string]>([
    ['an unknown key', { quantty: '1 gal' }, '/quantty', "did you mean 'quantity'?"],
    ['an impossible date', { occurredAt: '2027-02-30T10:00:00-06:00' }, '/occurredAt', 'is no date'],
    ['an impossible time', { occurredAt: '2027-07-03T24:00:00-05:00' }, '/occurredAt', 'no such time of day'],
    ['a time without offset', { occurredAt: '2027-07-03T14:55:00' }, '/occurredAt', 'has no offset'],
    ['a date for an instant', { occurredAt: '2027-07-03' }, '/occurredAt', 'is no instant'],
    ['the future', { occurredAt: '2027-07-03T15:00:01-05:00' }, '/occurredAt', 'later than now'],
    ['a missing unit', { quantity: '2500' }, '/quantity', 'has no unit'],
    ['a bare number', { quantity: 2500 }, '/quantity', 'has no unit'],
    ['a unit that is none', { quantity: '2500 gallons' }, '/quantity', 'is no unit'],
    ['a length for a volume', { quantity: '2500 ft' }, '/quantity', 'not a length'],
    ['nothing', { quantity: '0 gal' }, '/quantity', 'more than zero'],
    ['less than nothing', { quantity: '-5 gal' }, '/quantity', 'more than zero'],
    ['an exponent', { quantity: '1e3 gal' }, '/quantity', ''],
    [
      'gallons for feet',
      { facts: factsWith({ distance_to_residence: '640 gal' }) },
      '/facts/distance_to_residence',
      '',
    ],
    ['an unknown fact', { facts: factsWith({ frost_dept: '0 in' }) }, '/facts/frost_dept', 'frost_depth'],
    ['a fact of another thing', { facts: factsWith({ site_area: '4 acre' }) }, '/facts/site_area', ''],
    ['a fact as a text', { facts: factsWith({ saturated: 'no' }) }, '/facts/saturated', ''],
    ['a choice that is none', { facts: factsWith({ waste_type: 'honey' }) }, '/facts/waste_type', ''],
    ['an array for an object', { subject: ['site', 'Z-1'] }, '/subject', 'must be a JSON object'],
    ['an array for facts', { facts: [] }, '/facts', 'must be a JSON object'],
    ['an object for an array', { sources: {} }, '/sources', 'must be a JSON array'],
    ['null for a member', { vehicle: null }, '/vehicle', 'must be a JSON object'],
    ['a number for a text', { ticket: 77 }, '/ticket', 'must be a text'],
    ['only white space', { ticket: ' \t ' }, '/ticket', 'must be a text'],
    ['a text for a flag', { distinct: 'true', reason: 'r' }, '/distinct', 'true or false'],
    ['a text too long', { ticket: 'x'.repeat(201) }, '/ticket', '1 to 200'],
    ['another kind of thing', { subject: { kind: 'hauler', key: 'H-1' } }, '/subject/kind', 'is on a site'],
    ['a load that the pack does not know', { load: 'spraying' }, '/load', 'use spreading'],
    ['an end before the beginning', { finishedAt: '2027-07-03T14:50:00-05:00' }, '/finishedAt', 'before'],
    [
      'a source without a quantity',
      { sources: [{ wasteType: 'dairy' }] },
      '/sources/0/quantity',
      'is missing',
    ],
    ['half a character', { ticket: '\ud83d' }, '/ticket', 'surrogate'],
    ['NUL', { ticket: 'S\0' }, '/ticket', 'NUL'],
  ])('%s', async (_, more, pointer, words) => {
    const answer = expectStatus(await api.post('/v1/loads', good(more)), 400);
    expect(faults(answer)).toEqual([pointer]);
    expect(said(answer)).toContain(words);
  });

  it('all that is wrong is said at once', async () => {
    const answer = await api.post('/v1/loads', {
      ...good({ quantity: '5', occurredAt: '2027-02-30T10:00:00Z', subject: [], extra: 1 }),
      ticket: undefined,
    });
    expect(new Set(faults(expectStatus(answer, 400)))).toEqual(
      new Set(['/quantity', '/occurredAt', '/subject', '/extra', '/ticket']),
    );
    const facts = { frost_depth: '2 gal', saturated: 'no', site_area: '1 acre', no_such_fact: 1 };
    const law = expectStatus(await api.post('/v1/loads', good({ facts })), 400);
    expect(new Set(faults(law))).toEqual(new Set(Object.keys(facts).map((fact) => `/facts/${fact}`)));
  });

  it.each<[string, string, number, string]>([
    ['null', 'null', 400, 'The body is null'],
    ['an array', '[]', 400, 'an array'],
    ['a text', '"load"', 400, 'a string'],
    ['nothing', '', 400, ''],
    ['white space', ' \n ', 400, 'empty'],
    ['truncated JSON', '{"pack": "x",\n  "load": "spr', 400, 'line 2, column 15'],
    ['JSON with a comma too many', '{"pack": "x",}', 400, 'line 1, column 14'],
    ['__proto__', '{"__proto__": {"admin": true}, "pack": "x"}', 400, '/__proto__'],
    ['constructor', '{"constructor": {"prototype": {}}, "pack": "x"}', 400, '/constructor'],
    ['a key twice', '{"pack": "x", "pack": "y"}', 400, 'stands twice'],
    ['a deep nest', `{"facts":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400, 'nested'],
    ['2 MB', `{"pack":"${'x'.repeat(2 * 1024 * 1024)}"}`, 413, '1 MB'],
  ])('a body that is %s', async (_, raw, status, words) => {
    const answer = expectStatus(await api.call('POST', '/v1/loads', undefined, { raw }), status);
    expect(said(answer)).toContain(words);
  });

  it('a body whose event no store could take is too large, and said so', async () => {
    const point = (n: number) => [-(88.7 + n / 1e6), 42.8];
    const ring = [...Array.from({ length: 14_000 }, (_unused, n) => point(n)), point(0)];
    const geometry = { type: 'Polygon', coordinates: [ring] };
    const answer = await api.post('/v1/subjects/site', { jurisdiction: TOWN, key: 'large', geometry });
    expect(expectStatus(answer, 413).body['detail']).toContain('262144');
  });

  it('bytes that are no UTF-8', async () => {
    const raw = Buffer.concat([Buffer.from('{"ticket":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect(said(expectStatus(await api.call('POST', '/v1/loads', undefined, { raw }), 400))).toContain(
      'UTF-8',
    );
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
    'json',
  ])('a body of type %s is not read', async (type) => {
    const answer = await api.call('POST', '/v1/loads', good(), { headers: { 'content-type': type } });
    expect(expectStatus(answer, 415).body['type']).toBe(
      'https://headworks.invalid/problems/unsupported-media-type',
    );
  });

  it.each<[string, number]>([
    ['/v1/loads?limit=0', 400],
    ['/v1/loads?limit=501', 400],
    ['/v1/loads?limit=ten', 400],
    ['/v1/loads?limit=1&limit=2', 400],
    ['/v1/loads?finding=odd', 400],
    ['/v1/loads?fnding=unknown', 400],
    ['/v1/loads?from=yesterday', 400],
    ['/v1/loads?cursor=%00', 400],
    ['/v1/loads?ticket=%00', 200],
    ['/v1/loads?ticket=%ff', 200],
    ['/v1/loads?__proto__=1', 400],
    ['/v1/loads?constructor=1', 400],
    ['/v1/loads/not-an-id', 404],
    ['/v1/loads/00000000-0000-0000-0000-000000000000', 404],
    ['/v1/loads/%00', 404],
    ['/v1/loads/%ff', 400],
    ['/v1/loads/' + 'x'.repeat(5_000), 404],
    ['/v1/subjects/%00', 200],
    ['/v1/subjects/__proto__', 200],
    ['/v1/packs/__proto__', 404],
    ['/v1/packs/constructor', 404],
    [`/v1/packs/${PACK}/kinds/__proto__`, 404],
    ['/v1/jurisdictions/%F0%9F%9A%9B', 404],
    ['/v1/violations?dueBefore=x', 400],
    ['/v1/duties?dueBefore=2027-07-03', 400],
    ['/v1/nothing', 404],
    ['/v2/loads', 404],
    ['/', 404],
    ['//', 404],
  ])('GET %.60s', async (path, status) => {
    expectStatus(await api.get(path), status);
  });

  it.each<[string, string, Json, string]>([
    ['an instant that is none', 'facts', { occurredAt: 'now', facts: { saturated: true } }, '/occurredAt'],
    ['no fact in it', 'facts', { facts: {} }, '/facts'],
    [
      'corrects an event of another thing',
      'facts',
      { corrects: 'subject-x@0', facts: { saturated: true }, reason: 'r' },
      '/corrects',
    ],
    [
      'a split into itself',
      'supersession',
      { successors: [{ key: 'z-1' }], on: '2027-07-03', reason: 'r' },
      '/successors/0/key',
    ],
    [
      'a split into nothing',
      'supersession',
      { successors: [], on: '2027-07-03', reason: 'r' },
      '/successors',
    ],
    [
      'an impossible day',
      'supersession',
      { successors: [{ key: 'z-2' }], on: '2027-02-30', reason: 'r' },
      '/on',
    ],
  ])('a site: %s', async (_, what, body, pointer) => {
    expect(faults(expectStatus(await api.post(`/v1/subjects/site/${site}/${what}`, body), 400))).toEqual([
      pointer,
    ]);
  });

  it.each<[string, Json, string]>([
    [
      'an open ring',
      {
        type: 'Polygon',
        coordinates: [
          [
            [-88.7, 42.8],
            [-88.71, 42.8],
            [-88.71, 42.81],
            [-88.7, 42.81],
          ],
        ],
      },
      '/geometry/coordinates/0',
    ],
    ['a point', { type: 'Point', coordinates: [-88.7, 42.8] }, '/geometry/type'],
    [
      'another county',
      {
        type: 'Polygon',
        coordinates: [
          [
            [-90, 45],
            [-90, 45.1],
            [-90.1, 45.1],
            [-90, 45],
          ],
        ],
      },
      '/geometry/coordinates/0/0',
    ],
    [
      'texts for numbers',
      {
        type: 'Polygon',
        coordinates: [
          [
            ['-88.7', '42.8'],
            [1, 2],
            [3, 4],
            ['-88.7', '42.8'],
          ],
        ],
      },
      '/geometry/coordinates/0/0',
    ],
    ['no coordinates', { type: 'Polygon' }, '/geometry/coordinates'],
  ])('a geometry: %s', async (_, geometry, pointer) => {
    const body = { jurisdiction: TOWN, key: 'geo', geometry };
    expect(faults(expectStatus(await api.post('/v1/subjects/site', body), 400))).toEqual([pointer]);
  });

  it('a check asked wrongly', async () => {
    const asked = { pack: PACK, assessment: 'spreding', permitId: 'x', facts: GOOD_LOAD_FACTS };
    expect(faults(expectStatus(await api.post('/v1/checks', asked), 400))).toEqual(['/permitId']);
    const { permitId: _left, ...next } = asked;
    const answer = expectStatus(await api.post('/v1/checks', next), 400);
    expect(faults(answer)).toEqual(['/assessment']);
    expect(said(answer)).toContain('spreading');
    expectStatus(await api.post('/v1/checks?explain=all', { ...next, assessment: 'spreading' }), 400);
    expectStatus(await api.post('/v1/checks?dryRun=true', { ...next, assessment: 'spreading' }), 400);
    expectStatus(await api.post('/v1/checks', { pack: 'no-law', assessment: 'spreading' }), 404);
  });

  it('a kind, a jurisdiction and a method that there are not', async () => {
    expectStatus(await api.post('/v1/subjects/castle', { jurisdiction: TOWN, key: 'x' }), 404);
    expectStatus(await api.post('/v1/subjects/__proto__', { jurisdiction: TOWN, key: 'x' }), 404);
    expectStatus(await api.post('/v1/subjects/site', { jurisdiction: 'atlantis', key: 'x' }), 404);
    expectStatus(await api.call('DELETE', `/v1/subjects/site/${site}`), 404);
    expectStatus(await api.call('PATCH', '/v1/loads', {}), 404);
    expectStatus(await api.post('/v1/loads?dryRun=maybe', good()), 400);
    expectStatus(await api.post(`/v1/subjects/hauler/${site}/facts`, { facts: { saturated: true } }), 404);
  });

  it('a request that is no HTTP is closed with a 400', async () => {
    const port = Number(new URL(api.base).port);
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/9.9\r\nnonsense\r\n\r\n'));
      socket.on('data', (data: Buffer) => (text += data.toString('utf8')));
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('whatever JSON is sent wherever, it is never a 500', async () => {
    const paths = fc.constantFrom(
      ...['/v1/loads', '/v1/checks', '/v1/subjects/site', `/v1/subjects/site/${site}/facts`],
      ...[`/v1/subjects/site/${site}/supersession`, `/v1/subjects/site/${site}/acts/inspect_frost`],
    );
    // Dry, for a generated body may happen to be a good one.
    const dry = fc.constantFrom('?dryRun=true', '?dryRun=true&x=1');
    await fc.assert(
      fc.asyncProperty(paths, dry, ANY_BODY, async (path, query, body) => {
        const { status } = await api.post(path + query, body);
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
  });

  it('what was refused can be sent right, and is recorded then', async () => {
    const body = good();
    expectStatus(await api.post('/v1/loads', { ...body, quantity: 5 }), 400);
    expect(idOf(expectStatus(await api.post('/v1/loads', body), 201))).toMatch(/^[0-9a-f-]{36}$/);
    before = await api.count();
  });
});
