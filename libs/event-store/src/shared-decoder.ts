import type { RecordedEvent } from '@headworks/kernel';
import { decode } from './encode';

type Stored = Uint8Array | string;
type Decode = (bytes: Stored, hash: Stored, position: string) => RecordedEvent;

interface Decoded {
  readonly bytes: Stored;
  readonly hash: Stored;
  readonly event: RecordedEvent;
}

/** Stored bytes of the events that are remembered, together at most. */
const REMEMBERED = 4 * 1024 * 1024;

/**
 * `decode` for a store with many followers: they read the same new events one after another, and each event is parsed
 * once for all of them. It answers exactly what `decode` would, for it remembers an event by all of its bytes: a byte
 * that was changed in the file is read as changed.
 */
export function sharedDecoder(limit = REMEMBERED, read: Decode = decode): Decode {
  const known = new Map<string, Decoded>();
  let size = 0;
  function forget(position: string, { bytes }: Decoded): void {
    known.delete(position);
    size -= bytes.length;
  }
  return (bytes, hash, position) => {
    const standing = known.get(position);
    if (standing && sameBytes(standing.bytes, bytes) && sameBytes(standing.hash, hash)) return standing.event;
    const event = read(bytes, hash, position);
    if (standing) forget(position, standing);
    known.set(position, { bytes, hash, event });
    size += bytes.length;
    // The oldest go first: every follower of this process is near the head, or reads what nobody else does.
    for (const [oldest, one] of known) {
      if (size <= limit) break;
      forget(oldest, one);
    }
    return event;
  };
}

function sameBytes(a: Stored, b: Stored): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return Buffer.compare(a, b) === 0;
}
