import canonicalize from 'canonicalize';
import type { JsonObject, JsonValue } from './json';

/**
 * The RFC 8785 form of a JSON value, as bytes. An event is stored as exactly these bytes, so what is refused here can
 * never be in a log: NUL characters and lone surrogates (PostgreSQL and other readers can't carry them), numbers that
 * are not safe integers (decimals are strings), undefined and anything JSON can't say.
 */
export function canonicalBytes(value: JsonObject): Buffer {
  try {
    return Buffer.from(write(value), 'utf8');
  } catch (error) {
    // Only where something is wrong is it looked for again, to say where.
    const found = unstorable(value);
    throw found ? new TypeError(`${found.pointer || '/'}: ${found.why}`, { cause: error }) : error;
  }
}

/**
 * RFC 8785, section 3.2: members in the order of their UTF-16 code units, strings as JSON.stringify writes them, no
 * white space. Written here in one pass with the refusals, for every append pays for it.
 */
function write(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  // A negative zero is written 0 (section 3.2.2.3).
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'object') throw new TypeError('not storable');
  let text = '';
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    for (let index = 0; index < items.length; index++) {
      text += (index === 0 ? '[' : ',') + write(items[index] as JsonValue);
    }
    return text === '' ? '[]' : `${text}]`;
  }
  if (!isPlain(value)) throw new TypeError('not storable');
  for (const key of inOrder(Object.keys(value))) {
    text += (text === '' ? '{' : ',') + member(key) + write((value as JsonObject)[key] as JsonValue);
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Sorts a list of our own by UTF-16 code units; few and nearly sorted as they are, keys need no more than this. */
function inOrder(keys: string[]): readonly string[] {
  if (keys.length > 16) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let place = index;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
  return keys;
}

/** Keys as they are written: a log has few, and each is written again and again. */
const members = new Map<string, string>();

function member(key: string): string {
  const known = members.get(key);
  if (known !== undefined) return known;
  const text = `${quoted(key)}:`;
  if (members.size < 4096) members.set(key, text);
  return text;
}

/** ASCII that needs no escape: nearly all there is. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (text.includes('\0') || !text.isWellFormed()) throw new TypeError('not storable');
  return JSON.stringify(text);
}

/** The same text for the same JSON, whatever the order of its keys: a value read back from a log has them sorted. */
export const canonicalText = (value: JsonValue | undefined): string => canonicalize(value) ?? '';

/** Where and why a value can't be stored, or undefined when it can. The pointer is RFC 6901. */
export function unstorable(value: unknown, pointer = ''): { pointer: string; why: string } | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'string') {
    if (value.includes('\0')) return { pointer, why: 'the text holds a NUL character' };
    return value.isWellFormed() ? undefined : { pointer, why: 'the text holds half of a surrogate pair' };
  }
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return undefined;
    return { pointer, why: 'a number that is not a whole number must be written as a decimal string' };
  }
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      const found = unstorable(inner, `${pointer}/${index}`);
      if (found) return found;
    }
    return undefined;
  }
  if (typeof value !== 'object') return { pointer, why: `${typeof value} is not JSON` };
  if (!isPlain(value)) return { pointer, why: `${value.constructor.name} is not JSON` };
  for (const [key, inner] of Object.entries(value)) {
    const at = `${pointer}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
    const found = unstorable(key, at) ?? unstorable(inner, at);
    if (found) return found;
  }
  return undefined;
}

// A Date, a Map, a class would be written as something else than it is. Realms differ, so prototypes are not compared.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
