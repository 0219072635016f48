import { productKind, unit } from '@headworks/kernel';
import { conditionNeeds, type Branch, type Condition, type Formula, type SameYear } from '../model/ir';
import { COUNT, describeKind, describeType, quantityOf, sameType, type ValueType } from '../model/types';
import type { RawCondition, RawDerived, RawFormula, RawOperation, RawSameYear } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { resolveCondition as resolveAny } from './condition';
import { resolveDates } from './dates';
import { mismatch, resolveScalar, shownFormula } from './literals';
import type { DerivedSymbol, Scope } from './scope';

/** A value may not hang on clauses: some of those change with the hour, and a value is asked for without one. */
function resolveCondition(scope: Scope, raw: RawCondition, path: Path): Condition | undefined {
  const condition = resolveAny(scope, raw, path);
  if (!condition || conditionNeeds(condition).clauses.length === 0) return condition;
  return scope.report(path, 'clauses_met has no place in a derived value: use it in a clause');
}

/** Works a derived value out when it is first named; a value that needs itself is a circle. */
export function resolveDerived(scope: Scope, symbol: DerivedSymbol, path: Path): void {
  if (symbol.state === 'busy') {
    scope.report(path, `'${symbol.name}' is derived from itself, in a circle: take one of the steps out`);
    return;
  }
  symbol.state = 'busy';
  const raw = scope.raw.derived?.[symbol.name];
  const at: Path = ['derived', symbol.name];
  const formula = raw && derivedFormula(scope, raw, at);
  symbol.state = 'done';
  if (formula) symbol.formula = formula;
}

/** `when` makes a yes or no of a condition; anything else is a formula shown in `unit`. */
function derivedFormula(scope: Scope, raw: RawDerived, path: Path): Formula | undefined {
  if (raw.when) {
    const condition = resolveCondition(scope, raw.when, [...path, 'when']);
    return condition && { op: 'test', condition, type: { is: 'bool', judgement: false } };
  }
  const formula = resolveOperation(scope, raw, path);
  if (!formula || raw.unit === undefined) return formula;
  const at = [...path, 'unit'];
  if (formula.type.is !== 'quantity') {
    return scope.report(at, `this is ${describeType(formula.type)}, which has no unit: take it out`);
  }
  const kind = unit(raw.unit)?.kind;
  if (kind === undefined) return scope.report(at, `'${raw.unit}' is no unit we know`);
  if (kind === formula.type.kind) return { ...formula, type: { ...formula.type, unit: raw.unit } };
  const what = describeKind(formula.type.kind, formula.type.unit);
  return scope.report(
    at,
    `the formula gives ${what}, but '${raw.unit}' is for ${describeKind(kind, raw.unit)}`,
  );
}

export function resolveFormula(scope: Scope, raw: RawFormula, path: Path): Formula | undefined {
  return typeof raw === 'object' ? resolveOperation(scope, raw, path) : resolveScalar(scope, raw, path);
}

/** One operator, by the key that is there; the schema has seen to it that there is one. */
function resolveOperation(scope: Scope, raw: RawOperation, path: Path): Formula | undefined {
  if (raw.missing !== undefined) {
    return scope.report(
      path,
      'a formula can not be worked out from a missing figure: give it where it is compared',
    );
  }
  if (raw.sum) return alike(scope, 'sum', raw.sum, [...path, 'sum']);
  if (raw.subtract) return alike(scope, 'subtract', raw.subtract, [...path, 'subtract']);
  if (raw.minimum) return alike(scope, 'minimum', raw.minimum, [...path, 'minimum']);
  if (raw.maximum) return alike(scope, 'maximum', raw.maximum, [...path, 'maximum']);
  if (raw.multiply) return product(scope, 'multiply', raw.multiply, [...path, 'multiply']);
  if (raw.divide) return product(scope, 'divide', raw.divide, [...path, 'divide']);
  if (raw.latest) return moments(scope, 'latest', raw.latest, [...path, 'latest']);
  if (raw.earliest) return moments(scope, 'earliest', raw.earliest, [...path, 'earliest']);
  if (raw.sum_of) return sumOf(scope, raw.sum_of, [...path, 'sum_of']);
  if (raw.count_of) return countOf(scope, raw.count_of, [...path, 'count_of']);
  if (raw.choose) return choose(scope, raw.choose, [...path, 'choose']);
  const dated = resolveDates(scope, raw, path, resolveFormula);
  return dated === 'other' ? scope.report(path, 'this formula has no operator') : dated;
}

function operands(scope: Scope, raw: readonly RawFormula[], path: Path): readonly Formula[] | undefined {
  const formulas = raw.map((one, index) => resolveFormula(scope, one, [...path, index]));
  return formulas.every((one) => one !== undefined) ? formulas : undefined;
}

type Alike = 'sum' | 'subtract' | 'minimum' | 'maximum';
/** Sums and the like: amounts of one kind, shown in the unit of the first. */
function alike(scope: Scope, op: Alike, raw: readonly RawFormula[], path: Path): Formula | undefined {
  const of = operands(scope, raw, path);
  const first = of?.[0];
  if (!of || !first) return undefined;
  for (const [index, one] of of.entries()) {
    if (one.type.is !== 'quantity') {
      return scope.report(
        [...path, index],
        `${shownFormula(one)} is ${describeType(one.type)}, no amount to ${op}`,
      );
    }
    if (!sameType(first.type, one.type)) return scope.report([...path, index], mismatch(first, one));
  }
  return { op: 'fold', by: op, of, type: first.type };
}

