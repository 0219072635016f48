/** What a caller was promised for an Idempotency-Key: the first claim stands. */
export interface Claim {
  readonly bodyHash: string;
  readonly commandId: string;
}

/** A thing by its kind and key, as packs name kinds. */
export interface Holding {
  readonly kind: string;
  readonly key: string;
}

export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  /** SHA-256 (hex) of the secret; the secret itself is never stored. */
  readonly secretHash: string;
  readonly roles: readonly string[];
  /** Jurisdictions it may see; `*` for an administrator of the whole store. */
  readonly jurisdictions: readonly string[];
  /** Things that its bearer acts for, where its role is a holder's. */
  readonly holds: readonly Holding[];
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export type SealingKey = { readonly state: 'live'; readonly key: Buffer } | { readonly state: 'erased' };

/** A row of the keys as it is carried to another store. */
export type KeyRow =
  | { readonly is: 'secret'; readonly name: string; readonly value: Buffer }
  /** Without a key: a person that was erased. */
  | { readonly is: 'person'; readonly person: string; readonly key: Buffer | null }
  | { readonly is: 'claim'; readonly caller: string; readonly key: string; readonly claim: Claim }
  | { readonly is: 'api-key'; readonly row: ApiKeyRow };

/**
 * Sealing keys, API keys and claims: not views, never rebuilt, kept and backed up apart from the log.
 * Everything is durable when the promise resolves.
 */
export interface KeyStore {
  /** Puts the claim, or answers the one that stands. */
  claim(caller: string, key: string, claim: Claim): Promise<Claim>;
  /** Secret that person ids are derived with, made once: without it an id would be a guessable hash of a name. */
  personSecret(): Promise<Buffer>;
  /** The person's AES-256 key, made (and durable) at first use. */
  sealingKey(person: string): Promise<SealingKey>;
  findSealingKey(person: string): Promise<SealingKey | undefined>;
  /** Destroys the key and remembers that it was. Again: nothing happens. */
  eraseSealingKey(person: string): Promise<void>;
  addApiKey(row: ApiKeyRow): Promise<void>;
  findApiKey(secretHash: string): Promise<ApiKeyRow | undefined>;
  listApiKeys(): Promise<readonly ApiKeyRow[]>;
  /** False where there is no such live key. */
  revokeApiKey(id: string, at: string): Promise<boolean>;
  /** All that stands here, the secrets first, so many rows at a time. */
  rows(): AsyncIterable<readonly KeyRow[]>;
  /**
   * Puts rows of another store beside those here, all or none. What stands here stays, and whoever is erased in either is
   * erased. Secrets of another origin are taken over only while no person is known here: ids were derived with them.
   */
  carryIn(rows: readonly KeyRow[]): Promise<void>;
  close(): Promise<void>;
}
