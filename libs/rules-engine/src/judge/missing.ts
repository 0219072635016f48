import type { UnknownReason } from '@headworks/kernel';
import { UNKNOWN, type Compiled, type Evaluation } from '../compile/context';
import { compileElsewhere } from '../compile/elsewhere';
import type { Clause, Condition, Elsewhere, Formula, Rows } from '../model/ir';
import { conditionNeeds, dependencies } from '../model/needs';
import { F, T, U } from '../model/types';
import type { Slot } from '../resolve/pack';

/** What stands between an unknown finding and an answer. */
export class Missing {
  readonly facts = new Set<string>();
  figure = false;
  notYetDue = false;

  /** Only a question that is wholly somebody's call waits for a judgement; a missing figure of the law comes last. */
  reason(isJudgement: (fact: string) => boolean): UnknownReason {
    if (this.facts.size > 0) {
      return [...this.facts].every(isJudgement) ? 'awaiting_judgement' : 'fact_missing';
    }
    if (this.figure) return 'figure_missing';
    return this.notYetDue ? 'not_yet_due' : 'fact_missing';
  }
}

/** What a deadline says of itself on given facts, by the number of its clause. */
export interface DeadlineAsk {
  notYetDue(clause: number, e: Evaluation): boolean;
  /** Whether it is known what moves its end. */
  termsKnown(clause: number, e: Evaluation): boolean;
}

/** Finds what is missing. It walks only the parts whose own value is unknown: the rest decides nothing. */
export class MissingFinder {
  constructor(
    private readonly slots: readonly Slot[],
    private readonly clauses: ReadonlyMap<number, Clause>,
    private readonly to: Compiled,
    private readonly deadlines: DeadlineAsk,
  ) {}

  inClause(clause: Clause, e: Evaluation, found: Missing): void {
    const { body, applies } = clause;
    const applied = applies ? this.to.test(applies)(e) : T;
    if (applies && applied === U) this.inCondition(applies, e, found);
    if (applied === F) return;
    switch (body.verb) {
      case 'condition':
        this.inCondition(body.good, e, found);
        if (body.unless && this.to.test(body.good)(e) !== T) this.inCondition(body.unless, e, found);
        return;
      case 'deadline':
        this.inFormula(body.starts, e, found);
        if (this.to.formula(body.starts)(e) !== null) {
          if (body.inYearOf) this.inFormula(body.inYearOf, e, found);
          if (!this.deadlines.termsKnown(clause.index, e)) this.inTerms(body, e, found);
          this.inFormula(body.done, e, found);
        }
        if (this.deadlines.notYetDue(clause.index, e)) found.notYetDue = true;
        return;
      case 'fee':
        this.inFormula(body.pay, e, found);
        return;
      case 'listed':
        return;
    }
  }

  /** What moves the end. While the clock was never stopped, nobody needs to say when it ran again. */
  private inTerms(body: Extract<Clause['body'], { verb: 'deadline' }>, e: Evaluation, found: Missing): void {
    const { paused, extended } = body;
    if (extended) this.inFormula(extended, e, found);
    if (!paused) return;
    this.inFormula(paused.from, e, found);
    if (this.to.formula(paused.from)(e) !== null) this.inFormula(paused.until, e, found);
  }

  private inCondition(condition: Condition, e: Evaluation, found: Missing): void {
    if (this.to.test(condition)(e) !== U) return;
    switch (condition.op) {
      case 'all':
      case 'any':
        this.inGroup(condition.of, e, found);
        return;
      case 'clauses_met':
        for (const index of condition.clauses) {
          const clause = this.clauses.get(index);
          if (clause && this.to.judgeOf(index)(e) === UNKNOWN) this.inClause(clause, e, found);
        }
        return;
      case 'elsewhere':
        this.inElsewhere(condition, e, found);
        return;
      case 'happened':
      case 'season':
      case 'hours':
        this.inFormula(condition.left, e, found);
        return;
      case 'compare':
      case 'member':
      case 'sets':
      case 'same_year':
        this.inFormula(condition.left, e, found);
        this.inFormula(condition.right, e, found);
    }
  }

