import { address, type RecordedEvent } from '@headworks/kernel';
import { occurredMs } from '@headworks/calendars';
import type { ConsequenceReversed, DutyExtended, DutyMissed, DutyWaived, ThingRef } from '../events';
import type { ConsequenceConfirmed, DutyMoved } from './duty-events';

/**
 * An open duty, as the event that opened it tells it: all that a list and an alarm need, so that neither asks a pack.
 * `dueAt` is the statutory instant, ISO; null while its clock stands still.
 */
export type OpenDuty = {
  readonly duty: string;
  readonly pack: string;
  readonly version: string;
  readonly clause: string;
  readonly binds: 'person' | 'office';
  /** Who owes it, in the pack's word. */
  readonly who: string;
  readonly outcome: string;
  /** `stream@revision` of what began it. */
  readonly startedBy: string;
  readonly dueAt: string | null;
  readonly dueOn?: string;
  /** It ends with a day: `dueAt` is the first instant too late, not the last in time. */
  readonly byDay?: true;
  readonly elapsedAt?: string;
  readonly pausedSince?: string;
  /** The load that it binds, where a load began it. */
  readonly load?: string;
  /** The thing it is owed on; a permit's duty is at home with the permit. */
  readonly subject?: ThingRef;
  /** Who answers for it, where it binds a person. */
  readonly responsible?: ThingRef;
};

export type Ending = 'met' | 'met_late' | 'missed' | 'waived' | 'void';

/** An ended duty: how, and for one that was met by which event and when. */
export type ClosedDuty = {
  readonly duty: string;
  readonly how: Ending;
  readonly metBy?: string;
  readonly metAt?: string;
};

/** What stands written of duties in the events that changed them. */
export type DutyChanges = {
  readonly opened: readonly OpenDuty[];
  readonly closed: readonly ClosedDuty[];
};

export interface MissedDuty {
  readonly event: string;
  readonly data: DutyMissed;
  readonly reversedBy?: string;
  /** Done after all, too late: what was missed stays missed. */
  readonly metAt?: string;
  /** How the duty ended instead, where the consequence is taken back. */
  readonly ended?: Ending;
  /** An officer let it stand although calendars changed since: the newest change that was looked at. */
  readonly confirmed?: { readonly event: string; readonly under: string };
}

/** What the body that may said of one duty, and the instant from which it holds. */
export interface Waived {
  readonly event: string;
  readonly ms: number;
}
export interface Extended extends Waived {
  readonly data: DutyExtended;
}

export interface Moved extends Waived {
  readonly data: DutyMoved;
}

/** Of any thing: what is owed and was owed there, as its events say it. */
export interface DutiesState {
  readonly openDuties: ReadonlyMap<string, OpenDuty>;
  /** DutyMissed by duty, reversed ones too: both stay in the history. */
  readonly missed: ReadonlyMap<string, MissedDuty>;
  readonly waived: ReadonlyMap<string, Waived>;
  readonly extended: ReadonlyMap<string, readonly Extended[]>;
  /** How days that were closed later moved a duty, in the order of recording. */
  readonly moved: ReadonlyMap<string, readonly Moved[]>;
}

export const noDuties: DutiesState = {
  openDuties: new Map(),
  missed: new Map(),
  waived: new Map(),
  extended: new Map(),
  moved: new Map(),
};

/** The event itself, then what follows from it as it says: a miss ends what was open. */
export function evolveDuties<S extends DutiesState>(state: S, event: RecordedEvent): S {
  const changes = event.data['duties'] as DutyChanges | undefined;
  const told = evolveTold(state, event);
  return changes ? applyDutyChanges(told, changes) : told;
}

