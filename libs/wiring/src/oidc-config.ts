/** Whose tokens are taken beside API keys, and which of their claims say what the bearer may. */
export interface OidcConfig {
  /** As the issuer writes itself: tokens and its discovery document carry it letter for letter. */
  readonly issuer: string;
  readonly audience: string;
  /** Names of claims: a member, or a path of members (`realm_access.roles`). */
  readonly rolesClaim: string;
  readonly jurisdictionClaim: string;
  readonly holderClaim: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether keys may be fetched from there: who can change them on the way can make tokens. */
export function isTrustedUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** The settings of OIDC, all or none; what is wrong with them is added to the faults of the start. */
export function readOidcConfig(env: Environment, faults: string[]): OidcConfig | undefined {
  const set = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
  const issuer = set(env.OIDC_ISSUER);
  const audience = set(env.OIDC_AUDIENCE);
  const claims = {
    OIDC_ROLES_CLAIM: set(env.OIDC_ROLES_CLAIM),
    OIDC_JURISDICTION_CLAIM: set(env.OIDC_JURISDICTION_CLAIM),
    OIDC_HOLDER_CLAIM: set(env.OIDC_HOLDER_CLAIM),
  };
  if (issuer === undefined) {
    for (const [name, value] of Object.entries({ OIDC_AUDIENCE: audience, ...claims })) {
      if (value !== undefined) faults.push(`${name} is set without OIDC_ISSUER; set both, or neither.`);
    }
    return undefined;
  }
  if (!isTrustedUrl(issuer) || /[?#]/.test(issuer)) {
    faults.push(
      `OIDC_ISSUER is '${withoutUser(issuer)}'; write the issuer's https address as its tokens have it (http on the loopback alone).`,
    );
  }
  if (audience === undefined) {
    faults.push(
      'OIDC_ISSUER is set without OIDC_AUDIENCE; say which audience the tokens for Headworks name.',
    );
  }
  return {
    issuer,
    audience: audience ?? '',
    rolesClaim: claims.OIDC_ROLES_CLAIM ?? 'roles',
    jurisdictionClaim: claims.OIDC_JURISDICTION_CLAIM ?? 'jurisdictions',
    holderClaim: claims.OIDC_HOLDER_CLAIM ?? 'holds',
  };
}

/** A password that stands in an address is not repeated. */
const withoutUser = (issuer: string): string => issuer.replace(/\/\/[^/]*@/, '//');
