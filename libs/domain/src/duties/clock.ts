import type { Pause } from '@headworks/calendars';
import type { Due } from '@headworks/kernel';
import type { FactSource, Pack } from '@headworks/rules-engine';
import { endsByDay, type DeadlineClause, type Duty, type DutyClock } from './duty';

/** What moves the end of a duty besides its start. */
export interface Moving {
  readonly startMs: number;
  readonly facts: (ms: number) => FactSource;
  /** Instants at which something was said, ascending. */
  readonly changes: () => readonly number[];
}

/**
 * The clock of a duty. What moves it counts as long as it runs: a fact that comes after the due instant finds it past.
 * Undefined where the law can't tell the day yet.
 */
export function clockOf(pack: Pack, clause: DeadlineClause, moving: Moving): DutyClock | undefined {
  const { startMs } = moving;
  return isMoved(clause) ? movedClock(pack, clause, moving) : { due: plainDue(pack, clause.id, startMs) };
}

/** The same with what its derivation can tell of the start: the fact, and the event that recorded it. */
export const toldClock = (pack: Pack, clause: DeadlineClause, moving: Moving): DutyClock | undefined =>
  isMoved(clause)
    ? movedClock(pack, clause, moving)
    : pack.clock(clause.id, moving.startMs, moving.facts(moving.startMs));

/** The clock of a derived duty with what its derivation can tell of the start, for whoever reads it. */
export const derivedClock = ({ pack, clause, clock, startMs, facts }: Duty): DutyClock =>
  isMoved(clause) ? clock : (toldClock(pack, clause, { startMs, facts, changes: () => [] }) ?? clock);

/** Whether facts besides the start have a say in when it ends. */
const isMoved = ({ deadline: { due, starts, pausedBy, extendedBy } }: DeadlineClause): boolean =>
  (due !== undefined && due.inYearOf !== starts) || pausedBy !== undefined || extendedBy !== undefined;

function movedClock(pack: Pack, clause: DeadlineClause, moving: Moving): DutyClock | undefined {
  const { startMs, facts, changes } = moving;
  // Facts tell the newest pause alone; earlier ones are kept by the instant at which they began.
  const pauses = new Map<number, Pause>();
  let clock: DutyClock | undefined;
  for (const ms of [startMs, ...changes().filter((change) => change > startMs)]) {
    if (clock && isOver(clause, clock, ms)) break;
    const source = facts(ms);
    const pause = pack.pause(clause.id, startMs, source);
    if (pause) pauses.set(pause.from, pause);
    clock = pack.clock(clause.id, startMs, source, pauses.size > 0 ? { pauses: [...pauses.values()] } : {});
  }
  return clock;
}

function isOver(clause: DeadlineClause, { due }: DutyClock, ms: number): boolean {
  if (!due) return false;
  return endsByDay({ clause }) ? ms >= Date.parse(due.at) : ms > Date.parse(due.at);
}

const dues = new WeakMap<Pack, Map<string, Due>>();
/** A derivation is a list of days: kept for the starts that are asked for again and again, not for all of them. */
const MOST_DUES = 2000;

function plainDue(pack: Pack, clause: string, startMs: number): Due {
  let known = dues.get(pack);
  if (!known) dues.set(pack, (known = new Map<string, Due>()));
  const name = `${startMs}|${clause}`;
  let due = known.get(name);
  if (!due) {
    if (known.size >= MOST_DUES) known.clear();
    due = pack.due(clause, startMs);
    known.set(name, due);
  }
  return due;
}

/** A duty that was past before it began binds nobody: no one can do it in time. */
export const beginsInTime = (clock: DutyClock, startMs: number): boolean =>
  clock.due === undefined || Date.parse(clock.due.at) > startMs;
