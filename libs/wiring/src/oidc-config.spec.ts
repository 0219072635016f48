import { readConfig } from './config';
import { isTrustedUrl } from './oidc-config';

const GOOD = { OIDC_ISSUER: 'https://id.county.gov/realms/waste', OIDC_AUDIENCE: 'headworks' };

it('is off while nothing is said of it, also by empty settings', () => {
  expect(readConfig({ OIDC_ISSUER: '', OIDC_AUDIENCE: '', OIDC_ROLES_CLAIM: '' }).oidc).toBeUndefined();
});

it('needs issuer and audience, and has names of claims', () => {
  expect(readConfig(GOOD).oidc).toEqual({
    issuer: GOOD.OIDC_ISSUER,
    audience: 'headworks',
    rolesClaim: 'roles',
    jurisdictionClaim: 'jurisdictions',
    holderClaim: 'holds',
  });
  const named = {
    OIDC_ROLES_CLAIM: 'realm_access.roles',
    OIDC_JURISDICTION_CLAIM: 'https://county.gov/claims/areas',
    OIDC_HOLDER_CLAIM: 'acts_for',
  };
  expect(readConfig({ ...GOOD, ...named }).oidc).toMatchObject({
    rolesClaim: 'realm_access.roles',
    jurisdictionClaim: 'https://county.gov/claims/areas',
    holderClaim: 'acts_for',
  });
});

it.each([
  ['an issuer alone', { OIDC_ISSUER: GOOD.OIDC_ISSUER }, /OIDC_ISSUER is set without OIDC_AUDIENCE/],
  ['an audience alone', { OIDC_AUDIENCE: 'x' }, /OIDC_AUDIENCE is set without OIDC_ISSUER; set both/],
  ['a claim alone', { OIDC_HOLDER_CLAIM: 'x' }, /OIDC_HOLDER_CLAIM is set without OIDC_ISSUER/],
  [
    'plain http',
    { ...GOOD, OIDC_ISSUER: 'http://id.county.gov' },
    /'http:\/\/id\.county\.gov'; write the issuer's https/,
  ],
  ['a query', { ...GOOD, OIDC_ISSUER: 'https://id.county.gov?a=b' }, /write the issuer's https/],
  [
    'a password',
    { ...GOOD, OIDC_ISSUER: 'https://u:secret@id.county.gov' },
    /OIDC_ISSUER is 'https:\/\/id\.county\.gov'/,
  ],
  ['no address', { ...GOOD, OIDC_ISSUER: 'county' }, /OIDC_ISSUER is 'county'/],
])('%s is refused at the start, in a sentence', (_, env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});

it.each([
  ['https://id.county.gov/keys', true],
  ['http://127.0.0.1:8080/keys', true],
  ['http://127.9.9.9/keys', true],
  ['http://localhost:8080', true],
  ['http://[::1]:8080', true],
  ['http://id.county.gov', false],
  ['http://localhost.evil.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://user@127.0.0.1', false],
  ['ftp://127.0.0.1', false],
  ['file:///etc/keys', false],
  ['', false],
])('keys from %j are taken: %s', (url, trusted) => {
  expect(isTrustedUrl(url)).toBe(trusted);
});
