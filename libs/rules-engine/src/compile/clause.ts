import type { Clause } from '../model/ir';
import { F, T, U, type Truth } from '../model/types';
import {
  NOT_APPLICABLE,
  SATISFIED,
  UNKNOWN,
  VIOLATED,
  type Compiled,
  type Judge,
  type StatusCode,
} from './context';
import type { DeadlineClock } from './deadline';

/**
 * violated = applies_if and (not require, or forbid) and not unless. Where it is not known whether the clause applies,
 * nothing is said: "satisfied" could turn into "not applicable" as soon as somebody says more.
 */
export function compileClause(clause: Clause, to: Compiled, clock: DeadlineClock | undefined): Judge {
  const judge = compileBody(clause, to, clock);
  const applies = clause.applies && to.test(clause.applies);
  const { index } = clause;
  return (e) => {
    if (!e.firstStatus(index)) return (e.statuses[index] ?? UNKNOWN) as StatusCode;
    const truth = applies ? applies(e) : T;
    const status = truth === F ? NOT_APPLICABLE : truth === U ? UNKNOWN : judge(e);
    e.statuses[index] = status;
    return status;
  };
}

const nothing = (): undefined => undefined;
const FROM_GOOD: Readonly<Record<Truth, StatusCode>> = { 0: VIOLATED, 1: UNKNOWN, 2: SATISFIED };

function compileBody(clause: Clause, to: Compiled, clock: DeadlineClock | undefined): Judge {
  const { body } = clause;
  switch (body.verb) {
    case 'condition': {
      const good = to.test(body.good);
      if (!body.unless) return (e) => FROM_GOOD[good(e)];
      const unless = to.test(body.unless);
      return (e) => {
        const first = good(e);
        if (first === T) return SATISFIED;
        const second = unless(e);
        return FROM_GOOD[second > first ? second : first];
      };
    }
    case 'deadline': {
      if (!clock) throw new Error(`the deadline '${clause.def.id}' has no clock`);
      const starts = to.formula(body.starts);
      const done = to.formula(body.done);
      const year = body.inYearOf ? to.formula(body.inYearOf) : nothing;
      const { index } = clause;
      return (e) => {
        const status = clock.status(starts(e), done(e), year(e), e);
        return status === UNKNOWN && e.settled ? (e.settled.get(index) ?? UNKNOWN) : status;
      };
    }
    case 'fee': {
      const pay = to.formula(body.pay);
      return (e): StatusCode => {
        const sum = pay(e);
        return sum === undefined ? UNKNOWN : sum === null ? NOT_APPLICABLE : SATISFIED;
      };
    }
    case 'listed':
      return () => NOT_APPLICABLE;
  }
}
