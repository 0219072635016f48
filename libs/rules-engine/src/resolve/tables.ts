import { parseQuantity, unit, type Quantity } from '@headworks/kernel';
import type { Axis, Cell, Formula } from '../model/ir';
import { COUNT, describeKind, describeType, type ValueType } from '../model/types';
import type { RawBand, RawCell, RawColumns, RawOperation, RawScalar, RawTable } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { bandWords, resolveBands } from './bands';
import type { Scope } from './scope';

type Amount = Extract<ValueType, { is: 'quantity' }>;

/** A figure of a table: of a row that is named here, or of the row that a choice picks. */
export function tableFormula(
  scope: Scope,
  raw: NonNullable<RawOperation['table']>,
  path: Path,
): Formula | undefined {
  const table = scope.member(scope.raw.tables, 'table', raw.of, [...path, 'of']);
  if (!table) return undefined;
  scope.used.add(`table ${raw.of}`);
  const at: Path = ['tables', raw.of];
  const type = tableType(scope, table, at);
  const row = rowAxis(scope, table, raw.row, [...path, 'row']);
  const columns = columnsOf(table).map((one, index) =>
    columnAxis(scope, one, Array.isArray(table.columns) ? [...at, 'columns', index] : [...at, 'columns']),
  );
  if (!type || !row || !columns.every((one) => one !== undefined)) return undefined;
  const lines = Object.entries(table.rows).map(([name, line]) =>
    cellsOf(scope, { table, type, columns }, line, [...at, 'rows', name]),
  );
  if (!lines.every((line) => line !== undefined)) return undefined;
  return { op: 'table', table: raw.of, cite: table.cite, axes: [row, ...columns], cells: lines.flat(), type };
}

/** Every table is read by something, or it is looked through for nothing. */
export function checkTables(scope: Scope): void {
  for (const name of Object.keys(scope.raw.tables ?? {})) {
    if (scope.used.has(`table ${name}`)) continue;
    scope.report(['tables', name], `no formula uses the table '${name}'`, true);
  }
}

const columnsOf = ({ columns }: RawTable): readonly RawColumns[] =>
  columns === undefined
    ? []
    : Array.isArray(columns)
      ? (columns as readonly RawColumns[])
      : [columns as RawColumns];

function tableType(scope: Scope, { unit: name }: RawTable, path: Path): Amount | undefined {
  if (name === undefined) return COUNT as Amount;
  const kind = unit(name)?.kind;
  if (kind) return { is: 'quantity', kind, unit: name };
  return scope.report([...path, 'unit'], `'${name}' is no unit we know`);
}

/** A row by its own name, or by a choice each of whose words is a row. */
function rowAxis(scope: Scope, table: RawTable, name: string, path: Path): Axis | undefined {
  const names = Object.keys(table.rows);
  const fixed = names.indexOf(name);
  if (fixed >= 0) {
    if (!scope.has(name)) return { names, fixed };
    return scope.report(path, `'${name}' is a row of the table and a fact: rename one of them`);
  }
  if (!scope.has(name)) return scope.unknownName('row', name, path, names);
  const of = scope.read(name, path);
  return of && wordsAxis(scope, of, names, path, 'a row');
}

function columnAxis(scope: Scope, raw: RawColumns, path: Path): Axis | undefined {
  const of = scope.read(raw.by, [...path, 'by']);
  if (!of) return undefined;
  const bands = raw.of.filter((one): one is RawBand => typeof one === 'object');
  if (bands.length === 0) {
    const names = (raw.of as readonly RawScalar[]).map(wordOf);
    return wordsAxis(scope, of, names, [...path, 'of'], 'a column');
  }
  if (bands.length < raw.of.length) return scope.report([...path, 'of'], 'write words or bands, not both');
  if (of.type.is !== 'quantity') {
    return scope.report(
      [...path, 'by'],
      `bands are for amounts, and '${raw.by}' is ${describeType(of.type)}`,
    );
  }
  const resolved = resolveBands(scope, bands, of.type, [...path, 'of']);
  return resolved && { of, names: resolved.map(bandWords), bands: resolved };
}

