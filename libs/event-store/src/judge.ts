import type { PreparedAppend } from './encode';
import { headAt } from './encode';
import { positionToken, sortable } from './position-token';
import type { AppendVerdict } from './port';

/** An event of a stream, as far as an append is judged by it. */
export interface StoredEvent {
  readonly revision: number;
  readonly id: string;
  readonly hash: Uint8Array;
  readonly position: number;
}

export interface StoredStreams {
  /** The last event of the stream. */
  last(stream: string): StoredEvent | undefined;
  at(stream: string, revision: number): StoredEvent | undefined;
  /** Writes the events behind the stream's last one and answers the last of them. */
  write(append: PreparedAppend): StoredEvent;
}

/**
 * Writes the append if it stands on the stream's head. The rule is EventStoreDB's: the same ids at expected+1.. are
 * the answer to a retry; anything else is a conflict. An id elsewhere means nothing.
 */
export function judge(append: PreparedAppend, storeId: string, stored: StoredStreams): AppendVerdict {
  const last = stored.last(append.stream);
  if (standsOn(append, last)) return verdict(storeId, stored.write(append), false);
  const first = firstWriteOf(append, stored);
  if (first) return verdict(storeId, first, true);
  return { ok: false, actual: last ? headAt(last) : 'none' };
}

function standsOn(append: PreparedAppend, event: StoredEvent | undefined): boolean {
  if (append.after < 0) return event === undefined;
  return event?.revision === append.after && headAt(event).hash === append.afterHash;
}

/** Last event of the first write of this append, where all its ids stand already where it would put them. */
function firstWriteOf(append: PreparedAppend, stored: StoredStreams): StoredEvent | undefined {
  // The same ids on another history than the caller read are no retry.
  if (append.after >= 0 && !standsOn(append, stored.at(append.stream, append.after))) return undefined;
  let last: StoredEvent | undefined;
  for (const event of append.events) {
    last = stored.at(append.stream, event.revision);
    if (last?.id !== event.id) return undefined;
  }
  return last;
}

function verdict(storeId: string, last: StoredEvent, duplicate: boolean): AppendVerdict {
  const position = positionToken(storeId, sortable(last.position), last.hash);
  return { ok: true, head: headAt(last), position, duplicate };
}
