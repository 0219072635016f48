import { randomBytes } from 'node:crypto';
import { refuseStanding } from './refuse-standing';
import type { ApiKeyRow, Claim, KeyStore, SealingKey } from './port';

/** Keys and claims in memory, for tests. */
export function openMemoryKeyStore(): KeyStore {
  const claims = new Map<string, Claim>();
  const sealing = new Map<string, SealingKey>();
  const apiKeys = new Map<string, ApiKeyRow>();
  const secret = randomBytes(32);
  return {
    async claim(caller, key, claim) {
      const name = JSON.stringify([caller, key]);
      const standing = claims.get(name) ?? claim;
      claims.set(name, standing);
      return standing;
    },
    personSecret: async () => secret,
    async sealingKey(person) {
      const key = sealing.get(person) ?? { state: 'live', key: randomBytes(32) };
      sealing.set(person, key);
      return key;
    },
    findSealingKey: async (person) => sealing.get(person),
    async eraseSealingKey(person) {
      sealing.set(person, { state: 'erased' });
    },
    async addApiKey(row) {
      refuseStanding(row, [...apiKeys.values()]);
      apiKeys.set(row.id, row);
    },
    findApiKey: async (secretHash) => [...apiKeys.values()].find((row) => row.secretHash === secretHash),
    listApiKeys: async () => [...apiKeys.values()].toSorted(byCreation),
    async revokeApiKey(id, at) {
      const row = apiKeys.get(id);
      if (!row || row.revokedAt !== null) return false;
      apiKeys.set(id, { ...row, revokedAt: at });
      return true;
    },
    close: async () => undefined,
  };
}

const byCreation = (a: ApiKeyRow, b: ApiKeyRow): number =>
  `${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1;
