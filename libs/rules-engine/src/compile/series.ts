import {
  addDays,
  addMonths,
  addQuantities,
  countQuantity,
  rationals,
  type JsonValue,
  type LocalDate,
  type Quantity,
} from '@headworks/kernel';
import type { Condition, Formula, Rolling, Rows, SameYear } from '../model/ir';
import { readerOf } from '../model/json';
import { F, T, U, type Maybe, type Row, type Truth, type ValueType } from '../model/types';
import { nearOf, type Compiled, type Evaluation, type Near, type Read } from './context';

type RowTest = (row: Row) => Truth;
type RowFilter = (e: Evaluation) => RowTest | null | undefined;

/** Which rows count: those that pass every part. Without a date to measure by, nobody can say of any. */
function rowFilter({ sameYear, rolling, where }: Rows, to: Compiled): RowFilter {
  const parts = [
    ...(sameYear ? [inYear(sameYear, to)] : []),
    ...(rolling ? [inDays(rolling, to)] : []),
    ...(where ? [byColumns(where, to)] : []),
  ];
  const [only] = parts;
  if (!only) return () => () => T;
  if (parts.length === 1) return only;
  return (e) => {
    const tests: RowTest[] = [];
    for (const part of parts) {
      const test = part(e);
      if (test === null || test === undefined) return test;
      tests.push(test);
    }
    return (row) => tests.reduce<Truth>((least, test) => (least === F ? F : lesser(least, test(row))), T);
  };
}
const lesser = (a: Truth, b: Truth): Truth => (a < b ? a : b);

const readDate = readerOf({ is: 'date' });

/** U for a row whose date nobody knows. */
const byDate =
  (field: string, holds: (date: LocalDate) => boolean): RowTest =>
  (row) => {
    const date = fieldOf(row, field);
    const known = date === undefined ? undefined : readDate(date);
    return known === undefined ? U : holds(known as LocalDate) ? T : F;
  };

function inYear({ field, as }: SameYear, to: Compiled): RowFilter {
  const read = to.formula(as);
  return (e) => {
    const value = read(e);
    if (value === null || value === undefined) return value;
    const year = (value as string).slice(0, 4);
    return byDate(field, (date) => date.startsWith(year));
  };
}

/** Of 365 days up to a day that day is one, so the day a year before it is not. */
function inDays({ field, as, amount, unit }: Rolling, to: Compiled): RowFilter {
  const read = to.formula(as);
  return (e) => {
    const value = read(e);
    if (value === null || value === undefined) return value;
    const last = value as LocalDate;
    const before =
      unit === 'days' ? addDays(last, -amount) : addMonths(last, unit === 'years' ? -12 * amount : -amount);
    return byDate(field, (date) => date > before && date <= last);
  };
}

/** The row stands in the evaluation while its columns are read: `field` is the only formula that looks there. */
function byColumns(where: Condition, to: Compiled): RowFilter {
  const test = to.test(where);
  return (e) => (row) => {
    e.row = row;
    return test(e);
  };
}

/** A column of the row that is looked at. */
export function fieldRead({ field, type }: Extract<Formula, { op: 'field' }>): Read {
  const read = readOnce(readerOf(type));
  return ({ row }) => {
    const json = row && fieldOf(row, field);
    return json === undefined || json === null ? json : read(json);
  };
}

/** A field as the row itself holds it: nothing is inherited. */
const fieldOf = (row: Row, field: string): JsonValue | undefined =>
  Object.hasOwn(row, field) ? (row[field] as JsonValue) : undefined;

export function sumOf(formula: Extract<Formula, { op: 'sum_of' }>, to: Compiled): Read {
  const filter = rowFilter(formula, to);
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
      if (counted === U) return undefined;
      if (counted === F) continue;
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
  const filter = rowFilter(formula, to);
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
      if (counted === U) return NaN;
      if (counted === F) continue;
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

export function countOf(formula: Extract<Formula, { op: 'count_of' }>, to: Compiled): Read {
  const filter = rowFilter(formula, to);
  const readRows = to.readOf(formula.series);
  return (e): Maybe => {
    const rows = readRows(e) as readonly Row[] | undefined;
    const counts = filter(e);
    if (rows === undefined || counts === undefined) return undefined;
    if (counts === null) return null;
    let total = 0;
    for (const row of rows) {
      const counted = counts(row);
      if (counted === U) return undefined;
      if (counted === T) total += 1;
    }
    return countQuantity(total);
  };
}
