import type { ViolationDetected } from '@headworks/domain';
import type { Table, ViewRow } from '../view';

export type ViolationTurn = {
  readonly kind: 'abated' | 'relapsed';
  readonly ms: number;
  readonly event: string;
};

export interface ViolationDoc {
  readonly detected: {
    readonly data: ViolationDetected;
    readonly ms: number;
    readonly event: string;
    readonly recordedAt: string;
    readonly packVersion: string;
  };
  /** Cures and relapses: with the beginning, the intervals that days are counted from on reading. */
  readonly turns: readonly ViolationTurn[];
  readonly withdrawn?: { readonly event: string; readonly why: string };
}

export interface ViolationRow extends ViewRow<ViolationDoc> {
  readonly pack: string;
  readonly clause: string;
  readonly subject_kind: string;
  readonly subject_key: string;
  readonly subject_id: string;
  readonly responsible_kind: string;
  readonly responsible_key: string;
  readonly permit_id: string | null;
  readonly load_id: string | null;
  readonly duty: string | null;
  readonly status: 'open' | 'abated' | 'withdrawn';
  readonly detected_at: string;
  /** Local date of the first day. */
  readonly from_date: string;
  readonly recorded_at: string;
}

export const violationsTable = {
  name: 'violations',
  version: 2,
  columns: {
    pack: 'text',
    clause: 'text',
    subject_kind: 'text',
    subject_key: 'text',
    subject_id: 'text',
    responsible_kind: 'text',
    responsible_key: 'text',
    permit_id: 'text?',
    load_id: 'text?',
    duty: 'text?',
    status: 'text',
    detected_at: 'text',
    from_date: 'text',
    recorded_at: 'text',
  },
  indexes: [
    ['jurisdiction', 'detected_at'],
    ['jurisdiction', 'status', 'detected_at'],
    ['subject_id', 'detected_at'],
    ['responsible_key', 'detected_at'],
    ['permit_id', 'detected_at'],
    ['load_id', 'detected_at'],
  ],
} as const satisfies Table<ViolationRow>;
