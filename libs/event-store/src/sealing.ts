import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { canonicalBytes, isJsonObject, normaliseKey } from '@headworks/kernel';
import type { JsonObject, JsonValue, NewEvent, RecordedEvent } from '@headworks/kernel';
import type { KeyStore } from './keys/port';

/** A personal value as it stands in an event. Who has no key of the person reads nothing but whose it is. */
export interface Sealed {
  readonly person: string;
  readonly alg: 'A256GCM';
  /** 12 bytes, base64url. */
  readonly iv: string;
  /** Ciphertext and 16 bytes of tag, base64url. */
  readonly ct: string;
}

/** What `unsealEvent` shows in place of a value whose key was destroyed, or is not here. */
export interface Unreadable {
  readonly person: string;
  readonly unreadable: 'erased' | 'no-key' | 'damaged';
}

export interface SealContext {
  readonly person: string;
  readonly key: Buffer;
  readonly eventId: string;
  /** JSON pointer (RFC 6901) into the event's data. */
  readonly pointer: string;
}

const ALG = 'A256GCM';
const IV_BYTES = 12;
const TAG_BYTES = 16;

// Bound to its place: a sealed value that is copied into another event or field can't be opened there.
const aad = (eventId: string, pointer: string): Buffer => Buffer.from(`${eventId}\n${pointer}`, 'utf8');

export function seal(value: JsonValue, { person, key, eventId, pointer }: SealContext): Sealed {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad(eventId, pointer));
  const ct = Buffer.concat([cipher.update(canonicalBytes({ value })), cipher.final(), cipher.getAuthTag()]);
  return { person, alg: ALG, iv: iv.toString('base64url'), ct: ct.toString('base64url') };
}

/** The value, or an error where key, event, pointer or text are not those it was sealed with. */
export function openSealed(
  sealed: Sealed,
  { key, eventId, pointer }: Omit<SealContext, 'person'>,
): JsonValue {
  const ct = Buffer.from(sealed.ct, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64url'), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(aad(eventId, pointer)).setAuthTag(ct.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(ct.subarray(0, -TAG_BYTES)), decipher.final()]);
  return (JSON.parse(text.toString('utf8')) as { value: JsonValue }).value;
}

export function isSealed(value: JsonValue): value is Sealed & JsonObject {
  return (
    isJsonObject(value) &&
    value['alg'] === ALG &&
    Object.keys(value).toSorted(byText).join() === 'alg,ct,iv,person'
  );
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The opaque id of a person: a keyed hash, so that nobody without the secret can try names against the log. UUID
 * shaped (version 8). `generation` counts the times that the person was erased and came back.
 */
export function personId(secret: Buffer, identity: string, generation = 0): string {
  const mac = createHmac('sha256', secret).update(normaliseKey(identity));
  if (generation > 0) mac.update(`\n${generation}`);
  const bytes = mac.digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * The person's id and key, durable when this resolves. Somebody who was erased and deals with the agency again is
 * recorded under a next id, which nobody can tie to the erased one.
 */
export async function personKey(keys: KeyStore, identity: string): Promise<{ person: string; key: Buffer }> {
  const secret = await keys.personSecret();
  for (let generation = 0; ; generation++) {
    const person = personId(secret, identity, generation);
    const sealing = await keys.sealingKey(person);
    if (sealing.state === 'live') return { person, key: sealing.key };
  }
}

/**
 * Seals the fields that the pointers name, relative to `data`; `*` stands for every element of an array or member of
 * an object (`/sources/*\/generator`). A field that is absent or null is passed over. `identityOf` says whose it is.
 */
export async function sealEvent(
  event: NewEvent,
  pointers: readonly string[],
  keys: KeyStore,
  identityOf: (value: JsonValue, pointer: string, event: NewEvent) => string,
): Promise<NewEvent> {
  let data: JsonObject = event.data;
  for (const pointer of pointers) {
    const sealAt = async (value: JsonValue, at: string): Promise<JsonValue> => {
      if (value === null) return value;
      const { person, key } = await personKey(keys, identityOf(value, at, event));
      return { ...seal(value, { person, key, eventId: event.id, pointer: at }) };
    };
    data = (await replaceAt(data, pointer.split('/').slice(1), '', sealAt)) as JsonObject;
  }
  return { ...event, data };
}

type Replace = (value: JsonValue, pointer: string) => Promise<JsonValue>;

async function replaceAt(
  value: JsonValue,
  path: readonly string[],
  at: string,
  replace: Replace,
): Promise<JsonValue> {
  const [segment, ...rest] = path;
  if (segment === undefined) return replace(value, at);
  if (typeof value !== 'object' || value === null) return value;
  const next = (inner: JsonValue, name: string | number) => replaceAt(inner, rest, `${at}/${name}`, replace);
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    const one = (item: JsonValue, index: number) =>
      segment === '*' || segment === String(index) ? next(item, index) : Promise.resolve(item);
    return Promise.all(items.map(one));
  }
  const members = value as JsonObject;
  let replaced = members;
  for (const name of segment === '*' ? Object.keys(members) : [unescapePointer(segment)]) {
    // Most pointers lead nowhere in most events: what has no such member is handed back as it is.
    if (!Object.hasOwn(members, name)) continue;
    const inner = members[name] ?? null;
    const other = await next(inner, escapePointer(name));
    if (other !== inner) replaced = { ...replaced, [name]: other };
  }
  return replaced;
}

const unescapePointer = (segment: string): string => segment.replace(/~1/g, '/').replace(/~0/g, '~');
const escapePointer = (name: string): string => name.replace(/~/g, '~0').replace(/\//g, '~1');

/** The event with every sealed value opened; what can't be opened says why (`Unreadable`). */
export async function unsealEvent<E extends NewEvent | RecordedEvent>(event: E, keys: KeyStore): Promise<E> {
  const data = (await unsealValue(event.data, '', event.id, keys)) as JsonObject;
  return { ...event, data };
}

async function unsealValue(
  value: JsonValue,
  at: string,
  eventId: string,
  keys: KeyStore,
): Promise<JsonValue> {
  if (typeof value !== 'object' || value === null) return value;
  if (isSealed(value)) return openWith(value, at, eventId, keys);
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return Promise.all(items.map((item, index) => unsealValue(item, `${at}/${index}`, eventId, keys)));
  }
  const members = Object.entries(value).map(async ([name, inner]): Promise<[string, JsonValue]> => {
    return [name, await unsealValue(inner, `${at}/${escapePointer(name)}`, eventId, keys)];
  });
  return Object.fromEntries(await Promise.all(members));
}

async function openWith(
  sealed: Sealed,
  pointer: string,
  eventId: string,
  keys: KeyStore,
): Promise<JsonValue> {
  const { person } = sealed;
  const key = await keys.findSealingKey(person);
  if (!key) return { person, unreadable: 'no-key' };
  if (key.state === 'erased') return { person, unreadable: 'erased' };
  try {
    return openSealed(sealed, { key: key.key, eventId, pointer });
  } catch {
    return { person, unreadable: 'damaged' };
  }
}

/**
 * Erases again every person that the log says was erased: to be done whenever keys may have come from a backup, for a
 * restored key would make an erased person readable. Answers how many persons were named.
 */
export async function reErase(keys: KeyStore, events: Iterable<RecordedEvent>): Promise<number> {
  const persons = new Set<string>();
  for (const { type, data } of events) {
    if (type === 'PersonErased' && typeof data['person'] === 'string') persons.add(data['person']);
  }
  for (const person of persons) await keys.eraseSealingKey(person);
  return persons.size;
}
