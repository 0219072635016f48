import {
  daysBetween,
  deepFreeze,
  inUnit,
  quantityJson,
  rationals,
  subtractQuantities,
  type Finding,
  type JsonValue,
  type LocalDate,
  type Quantity,
  type QuantityJson,
} from '@headworks/kernel';
import type { Compiled, Evaluation } from '../compile/context';
import { cellIndex } from '../compile/tables';
import type { ClausesMet, Condition, Elsewhere, Formula, Leaf } from '../model/ir';
import { toJson } from '../model/json';
import { F, T, type Known, type Truth } from '../model/types';
import type { Slot } from '../resolve/pack';
import { refusingTable } from '../resolve/refusals';

export type Ask = (condition: Condition) => Truth;

/**
 * The leaf that a finding is explained by. Of several that must all hold: the first that fails, or the first unknown,
 * or (where all hold) the first with a margin. Of several of which one is enough: the first that holds.
 */
export function decidingLeaf(condition: Condition, ask: Ask): Leaf | ClausesMet | Elsewhere {
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
  if (condition.op === 'clauses_met' || condition.op === 'elsewhere') return false;
  return condition.left.type.is === 'quantity';
}

/** What is asked where the leaf stands negated: a finding always names what must hold. */
const OPPOSITE: Readonly<Record<(Leaf | ClausesMet | Elsewhere)['by'], string>> = {
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
  all_of: 'not_all_of',
  any_of: 'none_of',
  in_year_of: 'not_in_year_of',
  in_hours: 'outside_hours',
  happened: 'not_happened',
  clauses_met: 'not_clauses_met',
};

export type Decided = Pick<Finding, 'limit' | 'margin'>;

/** Says what a leaf requires, and by how much that is met (positive) or missed (negative). */
export class Decider {
  /** Margins of a leaf by the amount that was measured: the same distance is judged again and again. */
  private readonly margins = new Map<Leaf, Map<Known, QuantityJson>>();
  private readonly limits = new Map<Leaf | ClausesMet | Elsewhere, Decided['limit']>();

  constructor(
    private readonly to: Compiled,
    private readonly clauseId: (index: number) => string,
    private readonly slots: readonly Slot[],
  ) {}

  decided(leaf: Leaf | ClausesMet | Elsewhere, e: Evaluation): Decided {
    if (!('right' in leaf)) return { limit: this.fixedLimit(leaf, () => this.fixedValue(leaf)) };
    const right = this.to.formula(leaf.right)(e);
    if (right === null) return this.refused(leaf.right, e);
    if (right === undefined) return {};
    const value = (): JsonValue => limitJson(leaf.right, right);
    const limit =
      leaf.right.op === 'literal' ? this.fixedLimit(leaf, value) : { op: opOf(leaf), value: value() };
    const left = this.to.formula(leaf.left)(e);
    const margin = left === undefined || left === null ? undefined : this.margin(leaf, left, right);
    return margin ? { limit, margin } : { limit };
  }

  /** What a table does not allow at all has no figure to be measured by: the cell is named instead. */
  private refused(right: Formula, e: Evaluation): Decided {
    const table =
      right.op === 'slot' ? refusingTable(this.slots, this.slots[right.slot]?.formula) : undefined;
    const index = table && cellIndex(table, this.to)(e);
    if (!table || index === null || index === undefined || table.cells[index] !== 'not_allowed') return {};
    return { limit: { op: 'not_allowed', value: `${placeWords(table, index)} (${table.cite})` } };
  }

  private fixedValue(leaf: Exclude<Leaf, { right: Formula }> | ClausesMet | Elsewhere): JsonValue {
    switch (leaf.op) {
      case 'clauses_met':
        return leaf.clauses.map(this.clauseId);
      case 'elsewhere':
        return leaf.assessment === undefined
          ? leaf.clauses.map((id) => `${leaf.pack}/${id}`)
          : `${leaf.pack}: ${leaf.assessment}`;
      case 'happened':
        return true;
      case 'season':
        return leaf.shown;
      case 'hours':
        // The operand is shown in UTC: without the zone its reader would compare two clocks.
        return `${leaf.shown} (${this.to.zone})`;
    }
  }

  private fixedLimit(
    leaf: Leaf | ClausesMet | Elsewhere,
    value: () => JsonValue,
  ): NonNullable<Decided['limit']> {
    let limit = this.limits.get(leaf);
    if (!limit) {
      limit = deepFreeze({ op: opOf(leaf), value: value() });
      this.limits.set(leaf, limit);
    }
    return limit;
  }

  private margin(
    leaf: Extract<Leaf, { right: Formula }>,
    left: Known,
    right: Known,
  ): QuantityJson | undefined {
    if (leaf.right.op !== 'literal') return marginOf(leaf, left, right);
    let known = this.margins.get(leaf);
    if (!known) {
      known = new Map();
      this.margins.set(leaf, known);
    }
    let margin = known.get(left);
    if (!margin) {
      margin = marginOf(leaf, left, right);
      if (known.size >= 2_000) known.clear();
      if (margin) known.set(left, Object.freeze(margin));
    }
    return margin;
  }
}

/** `residence, surface`: where in the table a cell stands. */
function placeWords({ axes }: Extract<Formula, { op: 'table' }>, index: number): string {
  let rest = index;
  const words: string[] = [];
  for (const { names, fixed } of [...axes].reverse()) {
    words.unshift((names[fixed ?? rest % names.length] ?? '').replaceAll('_', ' '));
    rest = Math.floor(rest / names.length);
  }
  return words.join(', ');
}

function opOf(leaf: Leaf | ClausesMet | Elsewhere): string {
  if (!leaf.negated) return leaf.by;
  // Of one thing the opposite of "none of these" is "one of these"; of a set it is "any of these".
  return leaf.op === 'sets' && leaf.by === 'none_of' ? 'any_of' : OPPOSITE[leaf.by];
}

/** A figure is shown in the unit that the pack (or the fact it came from) gives it. */
function limitJson(formula: Formula, value: Known): JsonValue {
  const { type } = formula;
  return toJson(type.is === 'quantity' ? { ...type, unit: (value as Quantity).unit } : type, value);
}

const UPWARD: ReadonlySet<string> = new Set(['at_least', 'more_than', 'on_or_after', 'after']);
const DOWNWARD: ReadonlySet<string> = new Set(['at_most', 'less_than', 'on_or_before', 'before']);

function marginOf(leaf: Leaf, left: Known, right: Known): QuantityJson | undefined {
  const up = UPWARD.has(leaf.by);
  if (!up && !DOWNWARD.has(leaf.by)) return undefined;
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
