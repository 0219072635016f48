import type { RecordedEvent } from '@headworks/kernel';

/** Canonical bytes of the events that are kept, together at most. */
const KEPT = 4 * 1024 * 1024;

export interface RecentEvents {
  /** An event that was just committed, at the next position or, where others wrote in between, at a later one. */
  add(position: number, event: RecordedEvent, bytes: number): void;
  /** What stands right after the position, at most so many; undefined where that is not known here. */
  after(position: number, most: number): readonly RecordedEvent[] | undefined;
}

/**
 * The newest events of the log as this process wrote them. Whoever follows the log here is handed them as they are:
 * reading them back from the store and parsing them would cost more than writing them did. They are one run of
 * positions without a gap, so that a follower served from here misses nothing.
 */
export function recentEvents(limit = KEPT): RecentEvents {
  let kept: { readonly event: RecordedEvent; readonly bytes: number }[] = [];
  // Those before it are forgotten already and go out together: one by one, each would move all that are left.
  let oldest = 0;
  let last = 0;
  let size = 0;
  function forgetOldest(): void {
    for (; size > limit && oldest < kept.length; oldest++) size -= kept[oldest]?.bytes ?? 0;
    if (oldest * 2 > kept.length) [kept, oldest] = [kept.slice(oldest), 0];
  }
  return {
    add(position, event, bytes) {
      // Of two batches that were under way at once the later may be heard of first; the earlier is then read back.
      if (position <= last) return;
      if (position !== last + 1) [kept, oldest, size] = [[], 0, 0];
      kept.push({ event, bytes });
      [last, size] = [position, size + bytes];
      forgetOldest();
    },
    after(position, most) {
      const first = last - (kept.length - oldest) + 1;
      if (position + 1 < first || position >= last) return undefined;
      const from = oldest + position + 1 - first;
      return kept.slice(from, from + most).map(({ event }) => event);
    },
  };
}
