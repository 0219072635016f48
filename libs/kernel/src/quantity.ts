import type { QuantityJson } from './finding';
import { nearest } from './ids';
import * as R from './rational';
import type { Rational } from './rational';
import { BASE_UNITS, unit, unitNames, type Kind } from './units';

/** An exact amount: `base` in the base unit of its kind, `unit` the unit to show it in. */
export interface Quantity {
  readonly kind: Kind;
  readonly base: Rational;
  readonly unit: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string; readonly hint?: string };

const fail = (why: string, hint?: string): Parsed<never> => ({ ok: false, why, ...(hint ? { hint } : {}) });

/** Reads `"612 ft"`, `"$500"`, `{value: "612", unit: "ft"}`. A bare number is refused: it has no unit. */
export function parseQuantity(input: unknown): Parsed<Quantity> {
  if (typeof input === 'number') return fail(`${input} has no unit`, `write it as "${input} ft"`);
  if (typeof input === 'string') return parseText(input);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return fail('it is no quantity', 'write it as "612 ft" or {"value":"612","unit":"ft"}');
  }
  const { value, unit: name, ...rest } = input as Record<string, unknown>;
  const extra = Object.keys(rest);
  if (extra.length > 0) return fail(`'${extra[0]}' has no place in a quantity`, 'it has a value and a unit');
  if (typeof name !== 'string') return fail('the unit is missing', 'add "unit", for example "ft"');
  if (typeof value !== 'string' && typeof value !== 'number')
    return fail('the value is missing', 'add "value" as a decimal string');
  return fromParts(String(value), name);
}

function parseText(text: string): Parsed<Quantity> {
  const money = /^\$\s?(\S+)$/.exec(text.trim());
  if (money) return fromParts(money[1] ?? '', 'USD');
  const match = /^(-?[\d.,]+)\s*(\S.*)?$/.exec(text.trim());
  if (!match) return fail(`'${text}' is no quantity`, 'write a number and a unit, for example "612 ft"');
  if (!match[2]) return fail(`'${text}' has no unit`, `write it as "${text} ft"`);
  return fromParts(match[1] ?? '', match[2]);
}

function fromParts(value: string, name: string): Parsed<Quantity> {
  if (value.includes(',')) return fail(`'${value}' has a comma in it`, `write ${value.replaceAll(',', '')}`);
  const number = R.parseDecimal(value);
  if (!number)
    return fail(`'${value}' is no plain decimal number`, 'at most 30 digits, no exponent, no spaces');
  const known = unit(name);
  if (!known) {
    const near = nearest(name, unitNames());
    return fail(
      `'${name}' is no unit we know`,
      near ? `did you mean '${near}'?` : `use one of ${unitNames().join(', ')}, or a rate such as gal/acre`,
    );
  }
  return { ok: true, value: { kind: known.kind, base: R.multiply(number, known.factor), unit: name } };
}

/** As `parseQuantity`, for texts the program itself writes: a wrong one is a bug and throws. */
export function quantity(text: string | QuantityJson): Quantity {
  const parsed = parseQuantity(text);
  if (!parsed.ok) throw new RangeError(parsed.why);
  return parsed.value;
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  sameKind(a, b);
  return R.compare(a.base, b.base);
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  sameKind(a, b);
  return { ...a, base: R.add(a.base, b.base) };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  sameKind(a, b);
  return { ...a, base: R.subtract(a.base, b.base) };
}

function sameKind(a: Quantity, b: Quantity): void {
  if (a.kind !== b.kind) throw new TypeError(`${a.kind} and ${b.kind} can't be compared or added`);
}

/**
 * The kind of a product or quotient. Percent and count multiply as plain numbers (3 % is 0.03); a kind cancels against
 * itself; what is neither a kind nor a rate of two kinds has no meaning here and is undefined.
 */
export function productKind(a: Kind, b: Kind, divide: boolean): Kind | undefined {
  const powers = new Map<string, number>();
  const count = (kind: Kind, sign: number) => {
    const [top = '', bottom] = kind.split('/');
    for (const [part, power] of [
      [top, sign],
      [bottom, -sign],
    ] as const) {
      if (part !== undefined && part !== 'percent' && part !== 'count')
        powers.set(part, (powers.get(part) ?? 0) + power);
    }
  };
  count(a, 1);
  count(b, divide ? -1 : 1);
  const left = [...powers].filter(([, power]) => power !== 0);
  if (left.some(([, power]) => Math.abs(power) > 1)) return undefined;
  const over = left.filter(([, power]) => power > 0).map(([part]) => part);
  const under = left.filter(([, power]) => power < 0).map(([part]) => part);
  if (over.length === 0 && under.length === 0) return 'count';
  if (over.length !== 1 || under.length > 1) return undefined;
  return under.length === 0 ? (over[0] as Kind) : `${over[0]}/${under[0]}`;
}

const HUNDRED = R.rational(100n);
const plain = (q: Quantity): Rational => (q.kind === 'percent' ? R.divide(q.base, HUNDRED) : q.base);

/** Product of two quantities, or undefined where the kinds have none. */
export function multiplyQuantities(a: Quantity, b: Quantity): Quantity | undefined {
  const kind = productKind(a.kind, b.kind, false);
  return kind && { kind, base: R.multiply(plain(a), plain(b)), unit: defaultUnit(kind) };
}

/** Quotient of two quantities, or undefined where the kinds have none or the divisor is zero. */
export function divideQuantities(a: Quantity, b: Quantity): Quantity | undefined {
  const kind = productKind(a.kind, b.kind, true);
  if (!kind || b.base.n === 0n) return undefined;
  return { kind, base: R.divide(plain(a), plain(b)), unit: defaultUnit(kind) };
}

/** The unit that a kind is shown in where nobody said another. */
export function defaultUnit(kind: Kind): string {
  return kind
    .split('/')
    .map((part) => BASE_UNITS.get(part) ?? part)
    .join('/');
}

/** The same amount, shown in another unit of its kind. */
export function inUnit(q: Quantity, name: string): Quantity {
  if (unit(name)?.kind !== q.kind) throw new TypeError(`'${name}' is no unit of ${q.kind}`);
  return { ...q, unit: name };
}

/** Exact decimal where there is one of at most six places, else rounded half to even at the sixth. */
export function quantityJson(q: Quantity): QuantityJson {
  const known = unit(q.unit);
  if (!known) throw new TypeError(`'${q.unit}' is no unit`);
  return { value: R.toDecimal(R.divide(q.base, known.factor)), unit: q.unit };
}

export function countQuantity(n: number): Quantity {
  return { kind: 'count', base: R.rational(BigInt(n)), unit: '1' };
}
