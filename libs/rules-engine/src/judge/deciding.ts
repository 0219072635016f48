import {
  daysBetween,
  inUnit,
  quantityJson,
  rationals,
  subtractQuantities,
  type JsonValue,
  type LocalDate,
  type Quantity,
  type QuantityJson,
} from '@headworks/kernel';
import type { ClausesMet, Condition, Formula, Leaf } from '../model/ir';
import { toJson } from '../model/json';
import { F, T, type Known, type Maybe, type Truth } from '../model/types';

export type Ask = (condition: Condition) => Truth;
export type Value = (formula: Formula) => Maybe;

/**
 * The leaf that a finding is explained by. Of several that must all hold: the first that fails, or the first unknown,
 * or (where all hold) the first with a margin. Of several of which one is enough: the first that holds.
 */
export function decidingLeaf(condition: Condition, ask: Ask): Leaf | ClausesMet {
  if (condition.op !== 'all' && condition.op !== 'any') return condition;
  const outcome = ask(condition);
  const plain = condition.of.find((one) => ask(one) === outcome);
  const agreed = condition.op === 'all' ? T : F;
  const measured = outcome === agreed ? condition.of.find(hasMargin) : undefined;
  const next = measured ?? plain ?? condition.of[0];
  if (!next) throw new Error('a condition with no parts');
  return decidingLeaf(next, ask);
}

function hasMargin(condition: Condition): boolean {
  if (condition.op === 'all' || condition.op === 'any') return condition.of.some(hasMargin);
  return condition.op !== 'clauses_met' && condition.left.type.is === 'quantity';
}

/** What is asked where the leaf stands negated: a finding always names what must hold. */
const OPPOSITE: Readonly<Record<string, string>> = {
  at_least: 'less_than',
  less_than: 'at_least',
  at_most: 'more_than',
  more_than: 'at_most',
  equals: 'not_equal_to',
  is_one_of: 'none_of',
  none_of: 'is_one_of',
  on_or_after: 'before',
  before: 'on_or_after',
  on_or_before: 'after',
  after: 'on_or_before',
  in_season: 'outside_season',
  outside_season: 'in_season',
  happened: 'not_happened',
  clauses_met: 'not_clauses_met',
};

export interface Decided {
  readonly limit?: { readonly op: string; readonly value: JsonValue };
  readonly margin?: QuantityJson;
}

/** The requirement of a leaf, and by how much it is met (positive) or missed (negative). */
export function decided(leaf: Leaf | ClausesMet, value: Value, clauseId: (index: number) => string): Decided {
  const op = leaf.negated ? (OPPOSITE[leaf.op] ?? leaf.op) : leaf.op;
  switch (leaf.op) {
    case 'clauses_met':
      return { limit: { op, value: leaf.clauses.map(clauseId) } };
    case 'happened':
      return { limit: { op, value: true } };
    case 'in_season':
    case 'outside_season':
      return { limit: { op, value: leaf.shown } };
    default: {
      const right = value(leaf.right);
      if (right === undefined || right === null) return {};
      const limit = { op, value: limitJson(leaf.right, right) };
      const left = value(leaf.left);
      const margin = left === undefined || left === null ? undefined : marginOf(leaf, left, right);
      return { limit, ...(margin ? { margin } : {}) };
    }
  }
}

/** A figure is shown in the unit that the pack (or the fact it came from) gives it. */
function limitJson(formula: Formula, value: Known): JsonValue {
  const { type } = formula;
  return toJson(type.is === 'quantity' ? { ...type, unit: (value as Quantity).unit } : type, value);
}

const UPWARD: ReadonlySet<string> = new Set(['at_least', 'more_than', 'on_or_after', 'after']);
const DOWNWARD: ReadonlySet<string> = new Set(['at_most', 'less_than', 'on_or_before', 'before']);

function marginOf(leaf: Leaf, left: Known, right: Known): QuantityJson | undefined {
  const up = UPWARD.has(leaf.op);
  if (!up && !DOWNWARD.has(leaf.op)) return undefined;
  const towards = up !== leaf.negated;
  if (leaf.left.type.is === 'quantity') {
    const [a, b] = [left as Quantity, right as Quantity];
    const gap = towards ? subtractQuantities(a, b) : subtractQuantities(b, a);
    return quantityJson(inUnit(gap, b.unit));
  }
  if (leaf.left.type.is === 'date') {
    const days = daysBetween(right as LocalDate, left as LocalDate);
    return { value: String(towards ? days : -days || 0), unit: 'days' };
  }
  const ms = (left as number) - (right as number);
  return hoursJson(towards ? ms : -ms);
}

export function hoursJson(ms: number): QuantityJson {
  return { value: rationals.toDecimal(rationals.rational(BigInt(ms), 3_600_000n)), unit: 'h' };
}
