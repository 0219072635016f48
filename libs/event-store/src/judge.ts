import type { PreparedAppend } from './encode';
import { headAt } from './encode';
import type { Expected } from './port';

/** An event of a stream, as far as an append is judged by it. */
export interface StoredEvent {
  readonly revision: number;
  readonly id: string;
  readonly hash: Uint8Array;
  readonly position: number;
}

export interface StreamState {
  /** The last event of the stream. */
  last(stream: string): StoredEvent | undefined;
  at(stream: string, revision: number): StoredEvent | undefined;
}

export type Judgement =
  | { readonly is: 'next' }
  | { readonly is: 'duplicate'; readonly last: StoredEvent }
  | { readonly is: 'conflict'; readonly actual: Expected };

/**
 * May the append be written now? The rule of EventStoreDB: it may on the expected head; the same ids at expected+1..
 * are the answer to a retry; anything else is a conflict. An id elsewhere means nothing.
 */
export function judge(append: PreparedAppend, stored: StreamState): Judgement {
  const last = stored.last(append.stream);
  if (standsAt(append, last)) return { is: 'next' };
  return duplicateOf(append, stored) ?? { is: 'conflict', actual: last ? headAt(last) : 'none' };
}

function standsAt(append: PreparedAppend, event: StoredEvent | undefined): boolean {
  if (append.after < 0) return event === undefined;
  return event?.revision === append.after && headAt(event).hash === append.afterHash;
}

function duplicateOf(append: PreparedAppend, stored: StreamState): Judgement | undefined {
  // The same ids on another history than the caller read are no retry.
  if (append.after >= 0 && !standsAt(append, stored.at(append.stream, append.after))) return undefined;
  let last: StoredEvent | undefined;
  for (const event of append.events) {
    last = stored.at(append.stream, event.revision);
    if (last?.id !== event.id) return undefined;
  }
  return last && { is: 'duplicate', last };
}
