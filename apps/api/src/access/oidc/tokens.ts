import { errors, jwtVerify } from 'jose';
import { sha256Hex } from '@headworks/kernel';
import type { Caller } from '@headworks/use-cases';
import type { OidcConfig } from '@headworks/wiring';
import { HttpProblem } from '../../http/problems';
import { callerOf } from './claims';
import { IssuerKeys } from './issuer-keys';

/** Signatures of the issuer's own key. None with a shared secret: our copy of a public key is no secret. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** Between clocks of two machines. */
const TOLERANCE_S = 5;
/** A token that was good is believed so long without looking at its signature again, and never past its end. */
const HELD_MS = 60_000;
const MOST_HELD = 1_000;
const MOST_LENGTH = 16 * 1024;

interface Held {
  readonly caller: Caller;
  readonly untilMs: number;
  readonly generation: number;
}

export interface TokensOptions {
  readonly config: OidcConfig;
  /** Milliseconds that only grow. */
  readonly monotonic: () => number;
  /** The machine's time: tokens are good by it, whatever a sandbox's clock says. */
  readonly now: () => Date;
}

/** Finds callers by access tokens of the one issuer. Nothing of a token is kept but its hash. */
export class Tokens {
  private readonly held = new Map<string, Held>();
  private readonly keys: IssuerKeys;

  constructor(private readonly options: TokensOptions) {
    const { config, monotonic } = options;
    this.keys = new IssuerKeys({ issuer: config.issuer, monotonic });
  }

  /** Throws a problem that says what is wrong with the token, or that the issuer can't be asked. */
  async find(token: string): Promise<Caller> {
    const { config, monotonic, now } = this.options;
    if (token.length > MOST_LENGTH) throw refused('is longer than 16 KB');
    const hash = sha256Hex(token);
    const known = this.held.get(hash);
    if (known && known.untilMs > monotonic() && known.generation === this.keys.generation)
      return known.caller;
    const { payload } = await jwtVerify(token, this.keys.find, {
      issuer: config.issuer,
      audience: config.audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: TOLERANCE_S,
      currentDate: now(),
    }).catch((error: unknown) => {
      throw error instanceof HttpProblem ? error : refused(wrongWith(error));
    });
    if (typeof payload.sub !== 'string' || payload.sub === '')
      throw refused("names nobody (its claim 'sub')");
    const caller = callerOf(config, payload);
    const leftMs = (payload.exp ?? 0) * 1_000 - now().getTime();
    if (this.held.size >= MOST_HELD) this.held.clear();
    const untilMs = monotonic() + Math.min(HELD_MS, leftMs);
    this.held.set(hash, { caller, untilMs, generation: this.keys.generation });
    return caller;
  }
}

const refused = (wrong: string): HttpProblem =>
  new HttpProblem('unauthenticated', `The token ${wrong}; get a new one from the issuer.`);

/** What is wrong, in words of ours: nothing of the token is repeated. */
function wrongWith(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return wrongClaim(error);
  if (error instanceof errors.JOSEAlgNotAllowed) return 'is signed in a way that is not taken here';
  if (error instanceof errors.JWKSNoMatchingKey) return 'is signed with a key that the issuer does not have';
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "does not say which key signed it ('kid')";
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'was changed after it was signed';
  return 'can not be read';
}

function wrongClaim({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return `lacks the claim '${claim}'`;
  switch (claim) {
    case 'nbf':
      return 'is not valid yet';
    case 'aud':
      return 'is for another audience';
    case 'iss':
      return 'is of another issuer';
    default:
      return `has an unacceptable claim '${claim}'`;
  }
}
