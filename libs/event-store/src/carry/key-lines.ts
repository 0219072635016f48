import { isJsonObject, type JsonObject } from '@headworks/kernel';
import type { ApiKeyRow, KeyRow, KeyStore } from '../keys/port';
import { damagedAt, headerLine, lastLine, rowsOf, type CarriedLine } from './frame';

export const KEYS_FILE_FORMAT = { headworks: 'keys', format: 1 } as const;

const ROWS_AT_ONCE = 500;

/** Everything of the key store as lines of JSON. Whoever has this file and the log reads every personal field. */
export async function* keyLines(keys: KeyStore): AsyncGenerator<string> {
  yield headerLine(KEYS_FILE_FORMAT);
  let count = 0;
  for await (const rows of keys.rows()) {
    for (const row of rows) yield `${JSON.stringify(lineOf(row))}\n`;
    count += rows.length;
  }
  yield lastLine(count);
}

/** Puts the rows of such a file beside those that stand; answers how many there were. */
export async function carryKeys(lines: AsyncIterable<string>, keys: KeyStore): Promise<number> {
  let count = 0;
  let rows: KeyRow[] = [];
  const put = async (): Promise<void> => {
    await keys.carryIn(rows);
    count += rows.length;
    rows = [];
  };
  for await (const line of rowsOf(lines, KEYS_FILE_FORMAT)) {
    rows.push(rowIn(line));
    if (rows.length === ROWS_AT_ONCE) await put();
  }
  await put();
  return count;
}

const lineOf = (row: KeyRow): object => {
  switch (row.is) {
    case 'secret':
      return { ...row, value: row.value.toString('base64') };
    case 'person':
      return { ...row, key: row.key?.toString('base64') ?? null };
    case 'claim':
    case 'api-key':
      return row;
  }
};

const KEY_BYTES = 32;

function rowIn({ number, value }: CarriedLine): KeyRow {
  const text = (name: string): string => {
    const found = value[name];
    if (typeof found !== 'string') throw damagedAt(number, `has no '${name}'`);
    return found;
  };
  const bytes = (name: string): Buffer => {
    const found = Buffer.from(text(name), 'base64');
    if (found.length !== KEY_BYTES) throw damagedAt(number, `has a '${name}' of ${found.length} bytes`);
    return found;
  };
  switch (text('is')) {
    case 'secret':
      return { is: 'secret', name: text('name'), value: bytes('value') };
    case 'person':
      return { is: 'person', person: text('person'), key: value['key'] === null ? null : bytes('key') };
    case 'claim':
      return { is: 'claim', caller: text('caller'), key: text('key'), claim: claimIn(number, value) };
    case 'api-key':
      return { is: 'api-key', row: apiKeyIn(number, value) };
    default:
      throw damagedAt(number, 'is no row of keys');
  }
}

function claimIn(number: number, { claim }: JsonObject): { bodyHash: string; commandId: string } {
  const { bodyHash, commandId } = isJsonObject(claim ?? null) ? (claim as JsonObject) : {};
  if (typeof bodyHash !== 'string' || typeof commandId !== 'string')
    throw damagedAt(number, 'holds no claim');
  return { bodyHash, commandId };
}

function apiKeyIn(number: number, { row }: JsonObject): ApiKeyRow {
  const found = (isJsonObject(row ?? null) ? row : {}) as JsonObject;
  const texts = ['id', 'name', 'secretHash', 'createdAt'].every((name) => typeof found[name] === 'string');
  const lists = ['roles', 'jurisdictions', 'holds'].every((name) => Array.isArray(found[name]));
  const revoked = found['revokedAt'] === null || typeof found['revokedAt'] === 'string';
  if (!texts || !lists || !revoked) throw damagedAt(number, 'holds no API key');
  return found as unknown as ApiKeyRow;
}
