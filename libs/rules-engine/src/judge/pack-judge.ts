import { dueInstants } from '@headworks/calendars';
import type { Finding, JsonObject, JsonValue } from '@headworks/kernel';
import type { FactSource, Headroom, LimitDef, Question } from '../api';
import type { Machine } from '../compile/machine';
import {
  Evaluation,
  SATISFIED,
  STATUS,
  UNKNOWN,
  VIOLATED,
  type Judge as ClauseJudge,
  type StatusCode,
} from '../compile/context';
import type { Calendars } from '../compile/lists';
import { FindingMaker } from './finding';
import { amountJson, remaining } from './headroom';
import type { Clause } from '../model/ir';
import { clauseNeeds } from '../model/needs';
import { exactJson, toJson } from '../model/json';
import type { Truth } from '../model/types';
import type { PackModel } from '../resolve/pack';

const byName = <T>(list: readonly T[], name: (one: T) => string): ReadonlyMap<string, T> =>
  new Map(list.map((one) => [name(one), one]));

/** A clause and its compiled judge, side by side. */
interface Planned {
  readonly clause: Clause;
  readonly judge: ClauseJudge;
}

/** Answers the questions of the public interface about one compiled pack. */
export class PackJudge {
  private readonly clauseByName: ReadonlyMap<string, Clause>;
  /** Clauses of a frozen list, such as those of an assessment, looked up once. */
  private readonly plans = new WeakMap<readonly string[], readonly Planned[]>();
  private readonly findings: FindingMaker;
  private spare: Evaluation | undefined;
  private readonly size: { readonly slots: number; readonly clauses: number };
  private readonly slotByName: ReadonlyMap<string, number>;

  constructor(
    private readonly model: PackModel,
    private readonly machine: Machine,
  ) {
    this.clauseByName = byName([...model.clauses.values()], ({ def }) => def.id);
    this.slotByName = new Map(model.slots.map(({ name }, slot) => [name, slot]));
    this.size = { slots: model.slots.length, clauses: model.raw.clauses.length };
    this.findings = new FindingMaker(
      model.slots,
      model.clauses,
      machine,
      machine.clocks,
      (fact) => model.facts.get(fact)?.def.type === 'judgement',
    );
  }

  clauseOf(id: string): Clause {
    const clause = this.clauseByName.get(id);
    if (clause) return clause;
    throw new RangeError(`the pack '${this.model.raw.pack}' has no clause '${id}'`);
  }

  evaluate({ clauses, facts, now, settled }: Question): readonly Finding[] {
    const plan = this.planFor(clauses);
    return this.evaluating(facts, now, true, (e) => {
      e.settled = settled && this.settledBy(settled);
      return plan.map(({ clause, judge }) => this.findings.make(clause, judge(e), e));
    });
  }

  private settledBy(settled: NonNullable<Question['settled']>): ReadonlyMap<number, StatusCode> {
    return new Map(
      [...settled].map(([id, status]) => [
        this.clauseOf(id).index,
        status === 'satisfied' ? SATISFIED : VIOLATED,
      ]),
    );
  }

  clausesAskedBy(ids: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    const visit = (clause: Clause): void => {
      for (const index of clauseNeeds(clause).clauses) {
        const other = this.model.clauses.get(index);
        if (!other || found.has(other.def.id)) continue;
        found.add(other.def.id);
        visit(other);
      }
    };
    ids.forEach((id) => visit(this.clauseOf(id)));
    return found;
  }

  statuses({ clauses, facts, now, settled }: Question): readonly Finding['status'][] {
    const plan = this.planFor(clauses);
    return this.evaluating(facts, now, false, (e) => {
      if (settled) e.settled = this.settledBy(settled);
      const found: Finding['status'][] = [];
      for (const { judge } of plan) found.push(STATUS[judge(e)]);
      return found;
    });
  }

