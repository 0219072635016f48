import { randomBytes } from 'node:crypto';
import { claimRow, otherPersons, personRow } from './carry-rows';
import { refuseStanding } from './refuse-standing';
import type { ApiKeyRow, Claim, KeyRow, KeyStore, SealingKey } from './port';

interface Held {
  readonly claims: Map<string, Claim>;
  readonly sealing: Map<string, SealingKey>;
  readonly apiKeys: Map<string, ApiKeyRow>;
  secret: Buffer;
}

/** Keys and claims in memory, for tests. */
export function openMemoryKeyStore(): KeyStore {
  const held: Held = { claims: new Map(), sealing: new Map(), apiKeys: new Map(), secret: randomBytes(32) };
  const { claims, sealing, apiKeys } = held;
  return {
    async claim(caller, key, claim) {
      const name = JSON.stringify([caller, key]);
      const standing = claims.get(name) ?? claim;
      claims.set(name, standing);
      return standing;
    },
    personSecret: async () => held.secret,
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
    ...carrying(held),
    close: async () => undefined,
  };
}

const byCreation = (a: ApiKeyRow, b: ApiKeyRow): number =>
  `${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1;

function carrying(held: Held): Pick<KeyStore, 'rows' | 'carryIn'> {
  const { claims, sealing, apiKeys } = held;
  return {
    async *rows() {
      yield [
        { is: 'secret', name: 'person', value: held.secret },
        ...[...sealing].map(([person, key]) => personRow(person, key)),
        ...[...claims].map(([name, claim]) => {
          const [caller = '', key = ''] = JSON.parse(name) as readonly string[];
          return claimRow(caller, key, claim);
        }),
        ...[...apiKeys.values()].map((row) => ({ is: 'api-key', row }) as const),
      ];
    },
    async carryIn(rows) {
      const foreign = (row: KeyRow): boolean => row.is === 'secret' && !row.value.equals(held.secret);
      if (sealing.size > 0 && rows.some(foreign)) throw otherPersons();
      for (const row of rows) {
        switch (row.is) {
          case 'secret':
            held.secret = row.value;
            break;
          case 'person':
            if (row.key === null) sealing.set(row.person, { state: 'erased' });
            else if (!sealing.has(row.person)) sealing.set(row.person, { state: 'live', key: row.key });
            break;
          case 'claim': {
            const name = JSON.stringify([row.caller, row.key]);
            claims.set(name, claims.get(name) ?? row.claim);
            break;
          }
          case 'api-key':
            apiKeys.set(row.row.id, apiKeys.get(row.row.id) ?? row.row);
            break;
        }
      }
    },
  };
}
