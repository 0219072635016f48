import { prepare } from './encode';
import type { PreparedAppend } from './encode';
import { groupCommit } from './group-commit';
import type { LogIdentity } from './opening';
import { parsePositionToken, positionNumber, positionToken, sortable } from './position-token';
import { ForeignPosition, StoreUnavailable } from './port';
import type { AppendRequest, AppendVerdict, OpenStore } from './port';
import { EVERYTHING, readLog, readPages, refuseInstant } from './reading';
import type { Bell, LogRead, StreamRead } from './reading';
import { recentEvents } from './recent-events';
import type { RecentEvents } from './recent-events';

/** What an adapter brings: rows with dense positions from 1 on, and one atomic batch at a time. */
export interface NumberedRows {
  /**
   * Writes the batch, each append judged in its turn; raises where nothing of it was written, or none can know. Called
   * again before it is done as often as `lanes` says, once where that is not said.
   */
  writeBatch(
    appends: readonly PreparedAppend[],
  ): readonly AppendVerdict[] | Promise<readonly AppendVerdict[]>;
  readonly lanes?: number;
  readonly readStream: StreamRead;
  readonly readAll: LogRead;
  /** Position of the last event, 0 of an empty log. */
  lastPosition(): number | Promise<number>;
  /** The last position whose running maximum of recordedAt is at most the instant, or 0. */
  cutAt(instant: string): number | Promise<number>;
  hashAt(position: number): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Removes the mark of a log that is being carried in. */
  carried(): void | Promise<void>;
  readonly bell: Bell;
  /** How long a follower may trust in the bell alone; none where every writer rings it. */
  readonly pollMs?: number;
  end(): void | Promise<void>;
}

interface Waiting {
  readonly append: PreparedAppend;
  readonly events: AppendRequest['events'];
}

/** The port over such rows: preparing, group commit, tokens, following and closing are the same in each adapter. */
export function numberedStore(identity: LogIdentity, rows: NumberedRows): OpenStore {
  const { bell, pollMs } = rows;
  let closing: Promise<void> | undefined;
  let closed = false;
  const recent = recentEvents();
  const commits = groupCommit(async (batch: readonly Waiting[]) => {
    const verdicts = await rows.writeBatch(batch.map(({ append }) => append));
    for (const [index, waiting] of batch.entries()) remember(recent, waiting, verdicts[index]);
    bell.ring();
    return verdicts;
  }, rows.lanes);
  /** Reads where the log is open; what the store below raises means that it can't be read now. */
  async function reading<T>(read: () => T | Promise<T>): Promise<T> {
    if (closed) throw new StoreUnavailable('The log is closed; start the process again.');
    try {
      return await read();
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      throw new StoreUnavailable(`The log can't be read: ${(error as Error).message}.`, { cause: error });
    }
  }
  const stored: LogRead = (...page) => reading(() => rows.readAll(...page));
  /** What a follower reads: from memory what this process wrote just now. Everyone else reads the store as it is. */
  const news: LogRead = (after, upTo, limit) =>
    reading(() => (upTo === EVERYTHING && recent.after(after, limit)) || rows.readAll(after, upTo, limit));
  async function close(): Promise<void> {
    await commits.close();
    closed = true;
    bell.ring();
    await rows.end();
  }
  return {
    storeId: identity.storeId,
    logId: identity.logId,
    clock: identity.clock,
    async append(request) {
      const append = prepare(identity.logId, request);
      return commits.submit({ append, events: request.events }, append.size);
    },
    readStream: (stream, options = {}) =>
      readPages(options, (...page) => reading(() => rows.readStream(stream, ...page))),
    readAll: (options = {}) => readLog({ read: options.follow ? news : stored, bell, pollMs }, options),
    lastPosition: async () => placeOf(await reading(() => rows.lastPosition())),
    async cutAt(instant) {
      refuseInstant(instant);
      return placeOf(await reading(() => rows.cutAt(instant)));
    },
    async tokenOf(position) {
      const number = positionNumber(position);
      const hash = await reading(() => rows.hashAt(number));
      if (!hash)
        throw new ForeignPosition(`No event stands at position ${position}; start from the beginning.`);
      return positionToken(identity.storeId, position, hash);
    },
    carried: async () => reading(() => rows.carried()),
    wake: () => bell.ring(),
    close: () => (closing ??= close()),
  };
}

/** 0: no event stands there. */
const placeOf = (position: number): string | undefined => (position === 0 ? undefined : sortable(position));

/** The events of an append that was written now, as any later reading will show them. */
function remember(
  recent: RecentEvents,
  { append, events }: Waiting,
  verdict: AppendVerdict | undefined,
): void {
  if (!verdict?.ok || verdict.duplicate) return;
  const last = positionNumber(parsePositionToken(verdict.position).position);
  for (const [index, { revision, bytes, hash }] of append.events.entries()) {
    const { id, type, data, metadata } = events[index] as (typeof events)[number];
    const number = last - append.events.length + 1 + index;
    const place = { position: sortable(number), hash: hash.toString('hex') };
    recent.add(number, { stream: append.stream, revision, id, type, data, metadata, ...place }, bytes.length);
  }
}
