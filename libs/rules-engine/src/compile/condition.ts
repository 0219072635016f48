import { compareQuantities, type Quantity } from '@headworks/kernel';
import type { ClausesMet, CompareOp, Condition, Leaf } from '../model/ir';
import { readReference } from '../model/json';
import { F, T, U, type Known, type Truth, type ValueType } from '../model/types';
import { nearOf, UNKNOWN, VIOLATED, type Compiled, type Near, type Read, type Test } from './context';
import { elsewhereTest } from './elsewhere';
import { memberTest, setsTest } from './sets';
import { hoursTest, sameYearTest, seasonTest } from './times';

/** Compiles a condition to Kleene's logic: `all` is the least of its parts, `any` the greatest. */
export function compileCondition(condition: Condition, to: Compiled): Test {
  switch (condition.op) {
    case 'all':
      return all(condition.of.map((one) => to.test(one)));
    case 'any':
      return any(condition.of.map((one) => to.test(one)));
    case 'clauses_met':
      return negatedIf(condition.negated, clausesMet(condition, to));
    case 'elsewhere':
      return negatedIf(condition.negated, elsewhereTest(condition, to));
    case 'compare':
    case 'member':
    case 'sets':
    case 'same_year':
    case 'season':
    case 'hours':
    case 'happened':
      return negatedIf(condition.negated, compileLeaf(condition, to));
  }
}

/** False as soon as one part is: what is unknown beside it no longer matters. */
function all(tests: readonly Test[]): Test {
  return (e) => {
    let least: Truth = T;
    for (const test of tests) {
      const truth = test(e);
      if (truth === F) return F;
      if (truth < least) least = truth;
    }
    return least;
  };
}

/** True as soon as one part is. */
function any(tests: readonly Test[]): Test {
  return (e) => {
    let greatest: Truth = F;
    for (const test of tests) {
      const truth = test(e);
      if (truth === T) return T;
      if (truth > greatest) greatest = truth;
    }
    return greatest;
  };
}

function negatedIf(negated: boolean, test: Test): Test {
  return negated ? (e) => (2 - test(e)) as Truth : test;
}

/** Met: satisfied, or not applicable. A clause that nobody can judge yet leaves the whole unknown. */
function clausesMet(condition: ClausesMet, to: Compiled): Test {
  const judges = condition.clauses.map((index) => to.judgeOf(index));
  return (e) => {
    let truth: Truth = T;
    for (const judge of judges) {
      const status = judge(e);
      if (status === VIOLATED) return F;
      if (status === UNKNOWN) truth = U;
    }
    return truth;
  };
}

function compileLeaf(leaf: Leaf, to: Compiled): Test {
  const left = to.formula(leaf.left);
  switch (leaf.op) {
    case 'happened':
      return (e) => {
        const value = left(e);
        return value === undefined ? U : value === null ? F : T;
      };
    case 'season':
      return seasonTest(left, leaf.from, leaf.to, leaf.by === 'in_season');
    case 'hours':
      return hoursTest(left, leaf.hours, to.zone);
    case 'same_year':
      return sameYearTest(left, to.formula(leaf.right), to.zone);
    case 'member':
      return memberTest(left, leaf, to);
    case 'sets':
      return setsTest(left, leaf, to);
    case 'compare':
      return compileCompare(leaf, left, to);
  }
}

function compileCompare(leaf: Extract<Leaf, { op: 'compare' }>, left: Read, to: Compiled): Test {
  const op = leaf.by;
  const right = to.formula(leaf.right);
  const type = leaf.left.type.is === 'none' ? leaf.right.type : leaf.left.type;
  const { right: other } = leaf;
  if (op === 'equals' && other.op === 'literal' && isPlain(type)) return sameTest(left, other.value);
  const exact = compareTest(left, right, comparison(type, op));
  if (type.is !== 'quantity') return exact;
  if (other.op === 'literal') {
    return nearLiteralTest(to.near(leaf.left), nearOf(other.value as Quantity), op, exact);
  }
  return nearTest(to.near(leaf.left), to.near(leaf.right), op, exact);
}

/** Values that are the same exactly where JavaScript says so. */
const isPlain = (type: ValueType): boolean => ['bool', 'choice', 'text', 'date', 'instant'].includes(type.is);

function sameTest(left: Read, value: Known): Test {
  return (e) => {
    const found = left(e);
    return found === value ? T : found === undefined ? U : F;
  };
}

function nearLiteralTest(left: Near, limit: number, op: CompareOp, exact: Test): Test {
  const [below, above] = [SIGNS[op](-1) ? T : F, SIGNS[op](1) ? T : F];
  return (e) => {
    const amount = left(e);
    const gap = amount - limit;
    const room = (amount + limit) * 1e-9;
    if (gap > room) return above;
    if (-gap > room) return below;
    return exact(e);
  };
}

/** Doubles decide where they are far apart; the exact comparison where they are not, and where something is unknown. */
function nearTest(left: Near, right: Near, op: CompareOp, exact: Test): Test {
  const [below, above] = [SIGNS[op](-1) ? T : F, SIGNS[op](1) ? T : F];
  return (e) => {
    const a = left(e);
    const b = right(e);
    const gap = a - b;
    const room = (a + b) * 1e-9;
    if (gap > room) return above;
    if (-gap > room) return below;
    return exact(e);
  };
}

type Compare = (a: NonNullable<ReturnType<Read>>, b: NonNullable<ReturnType<Read>>) => boolean;

/**
 * What has not happened compares with nothing: a comparison with none is false, whatever the other side is. Only then
 * does an unknown side make it unknown.
 */
function compareTest(left: Read, right: Read, holds: Compare): Test {
  return (e) => {
    const a = left(e);
    if (a === null) return F;
    const b = right(e);
    if (b === null) return F;
    if (a === undefined || b === undefined) return U;
    return holds(a, b) ? T : F;
  };
}

const SIGNS: Readonly<Record<CompareOp, (sign: number) => boolean>> = {
  at_least: (sign) => sign >= 0,
  at_most: (sign) => sign <= 0,
  more_than: (sign) => sign > 0,
  less_than: (sign) => sign < 0,
  equals: (sign) => sign === 0,
  on_or_after: (sign) => sign >= 0,
  on_or_before: (sign) => sign <= 0,
  after: (sign) => sign > 0,
  before: (sign) => sign < 0,
};

function comparison(type: ValueType, op: CompareOp): Compare {
  const holds = SIGNS[op];
  if (type.is === 'quantity') return (a, b) => holds(compareQuantities(a as Quantity, b as Quantity));
  if (type.is === 'date' || type.is === 'instant') {
    return (a, b) => holds(a === b ? 0 : a < b ? -1 : 1);
  }
  if (type.is === 'reference') return (a, b) => readReference(a as string) === readReference(b as string);
  return (a, b) => a === b;
}
