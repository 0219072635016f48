import { addQuantities, compareQuantities, subtractQuantities, type Quantity } from '@headworks/kernel';
import type { Formula } from '../model/ir';
import { F, T, U } from '../model/types';
import { product } from './amounts';
import type { Compiled, Read } from './context';
import { monthEnd, onDay, shift, year, yearDay } from './dates';
import { countOf, fieldRead, sumOf } from './series';
import { scheduledRead, tableRead } from './tables';

/** Compiles a formula. undefined in any operand makes the result unknown; none makes it none. */
export function compileFormula(formula: Formula, to: Compiled): Read {
  switch (formula.op) {
    case 'slot':
      return to.readOf(formula.slot);
    case 'literal': {
      const { value } = formula;
      return () => value;
    }
    case 'none':
      return () => null;
    case 'figure':
      return () => undefined;
    case 'fold':
      return compileFold(formula, to);
    case 'day':
      return onDay(formula.of[0], to, (day) => day);
    case 'shift':
      return shift(formula, to);
    case 'year_day':
      return yearDay(formula, to);
    case 'month_end':
      return monthEnd(formula.of[0], to);
    case 'year':
      return year(formula.of[0], to);
    case 'sum_of':
      return sumOf(formula, to);
    case 'count_of':
      return countOf(formula, to);
    case 'field':
      return fieldRead(formula);
    case 'table':
      return tableRead(formula, to);
    case 'scheduled':
      return scheduledRead(formula, to);
    case 'choose':
      return choose(formula, to);
    case 'test': {
      const test = to.test(formula.condition);
      return (e) => {
        const truth = test(e);
        return truth === U ? undefined : truth === T;
      };
    }
  }
}

/** Kinds and types were checked when the pack was loaded; only values are looked at here. */
function compileFold(formula: Extract<Formula, { op: 'fold' }>, to: Compiled): Read {
  switch (formula.by) {
    case 'sum':
      return fold(formula.of, to, addQuantities);
    case 'subtract':
      return fold(formula.of, to, subtractQuantities);
    case 'minimum':
      return fold(formula.of, to, (a, b) => (compareQuantities(b, a) < 0 ? b : a));
    case 'maximum':
      return fold(formula.of, to, (a, b) => (compareQuantities(b, a) > 0 ? b : a));
    case 'multiply':
    case 'divide':
      return product(formula.of, formula.type, formula.by === 'divide', to);
    case 'latest':
      return latest(formula.of, to);
    case 'earliest':
      return earliest(formula.of, to);
  }
}

/** Folds amounts from the left. An amount that is none makes the whole none, whatever else is unknown. */
function fold(
  formulas: readonly Formula[],
  to: Compiled,
  step: (a: Quantity, b: Quantity) => Quantity,
): Read {
  const reads = formulas.map((formula) => to.formula(formula));
  return (e) => {
    let total: Quantity | undefined;
    let unknown = false;
    for (const read of reads) {
      const value = read(e);
      if (value === null) return null;
      if (value === undefined) unknown = true;
      else if (!unknown) total = total === undefined ? (value as Quantity) : step(total, value as Quantity);
    }
    return unknown ? undefined : total;
  };
}

/** `latest` of several with one none has not come yet: a clock that needs all of them has not started. */
function latest(formulas: readonly Formula[], to: Compiled): Read {
  const reads = formulas.map((formula) => to.formula(formula));
  return (e) => {
    let found: string | number | undefined;
    let unknown = false;
    for (const read of reads) {
      const value = read(e) as string | number | null | undefined;
      if (value === null) return null;
      if (value === undefined) unknown = true;
      else if (found === undefined || value > found) found = value;
    }
    return unknown ? undefined : found;
  };
}

/** `earliest` leaves out what has not happened, and is none only where nothing has. */
function earliest(formulas: readonly Formula[], to: Compiled): Read {
  const reads = formulas.map((formula) => to.formula(formula));
  return (e) => {
    let found: string | number | null = null;
    let unknown = false;
    for (const read of reads) {
      const value = read(e) as string | number | null | undefined;
      if (value === undefined) unknown = true;
      else if (value !== null && (found === null || value < found)) found = value;
    }
    return unknown ? undefined : found;
  };
}

/** Branch by branch; a branch that nobody can decide leaves the whole unknown. */
function choose(formula: Extract<Formula, { op: 'choose' }>, to: Compiled): Read {
  const branches = formula.branches.map(({ when, then }) => ({
    when: to.test(when),
    then: to.formula(then),
  }));
  const otherwise = to.formula(formula.otherwise);
  return (e) => {
    for (const { when, then } of branches) {
      const truth = when(e);
      if (truth === T) return then(e);
      // Which branch holds is not known, so neither is the value.
      if (truth !== F) return undefined;
    }
    return otherwise(e);
  };
}
