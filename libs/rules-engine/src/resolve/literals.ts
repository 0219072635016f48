import { parseInstant, parseLocalDate, parseQuantity, type Quantity } from '@headworks/kernel';
import type { Formula } from '../model/ir';
import { COUNT, describeType, isName, type Known, type ValueType } from '../model/types';
import type { RawScalar } from '../source/raw';
import type { Path } from '../source/yaml-file';
import type { Scope } from './scope';

const NAME = /^[a-z][a-z0-9_]*$/;
const FIGURE = /^[$\d.-]/;
const YES: ReadonlyMap<RawScalar, boolean> = new Map<RawScalar, boolean>([
  ['yes', true],
  [true, true],
  ['no', false],
  [false, false],
]);

const literal = (type: ValueType, value: Known, raw: RawScalar): Formula => ({
  op: 'literal',
  type,
  value,
  shown: String(raw),
});

/**
 * A word, figure or name. `expected` is the type of what it is compared with: it decides what a bare word means (a
 * choice's own word, then a fact, then a text).
 */
export function resolveScalar(
  scope: Scope,
  raw: RawScalar,
  path: Path,
  expected?: ValueType,
): Formula | undefined {
  if (expected?.is === 'bool' && YES.has(raw)) return literal(expected, YES.get(raw) ?? false, raw);
  if (typeof raw === 'boolean') return literal({ is: 'bool', judgement: false }, raw, raw);
  if (typeof raw === 'number') return numberLiteral(scope, raw, path);
  if (expected?.is === 'choice' && expected.of.includes(raw)) return literal(expected, raw, raw);
  if (raw === 'none') return { op: 'none', type: { is: 'none' } };
  if (/^\d{4}-\d{2}-\d{2}/.test(raw)) return timeLiteral(scope, raw, path);
  if (FIGURE.test(raw)) return figureLiteral(scope, raw, path);
  if (NAME.test(raw) && (scope.has(raw) || !expected || expected.is !== 'text')) {
    return scope.has(raw) ? scope.read(raw, path) : unknownWord(scope, raw, path, expected);
  }
  if (expected && isName(expected) && expected.is !== 'choice') return literal({ is: 'text' }, raw, raw);
  return unknownWord(scope, raw, path, expected);
}

/** A choice is compared with its own words, so those are what was probably meant. */
function unknownWord(scope: Scope, raw: string, path: Path, expected?: ValueType): undefined {
  if (expected?.is === 'choice') return scope.unknownName('choice', raw, path, expected.of);
  return scope.unknownName('fact or derived value', raw, path, scope.names());
}

/** A plain number is a count, read from what is written: YAML has dropped its zeros by now. */
function numberLiteral(scope: Scope, raw: number, path: Path): Formula | undefined {
  const written = scope.file.written(path) ?? String(raw);
  const parsed = parseQuantity(`${written} 1`);
  return parsed.ok ? literal(COUNT, parsed.value, written) : scope.report(path, parsed.why);
}

/** A day, or an instant with its offset. */
function timeLiteral(scope: Scope, raw: string, path: Path): Formula | undefined {
  const date = parseLocalDate(raw);
  if (date) return literal({ is: 'date' }, date, raw);
  if (!raw.includes('T')) return scope.report(path, `'${raw}' is no date`);
  const instant = parseInstant(raw);
  return 'ms' in instant ? literal({ is: 'instant' }, instant.ms, raw) : scope.report(path, instant.why);
}

function figureLiteral(scope: Scope, raw: string, path: Path): Formula | undefined {
  const parsed = parseQuantity(raw);
  if (parsed.ok) return literal(quantityType(parsed.value), parsed.value, raw);
  return scope.report(path, `${parsed.why}${parsed.hint ? `: ${parsed.hint}` : ''}`);
}

export const quantityType = (quantity: Quantity): ValueType => ({
  is: 'quantity',
  kind: quantity.kind,
  unit: quantity.unit,
});

/** How a formula is named in a message: by its name or figure where it has one. */
export function shownFormula(formula: Formula): string {
  switch (formula.op) {
    case 'slot':
      return `'${formula.name}'`;
    case 'literal':
      return `'${formula.shown}'`;
    case 'field':
      return `the column '${formula.field}'`;
    case 'scheduled':
      return `'${formula.item}' of the schedule '${formula.schedule}'`;
    case 'table':
      return `a figure of the table '${formula.table}'`;
    case 'none':
      return 'none';
    case 'figure':
      return 'a figure that is missing';
    case 'fold':
      return `what ${formula.by} gives`;
    case 'shift':
      return `what day_${formula.towards} gives`;
    case 'day':
    case 'year_day':
    case 'month_end':
    case 'year':
    case 'sum_of':
    case 'count_of':
    case 'choose':
    case 'test':
      return `what ${formula.op} gives`;
  }
}

/** `'distance' is a length (ft), but '600 gal' is a volume (gal)`. */
export function mismatch(left: Formula, right: Formula): string {
  return `${shownFormula(left)} is ${describeType(left.type)}, but ${shownFormula(right)} is ${describeType(right.type)}`;
}
