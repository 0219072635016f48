import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '@headworks/kernel';
import { isStoredInstant } from './encode';
import { positionNumber } from './position-token';
import type { ReadAllOptions, ReadStreamOptions } from './port';

type Events = readonly RecordedEvent[] | Promise<readonly RecordedEvent[]>;
/** Events of the log with `after < position <= upTo`, in order, at most so many. */
export type LogRead = (after: number, upTo: number, limit: number) => Events;
/** Events of a stream with `revision >= from` and `position <= upTo`, in order, at most so many. */
export type StreamRead = (stream: string, from: number, upTo: number, limit: number) => Events;

/** The end of a reading that has none. */
export const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** Wakes whoever waits for the next event. A ring between a read and the wait after it is not lost. */
export interface Bell {
  rings(): number;
  ring(): void;
  /** Resolves at the first ring after the `since`-th, at the abort, or after so many milliseconds. */
  heard(since: number, signal?: AbortSignal, atMostMs?: number): Promise<void>;
}

export function newBell(): Bell {
  let rings = 0;
  const waiters = new Set<() => void>();
  return {
    rings: () => rings,
    ring() {
      rings++;
      // Each takes itself off the set as it wakes, which a set in a loop allows.
      for (const wake of waiters) wake();
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
  readonly read: LogRead;
  readonly bell: Bell;
  readonly pollMs: number | undefined;
}

/**
 * Reads or follows a log whose positions are dense numbers. No gap can be seen, so `position > last` misses nothing.
 */
export async function* readLog(
  { read, bell, pollMs }: LogSource,
  { after, follow = false, upTo, batch = 500, signal }: ReadAllOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  let last = after === undefined ? 0 : positionNumber(after);
  const end = upTo === undefined ? EVERYTHING : positionNumber(upTo);
  while (!signal?.aborted && last < end) {
    const heard = bell.rings();
    const events = await read(last, end, batch);
    const newest = events.at(-1);
    if (newest) {
      last = positionNumber(newest.position);
      if (signal?.aborted) return;
      yield events;
      // A long reading leaves the loop to others between its batches.
      await nextTurn();
    } else if (follow) {
      await bell.heard(heard, signal, pollMs);
    } else {
      return;
    }
  }
}

const PAGE = 1000;

/** A stream, page after page, so that a long one neither holds the loop nor doubles in memory on its way. */
export async function readPages(
  { from = 0, upTo, limit = Number.MAX_SAFE_INTEGER }: ReadStreamOptions,
  read: (from: number, upTo: number, limit: number) => Events,
): Promise<readonly RecordedEvent[]> {
  const end = upTo === undefined ? EVERYTHING : positionNumber(upTo);
  const events: RecordedEvent[] = [];
  for (;;) {
    const wanted = Math.min(PAGE, limit - events.length);
    const page = await read(from + events.length, end, wanted);
    events.push(...page);
    if (page.length < wanted || events.length >= limit) return events;
    await nextTurn();
  }
}

/**
 * The cut of `knownAt`: the last of the dense positions 1..last whose running maximum is at most the instant, or 0. It
 * only grows with the position, so halving finds it without an index that every append would have to keep.
 */
export function lastKnownAt(
  instant: string,
  last: number,
  recordedMaxAt: (position: number) => string,
): number {
  let [known, unknown] = [0, last + 1];
  while (unknown - known > 1) {
    const middle = Math.floor((known + unknown) / 2);
    if (recordedMaxAt(middle) <= instant) known = middle;
    else unknown = middle;
  }
  return known;
}

export function refuseInstant(instant: string): void {
  if (isStoredInstant(instant)) return;
  throw new RangeError(
    `'${instant}' is no instant of the log; write it in UTC with milliseconds, as isoInstant does.`,
  );
}
