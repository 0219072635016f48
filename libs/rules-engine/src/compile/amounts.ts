import { rationals, type Quantity } from '@headworks/kernel';
import type { Formula } from '../model/ir';
import type { ValueType } from '../model/types';
import { nearOf, type Compiled, type Near, type Read } from './context';
import { nearSumOf } from './series';

const HUNDRED = rationals.rational(100n);

/**
 * Product or quotient of amounts whose kinds were checked when the pack was loaded. Percent counts as a plain number
 * here: 3 % is 0.03. A division by zero has no value.
 */
export function product(formulas: readonly Formula[], type: ValueType, divide: boolean, to: Compiled): Read {
  const reads = formulas.map((formula) => to.formula(formula));
  const [only] = reads;
  if (only && reads.length === 1) return only;
  if (type.is !== 'quantity') throw new TypeError('a product is an amount');
  const { kind, unit } = type;
  const percents = formulas.map(isPercent);
  return (e) => {
    let base: rationals.Rational | undefined;
    let unknown = false;
    for (let i = 0; i < reads.length; i++) {
      const value = reads[i]?.(e);
      if (value === null) return null;
      if (value === undefined) unknown = true;
      if (unknown) continue;
      const own = (value as Quantity).base;
      const factor = percents[i] === true ? rationals.divide(own, HUNDRED) : own;
      if (base === undefined) base = factor;
      else if (!divide) base = rationals.multiply(base, factor);
      else if (factor.n === 0n) unknown = true;
      else base = rationals.divide(base, factor);
    }
    return unknown || base === undefined ? undefined : { kind, base, unit };
  };
}

const isPercent = (formula: Formula): boolean =>
  formula.type.is === 'quantity' && formula.type.kind === 'percent';
const unsure: Near = () => NaN;

/**
 * The same amount in doubles, for comparisons that are nowhere near their limit: nearly all of them. Exact arithmetic
 * costs a hundred times as much and is used only where doubles can't tell. NaN means: ask the exact value.
 */
export function compileNear(formula: Formula, to: Compiled): Near {
  switch (formula.op) {
    case 'slot':
      return to.nearOf(formula.slot);
    case 'literal': {
      const near = nearOf(formula.value as Quantity | null);
      return () => near;
    }
    case 'fold':
      return nearFold(formula, to);
    case 'sum_of':
      return nearSumOf(formula, to);
    case 'none':
    case 'figure':
    case 'day':
    case 'shift':
    case 'year_day':
    case 'month_end':
    case 'test':
      return unsure;
    case 'year':
    case 'count_of':
    case 'field':
    case 'table':
    case 'scheduled':
    case 'choose': {
      const read = to.formula(formula);
      return (e) => nearOf(read(e) as Quantity | null | undefined);
    }
  }
}

function nearFold(formula: Extract<Formula, { op: 'fold' }>, to: Compiled): Near {
  switch (formula.by) {
    case 'sum':
      return folded(formula.of, to, (a, b) => a + b);
    case 'minimum':
      return folded(formula.of, to, Math.min);
    case 'maximum':
      return folded(formula.of, to, Math.max);
    case 'multiply':
      return folded(formula.of, to, (a, b) => a * b, formula.of.length > 1);
    case 'divide':
      return folded(formula.of, to, (a, b) => (b === 0 ? NaN : a / b), formula.of.length > 1);
    // A difference of two doubles may have lost every digit it had; dates have no doubles at all.
    case 'subtract':
    case 'latest':
    case 'earliest':
      return unsure;
  }
}

function folded(
  formulas: readonly Formula[],
  to: Compiled,
  step: (a: number, b: number) => number,
  plainPercents = false,
): Near {
  const parts = formulas.map((formula) => to.near(formula));
  const scales = formulas.map((formula) => (plainPercents && isPercent(formula) ? 0.01 : 1));
  return (e) => {
    let total = NaN;
    for (let i = 0; i < parts.length; i++) {
      const near = (parts[i]?.(e) ?? NaN) * (scales[i] ?? 1);
      if (Number.isNaN(near)) return NaN;
      total = i === 0 ? near : step(total, near);
    }
    return total;
  };
}
