import { deepFreeze, quantityJson, type Finding, type Quantity } from '@headworks/kernel';
import {
  NOT_APPLICABLE,
  STATUS,
  UNKNOWN,
  VIOLATED,
  type Compiled,
  type Evaluation,
  type StatusCode,
} from '../compile/context';
import type { DeadlineClock, DeadlineFacts } from '../compile/deadline';
import type { Clause, ClauseBody, ClausesMet, Condition, Elsewhere, Formula, Leaf } from '../model/ir';
import { F, U, type Truth } from '../model/types';
import type { Slot } from '../resolve/pack';
import { Decider, decidingLeaf, hoursJson } from './deciding';
import { Missing, MissingFinder } from './missing';
import { OperandLists } from './operands';

type Deadline = Extract<ClauseBody, { verb: 'deadline' }>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
const NOTHING: readonly string[] = Object.freeze([]);

/** Makes findings: the statuses come from the compiled closures, the reasons are looked up only here. */
export class FindingMaker {
  private readonly missing: MissingFinder;
  private readonly operands: OperandLists;
  private readonly decider: Decider;
  private readonly readings = new Map<number, NonNullable<Finding['interpretation']>>();

  constructor(
    slots: readonly Slot[],
    private readonly clauses: ReadonlyMap<number, Clause>,
    private readonly to: Compiled,
    private readonly clocks: ReadonlyMap<number, DeadlineClock>,
    private readonly isJudgement: (fact: string) => boolean,
  ) {
    this.operands = new OperandLists(slots, clauses, to);
    this.decider = new Decider(to, (index) => clauses.get(index)?.def.id ?? '?', slots);
    for (const { index, def } of clauses.values()) {
      if (!def.interpretation) continue;
      const { id, choice } = def.interpretation;
      this.readings.set(index, Object.freeze({ id, choice }));
    }
    this.missing = new MissingFinder(slots, clauses, to, {
      notYetDue: (index, e) => this.notYetDue(index, e),
      termsKnown: (index, e) => this.termsKnown(index, e),
    });
  }

  make(clause: Clause, status: StatusCode, e: Evaluation): Finding {
    const { def } = clause;
    const leaf = status === NOT_APPLICABLE ? undefined : this.deciding(clause, e);
    const finding: Mutable<Finding> = {
      clause: def.id,
      rows: def.rows,
      cite: def.cite,
      says: def.says,
      status: STATUS[status],
      operands: this.operands.of(clause, leaf, e),
      missing: NOTHING,
      binds: def.binds,
    };
    if (status === UNKNOWN) this.addMissing(clause, e, finding);
    if (status !== NOT_APPLICABLE) this.addMeasure(clause, status, leaf, e, finding);
    const reading = this.readings.get(clause.index);
    if (reading) finding.interpretation = reading;
    return finding;
  }

  /** A finding that rests on nothing: an act that the law allows without a condition. */
  plain({ def }: Clause, status: StatusCode): Finding {
    const { id, rows, cite, says, binds } = def;
    return deepFreeze({
      clause: id,
      rows,
      cite,
      says,
      status: STATUS[status],
      operands: [],
      missing: [],
      binds,
    });
  }

  /** Only an unknown finding asks for anything. */
  private addMissing(clause: Clause, e: Evaluation, finding: Mutable<Finding>): void {
    const found = new Missing();
    this.missing.inClause(clause, e, found);
    finding.reason = found.reason(this.isJudgement);
    finding.missing = [...found.facts];
  }

  /** Where an exception was tried and failed, it is what could have cured the breach, so it explains it. */
  private deciding(clause: Clause, e: Evaluation): Leaf | ClausesMet | Elsewhere | undefined {
    const ask = (condition: Condition): Truth => this.to.test(condition)(e);
    if (clause.applies && ask(clause.applies) === U) return decidingLeaf(clause.applies, ask);
    if (clause.body.verb !== 'condition') return undefined;
    const { good, unless } = clause.body;
    const first = ask(good);
    if (unless === undefined) return decidingLeaf(good, ask);
    const second = ask(unless);
    const byException = second > first || (first === F && second === F) || (first === U && second === U);
    return decidingLeaf(byException && first !== U ? unless : good, ask);
  }

  /** What was required and by how much it was met; a date for duties, a sum for fees. */
  private addMeasure(
    clause: Clause,
    status: StatusCode,
    leaf: Leaf | ClausesMet | Elsewhere | undefined,
    e: Evaluation,
    finding: Mutable<Finding>,
  ): void {
    const { body } = clause;
    switch (body.verb) {
      case 'condition': {
        if (!leaf) return;
        const { limit, margin } = this.decider.decided(leaf, e);
        if (limit) finding.limit = limit;
        if (margin) finding.margin = margin;
        return;
      }
      case 'deadline':
        this.addDue(clause, body, status, e, finding);
        return;
      case 'fee': {
        const pay = this.to.formula(body.pay)(e);
        if (pay) finding.amount = quantityJson(pay as Quantity);
        return;
      }
      case 'listed':
        return;
    }
  }

  /** Findings keep the date and not its derivation, which `due` gives on request. */
  private addDue(
    clause: Clause,
    body: Deadline,
    status: StatusCode,
    e: Evaluation,
    finding: Mutable<Finding>,
  ): void {
    const clock = this.clocks.get(clause.index);
    const state = clock?.state(this.deadlineFacts(body, e), e);
    if (state?.pausedSince !== undefined) finding.pausedSince = state.pausedSince;
    if (state?.due === undefined || state.end === undefined) return;
    finding.due = state.due;
    if (state.measured !== undefined) finding.margin = hoursJson(state.end - state.measured);
    const outcome = status === VIOLATED ? clause.def.deadline?.outcome : undefined;
    if (outcome !== undefined) finding.outcome = outcome;
  }

  private deadlineFacts({ starts, done, inYearOf }: Deadline, e: Evaluation): DeadlineFacts {
    const read = (formula: Formula) => this.to.formula(formula)(e);
    return { starts: read(starts), done: read(done), year: inYearOf && read(inYearOf) };
  }

  private notYetDue(index: number, e: Evaluation): boolean {
    const body = this.clauses.get(index)?.body;
    if (body?.verb !== 'deadline') return false;
    const clock = this.clocks.get(index);
    return clock?.state(this.deadlineFacts(body, e), e).notYetDue ?? false;
  }

  private termsKnown(index: number, e: Evaluation): boolean {
    const body = this.clauses.get(index)?.body;
    const clock = this.clocks.get(index);
    if (body?.verb !== 'deadline' || !clock) return true;
    const start = clock.startMs(this.to.formula(body.starts)(e));
    return start === undefined || clock.terms(e, start) !== undefined;
  }
}