  actAllowed(name: string, facts: FactSource, now: number): Finding {
    const act = this.model.acts.find(({ def }) => def.name === name);
    if (!act) throw new RangeError(`the pack '${this.model.raw.pack}' has no act '${name}'`);
    const clause: Clause = {
      index: -1,
      def: {
        id: `act:${name}`,
        cite: act.def.cite,
        says: act.def.label,
        rows: act.def.rows,
        about: [],
        verb: 'require',
        binds: 'person',
      },
      body: act.when
        ? { verb: 'condition', good: act.when }
        : { verb: 'condition', good: { op: 'all', of: [] } },
    };
    const { when } = act;
    if (!when) return this.findings.plain(clause, SATISFIED);
    return this.evaluating(facts, now, true, (e) =>
      this.findings.make(clause, STATUS_OF_TRUTH[this.machine.test(when)(e)], e),
    );
  }

  value(name: string, facts: FactSource): JsonValue | undefined {
    const slot = this.slotByName.get(name);
    const known = slot === undefined ? undefined : this.model.slots[slot];
    if (slot === undefined || !known) {
      throw new RangeError(`the pack '${this.model.raw.pack}' has no fact or derived value '${name}'`);
    }
    const e = this.explain(facts);
    const value = this.machine.readOf(slot)(e);
    if (value === undefined || value === null) return value;
    return (known.formula ? undefined : e.entries[slot]?.json) ?? toJson(known.type, value);
  }

  row(limit: string, facts: FactSource): JsonObject {
    const e = this.explain(facts);
    const row = this.limitOf(limit).row.map(({ field, formula }) => {
      const value = this.machine.formula(formula)(e);
      return [
        field,
        value === undefined ? undefined : value === null ? null : exactJson(formula.type, value),
      ] as const;
    });
    return Object.fromEntries(row.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
  }

  headroom(limit: string, facts: FactSource): readonly Headroom[] {
    const e = this.explain(facts);
    return this.limitOf(limit).headroom.map(({ clause, used, allowed }) => {
      const [a, b] = [this.machine.formula(used)(e), this.machine.formula(allowed)(e)];
      return {
        limit,
        clause,
        used: amountJson(used, a),
        allowed: amountJson(allowed, b),
        remaining: remaining(allowed, a, b),
      };
    });
  }

  measures(limit: string, facts: FactSource): Readonly<Record<string, JsonValue | null>> {
    const e = this.explain(facts);
    const entries = this.limitOf(limit).measures.map(({ name, formula }): [string, JsonValue | null] => {
      const value = this.machine.formula(formula)(e);
      return [name, value === undefined || value === null ? null : toJson(formula.type, value)];
    });
    return Object.fromEntries(entries);
  }

  campaignEnd(limit: string, start: number, calendars: Calendars): number | undefined {
    const { campaign } = this.limitOf(limit).def;
    if (!campaign) return undefined;
    const { time_zone: zone, counting } = this.model.raw;
    return dueInstants({ start, allow: campaign, zone, counting, kind: 'physical', ...calendars }).at;
  }

  private planFor(ids: readonly string[]): readonly Planned[] {
    const known = this.plans.get(ids);
    if (known) return known;
    const plan = ids.map((id): Planned => {
      const clause = this.clauseOf(id);
      return { clause, judge: this.machine.judgeOf(clause.index) };
    });
    if (Object.isFrozen(ids)) this.plans.set(ids, plan);
    return plan;
  }

  private limitOf(name: string): PackModel['limits'][number] {
    const limit = this.model.limits.find(({ def }: { def: LimitDef }) => def.name === name);
    if (limit) return limit;
    throw new RangeError(`the pack '${this.model.raw.pack}' has no limit '${name}'`);
  }

  /** Values and rows do not depend on the hour: nothing of them is due. */
  explain(facts: FactSource): Evaluation {
    return new Evaluation(this.size).begin(facts, 0, true);
  }

  /** Uses one evaluation over and over. A fact source that asks the pack itself gets another one meanwhile. */
  private evaluating<T>(facts: FactSource, now: number, explain: boolean, work: (e: Evaluation) => T): T {
    const e = this.spare ?? new Evaluation(this.size);
    this.spare = undefined;
    try {
      return work(e.begin(facts, now, explain));
    } finally {
      e.end();
      this.spare = e;
    }
  }
}

/** The condition of an act, as the status of a clause that requires it. */
const STATUS_OF_TRUTH: Readonly<Record<Truth, StatusCode>> = { 0: VIOLATED, 1: UNKNOWN, 2: SATISFIED };
