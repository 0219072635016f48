import fastify, { type FastifyInstance } from 'fastify';
import { openMemoryKeyStore, type ApiKeyRow, type KeyStore } from '@headworks/event-store';
import { sha256Hex } from '@headworks/kernel';
import { problemOf } from '../http/problem-of';
import { sendProblem } from '../http/problem.filter';
import { ACCESS, ROLES, rowOf } from './access';
import { ApiKeys } from './api-keys';
import { Credentials } from './credentials';
import { guardRoutes, type Guarded } from './guard';

const secretOf = (name: string): string => `hw_${name.padEnd(32, 'x')}`;

const HOLDS = [{ kind: 'hauler', key: '1' }];

const keyRow = (name: string, roles: readonly string[], jurisdictions = ['a-town']): ApiKeyRow => ({
  id: `id-${name}`,
  name,
  secretHash: sha256Hex(secretOf(name)),
  roles,
  jurisdictions,
  holds: roles.includes('holder') ? HOLDS : [],
  createdAt: '2027-01-01T00:00:00.000Z',
  revokedAt: null,
});

describe('the guard', () => {
  let keys: KeyStore;
  let clock: number;
  let apiKeys: ApiKeys;
  let server: FastifyInstance;
  let guarded: Guarded;

  beforeEach(async () => {
    keys = openMemoryKeyStore();
    clock = 0;
    apiKeys = new ApiKeys({ keys, monotonic: () => clock, heldMs: 1_000 });
    server = fastify();
    server.setErrorHandler((error, request, reply) => sendProblem(reply, request, problemOf(error)));
    guarded = guardRoutes(server, new Credentials(apiKeys), { sandbox: true, board: true });
    for (const role of ROLES) await keys.addApiKey(keyRow(role, [role]));
  });
  afterEach(() => server.close());

  const call = async (method: 'GET' | 'POST' | 'PUT', url: string, bearer?: string) => {
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const { statusCode, headers: answered } = await server.inject({ method, url, headers });
    return { status: statusCode, headers: answered };
  };

  it('a route that is not in the table stops the boot, with what to add', () => {
    expect(() => server.get('/v1/secrets', async () => 'all of them')).toThrow(
      'The route GET /v1/secrets is not in the table of endpoints and roles; add a row to access.ts.',
    );
  });

  it('a row without a route stops the boot', () => {
    server.get('/v1/packs', async () => []);
    expect(() => guarded.everyRowHasItsRoute()).toThrow(/rows without a route: GET \/health, /);
    expect(() => guarded.everyRowHasItsRoute()).not.toThrow(/GET \/v1\/packs,/);
  });

  it('every cell: each role passes where the table says so, and nowhere else', async () => {
    for (const { method, path } of ACCESS.filter(({ path: p }) => !p.endsWith('*'))) {
      server.route({ method, url: path, handler: async () => 'reached' });
    }
    for (const { method, path, who } of ACCESS.filter(({ path: p }) => !p.endsWith('*'))) {
      const url = path.replace(/:\w+/g, 'x');
      const anyone = await call(method, url);
      expect([method, path, anyone.status]).toEqual([method, path, who === 'anyone' ? 200 : 401]);
      for (const role of ROLES) {
        const { status } = await call(method, url, secretOf(role));
        const may = who === 'anyone' || who.includes(role);
        expect([method, path, role, status]).toEqual([method, path, role, may ? 200 : 403]);
      }
    }
  });

  it('an address that does not exist asks for a credential first', async () => {
    await server.ready();
    expect((await call('GET', '/v1/nothing')).status).toBe(401);
    expect((await call('GET', '/v1/nothing', secretOf('reader'))).status).toBe(404);
  });

  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['another scheme', 'Basic aGVhZA=='],
    ['a key that nobody has', `Bearer ${secretOf('nobody')}`],
    ['a key with a space in it', `Bearer ${secretOf('admin')} x`],
    ['the hash of a key', `Bearer hw_${sha256Hex(secretOf('admin'))}`],
  ])('a credential that is none is answered 401: %s', async (_, authorization) => {
    server.get('/v1/packs', async () => []);
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await server.inject({ url: '/v1/packs', headers });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(answer.headers['content-type']).toMatch('application/problem+json');
  });

  it('a key of several roles may what any of them may; a word that is no role gives nothing', async () => {
    await keys.addApiKey(keyRow('both', ['reader', 'clerk']));
    await keys.addApiKey(keyRow('odd', ['superuser', 'holder']));
    server.post('/v1/subjects/:kind', async () => 'reached');
    expect((await call('POST', '/v1/subjects/x', secretOf('both'))).status).toBe(200);
    expect((await call('POST', '/v1/subjects/x', secretOf('odd'))).status).toBe(403);
    expect(await apiKeys.find(`Bearer ${secretOf('odd')}`)).toMatchObject({ roles: ['holder'] });
  });

  it('a holder that holds nothing is told so; with another role beside it may do as that one', async () => {
    server.get('/v1/packs', async () => []);
    await keys.addApiKey({ ...keyRow('bare', ['holder']), holds: [] });
    await keys.addApiKey({ ...keyRow('more', ['holder', 'reader']), holds: [] });
    const { status } = await call('GET', '/v1/packs', secretOf('bare'));
    expect([status, (await call('GET', '/v1/packs', secretOf('more'))).status]).toEqual([403, 200]);
    expect(await apiKeys.find(`Bearer ${secretOf('holder')}`)).toMatchObject({ holds: HOLDS });
  });

  it('a key that is revoked in this process is refused at once; elsewhere, when what is held is too old', async () => {
    server.get('/v1/packs', async () => []);
    const status = async (name: string) => (await call('GET', '/v1/packs', secretOf(name))).status;
    expect([await status('clerk'), await status('board')]).toEqual([200, 200]);
    expect(await apiKeys.revoke('id-clerk', '2027-01-02T00:00:00.000Z')).toBe(true);
    expect(await status('clerk')).toBe(401);
    expect(await status('board')).toBe(200);
    await keys.revokeApiKey('id-board', '2027-01-02T00:00:00.000Z');
    expect(await status('board')).toBe(200);
    clock = 1_000;
    expect(await status('board')).toBe(401);
  });

  it('who asks is known by the id of the key, never by the key', async () => {
    await keys.addApiKey(keyRow('whole', ['admin'], ['*']));
    expect(await apiKeys.find(`Bearer ${secretOf('whole')}`)).toEqual({
      id: 'id-whole',
      roles: ['admin'],
      jurisdictions: '*',
      holds: [],
    });
    expect(await apiKeys.find(`bearer ${secretOf('clerk')}`)).toMatchObject({ jurisdictions: ['a-town'] });
  });
});

describe('the table', () => {
  it('names each endpoint once', () => {
    const names = ACCESS.map(({ method, path }) => `${method} ${path}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('HEAD is as GET; a star stands for all below, and for nothing beside', () => {
    expect(rowOf('HEAD', '/v1/packs')).toBe(rowOf('GET', '/v1/packs'));
    expect(rowOf('GET', '/docs/swagger-ui.css')).toBeDefined();
    expect(rowOf('GET', '/docsy')).toBeUndefined();
    expect(rowOf('DELETE', '/v1/packs')).toBeUndefined();
  });

  it('nothing but health and the documentation is for anyone', () => {
    const open = ACCESS.filter(({ who }) => who === 'anyone').map(({ path }) => path);
    expect(open).toEqual([
      '/health',
      '/health/live',
      '/health/ready',
      '/openapi.json',
      '/docs*',
      '/v1/duties.ics',
    ]);
  });
});
