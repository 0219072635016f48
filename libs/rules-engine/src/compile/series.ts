import { addQuantities, countQuantity, rationals, type JsonValue, type Quantity } from '@headworks/kernel';
import type { Formula, SameYear } from '../model/ir';
import { readerOf } from '../model/json';
import type { Maybe, Row, ValueType } from '../model/types';
import { nearOf, type Compiled, type Evaluation, type Near, type Read } from './context';

type RowFilter = (e: Evaluation) => ((row: Row) => boolean | undefined) | null | undefined;

/** Which rows count: undefined for a row whose date nobody knows. */
function inYear(sameYear: SameYear | undefined, to: Compiled): RowFilter {
  if (!sameYear) return () => () => true;
  const as = to.formula(sameYear.as);
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

export function sumOf(formula: Extract<Formula, { op: 'sum_of' }>, to: Compiled): Read {
  const filter = inYear(formula.sameYear, to);
  const { field, type } = formula;
  const readRows = to.readOf(formula.series);
  const readField = readOnce(readerOf(type));
  const zero = zeroOf(type);
  return (e) => {
    const rows = readRows(e) as readonly Row[] | undefined;
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

/** The sum in doubles; whatever is not plainly known is left to the exact one. */
export function nearSumOf(formula: Extract<Formula, { op: 'sum_of' }>, to: Compiled): Near {
  const filter = inYear(formula.sameYear, to);
  const { field, type } = formula;
  const readRows = to.readOf(formula.series);
  const readField = readOnce(readerOf(type));
  return (e) => {
    const rows = readRows(e) as readonly Row[] | undefined;
    const counts = filter(e);
    // Each addition may lose a sixteenth digit: beyond this many the sum might not be as near as it is taken to be.
    if (!rows || !counts || rows.length > 100_000) return NaN;
    let total = 0;
    for (const row of rows) {
      const counted = counts(row);
      if (counted === undefined) return NaN;
      if (!counted) continue;
      const json = fieldOf(row, field);
      if (json === null) continue;
      total += json === undefined ? NaN : nearOf(readField(json) as Quantity | undefined);
    }
    return total;
  };
}

type Reader = ReturnType<typeof readerOf>;

/** A row that is kept is the same object each time: it is read once, however often the ledger is summed. */
function readOnce(read: Reader): Reader {
  const known = new WeakMap<object, NonNullable<ReturnType<Reader>>>();
  return (json) => {
    if (typeof json !== 'object' || json === null) return read(json);
    const before = known.get(json);
    if (before !== undefined) return before;
    const value = read(json);
    if (value !== undefined && value !== null) known.set(json, value);
    return value;
  };
}

function zeroOf(type: ValueType): Quantity {
  if (type.is !== 'quantity') throw new TypeError(`a sum of ${type.is} has no zero`);
  return { kind: type.kind, unit: type.unit, base: rationals.ZERO };
}

export function countOf(series: number, sameYear: SameYear | undefined, to: Compiled): Read {
  const filter = inYear(sameYear, to);
  const readRows = to.readOf(series);
  return (e): Maybe => {
    const rows = readRows(e) as readonly Row[] | undefined;
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
