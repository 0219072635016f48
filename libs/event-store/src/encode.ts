import { hash } from 'node:crypto';
import { canonicalBytes, isUuid, sha256 } from '@headworks/kernel';
import type { JsonObject, NewEvent, RecordedEvent } from '@headworks/kernel';
import { LIMITS, StoreUnavailable, UnstorableAppend } from './port';
import type { AppendRequest, Expected, Head } from './port';

/** An event as it will stand in the log: its bytes are fixed before any store sees them. */
export interface PreparedEvent {
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly hash: Buffer;
  readonly recordedAt: string;
}

export interface PreparedAppend {
  readonly stream: string;
  /** Revision the append stands on; -1 where the stream must not exist. */
  readonly after: number;
  /** Hash of that revision, in hex; empty where the stream must not exist. */
  readonly afterHash: string;
  readonly events: readonly PreparedEvent[];
  /** Canonical bytes of all its events together. */
  readonly size: number;
}

const STREAM = /^[A-Za-z0-9._:-]{1,200}$/;
const TYPE = /^[A-Za-z0-9._:-]{1,200}$/;
const HASH = /^[0-9a-f]{64}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** What stands before a stream's first event: two logs, or two streams, never share a chain. */
export function firstPrev(logId: string, stream: string): Buffer {
  return sha256(`${logId}\n${stream}`);
}

export function chainHash(prev: Uint8Array, bytes: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([prev, bytes]), 'buffer');
}

/** The exact bytes of an event: RFC 8785 over its six members; position and hash stand outside. */
export function eventBytes(stream: string, revision: number, event: NewEvent): Buffer {
  const { id, type, data, metadata } = event;
  return canonicalBytes({ stream, revision, id, type, data, metadata: metadata as unknown as JsonObject });
}

/**
 * Bytes and hashes of an append, computed by the writer from the head it decided on. Throws `UnstorableAppend` for
 * what no store could ever take, so the limits are the same in every adapter.
 */
export function prepare(logId: string, request: AppendRequest): PreparedAppend {
  refuseBadRequest(request);
  const { stream, expected } = request;
  const head = expected === 'none' ? undefined : expected;
  let prev: Buffer = head ? Buffer.from(head.hash, 'hex') : firstPrev(logId, stream);
  let size = 0;
  const events: PreparedEvent[] = [];
  for (const [index, event] of request.events.entries()) {
    const revision = (head?.revision ?? -1) + 1 + index;
    const bytes = storableBytes(stream, revision, event);
    size += bytes.length;
    prev = chainHash(prev, bytes);
    const { id, type } = event;
    events.push({ revision, id, type, bytes, hash: prev, recordedAt: event.metadata.recordedAt });
  }
  if (size > LIMITS.appendBytes) {
    throw new UnstorableAppend(
      `The append to '${stream}' has ${size} bytes and may have ${LIMITS.appendBytes}; append in parts.`,
    );
  }
  return { stream, after: head?.revision ?? -1, afterHash: head?.hash ?? '', events, size };
}

function refuseBadRequest({ stream, expected, events }: AppendRequest): void {
  if (!STREAM.test(stream)) {
    throw new UnstorableAppend(
      `'${stream.slice(0, 220)}' can't name a stream; use 1 to 200 letters, digits, dots, colons, dashes or underscores.`,
    );
  }
  if (events.length === 0 || events.length > LIMITS.appendEvents) {
    throw new UnstorableAppend(
      `The append to '${stream}' has ${events.length} events; an append has 1 to ${LIMITS.appendEvents}.`,
    );
  }
  if (expected !== 'none' && !isHead(expected)) {
    throw new UnstorableAppend(
      `The append to '${stream}' expects no head that can be; give {revision, hash} as read, or 'none'.`,
    );
  }
}

const isHead = ({ revision, hash }: Head): boolean =>
  Number.isSafeInteger(revision) && revision >= 0 && revision < 2 ** 31 - 512 && HASH.test(hash);

function storableBytes(stream: string, revision: number, event: NewEvent): Buffer {
  const at = `The event '${event.type}' for ${stream}@${revision}`;
  if (!isUuid(event.id)) {
    throw new UnstorableAppend(
      `${at} has the id '${event.id}', which is no lower-case UUID; derive it with eventId.`,
    );
  }
  if (!TYPE.test(event.type)) {
    throw new UnstorableAppend(
      `${at} has no name that can be stored; name it like PermitIssued or pack.Name.`,
    );
  }
  if (!isStoredInstant(event.metadata.recordedAt)) {
    throw new UnstorableAppend(
      `${at} was recorded at '${event.metadata.recordedAt}'; write it in UTC with milliseconds, as isoInstant does.`,
    );
  }
  const bytes = canonicalOrRefuse(at, stream, revision, event);
  if (bytes.length > LIMITS.eventBytes) {
    throw new UnstorableAppend(
      `${at} has ${bytes.length} bytes and may have ${LIMITS.eventBytes}; record less in it.`,
    );
  }
  return bytes;
}

function canonicalOrRefuse(at: string, stream: string, revision: number, event: NewEvent): Buffer {
  try {
    return eventBytes(stream, revision, event);
  } catch (error) {
    throw new UnstorableAppend(`${at} can't be stored: ${(error as Error).message}.`, { cause: error });
  }
}

/** Instants in the log are of one width, so that they compare as texts in every store. */
export function isStoredInstant(text: string): boolean {
  return INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}

/** The event that the stored bytes say; a driver may hand them over as the text they are, and the hash in hex. */
export function decode(
  bytes: Uint8Array | string,
  hash: Uint8Array | string,
  position: string,
): RecordedEvent {
  try {
    const text = typeof bytes === 'string' ? bytes : view(bytes).toString('utf8');
    const { stream, revision, id, type, data, metadata } = JSON.parse(text) as RecordedEvent;
    const hex = typeof hash === 'string' ? hash : view(hash).toString('hex');
    return { stream, revision, id, type, data, metadata, position, hash: hex };
  } catch (error) {
    throw new StoreUnavailable(
      `The event at position ${position} is damaged; restore the log from a backup.`,
      {
        cause: error,
      },
    );
  }
}

const view = (data: Uint8Array): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** Head that an event leaves its stream with. */
export const headAt = (event: { revision: number; hash: string | Uint8Array }): Head => ({
  revision: event.revision,
  hash: typeof event.hash === 'string' ? event.hash : view(event.hash).toString('hex'),
});

export const headOf = (events: readonly RecordedEvent[]): Expected => {
  const last = events.at(-1);
  return last ? headAt(last) : 'none';
};
