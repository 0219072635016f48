import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '@headworks/kernel';
import { positionNumber } from './position-token';
import { StoreUnavailable } from './port';
import type { ReadAllOptions } from './port';

/** Wakes whoever waits for the next event. A ring between a read and the wait after it is not lost. */
export interface Bell {
  rings(): number;
  ring(): void;
  /** Resolves at the first ring after the `since`-th, at the abort, or after so many milliseconds. */
  heard(since: number, signal?: AbortSignal, atMostMs?: number): Promise<void>;
}

export function bell(): Bell {
  let rings = 0;
  const waiters = new Set<() => void>();
  return {
    rings: () => rings,
    ring() {
      rings++;
      for (const wake of [...waiters]) wake();
    },
    heard(since, signal, atMostMs) {
      if (rings !== since || signal?.aborted) return Promise.resolve();
      return new Promise<void>((resolve) => {
        const timer = atMostMs === undefined ? undefined : setTimeout(wake, atMostMs);
        function wake(): void {
          waiters.delete(wake);
          signal?.removeEventListener('abort', wake);
          clearTimeout(timer);
          resolve();
        }
        waiters.add(wake);
        signal?.addEventListener('abort', wake);
      });
    },
  };
}

export interface LogSource {
  /** Events with `after < position <= upTo`, in order, at most so many. */
  read(after: number, upTo: number, limit: number): Promise<readonly RecordedEvent[]>;
  readonly bell: Bell;
  readonly closed: () => boolean;
  /** How long a follower trusts in the bell alone; none where every writer rings it. */
  readonly pollMs?: number;
}

/**
 * Reads or follows a log whose positions are dense numbers. No gap can be seen, so `position > last` misses nothing.
 */
export async function* readLog(
  source: LogSource,
  { after, follow = false, upTo, batch = 500, signal }: ReadAllOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  let last = after === undefined ? 0 : positionNumber(after);
  const end = upTo === undefined ? Number.MAX_SAFE_INTEGER : positionNumber(upTo);
  while (!signal?.aborted && last < end) {
    if (source.closed()) throw new StoreUnavailable('The log is closed; start the process again.');
    const heard = source.bell.rings();
    const events = await source.read(last, end, batch);
    const newest = events.at(-1);
    if (newest) {
      last = positionNumber(newest.position);
      if (signal?.aborted) return;
      yield events;
      // A long reading leaves the loop to others between its batches.
      await nextTurn();
    } else if (follow) {
      await source.bell.heard(heard, signal, source.pollMs);
    } else {
      return;
    }
  }
}
