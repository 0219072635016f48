import type { Condition } from '../model/ir';
import { conditionNeeds } from '../model/needs';
import type { RawCondition } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { resolveCondition as resolveAny } from './condition';
import type { Scope } from './scope';

/** A value may not hang on clauses: some of those change with the hour, and a value is asked for without one. */
export function valueCondition(scope: Scope, raw: RawCondition, path: Path): Condition | undefined {
  const before = scope.elsewhere.length;
  const condition = resolveAny(scope, raw, path);
  const asks = condition && conditionNeeds(condition).clauses.length > 0;
  if (!asks && scope.elsewhere.length === before) return condition;
  return scope.report(path, 'clauses_met has no place in a derived value: use it in a clause');
}
