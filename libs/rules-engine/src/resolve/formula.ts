import { productKind, unit } from '@headworks/kernel';
import type { Branch, Formula } from '../model/ir';
import { describeKind, describeType, quantityOf, sameType, type ValueType } from '../model/types';
import type { RawDerived, RawFormula, RawOperation } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { resolveDates } from './dates';
import { mismatch, resolveScalar, shownFormula } from './literals';
import { scheduled } from './money';
import type { DerivedSymbol, Scope } from './scope';
import { countOf, sumOf } from './series';
import { tableFormula } from './tables';
import { valueCondition } from './value-condition';

/** Works a derived value out when it is first named; a value that needs itself is a circle. */
export function resolveDerived(scope: Scope, symbol: DerivedSymbol, path: Path): void {
  if (symbol.state === 'busy') {
    scope.report(path, `'${symbol.name}' is derived from itself, in a circle: take one of the steps out`);
    return;
  }
  symbol.state = 'busy';
  // A value that a row condition names is worked out as anywhere else: it sees no row.
  const { row } = scope;
  scope.row = undefined;
  const raw = scope.raw.derived?.[symbol.name];
  const at: Path = ['derived', symbol.name];
  const formula = raw && derivedFormula(scope, raw, at);
  scope.row = row;
  symbol.state = 'done';
  if (formula) symbol.formula = formula;
}

/** `when` makes a yes or no of a condition; anything else is a formula shown in `unit`. */
function derivedFormula(scope: Scope, raw: RawDerived, path: Path): Formula | undefined {
  if (raw.when) {
    const condition = valueCondition(scope, raw.when, [...path, 'when']);
    return condition && { op: 'test', condition, type: { is: 'bool', judgement: false } };
  }
  const formula = resolveOperation(scope, raw, path, raw.of && { is: 'choice', of: raw.of });
  if (formula && raw.of && formula.type.is !== 'choice') {
    return scope.report(
      [...path, 'of'],
      `this is ${describeType(formula.type)}, which has no words: take 'of' out`,
    );
  }
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

/** `expected` gives a bare word its meaning where a choice is picked. */
export function resolveFormula(
  scope: Scope,
  raw: RawFormula,
  path: Path,
  expected?: ValueType,
): Formula | undefined {
  return typeof raw === 'object'
    ? resolveOperation(scope, raw, path, expected)
    : resolveScalar(scope, raw, path, expected);
}

/** One operator, by the key that is there; the schema has seen to it that there is one. */
function resolveOperation(
  scope: Scope,
  raw: RawOperation,
  path: Path,
  expected?: ValueType,
): Formula | undefined {
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
  if (raw.table) return tableFormula(scope, raw.table, [...path, 'table']);
  if (raw.schedule) return scheduled(scope, raw.schedule, [...path, 'schedule']);
  if (raw.choose) return choose(scope, raw.choose, [...path, 'choose'], expected);
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

type RawChoices = NonNullable<RawOperation['choose']>;
/** The first line whose condition holds. A last line without a condition is required: nothing falls through. */
function choose(scope: Scope, raw: RawChoices, path: Path, expected?: ValueType): Formula | undefined {
  const last = raw.at(-1);
  if (last?.otherwise === undefined) {
    return scope.report([...path, raw.length - 1], 'the last line of choose is { otherwise: formula }');
  }
  const otherwise = resolveFormula(scope, last.otherwise, [...path, raw.length - 1, 'otherwise'], expected);
  const branches = raw.slice(0, -1).map((line, index) => branch(scope, line, [...path, index], expected));
  if (!otherwise || !branches.every((one) => one !== undefined)) return undefined;
  const outcomes = [...branches.map(({ then }) => then), otherwise];
  const first = outcomes.find(({ type }) => type.is !== 'none') ?? otherwise;
  for (const [index, one] of outcomes.entries()) {
    const key = index === branches.length ? 'otherwise' : 'then';
    if (!sameType(first.type, one.type)) return scope.report([...path, index, key], mismatch(first, one));
    if (expected && !isPicked(expected, one.type)) {
      const wanted = describeType(expected);
      return scope.report(
        [...path, index, key],
        `${shownFormula(one)} is ${describeType(one.type)}, and not ${wanted}`,
      );
    }
  }
  return { op: 'choose', branches, otherwise, type: expected ?? first.type };
}

/** A word of the list, or a choice that has no other words. */
function isPicked(wanted: ValueType, type: ValueType): boolean {
  if (type.is === 'none') return true;
  return wanted.is === 'choice' && type.is === 'choice' && type.of.every((word) => wanted.of.includes(word));
}

function branch(
  scope: Scope,
  line: RawChoices[number],
  path: Path,
  expected?: ValueType,
): Branch | undefined {
  if (line.when === undefined || line.then === undefined) {
    return scope.report(path, 'only the last line of choose is otherwise: put it there');
  }
  const when = valueCondition(scope, line.when, [...path, 'when']);
  const then = resolveFormula(scope, line.then, [...path, 'then'], expected);
  return when && then && { when, then };
}
