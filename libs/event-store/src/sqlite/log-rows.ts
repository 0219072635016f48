import type { RecordedEvent } from '@headworks/kernel';
import type { StoredEvent, StoredStreams } from '../judge';
import { sortable } from '../position-token';
import { lastKnownAt } from '../reading';
import { sharedDecoder } from '../shared-decoder';
import type { SqliteDatabase, SqliteRow } from '../open-sqlite';

interface LogHead {
  readonly position: number;
  readonly recordedMax: string;
}

export interface SqliteStreams extends StoredStreams {
  /** After a transaction that was rolled back, what was counted in it is forgotten. */
  forgetHeads(): void;
}

/** Heads of streams that are remembered, at most. */
const HEADS = 4096;

const STORED = 'SELECT revision, id, hash, position FROM events WHERE stream = ?';

/** The statements that judge and write; to be used inside a transaction. */
export function sqliteStreams(db: SqliteDatabase): SqliteStreams {
  const insert = db.prepare(
    'INSERT INTO events (position, stream, revision, id, type, bytes, hash, recorded_max) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const last = db.prepare(`${STORED} ORDER BY revision DESC LIMIT 1`);
  const at = db.prepare(`${STORED} AND revision = ?`);
  const head = headReader(db);
  let known: LogHead | undefined;
  // This process alone writes, so what it wrote last to a stream is the stream's head.
  const heads = new Map<string, StoredEvent>();
  return {
    last: (stream) => heads.get(stream) ?? (last.get(stream) as StoredEvent | undefined),
    at: (stream, revision) => at.get(stream, revision) as StoredEvent | undefined,
    write({ stream, events }) {
      let { position, recordedMax } = known ?? head();
      for (const { revision, id, type, bytes, hash, recordedAt } of events) {
        position++;
        if (recordedAt > recordedMax) recordedMax = recordedAt;
        insert.run(position, stream, revision, id, type, bytes, hash, recordedMax);
      }
      known = { position, recordedMax };
      const { revision, id, hash } = events[events.length - 1] as (typeof events)[number];
      const written = { revision, id, hash, position };
      if (heads.size === HEADS) heads.clear();
      heads.set(stream, written);
      return written;
    },
    forgetHeads() {
      known = undefined;
      heads.clear();
    },
  };
}

/** The statements that read. */
export function sqliteReads(db: SqliteDatabase) {
  const ofStream = db.prepare(
    'SELECT position, bytes, hash FROM events WHERE stream = ? AND revision >= ? AND position <= ? ORDER BY revision LIMIT ?',
  );
  const ofAll = db.prepare(
    'SELECT position, bytes, hash FROM events WHERE position > ? AND position <= ? ORDER BY position LIMIT ?',
  );
  const one = db.prepare('SELECT hash, recorded_max FROM events WHERE position = ?');
  const head = headReader(db);
  const decode = sharedDecoder();
  const recorded = ({ position, bytes, hash }: SqliteRow): RecordedEvent =>
    decode(bytes as Uint8Array, hash as Uint8Array, sortable(Number(position)));
  return {
    readStream: (stream: string, from: number, upTo: number, limit: number): readonly RecordedEvent[] =>
      Array.from(ofStream.all(stream, from, upTo, limit), recorded),
    readAll: (after: number, upTo: number, limit: number): readonly RecordedEvent[] =>
      Array.from(ofAll.all(after, upTo, limit), recorded),
    lastPosition: () => head().position,
    cutAt: (instant: string) =>
      lastKnownAt(instant, head().position, (position) => String(one.get(position)?.['recorded_max'])),
    hashAt: (position: number) => one.get(position)?.['hash'] as Uint8Array | undefined,
  };
}

function headReader(db: SqliteDatabase): () => LogHead {
  const newest = db.prepare('SELECT position, recorded_max FROM events ORDER BY position DESC LIMIT 1');
  return () => {
    const row = newest.get();
    return { position: Number(row?.['position'] ?? 0), recordedMax: String(row?.['recorded_max'] ?? '') };
  };
}