/** Kinds multiply and cancel (gal / acre, lb / (lb/gal)); what gives no kind we know is refused. */
function product(
  scope: Scope,
  op: 'multiply' | 'divide',
  raw: readonly RawFormula[],
  path: Path,
): Formula | undefined {
  const of = operands(scope, raw, path);
  if (!of) return undefined;
  let type: ValueType | undefined;
  for (const [index, one] of of.entries()) {
    if (one.type.is !== 'quantity') {
      return scope.report(
        [...path, index],
        `${shownFormula(one)} is ${describeType(one.type)}, no amount to ${op}`,
      );
    }
    if (type?.is !== 'quantity') {
      type = one.type;
      continue;
    }
    const kind = productKind(type.kind, one.type.kind, op === 'divide');
    if (kind === undefined) {
      const what = `${describeType(type)} and ${describeType(one.type)}`;
      return scope.report([...path, index], `to ${op} ${what} gives no kind of quantity that we know`);
    }
    type = quantityOf(kind);
  }
  return type && { op: 'fold', by: op, of, type };
}

/** Dates among dates, instants among instants: between them stands a zone. */
function moments(
  scope: Scope,
  op: 'latest' | 'earliest',
  raw: readonly RawFormula[],
  path: Path,
): Formula | undefined {
  const of = operands(scope, raw, path);
  const first = of?.[0];
  if (!of || !first) return undefined;
  for (const [index, one] of of.entries()) {
    if (one.type.is !== 'date' && one.type.is !== 'instant') {
      return scope.report(
        [...path, index],
        `${shownFormula(one)} is ${describeType(one.type)}, no date or time`,
      );
    }
    if (one.type.is !== first.type.is) return scope.report([...path, index], mismatch(first, one));
  }
  return { op: 'fold', by: op, of, type: first.type };
}

type Series = Extract<ValueType, { is: 'series' }>;
/** The ledger rows that a limit hands in under the name of a fact. */
function series(scope: Scope, name: string, path: Path): { slot: number; type: Series } | undefined {
  const fact = scope.fact(name, path);
  if (!fact) return undefined;
  if (fact.type.is === 'series') return { slot: fact.slot, type: fact.type };
  return scope.report(path, `'${name}' is ${describeType(fact.type)}, and a series belongs here`);
}

/** The sum of one column, of all rows or of those in the year of a date. */
function sumOf(scope: Scope, raw: NonNullable<RawOperation['sum_of']>, path: Path): Formula | undefined {
  const rows = series(scope, raw.series, [...path, 'series']);
  if (!rows) return undefined;
  const type = rows.type.fields.get(raw.field);
  if (!type) return scope.unknownName('field', raw.field, [...path, 'field'], rows.type.fields.keys());
  if (type.is !== 'quantity') {
    return scope.report([...path, 'field'], `'${raw.field}' is ${describeType(type)}, no amount to sum`);
  }
  const year = raw.same_year && sameYear(scope, raw.same_year, rows.type, [...path, 'same_year']);
  if (raw.same_year && !year) return undefined;
  return { op: 'sum_of', series: rows.slot, field: raw.field, ...(year ? { sameYear: year } : {}), type };
}

function countOf(scope: Scope, raw: NonNullable<RawOperation['count_of']>, path: Path): Formula | undefined {
  const rows = series(scope, raw.series, [...path, 'series']);
  const year = rows && raw.same_year && sameYear(scope, raw.same_year, rows.type, [...path, 'same_year']);
  if (!rows || (raw.same_year && !year)) return undefined;
  return { op: 'count_of', series: rows.slot, ...(year ? { sameYear: year } : {}), type: COUNT };
}

/** The column and the date whose year it is compared with; both must be days. */
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

type RawChoices = NonNullable<RawOperation['choose']>;
/** The first line whose condition holds. A last line without a condition is required: nothing falls through. */
function choose(scope: Scope, raw: RawChoices, path: Path): Formula | undefined {
  const last = raw.at(-1);
  if (last?.otherwise === undefined) {
    return scope.report([...path, raw.length - 1], 'the last line of choose is { otherwise: formula }');
  }
  const otherwise = resolveFormula(scope, last.otherwise, [...path, raw.length - 1, 'otherwise']);
  const branches = raw.slice(0, -1).map((line, index) => branch(scope, line, [...path, index]));
  if (!otherwise || !branches.every((one) => one !== undefined)) return undefined;
  const outcomes = [...branches.map(({ then }) => then), otherwise];
  const first = outcomes.find(({ type }) => type.is !== 'none') ?? otherwise;
  for (const [index, one] of outcomes.entries()) {
    const key = index === branches.length ? 'otherwise' : 'then';
    if (!sameType(first.type, one.type)) return scope.report([...path, index, key], mismatch(first, one));
  }
  return { op: 'choose', branches, otherwise, type: first.type };
}

function branch(scope: Scope, line: RawChoices[number], path: Path): Branch | undefined {
  if (line.when === undefined || line.then === undefined) {
    return scope.report(path, 'only the last line of choose is otherwise: put it there');
  }
  const when = resolveCondition(scope, line.when, [...path, 'when']);
  const then = resolveFormula(scope, line.then, [...path, 'then']);
  return when && then && { when, then };
}
