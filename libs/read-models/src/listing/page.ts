import { CodedError, unstorable } from '@headworks/kernel';

/** The tenants that the caller may see; `*` is an administrator of the whole store. */
export type Scope = readonly string[] | '*';

export interface PageRequest {
  /** `next` of the page before. */
  readonly cursor?: string;
  /** 1 to 500; default 50. */
  readonly limit?: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page. */
  readonly next?: string;
}

export const PAGE_LIMIT = { default: 50, most: 500 } as const;

export function limitOf({ limit = PAGE_LIMIT.default }: PageRequest): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGE_LIMIT.most) return limit;
  throw refusal(
    'limit',
    `A page has 1 to ${PAGE_LIMIT.most} rows, not ${limit}.`,
    'ask for fewer, and go on',
  );
}

/** Where a page ended: the table, then the values that the list is sorted by, the id last. Opaque to callers. */
export function encodeCursor(table: string, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([table, ...values]), 'utf8').toString('base64url');
}

/** The values of a cursor of this table's, or a refusal: one that is cut, made up or of another list. */
export function decodeCursor(table: string, cursor: string, count: number): readonly string[] {
  const values = parse(cursor);
  if (values && values.length === count + 1 && values[0] === table && values.every(isStorableText)) {
    return values.slice(1) as readonly string[];
  }
  throw refusal('cursor', 'This is no cursor of this list.', "send 'next' as it was given, or start anew");
}

export const isStorableText = (value: unknown): boolean =>
  typeof value === 'string' && unstorable(value) === undefined;

function parse(cursor: string): readonly unknown[] | undefined {
  // Node reads past what is no base64url; a cursor that was changed on its way is not to pass for another one.
  if (!/^[A-Za-z0-9_-]{1,2000}$/.test(cursor)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function refusal(code: string, detail: string, hint: string): CodedError {
  return new CodedError('invalid-request', `${detail} To go on, ${hint}.`, [{ code, detail, hint }]);
}
