import {
  remindersOf,
  type Clock,
  type Extension,
  type Pause,
  type Reminder,
  type Told,
} from '@headworks/calendars';
import type { Due, LawRef } from '@headworks/kernel';
import type { ClauseDef, DeadlineDef, DutyTerms, FactSource } from '../api';
import type { Evaluation } from '../compile/context';
import type { DeadlineClock } from '../compile/deadline';
import type { Machine } from '../compile/machine';
import { NO_TERMS, type Terms } from '../compile/terms';
import type { Clause } from '../model/ir';
import type { PackModel } from '../resolve/pack';
import type { PackJudge } from './pack-judge';

interface Known {
  readonly clause: Clause;
  readonly clock: DeadlineClock;
  readonly deadline: DeadlineDef;
}

/** Answers when duties fall due, with all that a derivation tells: what started and stopped them, and by which events. */
export class Deadlines {
  constructor(
    private readonly model: PackModel,
    private readonly machine: Machine,
    private readonly ref: LawRef,
    private readonly judge: PackJudge,
  ) {}

  clock(id: string, start: number, facts?: FactSource, more: DutyTerms = {}): Clock | undefined {
    const known = this.known(id);
    const { clause, clock, deadline } = known;
    const e = facts && this.judge.explain(facts);
    const terms = this.terms(known, start, e, more);
    if (!terms) return undefined;
    const inYearOf = clause.body.verb === 'deadline' ? clause.body.inYearOf : undefined;
    const said = inYearOf && e && this.machine.formula(inYearOf)(e);
    const year = said ?? (deadline.due?.inYearOf === deadline.starts ? start : undefined);
    return clock.clock(start, year, terms, this.told(clause.def, deadline, e));
  }

  due(id: string, start: number, facts?: FactSource, more?: DutyTerms): Due {
    const clock = this.clock(id, start, facts, more);
    if (clock?.due) return clock.due;
    if (clock) {
      throw new RangeError(`the clock of '${id}' stands still since ${clock.pausedSince}: ask for the clock`);
    }
    const { deadline } = this.known(id);
    const year = deadline.due?.inYearOf;
    throw new RangeError(
      year === undefined
        ? `what moves the end of '${id}' is not known: give the facts`
        : `the day of '${id}' is in the year of '${year}', which is not known: give the facts`,
    );
  }

  /** The pause that the facts tell of a duty with this start, for whoever keeps those of earlier facts. */
  pause(id: string, start: number, facts: FactSource): Pause | undefined {
    const known = this.known(id);
    const e = this.judge.explain(facts);
    const [pause] = known.clock.terms(e, start)?.pauses ?? [];
    return pause && this.toldPause(pause, known.deadline, e);
  }

  reminders(id: string, due: Due): readonly Reminder[] {
    const { deadline } = this.known(id);
    const { counting, kind, remind } = deadline;
    return remindersOf(due, remind, { zone: this.machine.zone, counting, kind, ...this.machine.calendars });
  }

  private known(id: string): Known {
    const clause = this.judge.clauseOf(id);
    const clock = this.machine.clocks.get(clause.index);
    const { deadline } = clause.def;
    if (!clock || !deadline) throw new RangeError(`the clause '${id}' has no deadline`);
    return { clause, clock, deadline };
  }

  /** What is handed in stands in place of what the facts tell: they know the newest pause alone. */
  private terms(
    { clock, deadline }: Known,
    start: number,
    e: Evaluation | undefined,
    { pauses, extensions }: DutyTerms,
  ): Terms | undefined {
    if (pauses && extensions) return { pauses, extensions };
    // Without facts a duty is counted as nobody moved it.
    const said = e ? clock.terms(e, start) : NO_TERMS;
    if (!said || !e)
      return said && { pauses: pauses ?? said.pauses, extensions: extensions ?? said.extensions };
    return {
      pauses: pauses ?? said.pauses.map((pause) => this.toldPause(pause, deadline, e)),
      extensions: extensions ?? said.extensions.map((one) => this.toldExtension(one, deadline, e)),
    };
  }

  private toldPause(pause: Pause, { pausedBy }: DeadlineDef, e: Evaluation): Pause {
    const { text, event } = this.factTold(pausedBy?.from ?? '', e);
    return { ...pause, why: text, ...(event === undefined ? {} : { event }) };
  }

  private toldExtension(extension: Extension, { extendedBy }: DeadlineDef, e: Evaluation): Extension {
    const { text, event } = this.factTold(extendedBy?.fact ?? '', e);
    return { ...extension, why: text, ...(event === undefined ? {} : { event }) };
  }

  private told(def: ClauseDef, deadline: DeadlineDef, e: Evaluation | undefined): Told {
    const { pack, version } = this.ref;
    return {
      startedBy: this.factTold(deadline.starts, e),
      clause: { id: def.id, cite: def.cite, pack, version },
    };
  }

  /** The label of a fact, and the event that recorded it. A derived value has none of its own. */
  private factTold(name: string, e: Evaluation | undefined): { text: string; event?: string } {
    const { raw, facts } = this.model;
    const text = raw.facts[name]?.label ?? raw.derived?.[name]?.label ?? name;
    const slot = facts.get(name)?.slot;
    if (!e || slot === undefined) return { text };
    this.machine.readOf(slot)(e);
    const event = e.entries[slot]?.from.event;
    return { text, ...(event === undefined ? {} : { event }) };
  }
}
