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
  let last = 0;
  let size = 0;
  function forgetOldest(): void {
    let count = 0;
    for (; size > limit && count < kept.length; count++) size -= kept[count]?.bytes ?? 0;
    kept.splice(0, count);
  }
  return {
    add(position, event, bytes) {
      if (position !== last + 1) [kept, size] = [[], 0];
      kept.push({ event, bytes });
      [last, size] = [position, size + bytes];
      forgetOldest();
    },
    after(position, most) {
      const first = last - kept.length + 1;
      if (position + 1 < first || position >= last) return undefined;
      const from = position + 1 - first;
      return kept.slice(from, from + most).map(({ event }) => event);
    },
  };
}
