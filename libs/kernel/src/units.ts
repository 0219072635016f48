import { divide, multiply, ONE, rational, type Rational } from './rational';

/** What a quantity measures. A rate is kind/kind (`volume/area`): by dimension alone gal/acre would be a length. */
export type Kind =
  | 'length'
  | 'area'
  | 'volume'
  | 'elapsed'
  | 'mass'
  | 'concentration'
  | 'money'
  | 'percent'
  | 'ph'
  | 'animal_units'
  | 'count'
  | `${string}/${string}`;

interface Unit {
  readonly kind: Kind;
  /** Base units in one of this unit. */
  readonly factor: Rational;
}

// One metre is exactly 5000/127 inches (the international inch is 25.4 mm).
const INCHES_IN_METRE = rational(5000n, 127n);
const metres = (power: number): Rational =>
  Array.from({ length: power }).reduce<Rational>((r) => multiply(r, INCHES_IN_METRE), ONE);
const square = (inchesPerSide: bigint): Rational => rational(inchesPerSide * inchesPerSide);

/** Base units: inch, square inch, cubic inch, minute, ounce, mg/L, dollar, percent. Each divides exactly. */
const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ['in', { kind: 'length', factor: ONE }],
  ['ft', { kind: 'length', factor: rational(12n) }],
  ['yd', { kind: 'length', factor: rational(36n) }],
  ['mi', { kind: 'length', factor: rational(63_360n) }],
  ['m', { kind: 'length', factor: INCHES_IN_METRE }],
  ['sqft', { kind: 'area', factor: square(12n) }],
  ['acre', { kind: 'area', factor: multiply(rational(43_560n), square(12n)) }],
  ['ha', { kind: 'area', factor: multiply(rational(10_000n), metres(2)) }],
  ['gal', { kind: 'volume', factor: rational(231n) }],
  ['cuft', { kind: 'volume', factor: rational(1_728n) }],
  ['cuyd', { kind: 'volume', factor: rational(46_656n) }],
  ['min', { kind: 'elapsed', factor: ONE }],
  ['h', { kind: 'elapsed', factor: rational(60n) }],
  ['oz', { kind: 'mass', factor: ONE }],
  ['lb', { kind: 'mass', factor: rational(16n) }],
  ['ton', { kind: 'mass', factor: rational(32_000n) }],
  ['mg/L', { kind: 'concentration', factor: ONE }],
  ['USD', { kind: 'money', factor: ONE }],
  ['%', { kind: 'percent', factor: ONE }],
  // Parts in a million by mass: what laboratories report and a bill is worked out from.
  ['ppm', { kind: 'percent', factor: rational(1n, 10_000n) }],
  ['pH', { kind: 'ph', factor: ONE }],
  ['au', { kind: 'animal_units', factor: ONE }],
  ['1', { kind: 'count', factor: ONE }],
]);

export const BASE_UNITS: ReadonlyMap<string, string> = new Map([
  ['length', 'ft'],
  ['area', 'acre'],
  ['volume', 'gal'],
  ['elapsed', 'h'],
  ['mass', 'lb'],
  ['concentration', 'mg/L'],
  ['money', 'USD'],
  ['percent', '%'],
  ['ph', 'pH'],
  ['animal_units', 'au'],
  ['count', '1'],
]);

/** All simple units, for messages and schemas. */
export const unitNames = (): readonly string[] => [...UNITS.keys()];

/** The unit that a name means, rates included (`gal/acre`, `lb/gal`), or undefined. */
export function unit(name: string): Unit | undefined {
  const simple = UNITS.get(name);
  if (simple) return simple;
  const [top, bottom, more] = name.split('/');
  if (top === undefined || bottom === undefined || more !== undefined) return undefined;
  const [over, under] = [UNITS.get(top), UNITS.get(bottom)];
  if (!over || !under || over.kind === under.kind) return undefined;
  return { kind: `${over.kind}/${under.kind}`, factor: divide(over.factor, under.factor) };
}
