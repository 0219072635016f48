import type { NewEvent, RecordedEvent } from '@headworks/kernel';

/** The head of a stream: the revision of its last event and that event's chain hash. */
export interface Head {
  readonly revision: number;
  readonly hash: string;
}

/** `none`: the stream must not exist yet. There is no `any`: every append says what it decided on. */
export type Expected = Head | 'none';

export interface AppendRequest {
  readonly stream: string;
  readonly expected: Expected;
  /** 1 to 256 events, each at most 256 KB of canonical bytes, together at most 768 KB. */
  readonly events: readonly NewEvent[];
}

export type AppendVerdict =
  | {
      readonly ok: true;
      /** Head after the appended events (not of the stream now, where `duplicate`). */
      readonly head: Head;
      /** Token of the last appended event. */
      readonly position: string;
      /** The same ids stood already at expected+1..: nothing was written again, the first write is the answer. */
      readonly duplicate: boolean;
    }
  /** The stream's head is another one; `actual` is it (`none` where the stream does not exist). */
  | { readonly ok: false; readonly actual: Expected };

export interface ReadStreamOptions {
  /** First revision to read; default 0. */
  readonly from?: number;
  /** Only events at or before this position (inclusive, sortable form): the cut of `knownAt`. */
  readonly upTo?: string;
  /** At most so many events. */
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Sortable position to start after (exclusive); none means from the first event. */
  readonly after?: string;
  /** `follow` never ends by itself: after the last event it waits for the next. Default false. */
  readonly follow?: boolean;
  readonly upTo?: string;
  /** Events per batch at most. Default 500. */
  readonly batch?: number;
  /** Ends the reading, also while it waits. */
  readonly signal?: AbortSignal;
}

/**
 * The log. One page, one suite (`contract.ts`) for every adapter.
 *
 * - Appends are atomic and durable when they resolve, each with a verdict of its own.
 * - A rejected promise (`StoreUnavailable`) says nothing of what was written: re-read the stream and answer from it.
 * - Positions are dense or at least strictly growing in the order of writing; a follower sees each event once, in
 *   that order, and a stream's revisions in theirs.
 * - Bytes are those of RFC 8785; `hash = SHA-256(prev || bytes)`, a stream's first prev is SHA-256 of `<log id>\n<stream>`
 *   (UTF-8). Every read verifies nothing by itself: `verifyChain` does.
 */
export interface EventStore {
  append(request: AppendRequest): Promise<AppendVerdict>;
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[]>;
  readAll(options?: ReadAllOptions): AsyncIterable<readonly RecordedEvent[]>;
}

/** What wiring holds of a store beside the port. */
export interface OpenStore extends EventStore {
  /** The id of this store (not of the log: a moved log has another store id), for position tokens. */
  readonly storeId: string;
  readonly logId: string;
  readonly clock: 'real' | 'virtual';
  /** Sortable position of the last event, or undefined of an empty log. */
  lastPosition(): Promise<string | undefined>;
  /**
   * The cut of `knownAt`: the last position whose running maximum of `recordedAt` is at most the instant
   * (ISO, UTC, ms), or undefined when the log knew nothing then.
   */
  cutAt(recordedAt: string): Promise<string | undefined>;
  /** Token of a position (see `positionToken`), read from the event that stands there. */
  tokenOf(position: string): Promise<string>;
  /** All of the log that was carried in is here: from now on the store may be opened as any other. */
  carried(): Promise<void>;
  /** Somebody knows that the log has grown: whoever follows it here looks at once. */
  wake(): void;
  /** Resolves when pending appends are done; later ones are refused with `StoreUnavailable`. */
  close(): Promise<void>;
}

/** The log can't be written or read now; what was asked may or may not have happened. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The append can never succeed: too large, no events, a bad stream name, not storable. A bug of the caller or its input. */
export class UnstorableAppend extends Error {
  override readonly name = 'UnstorableAppend';
}

/** A checkpoint or token of another store, or of a history that this store does not have. */
export class ForeignPosition extends Error {
  override readonly name = 'ForeignPosition';
}

/** The start must stop: each message is one sentence that says what is wrong and what to do. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

export const LIMITS = { eventBytes: 256 * 1024, appendBytes: 768 * 1024, appendEvents: 256 } as const;
