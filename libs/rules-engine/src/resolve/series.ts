import type { Formula, Rolling, Rows, SameYear } from '../model/ir';
import { COUNT, describeType, type ValueType } from '../model/types';
import type { RawCondition, RawOperation, RawRolling, RawRows, RawSameYear } from '../source/raw';
import type { Path } from '../source/yaml-file';

import type { Scope } from './scope';
import { valueCondition } from './value-condition';

type Series = Extract<ValueType, { is: 'series' }>;

/** The ledger rows that a limit hands in under the name of a fact. */
function seriesOf(scope: Scope, name: string, path: Path): { slot: number; type: Series } | undefined {
  const fact = scope.fact(name, path);
  if (!fact) return undefined;
  if (fact.type.is === 'series') return { slot: fact.slot, type: fact.type };
  return scope.report(path, `'${name}' is ${describeType(fact.type)}, and a series belongs here`);
}

/** The sum of one column, of all rows or of those that are looked at. */
export function sumOf(
  scope: Scope,
  raw: NonNullable<RawOperation['sum_of']>,
  path: Path,
): Formula | undefined {
  const series = seriesOf(scope, raw.series, [...path, 'series']);
  if (!series) return undefined;
  const type = series.type.fields.get(raw.field);
  if (!type) return scope.unknownName('field', raw.field, [...path, 'field'], series.type.fields.keys());
  if (type.is !== 'quantity') {
    return scope.report([...path, 'field'], `'${raw.field}' is ${describeType(type)}, no amount to sum`);
  }
  const rows = rowsOf(scope, raw, series, path);
  return rows && { op: 'sum_of', field: raw.field, ...rows, type };
}

export function countOf(scope: Scope, raw: RawRows, path: Path): Formula | undefined {
  const series = seriesOf(scope, raw.series, [...path, 'series']);
  const rows = series && rowsOf(scope, raw, series, path);
  return rows && { op: 'count_of', ...rows, type: COUNT };
}

/** Which rows count: each part is checked, also where another is wrong. */
function rowsOf(
  scope: Scope,
  raw: RawRows,
  { slot, type }: { readonly slot: number; readonly type: Series },
  path: Path,
): Rows | undefined {
  const year = raw.same_year && sameYear(scope, raw.same_year, type, [...path, 'same_year']);
  const days = raw.rolling && rolling(scope, raw.rolling, type, [...path, 'rolling']);
  const where = raw.where && rowCondition(scope, raw.where, type, [...path, 'where']);
  if ((raw.same_year && !year) || (raw.rolling && !days) || (raw.where && !where)) return undefined;
  return {
    series: slot,
    ...(year ? { sameYear: year } : {}),
    ...(days ? { rolling: days } : {}),
    ...(where ? { where } : {}),
  };
}

/** The column and the date that it is measured by; both must be days. */
function sameYear(scope: Scope, raw: RawSameYear, rows: Series, path: Path): SameYear | undefined {
  const field = rows.fields.get(raw.field);
  if (!field) return scope.unknownName('field', raw.field, [...path, 'field'], rows.fields.keys());
  const as = scope.read(raw.as, [...path, 'as']);
  if (!as) return undefined;
  if (field.is !== 'date') {
    return scope.report(
      [...path, 'field'],
      `'${raw.field}' is ${describeType(field)}, and a date belongs here`,
    );
  }
  if (as.type.is !== 'date') {
    return scope.report([...path, 'as'], `'${raw.as}' is ${describeType(as.type)}, and a date belongs here`);
  }
  return { field: raw.field, as };
}

const UNITS = ['days', 'months', 'years'] as const;

function rolling(scope: Scope, raw: RawRolling, rows: Series, path: Path): Rolling | undefined {
  const days = sameYear(scope, raw, rows, path);
  const unit = UNITS.find((one) => raw[one] !== undefined) ?? 'days';
  return days && { ...days, amount: raw[unit] ?? 1, unit };
}

/** A condition on the columns of one row, which may compare them with facts. */
function rowCondition(scope: Scope, raw: RawCondition, rows: Series, path: Path): Rows['where'] {
  scope.row = rows.fields;
  const condition = valueCondition(scope, raw, path);
  scope.row = undefined;
  return condition;
}
