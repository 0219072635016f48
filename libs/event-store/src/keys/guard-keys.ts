import { CodedError } from '@headworks/kernel';
import { StoreUnavailable } from '../port';
import type { KeyStore } from './port';

/** What the database below raises means that keys can't be read or written now; callers know one error for that. */
export function guardKeys(keys: KeyStore): KeyStore {
  return {
    claim: guarded((...args) => keys.claim(...args)),
    personSecret: guarded(() => keys.personSecret()),
    sealingKey: guarded((person) => keys.sealingKey(person)),
    findSealingKey: guarded((person) => keys.findSealingKey(person)),
    eraseSealingKey: guarded((person) => keys.eraseSealingKey(person)),
    addApiKey: guarded((row) => keys.addApiKey(row)),
    findApiKey: guarded((secretHash) => keys.findApiKey(secretHash)),
    listApiKeys: guarded(() => keys.listApiKeys()),
    revokeApiKey: guarded((id, at) => keys.revokeApiKey(id, at)),
    rows: () => keys.rows(),
    carryIn: guarded((rows) => keys.carryIn(rows)),
    close: () => keys.close(),
  };
}

function guarded<Args extends readonly unknown[], Answer>(
  work: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  return async (...args) => {
    try {
      return await work(...args);
    } catch (error) {
      if (error instanceof CodedError || error instanceof StoreUnavailable) throw error;
      throw new StoreUnavailable(`The keys can't be read or written: ${(error as Error).message}.`, {
        cause: error,
      });
    }
  };
}
