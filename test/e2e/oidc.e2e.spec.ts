import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameId } from '@headworks/kernel';
import { OidcIssuer } from '../servers/oidc-issuer';
import { STORES, TOWN, startApi, type Api } from './support/api';
import { LATE, eventsOf, expectStatus, itemsOf, registerSite } from './support/town';

const CLERK = { roles: ['clerk'], jurisdictions: [TOWN], sub: 'ada@county.example' };

describe.each(STORES)('tokens beside API keys on %s', (store) => {
  let issuer: OidcIssuer;
  let api: Api;
  let site: string;
  beforeAll(async () => {
    issuer = await OidcIssuer.start();
    api = await startApi(store, 'virtual', issuer.env);
    // Far from the machine's time: tokens do not ask the sandbox.
    expectStatus(await api.at('2031-07-03T15:00:00-05:00'), 200);
    site = await registerSite(api, 'T-1');
  });
  afterAll(async () => {
    await api.stop();
    await issuer.stop();
  });

  const record = (key: string) =>
    api.post(
      `/v1/subjects/site/${site}/facts`,
      { facts: { distance_to_residence: '640 ft' }, occurredAt: '2031-07-03T14:00:00-05:00', ...LATE },
      { key },
    );

  it('a token may what its roles may, in its jurisdictions, and is recorded as an opaque id', async () => {
    const key = await issuer.token(CLERK);
    expectStatus(await record(key), 201);
    const history = await api.get(`/v1/subjects/site/${site}/history`, { key });
    const last = eventsOf(expectStatus(history, 200)).at(-1);
    expect(last?.['actor']).toEqual({ id: nameId('oidc', issuer.url, CLERK.sub), roles: ['clerk'] });
    expect(history.text).not.toContain('ada');
    expectStatus(await record(await issuer.token({ ...CLERK, roles: ['reader'] })), 403);
    const elsewhere = await issuer.token({ ...CLERK, jurisdictions: ['wi-lodi-city'] });
    expectStatus(await api.get(`/v1/subjects/site/${site}`, { key: elsewhere }), 404);
    expect(itemsOf(await api.get('/v1/subjects/site', { key: elsewhere }))).toEqual([]);
  });

  it.each([
    ['expired', { ends: -60 }, 'The token has expired'],
    ['for another audience', { audience: 'finance' }, 'The token is for another audience'],
    ['of another issuer', { issuer: 'https://id.example' }, 'The token is of another issuer'],
    ['not valid yet', { begins: 600 }, 'The token is not valid yet'],
    ['of an unknown key', { kid: 'who' }, 'The token is signed with a key that the issuer does not have'],
    ['of a stranger', { stranger: true }, 'The token was changed after it was signed'],
  ])('one that is %s is 401, and says so', async (_, options, said) => {
    const answer = await api.get('/v1/packs', { key: await issuer.token(CLERK, options) });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(answer.body['detail']).toContain(said);
  });

  it.each(['none', 'HS256'] as const)('one forged with %s is 401', async (how) => {
    const answer = await api.get('/v1/packs', { key: await issuer.forged(how, CLERK) });
    expect([answer.status, answer.body['detail']]).toEqual([
      401,
      'The token is signed in a way that is not taken here; get a new one from the issuer.',
    ]);
  });

  it('a holder without anything held is 403; with it, it sees', async () => {
    const holder = { ...CLERK, roles: ['holder'] };
    expectStatus(await api.get('/v1/loads', { key: await issuer.token(holder) }), 403);
    const holds = await issuer.token({ ...holder, holds: ['hauler:H-1'] });
    expectStatus(await api.get('/v1/loads', { key: holds }), 200);
  });
});

describe('the issuer', () => {
  let issuer: OidcIssuer;
  let api: Api;
  beforeEach(async () => {
    issuer = await OidcIssuer.start();
    api = await startApi('sqlite', 'virtual', issuer.env);
  });
  afterEach(async () => {
    await api.stop();
    await issuer.stop();
  });

  it('rotates its keys: the new ones are good at once, and what the old ones signed is not', async () => {
    const old = await issuer.token(CLERK);
    expectStatus(await api.get('/v1/packs', { key: old }), 200);
    issuer.rotate();
    expectStatus(await api.get('/v1/packs', { key: await issuer.token(CLERK) }), 200);
    expectStatus(await api.get('/v1/packs', { key: old }), 401);
  });

  it('is away: a 503 for tokens, while keys work', async () => {
    issuer.mood = 'away';
    const answer = await api.get('/v1/packs', { key: await issuer.token(CLERK) });
    expect([answer.status, answer.headers.get('retry-after'), answer.body['type']]).toEqual([
      503,
      '5',
      'https://headworks.invalid/problems/issuer-unavailable',
    ]);
    expect(answer.text).not.toContain(issuer.url);
    expectStatus(await api.get('/v1/packs'), 200);
  });

  it('finds nothing of its tokens written anywhere', async () => {
    const dir = api.program.config.dataDir;
    expectStatus(await api.at('2031-07-03T15:00:00-05:00'), 200);
    const token = await issuer.token({ ...CLERK, roles: ['admin'] });
    const site = { jurisdiction: TOWN, key: 'T-2' };
    const headers = { 'idempotency-key': 'once' };
    expectStatus(await api.post('/v1/subjects/site', site, { key: token, headers }), 201);
    const [, payload = '', signature = ''] = token.split('.');
    for (const file of readdirSync(dir)) {
      const bytes = readFileSync(join(dir, file));
      for (const part of [payload, signature, CLERK.sub]) {
        expect([file, bytes.includes(part)]).toEqual([file, false]);
      }
    }
  });
});

it('no token is taken where no issuer is set', async () => {
  const issuer = await OidcIssuer.start();
  const api = await startApi('sqlite');
  try {
    expectStatus(await api.get('/v1/packs', { key: await issuer.token(CLERK) }), 401);
    expect(issuer.discoveries).toBe(0);
  } finally {
    await api.stop();
    await issuer.stop();
  }
});
