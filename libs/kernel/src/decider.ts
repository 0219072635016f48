import type { DomainEvent, RecordedEvent } from './event';

/** What a decider makes of a command: events to append, or nothing with the reason why. */
export type Decision =
  { readonly events: readonly DomainEvent[] } | { readonly events: readonly []; readonly ignored: string };

/**
 * A pure decider. All that can't be predicted (now, ids, findings) comes in with the command; a refusal that the law
 * cares about is an event, a misuse throws a `CodedError`.
 */
export interface Decider<State, Command> {
  readonly initial: (stream: string) => State;
  readonly evolve: (state: State, event: RecordedEvent) => State;
  readonly decide: (command: Command, state: State) => Decision;
}

export const ignore = (reason: string): Decision => ({ events: [], ignored: reason });
