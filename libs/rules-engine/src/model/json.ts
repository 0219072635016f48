import {
  inUnit,
  isJsonObject,
  isoInstant,
  normaliseKey,
  parseInstant,
  parseLocalDate,
  parseQuantity,
  quantityJson,
  rationals,
  unit,
  type JsonValue,
  type Quantity,
} from '@headworks/kernel';
import type { Known, Row, ValueType } from './types';

/** A bounded memory of parsed texts: the same distances and dates come again and again, and parsing costs most. */
class Memory<V> {
  private readonly entries = new Map<string, V>();

  get(key: string): V | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: V): V {
    // Starting over is as good as any choice of what to forget, and costs nothing on the way.
    if (this.entries.size >= 20_000) this.entries.clear();
    this.entries.set(key, value);
    return value;
  }
}

const quantities = new Map<string, Memory<Quantity | null>>();
const dates = new Memory<string | null>();
const instants = new Memory<number | null>();
const references = new Memory<string>();

export type ReadJson = (json: JsonValue) => Known | undefined;

/** How a value of the type is read from the JSON it is stored as; undefined where it is not of the type. */
export function readerOf(type: ValueType): ReadJson {
  switch (type.is) {
    case 'quantity':
      return type.kind === 'count' ? readCount : quantityReader(type.kind);
    case 'bool':
      return (json) => (typeof json === 'boolean' ? json : undefined);
    case 'choice':
      return (json) => (typeof json === 'string' && type.of.includes(json) ? json : undefined);
    case 'set':
      return type.to === undefined ? (json) => (isTexts(json) ? json : undefined) : readReferences;
    case 'reference':
      return (json) => (typeof json === 'string' ? readReference(json) : undefined);
    case 'text':
    case 'address':
    case 'actor':
      return (json) => (typeof json === 'string' ? json : undefined);
    case 'date':
      return readDate;
    case 'instant':
      return readInstant;
    case 'series':
      return (json) => (Array.isArray(json) ? (json as readonly Row[]) : undefined);
    case 'none':
      return () => undefined;
  }
}

const isTexts = (json: JsonValue): json is readonly string[] =>
  Array.isArray(json) && json.every((one) => typeof one === 'string');

/** References compare as the keys of subjects do: whoever wrote them, in whatever case. */
export function readReference(text: string): string {
  return references.get(text) ?? references.set(text, normaliseKey(text));
}

const referenceLists = new WeakMap<object, readonly string[]>();

function readReferences(json: JsonValue): readonly string[] | undefined {
  if (!isTexts(json)) return undefined;
  let list = referenceLists.get(json);
  if (!list) {
    list = json.map(readReference);
    referenceLists.set(json, list);
  }
  return list;
}

/** Amounts of one kind. The unit rarely changes from one value of a fact to the next, so its memory is kept at hand. */
function quantityReader(kind: string): (json: JsonValue) => Quantity | undefined {
  let lastUnit = '';
  let memory: Memory<Quantity | null> | undefined;
  return (json) => {
    if (!isJsonObject(json)) return undefined;
    const { unit: name, exact, value: given } = json;
    // Whole numbers may have been handed on as they came; decimals are always texts.
    const value = typeof given === 'number' && Number.isSafeInteger(given) ? String(given) : given;
    if (typeof value !== 'string' || typeof name !== 'string') return undefined;
    if (name !== lastUnit) {
      memory = memoryOf(name);
      lastUnit = name;
    }
    if (!memory) return undefined;
    const text = typeof exact === 'string' ? exact : value;
    const quantity = memory.get(text) ?? memory.set(text, parseAmount(text, name) ?? null);
    return quantity?.kind === kind ? quantity : undefined;
  };
}

function memoryOf(name: string): Memory<Quantity | null> | undefined {
  const known = quantities.get(name);
  if (known || !unit(name)) return known;
  const made = new Memory<Quantity | null>();
  quantities.set(name, made);
  return made;
}

/** A decimal, or the fraction that `exactJson` writes beside a rounded one. */
function parseAmount(text: string, name: string): Quantity | undefined {
  const fraction = /^(-?\d+)\/(\d+)$/.exec(text);
  if (!fraction) {
    const parsed = parseQuantity({ value: text, unit: name });
    return parsed.ok ? parsed.value : undefined;
  }
  const known = unit(name);
  const [, over = '0', under = '1'] = fraction;
  if (!known || under === '0') return undefined;
  const number = rationals.rational(BigInt(over), BigInt(under));
  return { kind: known.kind, base: rationals.multiply(number, known.factor), unit: name };
}

const readPlainCount = quantityReader('count');

function readCount(json: JsonValue): Quantity | undefined {
  const value = typeof json === 'number' && Number.isSafeInteger(json) ? String(json) : json;
  return readPlainCount(typeof value === 'string' ? { value, unit: '1' } : value);
}

function readDate(json: JsonValue): string | undefined {
  if (typeof json !== 'string') return undefined;
  const known = dates.get(json);
  return (known === undefined ? dates.set(json, parseLocalDate(json) ?? null) : known) ?? undefined;
}

function readInstant(json: JsonValue): number | undefined {
  if (typeof json !== 'string') return undefined;
  const known = instants.get(json);
  if (known !== undefined) return known ?? undefined;
  const parsed = parseInstant(json);
  return instants.set(json, 'ms' in parsed ? parsed.ms : null) ?? undefined;
}

/** The JSON form of a value: quantities in the unit of their type, rounded at the sixth place where they don't end. */
export function toJson(type: ValueType, value: Known): JsonValue {
  switch (type.is) {
    case 'quantity':
      return amountJson(value as Quantity, type.unit);
    case 'instant':
      return isoInstant(value as number);
    case 'bool':
    case 'choice':
    case 'set':
    case 'text':
    case 'reference':
    case 'address':
    case 'actor':
    case 'date':
    case 'series':
    case 'none':
      return value as JsonValue;
  }
}

/** Counts are plain numbers; all else has a unit. */
function amountJson(quantity: Quantity, shownIn: string): JsonValue {
  if (quantity.kind !== 'count') return { ...quantityJson(inUnit(quantity, shownIn)) };
  const { n, d } = quantity.base;
  return d === 1n ? Number(n) : { ...quantityJson(quantity) };
}

/**
 * As `toJson`, for what is added up again later: where the decimal does not end, the exact fraction stands beside it.
 * Three thirds of a limit must add up to the limit and not to a millionth less.
 */
export function exactJson(type: ValueType, value: Known): JsonValue {
  const json = toJson(type, value);
  if (type.is !== 'quantity' || !isJsonObject(json)) return json;
  const back = quantityReader(type.kind)(json);
  const { base } = value as Quantity;
  if (back && rationals.compare(back.base, base) === 0) return json;
  const factor = unit(type.unit)?.factor ?? rationals.ONE;
  const { n, d } = rationals.divide(base, factor);
  return { ...json, exact: `${n}/${d}` };
}
