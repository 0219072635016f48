import type { Facts, ThingRef } from '@headworks/domain';
import type { QuantityJson } from '@headworks/kernel';
import type { FindingSummary } from '../findings';
import type { Flag, Table, ViewRow } from '../view';

/** A load as it stands now, every correction in it, without any personal field. */
export interface LoadDoc {
  readonly pack: string;
  readonly load: string;
  readonly subject: ThingRef;
  readonly hauler: ThingRef;
  readonly vehicle?: ThingRef;
  readonly ticket: string;
  readonly permitId?: string;
  /** As it was said with the load. */
  readonly manifestId?: string;
  readonly occurredAt: string;
  readonly finishedAt?: string;
  readonly quantity: QuantityJson;
  readonly facts: Facts;
  readonly sources: readonly LoadSource[];
  /** Hash of what was sent: tells a repeated ticket from a changed one. */
  readonly content: string;
  readonly distinct?: { readonly reason: string };
  readonly late?: { readonly reason: string };
  readonly findings: readonly FindingSummary[];
  readonly corrections: number;
  /** Address of the event that the content was last changed by. */
  readonly contentEvent: string;
}

export type LoadSource = {
  readonly wasteType: string;
  readonly quantity: QuantityJson;
  readonly servicedAt?: string;
  readonly place?: ThingRef;
};

export interface LoadRow extends ViewRow<LoadDoc> {
  readonly pack: string;
  readonly load_type: string;
  readonly subject_kind: string;
  readonly subject_key: string;
  readonly subject_id: string;
  readonly hauler_kind: string;
  readonly hauler_key: string;
  readonly vehicle_key: string | null;
  readonly ticket: string;
  readonly permit_id: string | null;
  readonly occurred_at: string;
  readonly recorded_at: string;
  readonly voided: Flag;
  /** Something is missing that a later fact may supply; what is not yet due is no such thing. */
  readonly has_unknown: Flag;
  readonly has_violated: Flag;
}

export const loadsTable = {
  name: 'loads',
  version: 2,
  columns: {
    pack: 'text',
    load_type: 'text',
    subject_kind: 'text',
    subject_key: 'text',
    subject_id: 'text',
    hauler_kind: 'text',
    hauler_key: 'text',
    vehicle_key: 'text?',
    ticket: 'text',
    permit_id: 'text?',
    occurred_at: 'text',
    recorded_at: 'text',
    voided: 'integer',
    has_unknown: 'integer',
    has_violated: 'integer',
  },
  indexes: [
    ['jurisdiction', 'occurred_at'],
    ['subject_id', 'occurred_at'],
    ['hauler_key', 'occurred_at'],
    ['ticket', 'occurred_at'],
    ['permit_id', 'occurred_at'],
    ['has_unknown', 'occurred_at'],
    ['has_violated', 'occurred_at'],
  ],
} as const satisfies Table<LoadRow>;
