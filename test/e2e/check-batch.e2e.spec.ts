import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { ADMIN, PACK, startApi, type Api, type Json } from './support/api';
import { clausesThat, expectStatus, GOOD_LOAD_FACTS, siteInOrder } from './support/town';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const PATH = '/v1/checks/batch';

describe('a batch of checks', () => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi('sqlite');
    await api.at('2027-07-03T12:00:00-05:00');
    await siteInOrder(api, 'B 1');
  });
  afterAll(() => api.stop());

  const question = (facts: Json = {}, more: Json = {}): Json => ({
    ...{ pack: PACK, assessment: 'spreading', subject: { kind: 'site', key: 'B 1' } },
    quantity: '2500 gal',
    facts: { ...GOOD_LOAD_FACTS, ...facts },
    ...more,
  });
  const near: Json = { distance_to_residence: '599.9 ft' };

  async function batch(lines: readonly string[], query = ''): Promise<readonly Json[]> {
    const { text, headers } = expectStatus(
      await api.call('POST', `${PATH}${query}`, undefined, { raw: lines.join('\n'), headers: NDJSON }),
      200,
    );
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(text.endsWith('\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
  }

  /** A call whose lines are sent one by one, and read as they come back. */
  function conversation(): { call: ClientRequest; answers: Promise<AsyncIterableIterator<string>> } {
    const headers = { ...NDJSON, authorization: `Bearer ${ADMIN}` };
    const call = request(`${api.base}${PATH}`, { method: 'POST', headers });
    const answers = once(call, 'response').then(([response]) =>
      createInterface({ input: response as IncomingMessage })[Symbol.asyncIterator](),
    );
    return { call, answers };
  }

  it('answers each line as the check alone is answered, in their order, and writes nothing', async () => {
    const before = await api.count();
    const asked = [question(), question(near), question({ total_solids: '30 %' })];
    const [first, ...answered] = await batch(asked.map((one) => JSON.stringify(one)));
    const single = async (body: Json) => expectStatus(await api.post('/v1/checks', body), 200).body;
    expect(first).toEqual({ line: 1, ...(await single(asked[0] as Json)) });
    expect(answered).toEqual([
      { line: 2, ...(await single(asked[1] as Json)) },
      { line: 3, ...(await single(asked[2] as Json)) },
    ]);
    expect(clausesThat({ body: answered[0] as Json } as never, 'violated')).toEqual(['F.residence']);
    expect(await api.count()).toBe(before);
  });

  it('says of a bad line what is wrong with it, and goes on', async () => {
    const answered = await batch([
      JSON.stringify(question({}, { quantitty: '1 gal', pack: 7 })),
      '{"pack": ',
      '',
      '{"pack": "a", "pack": "b"}',
      JSON.stringify(question({ distance_to_residence: '600 gal' })),
      JSON.stringify(question({}, { pack: 'no-such-law' })),
      JSON.stringify({ pad: 'x'.repeat(64 * 1024) }),
      '[1]',
      JSON.stringify(question(near)),
    ]);
    const problems = answered.map(({ line, problem }) => {
      const { type = '', errors = [] } = (problem ?? {}) as {
        type?: string;
        errors?: { pointer?: string }[];
      };
      return [line, type.split('/').at(-1), errors.map(({ pointer }) => pointer)];
    });
    expect(problems).toEqual([
      [1, 'invalid-request', ['/quantitty', '/pack']],
      [2, 'malformed-json', []],
      [4, 'invalid-request', ['/pack']],
      [5, 'invalid-request', ['/facts/distance_to_residence']],
      [6, 'not-found', ['/pack']],
      [7, 'too-large', []],
      [8, 'invalid-request', ['']],
      [9, '', []],
    ]);
  });

  it('gives of each finding as much as was asked for', async () => {
    const [answer] = await batch([JSON.stringify(question(near))], '?explain=status');
    const { findings } = answer as { readonly findings: readonly Json[] };
    expect(findings).toContainEqual(expect.objectContaining({ clause: 'F.residence', status: 'violated' }));
    expect(findings.filter((finding) => 'operands' in finding || 'text' in finding)).toEqual([]);
    const wrong = await api.call('POST', `${PATH}?explain=all`, undefined, { raw: '', headers: NDJSON });
    expectStatus(wrong, 400);
  });

  it('answers a line before the next one is sent', async () => {
    const { call, answers } = conversation();
    for (const [index, facts] of [{}, near, {}].entries()) {
      call.write(`${JSON.stringify(question(facts))}\n`);
      const { value } = await (await answers).next();
      expect(JSON.parse(String(value))).toMatchObject({ line: index + 1, pack: PACK });
    }
    call.end();
    expect(await (await answers).next()).toMatchObject({ done: true });
  });

  it('takes more than a body may hold, and lets go of a caller who leaves half-way', async () => {
    const line = JSON.stringify(question({}, { facts: near }));
    const many = Math.ceil((1.2 * 1024 * 1024) / line.length);
    const answered = await batch(
      Array.from({ length: many }, () => line),
      '?explain=status',
    );
    expect(answered.map((one) => one['line'])).toEqual(Array.from({ length: many }, (_, index) => index + 1));
    const { call, answers } = conversation();
    call.on('error', () => undefined);
    call.write(`${line}\n`);
    await (await answers).next();
    call.destroy();
    expectStatus(await api.get('/health/ready', { key: null }), 200);
    expect(await batch([line], '?explain=status')).toHaveLength(1);
  });

  it('is asked in lines alone, and nothing else is', async () => {
    const text = JSON.stringify(question());
    expectStatus(await api.post(PATH, question()), 415);
    expectStatus(await api.call('POST', '/v1/checks', undefined, { raw: text, headers: NDJSON }), 415);
    expectStatus(await api.call('POST', PATH, undefined, { raw: text, headers: NDJSON, key: null }), 401);
  });
});
