import { deepFreeze, quantityJson, type Due, type Finding, type Quantity } from '@headworks/kernel';
import type { StatusCode } from '../compile/context';
import { NOT_APPLICABLE, STATUS, UNKNOWN, VIOLATED, type Evaluation } from '../compile/context';
import type { DeadlineClock } from '../compile/deadline';
import type { Compiled } from '../compile/formula';
import { clauseNeeds, conditionNeeds, type Clause, type ClauseBody, type Condition } from '../model/ir';
import { F, U, type Truth } from '../model/types';
import type { Slot } from '../resolve/pack';
import { decided, decidingLeaf, hoursJson, type Decided } from './deciding';
import { Lookup } from './lookup';
import { Missing, MissingFinder } from './missing';
import { OperandList } from './operands';

type Extras = Pick<Finding, 'limit' | 'margin' | 'due' | 'outcome' | 'amount'>;

/** Makes findings: the statuses come from the compiled closures, the reasons are looked up only here. */
export class FindingMaker {
  private readonly missing: MissingFinder;
  private readonly lookup: Lookup;

  constructor(
    private readonly slots: readonly Slot[],
    private readonly clauses: ReadonlyMap<number, Clause>,
    private readonly to: Compiled,
    private readonly clocks: ReadonlyMap<number, DeadlineClock>,
    private readonly isJudgement: (fact: string) => boolean,
  ) {
    this.lookup = new Lookup(to);
    this.missing = new MissingFinder(slots, clauses, to, this.lookup, (index, e) => this.notYetDue(index, e));
  }

  make(clause: Clause, status: StatusCode, e: Evaluation): Finding {
    const { def } = clause;
    const leaf = status === NOT_APPLICABLE ? undefined : this.deciding(clause, e);
    const operands = new OperandList(this.slots, this.clauses, this.to, e);
    if (leaf) operands.add(conditionNeeds(leaf));
    operands.add(clauseNeeds(clause));
    const missing = status === UNKNOWN ? this.missingIn(clause, e) : undefined;
    return deepFreeze({
      clause: def.id,
      rows: def.rows,
      cite: def.cite,
      says: def.says,
      status: STATUS[status],
      ...(missing ? { reason: missing.reason(this.isJudgement) } : {}),
      operands: operands.operands,
      ...this.extras(clause, status, leaf, e),
      missing: missing ? [...missing.facts] : [],
      binds: def.binds,
      ...(def.interpretation
        ? { interpretation: { id: def.interpretation.id, choice: def.interpretation.choice } }
        : {}),
    });
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

  private missingIn(clause: Clause, e: Evaluation): Missing {
    const found = new Missing();
    this.missing.inClause(clause, e, found);
    return found;
  }

  /** Where an exception was tried and failed, it is what could have cured the breach, so it explains it. */
  private deciding(clause: Clause, e: Evaluation): ReturnType<typeof decidingLeaf> | undefined {
    const ask = (condition: Condition): Truth => this.lookup.ask(condition, e);
    if (clause.applies && ask(clause.applies) === U) return decidingLeaf(clause.applies, ask);
    if (clause.body.verb !== 'condition') return undefined;
    const { good, unless } = clause.body;
    const first = ask(good);
    if (unless === undefined) return decidingLeaf(good, ask);
    const second = ask(unless);
    const byException = second > first || (first === F && second === F) || (first === U && second === U);
    return decidingLeaf(byException && first !== U ? unless : good, ask);
  }

  private extras(
    clause: Clause,
    status: StatusCode,
    leaf: ReturnType<typeof decidingLeaf> | undefined,
    e: Evaluation,
  ): Extras {
    const { body } = clause;
    if (status === NOT_APPLICABLE) return {};
    switch (body.verb) {
      case 'condition':
        return leaf ? this.decidedBy(leaf, e) : {};
      case 'deadline':
        return this.deadlineExtras(clause, body, status, e);
      case 'fee': {
        const pay = this.lookup.value(body.pay, e);
        return pay ? { amount: quantityJson(pay as Quantity) } : {};
      }
      case 'listed':
        return {};
    }
  }

  private decidedBy(leaf: ReturnType<typeof decidingLeaf>, e: Evaluation): Decided {
    return decided(
      leaf,
      (formula) => this.lookup.value(formula, e),
      (index) => this.clauses.get(index)?.def.id ?? '?',
    );
  }

  private deadlineExtras(
    clause: Clause,
    body: Extract<ClauseBody, { verb: 'deadline' }>,
    status: StatusCode,
    e: Evaluation,
  ): Extras {
    const clock = this.clocks.get(clause.index);
    const state = clock?.state(this.lookup.value(body.starts, e), this.lookup.value(body.done, e), e.now);
    if (!clock || state?.start === undefined || state.end === undefined) return {};
    const { date, at, elapsedAt } = clock.due(state.start);
    const due: Due = { date, at, elapsedAt };
    const outcome = status === VIOLATED ? clause.def.deadline?.outcome : undefined;
    return {
      due,
      ...(state.measured === undefined ? {} : { margin: hoursJson(state.end - state.measured) }),
      ...(outcome === undefined ? {} : { outcome }),
    };
  }

  private notYetDue(index: number, e: Evaluation): boolean {
    const body = this.clauses.get(index)?.body;
    if (body?.verb !== 'deadline') return false;
    const clock = this.clocks.get(index);
    return (
      clock?.state(this.lookup.value(body.starts, e), this.lookup.value(body.done, e), e.now).notYetDue ??
      false
    );
  }
}
