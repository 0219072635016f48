import type { Slot, PackModel } from '../resolve/pack';
import { readerOf } from '../model/json';
import { compileClause } from './clause';
import { derivedReader, factReader } from './context';
import { DeadlineClock, type Calendars } from './deadline';
import { compileFormula, type Compiled } from './formula';

/** A compiled pack: closures by slot and clause, and the clock of each deadline. */
export interface Machine {
  readonly compiled: Compiled;
  readonly clocks: ReadonlyMap<number, DeadlineClock>;
}

export function compileModel(model: PackModel, calendars: Calendars): Machine {
  const compiled: Compiled = { zone: model.raw.time_zone, read: [], judge: [] };
  const clocks = new Map<number, DeadlineClock>();
  model.slots.forEach((slot, index) => {
    compiled.read[index] = slot.formula
      ? derivedReader(index, compileFormula(slot.formula, compiled))
      : factReader(index, slot.name, readerOf(slot.type), isOptional(model, slot));
  });
  for (const clause of model.clauses.values()) {
    const { deadline } = clause.def;
    if (deadline?.allow) {
      const { allow } = deadline;
      clocks.set(clause.index, new DeadlineClock({ ...deadline, allow }, model.raw.time_zone, calendars));
    }
    compiled.judge[clause.index] = compileClause(clause, compiled, clocks.get(clause.index));
  }
  return { compiled, clocks };
}

const isOptional = (model: PackModel, slot: Slot): boolean =>
  model.facts.get(slot.name)?.def.optional ?? false;
