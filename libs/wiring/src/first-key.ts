import { randomBytes } from 'node:crypto';
import type { ApiKeyRow, Holding, KeyStore } from '@headworks/event-store';
import { nameId, sha256Hex } from '@headworks/kernel';

export interface NewKey {
  readonly name: string;
  readonly roles: readonly string[];
  readonly jurisdictions: readonly string[];
  /** What its bearer acts for; nothing where not given. */
  readonly holds?: readonly Holding[];
  /** Made at random where not given. */
  readonly secret?: string;
  /** ISO, by the machine's clock: keys are no matter of the law's time. */
  readonly createdAt: string;
}

/** Stores the hash of a key and returns the key itself, which nobody can read again. */
export async function createKey(
  keys: KeyStore,
  wanted: NewKey,
): Promise<{ readonly secret: string; readonly row: ApiKeyRow }> {
  const secret = wanted.secret ?? `hw_${randomBytes(32).toString('base64url')}`;
  const secretHash = sha256Hex(secret);
  const { name, roles, jurisdictions, holds = [], createdAt } = wanted;
  const row: ApiKeyRow = {
    id: nameId('api-key', secretHash),
    name,
    secretHash,
    roles,
    jurisdictions,
    holds,
    createdAt,
    revokedAt: null,
  };
  await keys.addApiKey(row);
  return { secret, row };
}

/** While there is no key at all, an administrator's is made: from the setting, or at random and shown once. */
export async function firstKey(
  keys: KeyStore,
  bootstrap: string | undefined,
  createdAt: string,
): Promise<string | undefined> {
  if ((await keys.listApiKeys()).length > 0) return undefined;
  const { secret } = await createKey(keys, {
    name: 'first administrator',
    roles: ['admin'],
    jurisdictions: ['*'],
    createdAt,
    ...(bootstrap !== undefined && { secret: bootstrap }),
  });
  return bootstrap === undefined ? secret : undefined;
}
