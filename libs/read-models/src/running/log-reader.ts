import type { OpenStore } from '@headworks/event-store';
import type { RecordedEvent } from '@headworks/kernel';

/** The log as the views of one process read it: what one of them read is not read again for the next. */
export interface LogReader {
  /** Events behind the position (empty: from the first on), at least one; waits for it. None at the signal alone. */
  next(after: string): Promise<readonly RecordedEvent[]>;
}

interface Batch {
  readonly after: string;
  readonly last: string;
  readonly events: readonly RecordedEvent[];
}

/** The one reading that follows the log, and how far it is. */
interface Tail {
  at: string;
  readonly iterator: AsyncIterator<readonly RecordedEvent[]>;
  pending?: Promise<void> | undefined;
}

/** Batches kept for views that are a little behind; one that is further behind reads for itself until it is not. */
const KEPT = 4;

export function sharedReader(store: OpenStore, batch: number, signal: AbortSignal): LogReader {
  let recent: readonly Batch[] = [];
  let tail: Tail | undefined;
  const behind = (after: string) => (after === '' ? { batch } : { batch, after });

  function follow(after: string): void {
    void tail?.iterator.return?.();
    const events = store.readAll({ ...behind(after), follow: true, signal });
    tail = { at: after, iterator: events[Symbol.asyncIterator]() };
  }

  async function pull(from: Tail): Promise<void> {
    try {
      const read = await from.iterator.next();
      const events = read.done === true ? [] : read.value;
      const last = events.at(-1);
      if (last) {
        recent = [...recent, { after: from.at, last: last.position, events }].slice(-KEPT);
        from.at = last.position;
      } else if (tail === from) tail = undefined;
    } catch (error) {
      if (tail === from) tail = undefined;
      throw error;
    } finally {
      from.pending = undefined;
    }
  }

  async function readOne(after: string): Promise<readonly RecordedEvent[]> {
    for await (const events of store.readAll({ ...behind(after), signal })) return events;
    return [];
  }

  return {
    async next(after) {
      while (!signal.aborted) {
        const kept = recent.find((known) => known.after <= after && after < known.last);
        if (kept) return kept.events.filter(({ position }) => position > after);
        if (!tail) follow(after);
        else if (tail.at === after) await (tail.pending ??= pull(tail));
        else {
          const events = await readOne(after);
          if (events.length > 0) return events;
          // At the head: what comes next is followed from here, and whoever is behind catches up.
          follow(after);
        }
      }
      return [];
    },
  };
}
