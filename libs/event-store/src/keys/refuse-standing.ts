import { CodedError } from '@headworks/kernel';
import type { ApiKeyRow } from './port';

/** Ids and secrets of API keys are each used once, for ever: a revoked one is not given out again. */
export function refuseStanding(row: ApiKeyRow, standing: readonly ApiKeyRow[]): void {
  if (standing.some(({ id }) => id === row.id)) {
    throw new CodedError('conflict', `An API key '${row.id}' stands already; choose another id.`);
  }
  if (standing.some(({ secretHash }) => secretHash === row.secretHash)) {
    throw new CodedError('conflict', 'An API key with this secret stands already; make a new secret.');
  }
}
