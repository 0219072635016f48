import { occurredMs } from '@headworks/calendars';
import type { RecordedEvent } from '@headworks/kernel';

/**
 * The order in which the law sees events: when it happened, then when it was recorded, then the revision.
 * Arrival order says only what was known.
 */
export interface LegalKey {
  readonly ms: number;
  readonly recordedAt: string;
  readonly revision: number;
}

export function legalKey(event: RecordedEvent): LegalKey {
  return {
    ms: occurredMs(event.metadata.occurred),
    recordedAt: event.metadata.recordedAt,
    revision: event.revision,
  };
}

export function compareKeys(a: LegalKey, b: LegalKey): number {
  if (a.ms !== b.ms) return a.ms - b.ms;
  if (a.recordedAt !== b.recordedAt) return a.recordedAt < b.recordedAt ? -1 : 1;
  return a.revision - b.revision;
}

/** Puts an entry into a sorted array (a new one): arrivals are mostly in order, so it looks from the end. */
export function insertSorted<T>(
  entries: readonly T[],
  entry: T,
  compare: (a: T, b: T) => number,
): readonly T[] {
  let at = entries.length;
  while (at > 0 && compare(entries[at - 1] as T, entry) > 0) at--;
  return entries.toSpliced(at, 0, entry);
}
