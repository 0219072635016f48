import {
  eventId,
  type DomainEvent,
  type EventMetadata,
  type NewEvent,
  type RecordedEvent,
} from '@headworks/kernel';
import { eventType, type EventType } from './event-types';

/** What a command puts into the metadata of each event it makes. */
export type Envelope = Omit<EventMetadata, 'schema'>;

/** The event that a domain event becomes at its place in the append of a command. */
export function toNewEvent(stream: string, index: number, event: DomainEvent, envelope: Envelope): NewEvent {
  const { causedBy, by, law, occurred, basis } = event;
  const type = eventType(event.type);
  const { by: _by, late: _late, ...unasked } = envelope;
  return {
    id: eventId(envelope.commandId, stream, index),
    type: event.type,
    data: event.data,
    metadata: {
      ...(followsItself(type, event) ? unasked : envelope),
      ...(occurred && { occurred }),
      ...(causedBy !== undefined && { causationId: causedBy }),
      ...(by && { by }),
      ...(law && { law }),
      ...(basis && basis.length > 0 && { basis }),
      schema: type.schema,
    },
  };
}

const followsItself = ({ follows }: EventType, { data }: DomainEvent): boolean =>
  typeof follows === 'function' ? follows(data) : follows === true;

/** A method's type: what folds the wider state of a permit may be handed to what decides on any thing. */
type Evolve<State> = { evolve(state: State, event: RecordedEvent): State }['evolve'];

/**
 * A decision in the making: events are evolved into the state as they are decided, at the revisions they will have if
 * the append succeeds (the expected head makes sure of it).
 */
export class Draft<State extends { readonly revision: number; readonly stream: string }> {
  readonly events: DomainEvent[] = [];

  constructor(
    public state: State,
    private readonly evolve: Evolve<State>,
    private readonly envelope: Envelope,
  ) {}

  push(event: DomainEvent): string {
    this.state = this.peek(event);
    this.events.push(event);
    return `${this.state.stream}@${this.state.revision}`;
  }

  /** The state as the event would leave it: what is judged as if it had been decided. */
  peek(event: DomainEvent): State {
    const { stream } = this.state;
    const revision = this.state.revision + 1;
    const made = toNewEvent(stream, this.events.length, event, this.envelope);
    return this.evolve(this.state, { ...made, stream, revision, position: '', hash: '' });
  }

  /** Adds to the data of the event decided last, and to the state what evolving that addition would have. */
  amendLast(data: DomainEvent['data'], apply: (state: State) => State): void {
    const last = this.events.at(-1);
    if (!last) return;
    this.events[this.events.length - 1] = { ...last, data: { ...last.data, ...data } };
    this.state = apply(this.state);
  }
}
