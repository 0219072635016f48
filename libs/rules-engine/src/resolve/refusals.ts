import type { Clause, Condition, Formula } from '../model/ir';
import { conditionNeeds, dependencies } from '../model/needs';
import type { Scope } from './scope';

interface Slot {
  readonly formula?: Formula;
}

/**
 * A cell that says not_allowed fails the requirement that asks for its figure. Turned round (forbid, not) the same cell
 * would let everything pass, and where it decides whether a clause applies it would be taken for "does not apply".
 */
export function checkRefusals(
  scope: Scope,
  slots: readonly Slot[],
  clauses: ReadonlyMap<number, Clause>,
): void {
  if (!scope.raw.tables) return;
  const refuses = (condition: Condition): boolean =>
    conditionNeeds(condition).slots.some((slot) => mayRefuse(slots, slot));
  for (const { index, applies, body } of clauses.values()) {
    if (applies && leaves(applies).some(refuses)) {
      scope.report(
        ['clauses', index, 'applies_if'],
        'this asks for a figure of a table with cells that are not allowed: ask for it in require',
      );
    }
    if (body.verb !== 'condition') continue;
    const turned = leaves(body.good).filter((leaf) => 'negated' in leaf && leaf.negated);
    if (turned.some(refuses)) {
      scope.report(
        ['clauses', index, scope.raw.clauses[index]?.forbid ? 'forbid' : 'require'],
        'what is not allowed in a table would pass here: write require, and no not',
      );
    }
  }
}

const leaves = (condition: Condition): readonly Condition[] =>
  condition.op === 'all' || condition.op === 'any' ? condition.of.flatMap(leaves) : [condition];

/** The table with refused cells that stands behind a value. */
export function refusingTable(
  slots: readonly Slot[],
  formula: Formula | undefined,
): Extract<Formula, { op: 'table' }> | undefined {
  if (!formula) return undefined;
  if (formula.op === 'table' && formula.cells.includes('not_allowed')) return formula;
  for (const slot of dependencies(formula).slots) {
    const found = refusingTable(slots, slots[slot]?.formula);
    if (found) return found;
  }
  return undefined;
}

const mayRefuse = (slots: readonly Slot[], slot: number): boolean =>
  refusingTable(slots, slots[slot]?.formula) !== undefined;
