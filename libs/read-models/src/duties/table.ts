import type { DutyMissed } from '@headworks/domain';
import type { Table, ViewRow } from '../view';

export interface DutyDoc {
  /** Address of the event that opened it, last. */
  readonly openedBy?: string;
  readonly closedBy?: string;
  /** The consequence that was recorded last, reversed or not. */
  readonly missed?: Pick<
    DutyMissed,
    'pack' | 'load' | 'startedBy' | 'startedAt' | 'outcome' | 'responsible' | 'binds'
  > & { readonly event: string };
  readonly reversedBy?: string;
}

export interface DutyRow extends ViewRow<DutyDoc> {
  /** The duty's home. */
  readonly stream: string;
  readonly clause: string;
  /** The statutory instant, in UTC: alarms are found by it. */
  readonly due_at: string;
  readonly state: 'open' | 'closed';
  /** What closed it: met, met_late, missed, void. */
  readonly how: string | null;
  /** Who brought the load that opened it, where a load did. */
  readonly hauler_kind: string | null;
  readonly hauler_key: string | null;
}

export const dutiesTable = {
  name: 'duties',
  version: 2,
  columns: {
    stream: 'text',
    clause: 'text',
    due_at: 'text',
    state: 'text',
    how: 'text?',
    hauler_kind: 'text?',
    hauler_key: 'text?',
  },
  indexes: [
    ['state', 'due_at'],
    ['stream', 'due_at'],
    ['jurisdiction', 'state', 'due_at'],
  ],
} as const satisfies Table<DutyRow>;
