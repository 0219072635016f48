import type { Counting } from '@headworks/calendars';
import type { Quantity } from '@headworks/kernel';
import type { Condition, Formula } from '../model/ir';
import { readerOf } from '../model/json';
import type { PackModel } from '../resolve/pack';
import { compileNear } from './amounts';
import { compileClause } from './clause';
import {
  derivedReader,
  factReader,
  nearOf,
  nearOnce,
  UNKNOWN,
  type Compiled,
  type Judge,
  type Near,
  type Read,
  type Test,
} from './context';
import { compileCondition } from './condition';
import { DeadlineClock } from './deadline';
import type { PackLookup } from './context';
import { endsOf } from './ends';
import type { Calendars } from './lists';
import { compileFormula } from './formula';
import { compileTerms } from './terms';

/**
 * A compiled pack: closures by slot and clause. Each is made when it is first linked to, so that every closure holds
 * the closures it calls and nothing is looked up while it runs; the loader let no circle pass.
 */
export class Machine implements Compiled {
  readonly zone: string;
  readonly counting: Counting;
  readonly clocks = new Map<number, DeadlineClock>();
  private readonly reads: Read[] = [];
  private readonly nears: Near[] = [];
  private readonly judges: Judge[] = [];
  private readonly formulas = new Map<Formula, Read>();
  private readonly nearFormulas = new Map<Formula, Near>();
  private readonly tests = new Map<Condition, Test>();

  constructor(
    private readonly model: PackModel,
    readonly calendars: Calendars,
    readonly elsewhere: PackLookup,
  ) {
    this.zone = model.raw.time_zone;
    this.counting = model.raw.counting;
    for (const index of model.clauses.keys()) this.judgeOf(index);
  }

  isFact(slot: number): boolean {
    return this.model.slots[slot]?.formula === undefined;
  }

  readOf(slot: number): Read {
    return (this.reads[slot] ??= this.compileSlot(slot));
  }

  nearOf(slot: number): Near {
    return (this.nears[slot] ??= this.compileNearSlot(slot));
  }

  judgeOf(index: number): Judge {
    return (this.judges[index] ??= this.compileJudge(index));
  }

  formula(formula: Formula): Read {
    return madeOnce(this.formulas, formula, () => compileFormula(formula, this));
  }

  near(formula: Formula): Near {
    return madeOnce(this.nearFormulas, formula, () => compileNear(formula, this));
  }

  test(condition: Condition): Test {
    return madeOnce(this.tests, condition, () => compileCondition(condition, this));
  }

  /** A base fact is fetched and parsed, a derived value worked out; both once an evaluation. */
  private compileSlot(index: number): Read {
    const slot = this.model.slots[index];
    if (!slot) return () => undefined;
    if (slot.formula) return derivedReader(index, this.formula(slot.formula));
    const optional = this.model.facts.get(slot.name)?.def.optional ?? false;
    return factReader(index, slot.name, readerOf(slot.type), optional);
  }

  private compileNearSlot(index: number): Near {
    const formula = this.model.slots[index]?.formula;
    if (formula) return nearOnce(index, this.near(formula));
    const read = this.readOf(index);
    return (e) => nearOf(read(e) as Quantity | null | undefined);
  }

  private compileJudge(index: number): Judge {
    const clause = this.model.clauses.get(index);
    if (!clause) return () => UNKNOWN;
    const { body, def } = clause;
    if (def.deadline && body.verb === 'deadline') {
      const ends = endsOf(def.deadline, this.zone, this.calendars);
      const terms = compileTerms(body, def.deadline, this);
      this.clocks.set(index, new DeadlineClock(ends, this.zone, terms));
    }
    return compileClause(clause, this, this.clocks.get(index));
  }
}

function madeOnce<K, V>(made: Map<K, V>, key: K, make: () => V): V {
  const known = made.get(key);
  if (known) return known;
  const value = make();
  made.set(key, value);
  return value;
}
