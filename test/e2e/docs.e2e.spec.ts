import { Validator } from '@seriousme/openapi-schema-validator';
import { ACCESS } from '../../apps/api/src/access/access';
import { PROBLEMS } from '../../apps/api/src/http/problems';
import { startApi, type Api, type Json } from './support/api';
import { expectStatus } from './support/town';

type Operation = Json & { readonly parameters: readonly Json[]; readonly responses: Json };
const asText = (value: unknown): string => JSON.stringify(value);

describe('the documentation', () => {
  let api: Api;
  let document: Json;
  beforeAll(async () => {
    api = await startApi('sqlite');
    document = expectStatus(await api.get('/openapi.json', { key: null }), 200).body;
  });
  afterAll(() => api.stop());

  const operations = (): readonly (readonly [name: string, operation: Operation])[] =>
    Object.entries(document['paths'] as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    );

  it('is a valid OpenAPI 3.1 document', async () => {
    expect(document['openapi']).toBe('3.1.0');
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  });

  it('has every route of the table, with its roles, and no other', () => {
    const wanted = ACCESS.filter(({ path }) => !/^\/(docs|openapi|board)/.test(path)).map(
      ({ method, path, who }) => [`${method} ${path.replace(/:(\w+)/g, '{$1}')}`, who] as const,
    );
    const found = operations().map(([name, operation]) => [name, operation['x-roles']] as const);
    expect(new Map(found)).toEqual(new Map(wanted));
  });

  it('says of each call what it does, and asks for a key where one is needed', () => {
    expect((document['components'] as Json)['securitySchemes']).toMatchObject({
      key: { type: 'http', scheme: 'bearer' },
    });
    for (const [name, operation] of operations()) {
      const open = operation['x-roles'] === 'anyone';
      expect([name, operation['security']]).toEqual([name, open ? [] : [{ key: [] }]]);
      expect([name, typeof operation['summary']]).toEqual([name, 'string']);
      expect([name, Object.keys(operation.responses).some((status) => status.startsWith('2'))]).toEqual([
        name,
        true,
      ]);
    }
  });

  it('every write but the clock, the check and the making of a link has dryRun and Idempotency-Key', () => {
    const writes = operations().filter(
      ([name]) => name.startsWith('POST') && !/^POST \/v1\/(checks|duties\/links)/.test(name),
    );
    expect(writes.length).toBeGreaterThan(5);
    for (const [name, { parameters }] of writes) {
      expect([name, parameters.map((parameter) => parameter['name'])]).toEqual([
        name,
        expect.arrayContaining(['dryRun', 'Idempotency-Key']),
      ]);
    }
  });

  it('bodies are those that are checked: closed, and described', () => {
    const { LoadDto, ThingDto } = (document['components'] as { schemas: Record<string, Json> }).schemas;
    expect(LoadDto).toMatchObject({
      additionalProperties: false,
      required: ['pack', 'load', 'subject', 'hauler', 'ticket', 'occurredAt', 'quantity'],
      properties: {
        quantity: { $ref: '#/components/schemas/Quantity' },
        occurredAt: { format: 'date-time' },
      },
    });
    expect(ThingDto).toMatchObject({ required: ['kind', 'key'] });
    expect(asText(document)).not.toContain('headworks-');
  });

  it('every reference leads somewhere', () => {
    const schemas = Object.keys((document['components'] as { schemas: object }).schemas);
    const named = [...asText(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    expect(named.filter((name) => !schemas.includes(name ?? ''))).toEqual([]);
  });

  it('holds the catalogue of problems', () => {
    const { description } = document['info'] as { description: string };
    for (const code of Object.keys(PROBLEMS)) expect(description).toContain(`\`${code}\``);
  });

  it('is shown at /docs from here alone, under a policy that lets nothing else in', async () => {
    const page = expectStatus(await api.get('/docs', { key: null }), 200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(page.text).not.toMatch(/(?:src|href)=["']https?:/);
    const assets = [...page.text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, asset]) => asset);
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      const { status, text } = await api.get(`/${asset}`, { key: null });
      expect([asset, status, text.length > 0]).toEqual([asset, 200, true]);
    }
  });

  it('data is no page: its policy lets nothing run', async () => {
    const { headers } = await api.get('/v1/packs');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('health', () => {
  it('says what keeps it from serving, and nothing of what is in the log', async () => {
    const api = await startApi('sqlite');
    try {
      expect((await api.get('/health/live', { key: null })).body).toEqual({ status: 'alive' });
      expect((await api.get('/health/ready', { key: null })).body).toMatchObject({
        status: 'ready',
        faults: [],
      });
      const sentence =
        'The rules of a-town differ from those of the log; give the changed file a new version.';
      const readiness = jest.spyOn(api.program, 'readiness');
      readiness.mockResolvedValue({ ready: false, faults: [sentence], lag: {} });
      const not = await api.get('/health/ready', { key: null });
      expect([not.status, not.headers.get('retry-after'), not.body['faults']]).toEqual([
        503,
        '5',
        [sentence],
      ]);
      expect(await api.get('/health', { key: null })).toMatchObject({
        status: 200,
        body: { status: 'not ready' },
      });
    } finally {
      await api.stop();
    }
  });
});
