import { StartRefused } from '../port';
import type { Claim, KeyRow, SealingKey } from './port';

export const personRow = (person: string, sealing: SealingKey): KeyRow => ({
  is: 'person',
  person,
  key: sealing.state === 'live' ? sealing.key : null,
});

export const claimRow = (caller: string, key: string, claim: Claim): KeyRow => ({
  is: 'claim',
  caller,
  key,
  claim,
});

/** Secrets of two origins can't both derive the ids of persons. */
export const otherPersons = (): StartRefused =>
  new StartRefused(
    'Persons are known here by another secret than the one that is carried in; carry the keys into an empty place.',
  );

const PAGE = 1000;

/** Pages of a table in the order of its key: `after` is the key of the last row, none before the first. */
export async function* paged<Row>(
  read: (after: Row | undefined, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: Row | undefined;
  for (;;) {
    const rows = await read(after, PAGE);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows[rows.length - 1];
  }
}
