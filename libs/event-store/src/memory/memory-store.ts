import { decode, headAt, isStoredInstant, prepare } from '../encode';
import type { PreparedAppend } from '../encode';
import { groupCommit } from '../group-commit';
import { judge } from '../judge';
import type { StoredEvent } from '../judge';
import { beginLog, LOG_STREAM } from '../opening';
import type { LogOptions } from '../opening';
import { positionNumber, positionToken, sortable } from '../position-token';
import { ForeignPosition, StoreUnavailable } from '../port';
import type { AppendVerdict, OpenStore } from '../port';
import { bell, readLog } from '../reading';

interface Row extends StoredEvent {
  readonly bytes: Buffer;
  readonly recordedMax: string;
}

export type MemoryOptions = Partial<LogOptions>;

/** Rows of a memory store, for tests that look under the lid. */
export interface MemoryRows {
  readonly rows: { bytes: Buffer; hash: Uint8Array }[];
}

/** A log in memory, for tests: nothing is durable, all else is as in the other adapters. */
export async function openMemoryStore(options: MemoryOptions = {}): Promise<OpenStore & MemoryRows> {
  const { identity, event } = beginLog({ clock: 'real', now: () => '2000-01-01T00:00:00.000Z', ...options });
  const log: Row[] = [];
  const streams = new Map<string, Row[]>();
  const stored = {
    last: (stream: string) => streams.get(stream)?.at(-1),
    at: (stream: string, revision: number) => streams.get(stream)?.[revision],
  };
  const news = bell();
  let closed = false;

  const verdict = (duplicate: boolean, last: StoredEvent): AppendVerdict => {
    const position = positionToken(identity.storeId, sortable(last.position), last.hash);
    return { ok: true, head: headAt(last), position, duplicate };
  };
  function write(append: PreparedAppend): AppendVerdict {
    const judged = judge(append, stored);
    switch (judged.is) {
      case 'conflict':
        return { ok: false, actual: judged.actual };
      case 'duplicate':
        return verdict(true, judged.last);
      case 'next':
        return verdict(false, writeRows(append));
    }
  }
  function writeRows(append: PreparedAppend): Row {
    const stream = streams.get(append.stream) ?? [];
    streams.set(append.stream, stream);
    for (const { recordedAt, ...event } of append.events) {
      const before = log.at(-1)?.recordedMax ?? '';
      const row = {
        ...event,
        position: log.length + 1,
        recordedMax: recordedAt > before ? recordedAt : before,
      };
      log.push(row);
      stream.push(row);
    }
    return log[log.length - 1] as Row;
  }
  const commits = groupCommit((appends: readonly PreparedAppend[]) => {
    const verdicts = appends.map(write);
    news.ring();
    return verdicts;
  });
  const read = (row: Row) => decode(row.bytes, row.hash, sortable(row.position));
  const refuseClosed = () => {
    if (closed) throw new StoreUnavailable('The log is closed; start the process again.');
  };
  write(prepare(identity.logId, { stream: LOG_STREAM, expected: 'none', events: [event] }));

  return {
    ...identity,
    rows: log,
    async append(request) {
      const append = prepare(identity.logId, request);
      return commits.submit(append, append.size);
    },
    async readStream(stream, { from = 0, upTo, limit = Infinity } = {}) {
      refuseClosed();
      const end = upTo === undefined ? Infinity : positionNumber(upTo);
      const rows = (streams.get(stream) ?? []).slice(from).filter(({ position }) => position <= end);
      return rows.slice(0, limit).map(read);
    },
    readAll: (readOptions = {}) =>
      readLog(
        {
          read: async (after, upTo, limit) => log.slice(after, Math.min(after + limit, upTo)).map(read),
          bell: news,
          closed: () => closed,
        },
        readOptions,
      ),
    async lastPosition() {
      refuseClosed();
      return log.length === 0 ? undefined : sortable(log.length);
    },
    async cutAt(recordedAt) {
      refuseClosed();
      if (!isStoredInstant(recordedAt))
        throw new RangeError(`'${recordedAt}' is no instant in UTC with milliseconds`);
      const known = log.findLast(({ recordedMax }) => recordedMax <= recordedAt);
      return known && sortable(known.position);
    },
    async tokenOf(position) {
      refuseClosed();
      const row = log[positionNumber(position) - 1];
      if (!row)
        throw new ForeignPosition(`No event stands at position ${position}; start from the beginning.`);
      return positionToken(identity.storeId, position, row.hash);
    },
    async close() {
      await commits.close();
      closed = true;
      news.ring();
    },
  };
}
