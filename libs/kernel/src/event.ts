import type { JsonObject } from './json';
import type { LocalDate } from './civil';

/**
 * When a thing happened: an instant (ISO 8601, UTC, milliseconds), or a local date with its zone, which sorts at the
 * end of its day (law dates are days; the instant is derived late).
 */
export type Occurred = { readonly at: string } | { readonly date: LocalDate; readonly zone: string };

/** Why something was recorded more than ten minutes after it happened: listed for auditors. */
export type LateReason = { readonly reason: string; readonly evidence: string };

/** Who wrote the event down. */
export interface Actor {
  readonly id: string;
  readonly roles: readonly string[];
}

/** The body of the law, and the person in it, that acted; evidence is a reference, never a personal field. */
export interface ActedBy {
  readonly body?: string;
  readonly person?: string;
  readonly evidence?: string;
}

/** The text that a decision was made under. */
export interface LawRef {
  readonly pack: string;
  readonly version: string;
  readonly sha256: string;
}

/** The head of a stream that a decision read. `revision` is -1 for a stream that did not exist. */
export interface StreamAt {
  readonly stream: string;
  readonly revision: number;
}

export interface EventMetadata {
  readonly occurred: Occurred;
  /** The server's clock at receipt: ISO 8601 UTC. Never falls within a stream. */
  readonly recordedAt: string;
  readonly actor: Actor;
  readonly by?: ActedBy;
  readonly jurisdiction?: string;
  readonly late?: LateReason;
  readonly law?: LawRef;
  readonly basis?: readonly StreamAt[];
  readonly correlationId: string;
  /** `stream@revision` of the event that caused this one, where one did. */
  readonly causationId?: string;
  readonly commandId: string;
  /** Version of the shape of `data` for this type; the registry of event types knows the current one. */
  readonly schema: number;
}

/** What a decider returns: a fact of the past, without the envelope. */
export interface DomainEvent<T extends string = string, D extends JsonObject = JsonObject> {
  readonly type: T;
  readonly data: D;
  /** When it happened, where that is not the command's own `occurred` (a consequence dated at its legal instant). */
  readonly occurred?: Occurred;
  /** `stream@revision` of the event that caused it. */
  readonly causedBy?: string;
  readonly by?: ActedBy;
  readonly law?: LawRef;
  /** Heads of the other streams that the decision read. */
  readonly basis?: readonly StreamAt[];
}

/** An event on its way into the store. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

/** An event as read back from a store. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  /** 0 for the first event of a stream. */
  readonly revision: number;
  /** Sortable (by code unit), opaque, unique to the store: see `PositionToken` of the store port. */
  readonly position: string;
  /** Lower-case hex of SHA-256(prev || bytes). */
  readonly hash: string;
}

export function address(event: { stream: string; revision: number }): string {
  return `${event.stream}@${event.revision}`;
}

/** Parts of an address `stream@revision`, or undefined if it is none. */
export function parseAddress(text: string): StreamAt | undefined {
  const match = /^([^@\s]+)@(0|[1-9]\d{0,14})$/.exec(text);
  return match ? { stream: match[1] ?? '', revision: Number(match[2]) } : undefined;
}
