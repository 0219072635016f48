import type { JWTPayload } from 'jose';
import { nameId } from '@headworks/kernel';
import { parseHolding, type Caller } from '@headworks/use-cases';
import type { OidcConfig } from '@headworks/wiring';
import { HttpProblem } from '../../http/problems';
import { ROLES } from '../access';

/**
 * Who a token says its bearer is. Of the token only this is kept: an id made of issuer and subject, the roles that are
 * ours, jurisdictions, and what is held. Unknown roles are somebody else's and say nothing here.
 */
export function callerOf(config: OidcConfig, claims: JWTPayload): Caller {
  const { rolesClaim, jurisdictionClaim, holderClaim, issuer } = config;
  const said = words(claimOf(claims, rolesClaim));
  const roles = ROLES.filter((role) => said.includes(role));
  const jurisdictions = words(claimOf(claims, jurisdictionClaim));
  const holds = texts(claimOf(claims, holderClaim)).flatMap((text) => parseHolding(text) ?? []);
  if (roles.length === 0) {
    throw unknown(`The token gives no role (its claim '${rolesClaim}' names none of ${ROLES.join(', ')})`);
  }
  if (jurisdictions.length === 0) {
    throw unknown(`The token gives no jurisdiction (its claim '${jurisdictionClaim}' names none)`);
  }
  return {
    id: nameId('oidc', issuer, claims.sub ?? ''),
    roles,
    jurisdictions: jurisdictions.includes('*') ? '*' : jurisdictions,
    holds,
  };
}

const unknown = (why: string): HttpProblem =>
  new HttpProblem('unauthenticated', `${why}; ask whoever manages the accounts of the issuer.`);

/** A claim by its name; where there is none of that name, by a path of members. A URL is a name: its dots are no path. */
export function claimOf(claims: object, name: string): unknown {
  if (Object.hasOwn(claims, name)) return (claims as Readonly<Record<string, unknown>>)[name];
  return name.split('.').reduce<unknown>((at, member) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, member)) return undefined;
    return (at as Readonly<Record<string, unknown>>)[member];
  }, claims);
}

/** The texts of a claim: a list, or one alone. Whatever else it is says nothing. */
const texts = (claim: unknown): readonly string[] =>
  [claim].flat().filter((one): one is string => typeof one === 'string');

/** Words, as lists or in one text with spaces between, as OAuth writes scopes. */
const words = (claim: unknown): readonly string[] =>
  typeof claim === 'string' ? claim.split(/[\s,]+/).filter((word) => word !== '') : texts(claim);
