import { timingSafeEqual } from 'node:crypto';
import type { KeyStore } from '@headworks/event-store';
import { sha256Hex } from '@headworks/kernel';
import type { Caller } from '@headworks/use-cases';
import { ROLES } from './access';

const BEARER = /^Bearer (hw_[\w-]{16,200})$/i;
/** Hashed where no key was sent, so that the work is the same. */
const NONE = 'hw_none';
const MOST_HELD = 1_000;

interface Held {
  readonly caller: Caller;
  readonly untilMs: number;
}

export interface ApiKeyOptions {
  readonly keys: KeyStore;
  /** Milliseconds that only grow. */
  readonly monotonic: () => number;
  /** How long an answer of the store is believed: revoking in another process takes that long at most. */
  readonly heldMs: number;
}

/** Finds callers by their keys. Only SHA-256 of a key is ever compared or kept. */
export class ApiKeys {
  private readonly held = new Map<string, Held>();

  constructor(private readonly options: ApiKeyOptions) {}

  async find(authorization: string | undefined): Promise<Caller | undefined> {
    const secret = BEARER.exec(authorization ?? '')?.[1];
    const hash = sha256Hex(secret ?? NONE);
    const now = this.options.monotonic();
    const known = this.held.get(hash);
    if (known && known.untilMs > now) return known.caller;
    const caller = secret === undefined ? undefined : await this.look(hash);
    // A key that is not known may be made the next moment: only good ones are held.
    if (caller) this.hold(hash, { caller, untilMs: now + this.options.heldMs });
    return caller;
  }

  /** Revokes a key; in this process at once. */
  async revoke(id: string, at: string): Promise<boolean> {
    const revoked = await this.options.keys.revokeApiKey(id, at);
    this.held.clear();
    return revoked;
  }

  private async look(hash: string): Promise<Caller | undefined> {
    const row = await this.options.keys.findApiKey(hash);
    if (!row || row.revokedAt !== null) return undefined;
    if (!timingSafeEqual(Buffer.from(row.secretHash, 'hex'), Buffer.from(hash, 'hex'))) return undefined;
    // A word that is no role gives nothing, also not the sight of more than a holder has.
    const roles = ROLES.filter((role) => row.roles.includes(role));
    const jurisdictions = row.jurisdictions.includes('*') ? '*' : row.jurisdictions;
    return { id: row.id, roles, jurisdictions, holds: row.holds };
  }

  private hold(hash: string, held: Held): void {
    if (this.held.size >= MOST_HELD) this.held.clear();
    this.held.set(hash, held);
  }
}
