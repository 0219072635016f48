import type { ActedBy, LateReason } from '@headworks/kernel';
import type { Table, ViewRow } from '../view';

export interface LateDoc extends LateReason {
  readonly roles: readonly string[];
  readonly by?: ActedBy;
}

/** An event that was recorded late; its id is its address. */
export interface LateRow extends ViewRow<LateDoc> {
  readonly event_type: string;
  readonly stream: string;
  /** What the stream is of: the word before its id. */
  readonly stream_kind: string;
  /** Opaque id of who recorded it. */
  readonly actor: string;
  /** Instants in UTC; a thing of a day is at the end of it. */
  readonly occurred_at: string;
  readonly recorded_at: string;
}

export const lateTable = {
  name: 'late',
  version: 1,
  columns: {
    event_type: 'text',
    stream: 'text',
    stream_kind: 'text',
    actor: 'text',
    occurred_at: 'text',
    recorded_at: 'text',
  },
  // No index by kind of stream: there are few kinds, so the walk by time finds a page of any of them soon.
  indexes: [['recorded_at'], ['jurisdiction', 'recorded_at'], ['actor', 'recorded_at']],
} as const satisfies Table<LateRow>;
