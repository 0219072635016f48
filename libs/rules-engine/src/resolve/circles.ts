import type { Clause } from '../model/ir';
import { clauseNeeds } from '../model/needs';
import type { Scope } from './scope';

/**
 * Circles among clauses: A is met if B is met, and B if A. Circles among derived values were found when they were
 * resolved, and none of those may ask for a clause.
 */
export function refuseCircles(scope: Scope, clauses: ReadonlyMap<number, Clause>): void {
  const done = new Set<number>();
  const trail: number[] = [];
  const visit = (index: number): void => {
    const clause = clauses.get(index);
    if (!clause || done.has(index)) return;
    const from = trail.indexOf(index);
    if (from >= 0) {
      const circle = [...trail.slice(from), index].map((i) => clauses.get(i)?.def.id ?? '?');
      scope.report(
        ['clauses', index],
        `this clause needs itself: ${circle.join(' -> ')}. Take one of the steps out`,
      );
      return;
    }
    trail.push(index);
    clauseNeeds(clause).clauses.forEach(visit);
    trail.pop();
    done.add(index);
  };
  for (const index of clauses.keys()) visit(index);
}
