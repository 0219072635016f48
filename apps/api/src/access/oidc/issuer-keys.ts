import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { isTrustedUrl } from '@headworks/wiring';
import { HttpProblem } from '../../http/problems';
import { fetchJson } from './fetch-json';

/** Keys are looked up again after so long, so that one the issuer took back is not believed for ever. */
const FRESH_MS = 10 * 60_000;
/** An issuer that is away for a moment locks nobody out: its last keys are believed for so long. */
const USABLE_MS = 60 * 60_000;
/** A token that names an unknown key has the keys looked up again, but so often at most: anyone can make such tokens. */
const COOLDOWN_MS = 30_000;
/** What just failed is not tried again by each of a thousand callers. */
const FAILED_MS = 1_000;

interface Held {
  readonly find: JWTVerifyGetKey;
  readonly fetchedMs: number;
}

export interface IssuerKeysOptions {
  readonly issuer: string;
  /** Milliseconds that only grow. */
  readonly monotonic: () => number;
}

/** The public keys of an issuer: by its discovery document, kept, and looked up again when they rotate. */
export class IssuerKeys {
  private held: Held | undefined;
  private fetching: Promise<Held> | undefined;
  private lookAgainMs = Number.NEGATIVE_INFINITY;
  private failed: { readonly problem: HttpProblem; readonly untilMs: number } | undefined;

  constructor(private readonly options: IssuerKeysOptions) {}

  /** Counts the look-ups that changed what is held: whatever was concluded from earlier keys is to be concluded anew. */
  generation = 0;

  /** The key that signed a token, for jose. An issuer that can't be reached is a 503, never a refusal of the token. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const held = await this.current();
    try {
      return await held.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.mayLookAgain()) throw error;
      return (await this.fetched()).find(header, token);
    }
  };

  private async current(): Promise<Held> {
    const { held } = this;
    const age = held ? this.options.monotonic() - held.fetchedMs : Number.POSITIVE_INFINITY;
    if (held && age < FRESH_MS) return held;
    try {
      return await this.fetched();
    } catch (error) {
      if (held && age < USABLE_MS) return held;
      throw error;
    }
  }

  private mayLookAgain(): boolean {
    const now = this.options.monotonic();
    if (now < this.lookAgainMs) return false;
    this.lookAgainMs = now + COOLDOWN_MS;
    return true;
  }

  /** One look-up at a time, whoever waits for it. */
  private fetched(): Promise<Held> {
    const { failed } = this;
    if (failed && failed.untilMs > this.options.monotonic()) return Promise.reject(failed.problem);
    this.fetching ??= this.fetch().finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  private async fetch(): Promise<Held> {
    const { issuer, monotonic } = this.options;
    try {
      const find = createLocalJWKSet((await publishedKeys(issuer)) as unknown as JSONWebKeySet);
      this.failed = undefined;
      this.generation++;
      return (this.held = { find, fetchedMs: monotonic() });
    } catch (error) {
      const problem = new HttpProblem(
        'issuer-unavailable',
        `The issuer of tokens can not be asked for its keys (${reasonOf(error)}); try again, or use an API key.`,
      );
      this.failed = { problem, untilMs: monotonic() + FAILED_MS };
      throw problem;
    }
  }
}

async function publishedKeys(issuer: string): Promise<Readonly<Record<string, unknown>>> {
  const discovery = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  // OpenID Connect Discovery 1.0, section 4.3: else another issuer could speak in this one's name.
  if (discovery['issuer'] !== issuer) throw new Error('its discovery document names another issuer');
  const url = discovery['jwks_uri'];
  if (typeof url !== 'string' || !isTrustedUrl(url)) throw new Error('its jwks_uri is no https address');
  return fetchJson(url);
}

/** Why a fetch failed, in few words: the cause of undici's "fetch failed" says it. */
function reasonOf(error: unknown): string {
  const { message = String(error), cause } = error as { readonly message?: string; readonly cause?: unknown };
  const { code, message: why } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  return code ?? why ?? message;
}
