import { decode, prepare } from './encode';
import type { PreparedAppend } from './encode';
import { judge } from './judge';
import type { StoredEvent, StoredStreams } from './judge';
import { numberedStore } from './numbered-store';
import { beginLog, LOG_STREAM } from './opening';
import type { LogOptions } from './opening';
import { sortable } from './position-token';
import type { OpenStore } from './port';
import { lastKnownAt, newBell } from './reading';

export type MemoryOptions = Partial<LogOptions>;

/** A row as it stands; tests of tampering change its bytes. */
export interface MemoryRow extends StoredEvent {
  bytes: Buffer;
  readonly recordedMax: string;
}

export interface MemoryStore extends OpenStore {
  readonly rows: readonly MemoryRow[];
}

/** A log in memory, for tests: nothing is durable, all else is as in the other adapters. */
export async function openMemoryStore(options: MemoryOptions = {}): Promise<MemoryStore> {
  const { identity, event } = beginLog({ clock: 'real', now: () => '2000-01-01T00:00:00.000Z', ...options });
  const rows: MemoryRow[] = [];
  const streams = memoryStreams(rows);
  const read = (row: MemoryRow) => decode(row.bytes, row.hash, sortable(row.position));
  const store = numberedStore(identity, {
    writeBatch: (appends) => appends.map((append) => judge(append, identity.storeId, streams)),
    readStream: (stream, from, upTo, limit) =>
      streams
        .all(stream)
        .slice(from, from + limit)
        .filter(({ position }) => position <= upTo)
        .map(read),
    readAll: (after, upTo, limit) => rows.slice(after, Math.min(after + limit, upTo)).map(read),
    lastPosition: () => rows.length,
    cutAt: (instant) =>
      lastKnownAt(instant, rows.length, (position) => rows[position - 1]?.recordedMax ?? ''),
    hashAt: (position) => rows[position - 1]?.hash,
    carried: () => undefined,
    bell: newBell(),
    end: () => undefined,
  });
  streams.write(prepare(identity.logId, { stream: LOG_STREAM, expected: 'none', events: [event] }));
  return { ...store, rows };
}

function memoryStreams(rows: MemoryRow[]): StoredStreams & { all(stream: string): readonly MemoryRow[] } {
  const streams = new Map<string, MemoryRow[]>();
  const all = (stream: string) => streams.get(stream) ?? [];
  return {
    all,
    last: (stream) => all(stream).at(-1),
    at: (stream, revision) => all(stream)[revision],
    write({ stream, events }: PreparedAppend) {
      const standing = streams.get(stream) ?? [];
      streams.set(stream, standing);
      for (const { recordedAt, ...event } of events) {
        const before = rows.at(-1)?.recordedMax ?? '';
        const recordedMax = recordedAt > before ? recordedAt : before;
        const row: MemoryRow = { ...event, position: rows.length + 1, recordedMax };
        rows.push(row);
        standing.push(row);
      }
      return rows[rows.length - 1] as MemoryRow;
    },
  };
}
