import { compileCondition } from '../compile/condition';
import type { Evaluation, Read, Test } from '../compile/context';
import { compileFormula, type Compiled } from '../compile/formula';
import type { Condition, Formula } from '../model/ir';
import type { Maybe, Truth } from '../model/types';

/** Asks parts of a clause for their value while a finding is explained; each part is compiled once. */
export class Lookup {
  private readonly tests = new Map<Condition, Test>();
  private readonly reads = new Map<Formula, Read>();

  constructor(private readonly to: Compiled) {}

  ask(condition: Condition, e: Evaluation): Truth {
    let test = this.tests.get(condition);
    if (!test) {
      test = compileCondition(condition, this.to);
      this.tests.set(condition, test);
    }
    return test(e);
  }

  value(formula: Formula, e: Evaluation): Maybe {
    let read = this.reads.get(formula);
    if (!read) {
      read = compileFormula(formula, this.to);
      this.reads.set(formula, read);
    }
    return read(e);
  }
}
