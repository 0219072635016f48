/** An exact rational in lowest terms, denominator positive. `near` is a double for quick comparisons only. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
  readonly near: number;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

export function rational(n: bigint, d = 1n): Rational {
  if (d === 0n) throw new RangeError('division by zero');
  const sign = d < 0n ? -1n : 1n;
  const common = gcd(n, d * sign) || 1n;
  const [num, den] = [(n * sign) / common, (d * sign) / common];
  return { n: num, d: den, near: Number(num) / Number(den) };
}

export const ZERO = rational(0n);
export const ONE = rational(1n);

const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,20}))?$/;

/** An exact decimal such as `612` or `-0.05`, or undefined. No exponent, no thousands mark, at most 30 + 20 digits. */
export function parseDecimal(text: string): Rational | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '0', fraction = ''] = match;
  return rational(BigInt(`${sign}${whole}${fraction}`), 10n ** BigInt(fraction.length));
}

export const add = (a: Rational, b: Rational): Rational =>
  a.d === b.d ? rational(a.n + b.n, a.d) : rational(a.n * b.d + b.n * a.d, a.d * b.d);
export const subtract = (a: Rational, b: Rational): Rational => add(a, negate(b));
export const negate = (a: Rational): Rational => ({ n: -a.n, d: a.d, near: -a.near });
export const multiply = (a: Rational, b: Rational): Rational => rational(a.n * b.n, a.d * b.d);
export const divide = (a: Rational, b: Rational): Rational => rational(a.n * b.d, a.d * b.n);

/** -1, 0 or 1, exact: doubles decide only where they are far apart. */
export function compare(a: Rational, b: Rational): -1 | 0 | 1 {
  const gap = a.near - b.near;
  const scale = Math.abs(a.near) + Math.abs(b.near);
  if (Number.isFinite(gap) && Math.abs(gap) > scale * 1e-9 && scale > 1e-250) return gap < 0 ? -1 : 1;
  const left = a.n * b.d;
  const right = b.n * a.d;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The exact decimal where there is one of at most `places` digits, else rounded half to even at `places`. */
export function toDecimal(value: Rational, places = 6): string {
  const scale = 10n ** BigInt(places);
  const negative = value.n < 0n;
  const scaled = (negative ? -value.n : value.n) * scale;
  let quotient = scaled / value.d;
  const twice = (scaled % value.d) * 2n;
  if (twice > value.d || (twice === value.d && quotient % 2n === 1n)) quotient += 1n;
  const digits = quotient.toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  const text = fraction ? `${whole}.${fraction}` : whole;
  return negative && /[1-9]/.test(text) ? `-${text}` : text;
}
