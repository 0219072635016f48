import { localDateAt } from '@headworks/calendars';
import {
  addQuantities,
  compareQuantities,
  countQuantity,
  divideQuantities,
  inUnit,
  multiplyQuantities,
  rationals,
  subtractQuantities,
  type JsonValue,
  type Quantity,
} from '@headworks/kernel';
import type { Formula, SameYear } from '../model/ir';
import { readerOf } from '../model/json';
import { F, T, U, type Maybe, type Row, type ValueType } from '../model/types';
import { compileCondition } from './condition';
import type { Evaluation, Judge, Read } from './context';

/** What compiled closures reach by number. Filled as the pack is compiled; read only when it is evaluated. */
export interface Compiled {
  readonly zone: string;
  readonly read: Read[];
  readonly judge: Judge[];
}

/** Compiles a formula. undefined in any operand makes the result unknown; none makes it none. */
export function compileFormula(formula: Formula, to: Compiled): Read {
  switch (formula.op) {
    case 'slot': {
      const { slot } = formula;
      return (e) => to.read[slot]?.(e);
    }
    case 'literal': {
      const { value } = formula;
      return () => value;
    }
    case 'none':
      return () => null;
    case 'figure':
      return () => undefined;
    case 'sum':
      return fold(formula.of, to, addQuantities);
    case 'subtract':
      return fold(formula.of, to, subtractQuantities);
    case 'minimum':
      return fold(formula.of, to, (a, b) => (compareQuantities(b, a) < 0 ? b : a));
    case 'maximum':
      return fold(formula.of, to, (a, b) => (compareQuantities(b, a) > 0 ? b : a));
    case 'multiply':
      return inType(formula.type, fold(formula.of, to, multiplyQuantities));
    case 'divide':
      return inType(formula.type, fold(formula.of, to, divideQuantities));
    case 'latest':
      return latest(formula.of, to);
    case 'earliest':
      return earliest(formula.of, to);
    case 'day':
      return day(formula.of[0], to);
    case 'sum_of':
      return sumOf(formula, to);
    case 'count_of':
      return countOf(formula.series, formula.sameYear, to);
    case 'choose':
      return choose(formula, to);
    case 'test': {
      const test = compileCondition(formula.condition, to);
      return (e) => {
        const truth = test(e);
        return truth === U ? undefined : truth === T;
      };
    }
  }
}

/** Folds amounts from the left. An amount that is none makes the whole none, whatever else is unknown. */
function fold(
  formulas: readonly Formula[],
  to: Compiled,
  step: (a: Quantity, b: Quantity) => Quantity | undefined,
): Read {
  const reads = formulas.map((formula) => compileFormula(formula, to));
  return (e) => {
    let total: Quantity | undefined;
    let unknown = false;
    for (const read of reads) {
      const value = read(e);
      if (value === null) return null;
      if (value === undefined) unknown = true;
      else if (!unknown) {
        const next = total === undefined ? (value as Quantity) : step(total, value as Quantity);
        // No result (a division by zero): nobody knows, and nothing is passed for it.
        if (next === undefined) unknown = true;
        else total = next;
      }
    }
    return unknown ? undefined : total;
  };
}

function inType(type: ValueType, read: Read): Read {
  if (type.is !== 'quantity') return read;
  return (e) => {
    const value = read(e);
    return value === null || value === undefined ? value : inUnit(value as Quantity, type.unit);
  };
}

/** `latest` of several with one none has not come yet: a clock that needs all of them has not started. */
function latest(formulas: readonly Formula[], to: Compiled): Read {
  const reads = formulas.map((formula) => compileFormula(formula, to));
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
  const reads = formulas.map((formula) => compileFormula(formula, to));
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

function day(formula: Formula, to: Compiled): Read {
  const read = compileFormula(formula, to);
  if (formula.type.is !== 'instant') return read;
  return (e) => {
    const value = read(e);
    return value === null || value === undefined ? value : localDateAt(to.zone, value as number);
  };
}

type RowFilter = (e: Evaluation) => ((row: Row) => boolean | undefined) | null | undefined;

/** Which rows count: undefined for a row whose date nobody knows. */
function inYear(sameYear: SameYear | undefined, to: Compiled): RowFilter {
  if (!sameYear) return () => () => true;
  const as = compileFormula(sameYear.as, to);
  const readDate = readerOf({ is: 'date' });
  const { field } = sameYear;
  return (e) => {
    const value = as(e);
    if (value === null || value === undefined) return value;
    const year = (value as string).slice(0, 4);
    return (row) => {
      const date = fieldOf(row, field);
      const known = date === undefined ? undefined : readDate(date);
      return known === undefined ? undefined : (known as string).startsWith(year);
    };
  };
}

/** A field as the row itself holds it: nothing is inherited. */
const fieldOf = (row: Row, field: string): JsonValue | undefined =>
  Object.hasOwn(row, field) ? (row[field] as JsonValue) : undefined;

function sumOf(formula: Extract<Formula, { op: 'sum_of' }>, to: Compiled): Read {
  const filter = inYear(formula.sameYear, to);
  const { field, series, type } = formula;
  const readField = readerOf(type);
  const zero = zeroOf(type);
  return (e) => {
    const rows = to.read[series]?.(e) as readonly Row[] | undefined;
    const counts = filter(e);
    if (rows === undefined || counts === undefined) return undefined;
    if (counts === null) return null;
    let total = zero;
    for (const row of rows) {
      const counted = counts(row);
      if (counted === undefined) return undefined;
      if (!counted) continue;
      const json = fieldOf(row, field);
      // A row that says none added nothing; one that leaves the field out is unknown, and so is the sum.
      if (json === null) continue;
      const value = json === undefined ? undefined : readField(json);
      if (value === undefined) return undefined;
      total = addQuantities(total, value as Quantity);
    }
    return total;
  };
}

function zeroOf(type: ValueType): Quantity {
  if (type.is !== 'quantity') throw new TypeError(`a sum of ${type.is} has no zero`);
  return { kind: type.kind, unit: type.unit, base: rationals.ZERO };
}

function countOf(series: number, sameYear: SameYear | undefined, to: Compiled): Read {
  const filter = inYear(sameYear, to);
  return (e): Maybe => {
    const rows = to.read[series]?.(e) as readonly Row[] | undefined;
    const counts = filter(e);
    if (rows === undefined || counts === undefined) return undefined;
    if (counts === null) return null;
    let total = 0;
    for (const row of rows) {
      const counted = counts(row);
      if (counted === undefined) return undefined;
      if (counted) total += 1;
    }
    return countQuantity(total);
  };
}

function choose(formula: Extract<Formula, { op: 'choose' }>, to: Compiled): Read {
  const branches = formula.branches.map(({ when, then }) => ({
    when: compileCondition(when, to),
    then: compileFormula(then, to),
  }));
  const otherwise = compileFormula(formula.otherwise, to);
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
