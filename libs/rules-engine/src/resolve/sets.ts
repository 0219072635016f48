import { parseLocalDate } from '@headworks/kernel';
import type { Formula, Leaf } from '../model/ir';
import { describeType, entryType, isName, sameType, type ValueType } from '../model/types';
import type { RawScalar } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { shownFormula } from './literals';
import type { Scope } from './scope';

type Op = 'is_one_of' | 'none_of' | 'all_of' | 'any_of';

/** One thing in a set (is_one_of, none_of), or one set against another (all_of, any_of, none_of). */
export function among(
  scope: Scope,
  op: Op,
  left: Formula,
  value: string | readonly RawScalar[],
  path: Path,
): Leaf | undefined {
  const { type } = left;
  const isSet = type.is === 'set';
  const unfit = isSet ? op === 'is_one_of' : op === 'all_of' || op === 'any_of';
  if (unfit) {
    const instead = isSet ? 'use all_of, any_of or none_of' : 'use is_one_of or none_of';
    return scope.report(path, `this is ${describeType(type)}: ${instead} instead of ${op}`, true);
  }
  if (!isSet && !isName(type) && type.is !== 'date') {
    const message = `${op} is for choices, texts, references and dates; this is ${describeType(type)}`;
    return scope.report(path, message, true);
  }
  const entry = isSet ? entryType(type) : type;
  const right = typeof value === 'string' ? namedSet(scope, value, path) : listed(scope, value, entry, path);
  if (right?.type.is !== 'set') return undefined;
  if (!alike(entry, entryType(right.type))) {
    const [what, there] = [shownFormula(left), describeType(right.type)];
    return scope.report(path, `${what} is ${describeType(type)}, but ${shownFormula(right)} is ${there}`);
  }
  if (op === 'is_one_of') return { op: 'member', by: op, left, right, negated: false };
  if (!isSet && op === 'none_of') return { op: 'member', by: op, left, right, negated: false };
  return op === 'all_of' || op === 'any_of' || op === 'none_of'
    ? { op: 'sets', by: op, left, right, negated: false }
    : undefined;
}

/** Days among days, and names among names. */
const alike = (a: ValueType, b: ValueType): boolean =>
  sameType(a, b) && (a.is === 'date') === (b.is === 'date');

/** A set that somebody recorded. */
function namedSet(scope: Scope, name: string, path: Path): Formula | undefined {
  const right = scope.read(name, path);
  if (!right || right.type.is === 'set') return right;
  return scope.report(path, `'${name}' is ${describeType(right.type)}: name a set, or list the words in [ ]`);
}

/** A list written here: the choice's own words, or days that there are. */
function listed(
  scope: Scope,
  value: readonly RawScalar[],
  entry: ValueType,
  path: Path,
): Formula | undefined {
  for (const [index, one] of value.entries()) {
    if (entry.is === 'choice' && !entry.of.includes(String(one))) {
      return scope.unknownName('choice', String(one), [...path, index], entry.of);
    }
    if (entry.is === 'date' && !parseLocalDate(String(one))) {
      return scope.report([...path, index], `'${one}' is no date`);
    }
  }
  const words = value.map(String);
  const type: ValueType = entry.is === 'date' ? { is: 'set', each: 'date' } : { is: 'set', of: words };
  return { op: 'literal', value: words, shown: words.join(', '), type };
}