function evolveTold<S extends DutiesState>(state: S, event: RecordedEvent): S {
  const at = { event: address(event), ms: occurredMs(event.metadata.occurred) };
  switch (event.type) {
    case 'DutyMissed': {
      const data = event.data as DutyMissed;
      const openDuties = new Map(state.openDuties);
      openDuties.delete(data.duty);
      const missed = new Map(state.missed).set(data.duty, { event: at.event, data });
      return { ...state, openDuties, missed };
    }
    case 'ConsequenceReversed':
      return reverse(state, event.data as ConsequenceReversed, at.event);
    case 'DutyWaived': {
      const { duty } = event.data as DutyWaived;
      return { ...state, waived: new Map(state.waived).set(duty, at) };
    }
    case 'DutyExtended': {
      const data = event.data as DutyExtended;
      const before = state.extended.get(data.duty) ?? [];
      return { ...state, extended: new Map(state.extended).set(data.duty, [...before, { ...at, data }]) };
    }
    case 'DutyMoved': {
      const data = event.data as DutyMoved;
      const before = state.moved.get(data.duty) ?? [];
      return { ...state, moved: new Map(state.moved).set(data.duty, [...before, { ...at, data }]) };
    }
    case 'ConsequenceConfirmed':
      return confirm(state, event.data as ConsequenceConfirmed, at.event);
    default:
      return state;
  }
}

function confirm<S extends DutiesState>(state: S, data: ConsequenceConfirmed, event: string): S {
  const missed = state.missed.get(data.duty);
  if (missed?.event !== data.event) return state;
  const confirmed = { ...missed, confirmed: { event, under: data.under } };
  return { ...state, missed: new Map(state.missed).set(data.duty, confirmed) };
}

function reverse<S extends DutiesState>(state: S, data: ConsequenceReversed, event: string): S {
  const missed = data.duty === undefined ? undefined : state.missed.get(data.duty);
  if (missed?.event !== data.event) return state;
  return { ...state, missed: new Map(state.missed).set(missed.data.duty, { ...missed, reversedBy: event }) };
}

/** What was said of a duty in error was never said. */
export function annulOfDuties<S extends DutiesState>(state: S, event: string): S {
  const waived = [...state.waived].filter(([, one]) => one.event !== event);
  const extended = [...state.extended].map(
    ([duty, all]) => [duty, all.filter((one) => one.event !== event)] as const,
  );
  return { ...state, waived: new Map(waived), extended: new Map(extended) };
}

/** When the event gave more time for a duty or let it go, where that is what it says. */
export function leniencyMs({ waived, extended }: DutiesState, event: string): number | undefined {
  const all: readonly Waived[] = [...waived.values(), ...[...extended.values()].flat()];
  return all.find((one) => one.event === event)?.ms;
}

export function applyDutyChanges<S extends DutiesState>(state: S, { opened, closed }: DutyChanges): S {
  const openDuties = new Map(state.openDuties);
  const missed = new Map(state.missed);
  for (const duty of opened) openDuties.set(duty.duty, duty);
  for (const { duty, how, metAt } of closed) {
    openDuties.delete(duty);
    const one = missed.get(duty);
    if (one) missed.set(duty, metAsIs(one, how, metAt));
  }
  return { ...state, openDuties, missed };
}

/** Two tellings of one event as one: of each duty the later is what it says. */
export function joinChanges(first: DutyChanges, then: DutyChanges): DutyChanges {
  const again = new Set([...then.opened, ...then.closed].map(({ duty }) => duty));
  const isOfFirst = ({ duty }: { readonly duty: string }): boolean => !again.has(duty);
  return {
    opened: [...first.opened.filter(isOfFirst), ...then.opened],
    closed: [...first.closed.filter(isOfFirst), ...then.closed],
  };
}

/** A duty that was missed may be done all the same, and that may turn out not to be so. */
function metAsIs(one: MissedDuty, how: Ending, metAt: string | undefined): MissedDuty {
  if (one.reversedBy !== undefined) return { ...one, ended: how };
  const { metAt: _metAt, ...missed } = one;
  return how === 'met_late' && metAt !== undefined ? { ...missed, metAt } : missed;
}

/** The consequence of a duty that stands. */
export function standingMiss(state: DutiesState, duty: string): MissedDuty | undefined {
  const missed = state.missed.get(duty);
  return missed?.reversedBy === undefined ? missed : undefined;
}