const wordOf = (raw: RawScalar): string => (raw === true ? 'yes' : raw === false ? 'no' : String(raw));

/** Each word has its place and each place its word: one left out would be looked up for nothing. */
function wordsAxis(
  scope: Scope,
  of: Formula,
  names: readonly string[],
  path: Path,
  what: string,
): Axis | undefined {
  const { type } = of;
  const words = type.is === 'choice' ? type.of : type.is === 'bool' ? ['yes', 'no'] : undefined;
  if (!words)
    return scope.report(
      path,
      `a table is entered by a choice or a yes or no, and this is ${describeType(type)}`,
    );
  for (const [index, name] of names.entries()) {
    if (words.includes(name) && names.indexOf(name) === index) continue;
    if (what === 'a row' && !names.slice(0, index).includes(name)) continue;
    if (words.includes(name)) return scope.report([...path, index], `'${name}' stands here twice`);
    return scope.unknownName('choice', name, [...path, index], words);
  }
  const lacking = words.find((word) => !names.includes(word));
  if (lacking === undefined) return { of, names };
  return scope.report(
    path,
    `the table says nothing of '${lacking}': add ${what}, if only of 'missing' or 'not_allowed'`,
  );
}

interface Sheet {
  readonly table: RawTable;
  readonly type: Amount;
  readonly columns: readonly Axis[];
}

/** The cells of one row in a line: one, one a column, or a list of them for each entry of the first column. */
function cellsOf(
  scope: Scope,
  sheet: Sheet,
  line: RawTable['rows'][string],
  path: Path,
): readonly Cell[] | undefined {
  const { columns } = sheet;
  const cells = (raw: unknown, depth: number, at: Path): readonly (Cell | undefined)[] => {
    const axis = columns[depth];
    if (!axis) {
      return Array.isArray(raw)
        ? [scope.report(at, 'one figure belongs here, and no list')]
        : [cellOf(scope, sheet, raw as RawCell, at)];
    }
    const list = Array.isArray(raw) ? (raw as readonly unknown[]) : undefined;
    if (list?.length === axis.names.length)
      return list.flatMap((one, index) => cells(one, depth + 1, [...at, index]));
    const count = axis.names.length;
    return [scope.report(at, `a list of ${count} belongs here, one for each of ${axis.names.join('; ')}`)];
  };
  const all = cells(line, 0, path);
  return all.every((cell) => cell !== undefined) ? all : undefined;
}

function cellOf(scope: Scope, { table, type }: Sheet, raw: RawCell, path: Path): Cell | undefined {
  if (raw === 'not_allowed') return raw;
  if (raw === 'missing') {
    if (!table.missing) {
      return scope.report(
        path,
        "say who keeps what is missing: add 'missing: { missing: what, kept_by: who }' to the table",
      );
    }
    scope.member(scope.raw.bodies, 'body', table.missing.kept_by, [
      'tables',
      tableName(path),
      'missing',
      'kept_by',
    ]);
    return raw;
  }
  return figure(scope, raw, type, path);
}

const tableName = (path: Path): string => String(path[1]);

/** A bare number is of the table's own unit; one with a unit must be of its kind. */
function figure(scope: Scope, raw: RawCell, type: Amount, path: Path): Quantity | undefined {
  const written = scope.file.written(path) ?? String(raw);
  const bare = /^-?[\d.]+$/.test(written);
  const parsed = parseQuantity(bare ? `${written} ${type.unit}` : written);
  if (!parsed.ok) return scope.report(path, `${parsed.why}: write a figure, missing or not_allowed`);
  if (parsed.value.kind === type.kind) return parsed.value;
  const [here, there] = [
    describeKind(type.kind, type.unit),
    describeKind(parsed.value.kind, parsed.value.unit),
  ];
  return scope.report(path, `the table holds ${here}, but '${written}' is ${there}`);
}