  /** What the other pack lacks, by the names of this one where it has them. */
  private inElsewhere(condition: Elsewhere, e: Evaluation, found: Missing): void {
    this.inFormula(condition.on, e, found);
    if (this.to.formula(condition.on)(e) === undefined) return;
    const asked = compileElsewhere(condition, this.to)(e);
    if (!asked) {
      found.facts.add(`pack:${condition.pack}`);
      return;
    }
    for (const finding of asked.pack.evaluate({ ...asked, now: e.now })) {
      if (finding.reason === 'figure_missing') found.figure = true;
      if (finding.reason === 'not_yet_due') found.notYetDue = true;
      for (const fact of finding.missing) {
        const ours = condition.facts.find(({ theirs }) => theirs === fact)?.ours;
        if (ours && this.to.formula(ours)(e) === undefined) this.inFormula(ours, e, found);
        else found.facts.add(`${condition.pack}.${fact}`);
      }
    }
  }

  /** What depends on a choice is not asked before the choice itself is known: it may never matter. */
  private inGroup(parts: readonly Condition[], e: Evaluation, found: Missing): void {
    const unknown = parts.filter((one) => this.to.test(one)(e) === U);
    const first = unknown[0];
    const which = first && 'left' in first && first.left.type.is === 'choice';
    (which ? unknown.slice(0, 1) : unknown).forEach((one) => this.inCondition(one, e, found));
  }

  private inFormula(formula: Formula, e: Evaluation, found: Missing): void {
    if (this.to.formula(formula)(e) !== undefined) return;
    switch (formula.op) {
      case 'slot': {
        const slot = this.slots[formula.slot];
        if (slot?.formula) this.inFormula(slot.formula, e, found);
        else found.facts.add(slot?.askFor ?? formula.name);
        return;
      }
      case 'literal':
      case 'none':
        return;
      case 'figure':
        found.figure = true;
        return;
      case 'sum_of':
      case 'count_of':
        this.inRows(formula, e, found);
        return;
      case 'field':
        return;
      case 'scheduled':
        if (formula.on) this.inFormula(formula.on, e, found);
        if (!formula.on || this.to.formula(formula.on)(e) !== undefined) found.figure = true;
        return;
      case 'table':
        this.inTable(formula, e, found);
        return;
      case 'choose':
        this.inBranches(formula, e, found);
        return;
      case 'test':
        this.inCondition(formula.condition, e, found);
        return;
      case 'fold':
      case 'day':
      case 'shift':
      case 'year_day':
      case 'month_end':
      case 'year':
        this.inOperands(formula.of, e, found);
    }
  }

  /** What the rows are measured by, and where that is known the rows themselves. */
  private inRows({ series, sameYear, rolling, where }: Rows, e: Evaluation, found: Missing): void {
    const before = found.facts.size;
    for (const { as } of [sameYear, rolling].filter((one) => one !== undefined)) this.inFormula(as, e, found);
    for (const index of where ? conditionNeeds(where).slots : []) {
      const slot = this.slots[index];
      if (slot) this.inFormula({ op: 'slot', slot: index, name: slot.name, type: slot.type }, e, found);
    }
    if (found.facts.size === before) this.addSlot(series, found);
  }

  /** What it is entered by; where that is known, the cell itself says that its figure is missing. */
  private inTable(formula: Extract<Formula, { op: 'table' }>, e: Evaluation, found: Missing): void {
    const open = formula.axes.filter(({ of }) => of && this.to.formula(of)(e) === undefined);
    for (const { of } of open) if (of) this.inFormula(of, e, found);
    if (open.length === 0) found.figure = true;
  }

  private inOperands(operands: readonly Formula[], e: Evaluation, found: Missing): void {
    const unknown = operands.filter((one) => this.to.formula(one)(e) === undefined);
    unknown.forEach((one) => this.inFormula(one, e, found));
    // All is known and there is still no result (a division by zero): the divisor is what must be looked at again.
    if (unknown.length === 0) operands.slice(1).forEach((one) => this.addBases(one, found));
  }

  /** Only the branch that holds matters; while that is open, its condition is what is missing. */
  private inBranches(formula: Extract<Formula, { op: 'choose' }>, e: Evaluation, found: Missing): void {
    for (const { when, then } of formula.branches) {
      const truth = this.to.test(when)(e);
      if (truth === F) continue;
      if (truth === T) this.inFormula(then, e, found);
      else this.inCondition(when, e, found);
      return;
    }
    this.inFormula(formula.otherwise, e, found);
  }

  private addSlot(slot: number, found: Missing): void {
    const entry = this.slots[slot];
    if (entry) found.facts.add(entry.askFor ?? entry.name);
  }

  private addBases(formula: Formula, found: Missing): void {
    for (const slot of dependencies(formula).slots) {
      const entry = this.slots[slot];
      if (entry?.formula) this.addBases(entry.formula, found);
      else this.addSlot(slot, found);
    }
  }
}
