import type { DutyMissed, Ending, ThingRef } from '@headworks/domain';
import type { Table, ViewRow } from '../view';

export interface DutyDoc {
  readonly version: string;
  /** As it was due when it was opened last; none while its clock stands still. */
  readonly due: {
    readonly date: string | null;
    readonly at: string;
    readonly elapsedAt: string | null;
  } | null;
  readonly outcome: string;
  /** `stream@revision` of what began it. */
  readonly startedBy: string;
  readonly subject?: ThingRef;
  readonly responsible?: ThingRef;
  readonly load?: string;
  readonly pausedSince?: string;
  /** Address of the event that opened it, last. */
  readonly openedBy?: string;
  readonly closedBy?: string;
  readonly metBy?: string;
  readonly metAt?: string;
  /** The consequence that was recorded last, reversed or not. */
  readonly missed?: string;
  readonly reversedBy?: string;
  /** How often it came to be due on another day, or ended: calendars of others ask for it (RFC 5545, SEQUENCE). */
  readonly sequence: number;
  /** When that was recorded last. */
  readonly changedAt: string;
}

export interface DutyRow extends ViewRow<DutyDoc> {
  /** The duty's home. */
  readonly stream: string;
  readonly pack: string;
  readonly clause: string;
  readonly binds: DutyMissed['binds'];
  /** Who owes it, in the pack's word, and to whom. */
  readonly who: string;
  readonly owed_to: string;
  readonly status: 'open' | 'paused' | Ending;
  /** The statutory instant, in UTC: alarms are found by it. One whose clock stands still is due at `NEVER`. */
  readonly due_at: string;
  /** From then on it is late by the clock alone; empty where that is the statutory instant itself. */
  readonly elapsed_at: string;
  readonly responsible_kind: string | null;
  readonly responsible_key: string | null;
  /** The event of the consequence that was recorded last, reversed or not; empty where there never was one. */
  readonly missed: string;
}

/** After every instant that a log may hold. */
export const NEVER = '9999-12-31T23:59:59.999Z';

export const dutiesTable = {
  name: 'duties',
  version: 4,
  columns: {
    stream: 'text',
    pack: 'text',
    clause: 'text',
    binds: 'text',
    who: 'text',
    owed_to: 'text',
    status: 'text',
    due_at: 'text',
    elapsed_at: 'text',
    responsible_kind: 'text?',
    responsible_key: 'text?',
    missed: 'text',
  },
  indexes: [
    ['status', 'due_at'],
    ['stream', 'due_at'],
    ['jurisdiction', 'status', 'due_at'],
    ['missed', 'due_at'],
  ],
} as const satisfies Table<DutyRow>;
