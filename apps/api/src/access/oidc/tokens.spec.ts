import { nameId } from '@headworks/kernel';
import type { OidcConfig } from '@headworks/wiring';
import { OidcIssuer, type Mood, type TokenOptions } from '../../../../../test/servers/oidc-issuer';
import { HttpProblem } from '../../http/problems';
import { Tokens } from './tokens';

const CLERK = { roles: ['clerk'], jurisdictions: ['a-town'] };

describe('tokens of an issuer', () => {
  let issuer: OidcIssuer;
  let tokens: Tokens;
  let elapsed: number;
  /** By how much the machine's clock runs ahead. */
  let ahead: number;

  const open = (patch: Partial<OidcConfig> = {}): Tokens =>
    new Tokens({
      config: {
        issuer: issuer.url,
        audience: issuer.audience,
        rolesClaim: 'roles',
        jurisdictionClaim: 'jurisdictions',
        holderClaim: 'holds',
        ...patch,
      },
      monotonic: () => elapsed,
      now: () => new Date(Date.now() + ahead),
    });

  beforeEach(async () => {
    [elapsed, ahead] = [0, 0];
    issuer = await OidcIssuer.start();
    tokens = open();
  });
  afterEach(() => issuer.stop());

  /** What a token is answered: the caller, or the code and sentence of the problem. */
  const answerTo = async (token: string, by = tokens): Promise<unknown> => {
    try {
      return await by.find(token);
    } catch (error) {
      if (error instanceof HttpProblem) return [error.code, error.message];
      throw error;
    }
  };

  it.each(['RS256', 'ES256'] as const)(
    'a good one, signed %s, is its subject with its roles',
    async (alg) => {
      expect(await tokens.find(await issuer.token(CLERK, { alg }))).toEqual({
        id: nameId('oidc', issuer.url, 'subject-1'),
        ...CLERK,
        holds: [],
      });
    },
  );

  it('the id is opaque, and of issuer and subject alone', async () => {
    const [one, other] = ['a@county.gov', 'b@county.gov'];
    const idOf = async (sub: string, more = {}) =>
      (await tokens.find(await issuer.token({ ...CLERK, sub, ...more }))).id;
    expect(await idOf(one)).toBe(await idOf(one, { name: 'Ada', roles: ['admin'] }));
    expect(await idOf(one)).not.toBe(await idOf(other));
    expect(await idOf(one)).not.toContain('county');
  });

  type Refused = readonly [what: string, wrong: string, options: TokenOptions, claims: object];
  const REFUSED: readonly Refused[] = [
    ['one that ended', 'has expired', { ends: -10 }, {}],
    ['one that never ends', "lacks the claim 'exp'", { ends: null }, {}],
    ['one that begins later', 'is not valid yet', { begins: 60 }, {}],
    ['one for another audience', 'is for another audience', { audience: 'finance' }, {}],
    ['one for others as well as another', 'is for another audience', { audience: ['finance', 'gis'] }, {}],
    ['one of another issuer', 'is of another issuer', { issuer: 'https://someone.else' }, {}],
    ['one of an unknown key', 'is signed with a key that the issuer does not have', { kid: 'none' }, {}],
    ['one of a stranger under a known name', 'was changed after it was signed', { stranger: true }, {}],
    ['one without a subject', "lacks the claim 'sub'", {}, { sub: undefined }],
    ['one with an empty subject', "names nobody (its claim 'sub')", {}, { sub: '' }],
    ['one whose end is no time', "has an unacceptable claim 'exp'", {}, { exp: 'tomorrow' }],
  ];
  it.each(REFUSED)('%s is refused: it %s', async (_what, wrong, options, claims) => {
    const token = await issuer.token({ ...CLERK, ...claims }, options);
    expect(await answerTo(token)).toEqual([
      'unauthenticated',
      `The token ${wrong}; get a new one from the issuer.`,
    ]);
  });

  it.each(['none', 'HS256'] as const)('one that is forged with alg %s is refused', async (how) => {
    await tokens.find(await issuer.token(CLERK));
    expect(await answerTo(await issuer.forged(how, CLERK))).toEqual([
      'unauthenticated',
      'The token is signed in a way that is not taken here; get a new one from the issuer.',
    ]);
  });

  it('one that was changed is refused, wherever it was', async () => {
    const [header = '', payload = '', signature = ''] = (await issuer.token(CLERK)).split('.');
    const other = (await issuer.token({ ...CLERK, roles: ['admin'] })).split('.');
    const flipped = (text: string) => `${text.slice(0, 10)}${text[10] === 'A' ? 'B' : 'A'}${text.slice(11)}`;
    for (const token of [
      [header, other[1], signature],
      [header, payload, other[2]],
      [header, payload, flipped(signature)],
      [header, payload, ''],
      [header, '', signature],
      [header, flipped(payload), signature],
      [flipped(header), payload, signature],
      ['', payload, signature],
    ]) {
      expect(await answerTo(token.join('.'))).toMatchObject({ 0: 'unauthenticated' });
    }
    expect(await answerTo('x'.repeat(20_000))).toMatchObject({
      1: expect.stringContaining('longer than 16 KB'),
    });
  });

  it('nothing of a token that is refused is repeated', async () => {
    const token = await issuer.token({ ...CLERK, sub: 'ada@county.gov' }, { audience: 'finance', ends: -10 });
    expect(JSON.stringify(await answerTo(token))).not.toMatch(/ada|county|finance|eyJ/);
  });

  describe('what it says of the bearer', () => {
    const find = async (claims: object, patch: Partial<OidcConfig> = {}) =>
      answerTo(await issuer.token({ ...claims }), open(patch));

    it('is in claims by name, by path, or named by an address', async () => {
      const claims = {
        realm_access: { roles: ['board', 'offline_access'] },
        'https://county.gov/areas': ['a-town', 'b-city'],
        app: { 'x.y': 1, holds: ['hauler:12345'] },
      };
      const named = {
        rolesClaim: 'realm_access.roles',
        jurisdictionClaim: 'https://county.gov/areas',
        holderClaim: 'app.holds',
      };
      expect(await find(claims, named)).toMatchObject({
        roles: ['board'],
        jurisdictions: ['a-town', 'b-city'],
        holds: [{ kind: 'hauler', key: '12345' }],
      });
    });

    it('may be one text; every jurisdiction is a star', async () => {
      const claims = { roles: 'holder, clerk openid', jurisdictions: '*', holds: 'hauler:ACME & Sons' };
      expect(await find(claims)).toMatchObject({
        roles: ['clerk', 'holder'],
        jurisdictions: '*',
        holds: [{ kind: 'hauler', key: 'ACME & Sons' }],
      });
    });

    it.each([
      ['no roles', { jurisdictions: ['a-town'] }, /gives no role \(its claim 'roles' names none of admin/],
      ['roles of others alone', { ...CLERK, roles: ['wizard', 'Clerk', 7, null] }, /gives no role/],
      ['roles that are no list', { ...CLERK, roles: { clerk: true } }, /gives no role/],
      ['no jurisdiction', { roles: ['clerk'] }, /gives no jurisdiction \(its claim 'jurisdictions'/],
    ])('%s: it is refused', async (_, claims, sentence) => {
      const answer = await find(claims);
      expect(answer).toEqual(['unauthenticated', expect.stringMatching(sentence)]);
    });

    it.each(['__proto__.roles', 'constructor.name', 'roles.length', 'realm_access.roles', ''])(
      'nothing is found on the way that nobody said: %j',
      async (rolesClaim) => {
        expect(await find(CLERK, { rolesClaim })).toMatchObject({ 0: 'unauthenticated' });
      },
    );

    it('what is no thing is not held', async () => {
      const claims = { ...CLERK, holds: ['12345', 'hauler:', 'hauler:7', 8] };
      expect(await find(claims)).toMatchObject({ holds: [{ kind: 'hauler', key: '7' }] });
    });
  });

  describe('the keys of the issuer', () => {
    it('are asked for once, by however many at once, and kept', async () => {
      const all = await Promise.all([1, 2, 3, 4, 5].map((n) => issuer.token({ ...CLERK, sub: `s-${n}` })));
      await Promise.all(all.map((token) => tokens.find(token)));
      expect([issuer.discoveries, issuer.lookUps]).toEqual([1, 1]);
    });

    it('are looked up again at an unknown name, and then not for a while', async () => {
      const old = await issuer.token(CLERK);
      await tokens.find(old);
      issuer.rotate();
      expect(await answerTo(await issuer.token(CLERK))).toMatchObject({ roles: ['clerk'] });
      expect(issuer.lookUps).toBe(2);
      // What was signed with the key that is gone is refused, also where it was known before.
      expect(await answerTo(old)).toMatchObject({ 1: expect.stringContaining('does not have') });
      issuer.rotate();
      const newest = await issuer.token(CLERK);
      for (let n = 0; n < 5; n++) expect(await answerTo(newest)).toMatchObject({ 0: 'unauthenticated' });
      expect(issuer.lookUps).toBe(2);
      elapsed += 30_000;
      expect(await answerTo(newest)).toMatchObject({ roles: ['clerk'] });
      expect(issuer.lookUps).toBe(3);
    });

    it('are looked up again when they are old, so that one which was taken back is not believed', async () => {
      const old = await issuer.token(CLERK);
      await tokens.find(old);
      issuer.rotate();
      elapsed += 9 * 60_000;
      expect(await answerTo(old)).toMatchObject({ roles: ['clerk'] });
      elapsed += 60_000;
      expect(await answerTo(old)).toMatchObject({ 0: 'unauthenticated' });
    });

    const AWAY: readonly (readonly [Mood, RegExp])[] = [
      ['away', /UND_ERR_SOCKET|ECONNRESET|other side closed/],
      ['redirects', /unexpected redirect/],
      ['lies', /its discovery document names another issuer/],
      ['speaks-no-json', /Unexpected token/],
      ['talks-too-much', /more than 512 KB/],
    ];
    it.each(AWAY)('are not to be had of an issuer that is %s: not now, not "wrong"', async (mood, why) => {
      issuer.mood = mood;
      const token = await issuer.token(CLERK);
      expect(await answerTo(token)).toEqual(['issuer-unavailable', expect.stringMatching(why)]);
      const asked = issuer.discoveries;
      expect(await answerTo(token)).toMatchObject({ 0: 'issuer-unavailable' });
      expect(issuer.discoveries).toBe(asked);
      issuer.mood = 'well';
      elapsed += 1_000;
      expect(await answerTo(token)).toMatchObject({ roles: ['clerk'] });
    });

    it('are believed for an hour while the issuer is away, and no longer', async () => {
      await tokens.find(await issuer.token(CLERK));
      issuer.mood = 'away';
      elapsed += 59 * 60_000;
      expect(await answerTo(await issuer.token({ ...CLERK, sub: 'b' }))).toMatchObject({ roles: ['clerk'] });
      elapsed += 60_000;
      expect(await answerTo(await issuer.token({ ...CLERK, sub: 'c' }))).toMatchObject({
        0: 'issuer-unavailable',
      });
    });
  });

  it('a token that is kept ends when it ends, by the machine’s clock', async () => {
    const token = await issuer.token(CLERK, { ends: 10 });
    await tokens.find(token);
    [elapsed, ahead] = [20_000, 20_000];
    expect(await answerTo(token)).toMatchObject({ 1: expect.stringContaining('has expired') });
  });

  it('no more than a thousand are kept', async () => {
    const held = (tokens as unknown as { readonly held: ReadonlyMap<string, unknown> }).held;
    const first = await issuer.token({ ...CLERK, sub: 'first' });
    await tokens.find(first);
    expect([...held.keys()].join('')).not.toContain(first);
    for (let n = 0; n < 1_005; n++) await tokens.find(await issuer.token({ ...CLERK, sub: `s-${n}` }));
    expect(held.size).toBeLessThanOrEqual(1_000);
  });
});
