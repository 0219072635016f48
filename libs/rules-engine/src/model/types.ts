import { defaultUnit, unit, type Kind, type Quantity } from '@headworks/kernel';

/** The type of a fact, a derived value or a literal, known when the pack is loaded. */
export type ValueType =
  | { readonly is: 'quantity'; readonly kind: Kind; readonly unit: string }
  | { readonly is: 'bool'; readonly judgement: boolean }
  | { readonly is: 'choice'; readonly of: readonly string[] }
  /** Words of a list, keys of things, or days. */
  | { readonly is: 'set'; readonly of?: readonly string[]; readonly to?: string; readonly each?: 'date' }
  | { readonly is: 'text' | 'address' | 'actor' }
  | { readonly is: 'reference'; readonly to?: string }
  | { readonly is: 'date' | 'instant' }
  | { readonly is: 'series'; readonly fields: ReadonlyMap<string, ValueType> }
  /** The literal `none`: it fits wherever a value may be none. */
  | { readonly is: 'none' };

/** A row of a series: JSON, read field by field as it is needed. */
export type Row = Readonly<Record<string, unknown>>;

/** A known value. Dates are YYYY-MM-DD, instants epoch milliseconds. */
export type Known = boolean | string | number | Quantity | readonly string[] | readonly Row[];
/** undefined: nobody has said. null: known to be none. The two are never the same. */
export type Maybe = Known | null | undefined;

/** Kleene's truth values, ordered F < U < T so that `all` is a minimum and `any` a maximum. */
export type Truth = 0 | 1 | 2;
export const F: Truth = 0;
export const U: Truth = 1;
export const T: Truth = 2;

export const COUNT: ValueType = { is: 'quantity', kind: 'count', unit: '1' };
export const quantityOf = (kind: Kind, shown?: string): ValueType => ({
  is: 'quantity',
  kind,
  unit: shown ?? defaultUnit(kind),
});

const KIND_WORDS: Readonly<Record<string, string>> = {
  length: 'a length',
  area: 'an area',
  volume: 'a volume',
  elapsed: 'a period',
  mass: 'a mass',
  concentration: 'a concentration',
  money: 'a sum of money',
  percent: 'a percentage',
  ph: 'a pH',
  animal_units: 'a number of animal units',
  count: 'a count',
};

/** `a length (ft)`, `a rate volume/area (gal/acre)`. */
export function describeKind(kind: Kind, shown: string): string {
  if (kind === 'count') return 'a count (a plain number)';
  return `${KIND_WORDS[kind] ?? `a rate ${kind}`} (${shown})`;
}

export function describeType(type: ValueType): string {
  switch (type.is) {
    case 'quantity':
      return describeKind(type.kind, type.unit);
    case 'bool':
      return type.judgement ? 'a judgement (yes or no)' : 'a yes or no';
    case 'choice':
      return `one of ${type.of.join(', ')}`;
    case 'set':
      if (type.each) return 'a set of dates';
      if (type.to !== undefined) return `a set of references to a ${type.to}`;
      return type.of ? `a set of ${type.of.join(', ')}` : 'a set';
    case 'reference':
      return type.to ? `a reference to a ${type.to}` : 'a reference';
    case 'text':
      return 'a text';
    case 'address':
      return 'an address';
    case 'actor':
      return 'a person who acted';
    case 'date':
      return 'a date';
    case 'instant':
      return 'a time (an instant)';
    case 'series':
      return 'a series';
    case 'none':
      return 'none';
  }
}

/** True where one value may be compared with, or take the place of, the other. */
export function sameType(a: ValueType, b: ValueType): boolean {
  if (a.is === 'none' || b.is === 'none') return true;
  if (a.is === 'quantity' && b.is === 'quantity') return a.kind === b.kind;
  if (isName(a) && isName(b)) return true;
  return a.is === b.is;
}

/** Types whose values are short texts that name something; they compare with each other. */
export function isName(type: ValueType): boolean {
  return type.is === 'text' || type.is === 'reference' || type.is === 'actor' || type.is === 'choice';
}

/** What one entry of a set is. */
export function entryType(set: Extract<ValueType, { is: 'set' }>): ValueType {
  if (set.each) return { is: set.each };
  if (set.of) return { is: 'choice', of: set.of };
  return set.to === undefined ? { is: 'text' } : { is: 'reference', to: set.to };
}

/** A kind of quantity as a pack writes it: a kind, or a rate of two kinds. */
export function parseKind(name: string): Kind | undefined {
  if (name in KIND_WORDS) return name as Kind;
  const [over, under, more] = name.split('/');
  if (over === undefined || under === undefined || more !== undefined) return undefined;
  return over in KIND_WORDS && under in KIND_WORDS && over !== under ? `${over}/${under}` : undefined;
}

export const kindNames = (): readonly string[] => Object.keys(KIND_WORDS);
export const kindOfUnit = (name: string): Kind | undefined => unit(name)?.kind;
