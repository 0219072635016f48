import { negate, type CompareOp, type Condition, type Formula, type Leaf } from '../model/ir';
import { describeType, sameType, type ValueType } from '../model/types';
import { isYes, type MissingFigure, type RawCondition, type RawScalar, type YesNo } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { mismatch, resolveScalar } from './literals';
import type { Scope } from './scope';
import { elsewhere } from './elsewhere';
import { among } from './sets';
import { hours, sameYear, season } from './times';

/** Resolves names and checks types; undefined where something in it was reported. */
export function resolveCondition(scope: Scope, raw: RawCondition, path: Path): Condition | undefined {
  if (raw.all) return group(scope, 'all', raw.all, [...path, 'all']);
  if (raw.any) return group(scope, 'any', raw.any, [...path, 'any']);
  if (raw.not) {
    const inner = resolveCondition(scope, raw.not, [...path, 'not']);
    return inner && negate(inner);
  }
  if (raw.clauses_met) {
    const at = [...path, 'clauses_met'];
    const { clauses_met: wanted } = raw;
    return 'pack' in wanted ? elsewhere(scope, wanted, at) : clausesMet(scope, wanted, at);
  }
  return leaf(scope, raw, path);
}

/** Resolves every part before giving up on any. */
function group(
  scope: Scope,
  op: 'all' | 'any',
  raw: readonly RawCondition[],
  path: Path,
): Condition | undefined {
  const of = raw.map((one, index) => resolveCondition(scope, one, [...path, index]));
  return of.every((one) => one !== undefined) ? { op, of } : undefined;
}

/** Only clauses that can be broken can be met. */
function clausesMet(scope: Scope, ids: readonly string[], path: Path): Condition | undefined {
  const clauses = ids.map((id, index) => {
    const found = scope.clause(id, [...path, index]);
    const raw = found === undefined ? undefined : scope.raw.clauses[found];
    if (raw && (raw.power ?? raw.obligation ?? raw.fee)) {
      return scope.report([...path, index], `'${id}' is never met or broken: name clauses that are judged`);
    }
    return found;
  });
  return clauses.every((one) => one !== undefined)
    ? { op: 'clauses_met', by: 'clauses_met', clauses, negated: false }
    : undefined;
}

/** A column of the rows that are looked at: only a `where` has rows. */
function column(scope: Scope, name: string, path: Path): Formula | undefined {
  if (!scope.row) {
    return scope.report(
      path,
      "'field' is a column of a series: it belongs in the where of sum_of or count_of",
      true,
    );
  }
  const type = scope.row.get(name);
  return type ? { op: 'field', field: name, type } : scope.unknownName('field', name, path, scope.row.keys());
}

const ORDER: readonly string[] = ['at_least', 'at_most', 'more_than', 'less_than'];
const TIME: readonly string[] = ['on_or_after', 'on_or_before', 'before', 'after'];

/** One fact, one operator, and what it is compared with. */
function leaf(scope: Scope, raw: RawCondition, path: Path): Leaf | undefined {
  const op = Object.keys(raw).find((key) => key !== 'fact' && key !== 'field');
  if (op === undefined) return scope.report(path, 'this condition has no operator');
  const left =
    raw.fact === undefined
      ? column(scope, raw.field ?? '', [...path, 'field'])
      : scope.read(raw.fact, [...path, 'fact']);
  if (!left) return undefined;
  const at = [...path, op];
  const value = raw[op];
  switch (op) {
    case 'in_season':
    case 'outside_season':
      return season(scope, op, left, String(value), at);
    case 'in_hours':
      return hours(scope, left, String(value), at);
    case 'in_year_of':
      return sameYear(scope, left, String(value), at);
    case 'happened':
      return happened(scope, left, value as YesNo, raw, path);
    case 'is_one_of':
    case 'none_of':
    case 'all_of':
    case 'any_of':
      return among(scope, op, left, value as string | readonly RawScalar[], at);
    default:
      return compare(scope, op, left, value as RawScalar | MissingFigure, at);
  }
}

/** Both sides must be of one kind: a length is never compared with a volume, nor a date with a time. */
function compare(
  scope: Scope,
  op: string,
  left: Formula,
  value: RawScalar | MissingFigure,
  path: Path,
): Leaf | undefined {
  const name = op === 'is' ? 'equals' : (op as CompareOp);
  const unfit = misfit(op, left.type);
  if (unfit !== undefined) {
    return scope.report(path, `this is ${describeType(left.type)}: ${unfit}`, true);
  }
  if (typeof value === 'object') {
    scope.member(scope.raw.bodies, 'body', value.kept_by, [...path, 'kept_by']);
    const right: Formula = { op: 'figure', missing: value.missing, keptBy: value.kept_by, type: left.type };
    return { op: 'compare', by: name, left, right, negated: false };
  }
  const right = resolveScalar(scope, value, path, left.type);
  if (!right) return undefined;
  if (right.op === 'none') return scope.report(path, "nothing compares with none: write 'happened: no'");
  if (sameType(left.type, right.type)) return { op: 'compare', by: name, left, right, negated: false };
  const noUnit = right.op === 'literal' && right.type.is === 'quantity' && right.type.kind === 'count';
  const advice = left.type.is === 'quantity' && noUnit ? `: write ${right.shown} ${left.type.unit}` : '';
  return scope.report(path, `${mismatch(left, right)}${advice}`);
}

/** What to write instead where an operator has no meaning for a type. */
function misfit(op: string, type: ValueType): string | undefined {
  if (type.is === 'series') return 'use sum_of or count_of on it, in a derived value';
  if (type.is === 'set') {
    return 'use all_of, any_of or none_of, or compare another fact with it: { fact: that, is_one_of: this }';
  }
  if (ORDER.includes(op) && type.is !== 'quantity') {
    const time = type.is === 'date' || type.is === 'instant';
    return time ? `use ${TIME.join(', ')} instead of ${op}` : `use is or is_one_of instead of ${op}`;
  }
  if (TIME.includes(op) && type.is !== 'date' && type.is !== 'instant') {
    return type.is === 'quantity' ? `use ${ORDER.join(', ')} instead of ${op}` : `use is instead of ${op}`;
  }
  return undefined;
}

/** Only what may be none can have happened or not. */
function happened(
  scope: Scope,
  left: Formula,
  value: YesNo,
  { fact }: RawCondition,
  path: Path,
): Leaf | undefined {
  if (fact !== undefined && !scope.isOptional(fact)) {
    return scope.report(
      [...path, 'fact'],
      `'${fact}' can never be none: give the fact 'optional: yes' first`,
    );
  }
  return { op: 'happened', by: 'happened', left, negated: !isYes(value) };
}
