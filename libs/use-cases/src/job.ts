import type { Decision, EventMetadata, NewEvent, RecordedEvent } from '@headworks/kernel';
import type { Envelope } from '@headworks/domain';
import type { Expected } from '@headworks/event-store';

/** What every folded state says of itself. */
export interface Folded {
  readonly stream: string;
  readonly revision: number;
  readonly lastRecordedAt: string;
  readonly commands: {
    has(commandId: string): boolean;
    /** Revision of the command's last event, where the fold keeps it: it saves reading the whole stream. */
    get?(commandId: string): number | undefined;
  };
}

/** How a stream is folded. One model a kind of stream. */
export interface Model<S extends Folded> {
  readonly initial: (stream: string) => S;
  readonly evolve: (state: S, event: RecordedEvent) => S;
  /** Memory that a state takes, about: what is kept of them is bounded by it. Without it, by the events alone. */
  readonly bytes?: (state: S) => number;
}

export interface Job<S extends Folded> {
  readonly commandId: string;
  /** Metadata of the command without `recordedAt`, which never falls within a stream. */
  readonly envelope: Omit<EventMetadata, 'schema' | 'recordedAt'>;
  /** Receipt, ISO: fixed for all attempts. */
  readonly receivedAt: string;
  /** Runs again on the new state after a conflict. */
  readonly decide: (state: S, envelope: Envelope) => Decision | Promise<Decision>;
  /** Machine-clock instant (ms of `performance.now()`) after which nothing more is tried. */
  readonly deadline: number;
}

export interface Outcome<S extends Folded> {
  /** The stream's state after the command. */
  readonly state: S;
  /** What the command appended, now or at its first time; empty where it was ignored. */
  readonly events: readonly RecordedEvent[];
  /** Token of the last event, where something was appended now. */
  readonly position?: string;
  /** The command stood in the stream already: its events are those in the log. */
  readonly replayed: boolean;
  readonly ignored?: string;
}

export interface Waiting<S extends Folded> {
  readonly job: Job<S>;
  readonly resolve: (outcome: Outcome<S>) => void;
  readonly reject: (error: unknown) => void;
}

export interface Held<S> {
  readonly state: S;
  readonly head: Expected;
}

export function envelopeOf<S extends Folded>(job: Job<S>, state: S): Envelope {
  const recordedAt = job.receivedAt > state.lastRecordedAt ? job.receivedAt : state.lastRecordedAt;
  return { ...job.envelope, recordedAt };
}

/** An event as it will be read once it is appended; only the store knows its position and hash. */
export const provisional = (stream: string, revision: number, event: NewEvent): RecordedEvent => ({
  ...event,
  stream,
  revision,
  position: '',
  hash: '',
});
