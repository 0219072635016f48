import { isoInstant, nameId, PersistentMap, type Decision, type RecordedEvent } from '@headworks/kernel';
import type { PermitNumbered, Validity } from './events';
import type { PermitStep } from './permit';

/** Numbers of one permit type and year: the n-th that was drawn is n, and a permit draws once (docs/adr/0008). */
export interface RegisterState {
  readonly stream: string;
  /** -1: no event yet. */
  readonly revision: number;
  readonly lastRecordedAt: string;
  /** Number by permit. */
  readonly numbers: PersistentMap<string, Drawn>;
  readonly drawn: number;
  readonly commands: PersistentMap<string, number>;
}

export interface Drawn {
  readonly data: PermitNumbered;
  /** Address of the event in the register. */
  readonly event: string;
}

export const newRegister = (stream: string): RegisterState => ({
  stream,
  revision: -1,
  lastRecordedAt: '',
  numbers: PersistentMap.empty(),
  drawn: 0,
  commands: PersistentMap.empty(),
});

export function evolveRegister(state: RegisterState, event: RecordedEvent): RegisterState {
  const { revision, metadata } = event;
  const next: RegisterState = {
    ...state,
    revision,
    lastRecordedAt: metadata.recordedAt > state.lastRecordedAt ? metadata.recordedAt : state.lastRecordedAt,
    commands: state.commands.set(metadata.commandId, revision),
  };
  if (event.type !== 'PermitNumbered') return next;
  const data = event.data as PermitNumbered;
  const drawn = { data, event: `${state.stream}@${revision}` };
  return { ...next, numbers: state.numbers.set(data.permit, drawn), drawn: state.drawn + 1 };
}

/**
 * Draws the next number for a permit that has none. Under the expected head two that race draw one after another. The
 * number belongs to the issue, whenever it came to be drawn.
 */
export function drawNumber(
  { numbers, drawn }: RegisterState,
  permit: string,
  series: string,
  issued: Pick<PermitStep, 'event' | 'key'>,
): Decision {
  if (numbers.get(permit)) return { events: [], ignored: 'the permit has its number' };
  return {
    events: [
      {
        type: 'PermitNumbered',
        data: { permit, series, number: drawn + 1 },
        occurred: { at: isoInstant(issued.key.ms) },
        causedBy: issued.event,
      },
    ],
  };
}

/** A register is a function of what it numbers, so every process draws in the same one. */
export const registerId = (
  jurisdiction: string,
  pack: string,
  permitType: string,
  { from }: Validity,
): string => nameId('register', jurisdiction, pack, permitType, from.slice(0, 4));
