import type { Clause, ClauseBody, Condition, Formula, Rows } from './ir';

/** What a part of a pack reads: numbers of slots and of clauses. */
export interface Dependencies {
  readonly slots: readonly number[];
  readonly clauses: readonly number[];
}
const NOTHING: Dependencies = { slots: [], clauses: [] };
const join = (parts: readonly Dependencies[]): Dependencies => ({
  slots: parts.flatMap((part) => part.slots),
  clauses: parts.flatMap((part) => part.clauses),
});

/** A pack never changes once compiled, and every finding asks these again: each is worked out once. */
function once<K extends object>(work: (key: K) => Dependencies): (key: K) => Dependencies {
  const known = new WeakMap<K, Dependencies>();
  return (key) => {
    let found = known.get(key);
    if (!found) known.set(key, (found = work(key)));
    return found;
  };
}

/** What a formula reads directly: slots, and clauses through conditions inside it. */
export const dependencies = once(formulaNeeds);
function formulaNeeds(formula: Formula): Dependencies {
  switch (formula.op) {
    case 'slot':
      return { slots: [formula.slot], clauses: [] };
    case 'literal':
    case 'none':
    case 'figure':
    case 'field':
      return NOTHING;
    case 'sum_of':
    case 'count_of':
      return join([{ slots: [formula.series], clauses: [] }, ...rowsNeed(formula)]);
    case 'scheduled':
      return formula.on ? dependencies(formula.on) : NOTHING;
    case 'table':
      return join(formula.axes.flatMap(({ of }) => (of ? [dependencies(of)] : [])));
    case 'choose':
      return join([
        ...formula.branches.flatMap(({ when, then }) => [conditionNeeds(when), dependencies(then)]),
        dependencies(formula.otherwise),
      ]);
    case 'test':
      return conditionNeeds(formula.condition);
    case 'fold':
    case 'day':
    case 'shift':
    case 'year_day':
    case 'month_end':
    case 'year':
      return join(formula.of.map(dependencies));
  }
}

/** What decides which rows count. */
function rowsNeed({ sameYear, rolling, where }: Rows): readonly Dependencies[] {
  return [
    ...(sameYear ? [dependencies(sameYear.as)] : []),
    ...(rolling ? [dependencies(rolling.as)] : []),
    ...(where ? [conditionNeeds(where)] : []),
  ];
}

/** What a condition reads directly, leaf by leaf, in the order they are written. */
export function conditionNeeds(condition: Condition): Dependencies {
  switch (condition.op) {
    case 'all':
    case 'any':
      return join(condition.of.map(conditionNeeds));
    case 'clauses_met':
      return { slots: [], clauses: condition.clauses };
    case 'elsewhere':
      return join([dependencies(condition.on), ...condition.facts.map(({ ours }) => dependencies(ours))]);
    case 'season':
    case 'hours':
    case 'happened':
      return dependencies(condition.left);
    case 'compare':
    case 'member':
    case 'sets':
    case 'same_year':
      return join([dependencies(condition.left), dependencies(condition.right)]);
  }
}

/** All that a deadline reads, its start and its end first. */
function deadlineFormulas(body: Extract<ClauseBody, { verb: 'deadline' }>): readonly Formula[] {
  const { starts, done, inYearOf, paused, extended } = body;
  return [
    starts,
    done,
    ...(inYearOf ? [inYearOf] : []),
    ...(paused ? [paused.from, paused.until] : []),
    ...(extended ? [extended] : []),
  ];
}

/** What a clause reads directly, in the order in which a reader meets it. */
export const clauseNeeds = once(needsOfClause);
function needsOfClause(clause: Clause): Dependencies {
  const { body } = clause;
  const applies = clause.applies ? [conditionNeeds(clause.applies)] : [];
  switch (body.verb) {
    case 'condition':
      return join([
        ...applies,
        conditionNeeds(body.good),
        ...(body.unless ? [conditionNeeds(body.unless)] : []),
      ]);
    case 'deadline':
      return join([...applies, ...deadlineFormulas(body).map(dependencies)]);
    case 'fee':
      return join([...applies, dependencies(body.pay)]);
    case 'listed':
      return join(applies);
  }
}
