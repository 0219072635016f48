import type { ManifestStanding, ThingRef } from '@headworks/domain';
import type { QuantityJson } from '@headworks/kernel';
import type { FindingSummary } from '../findings';
import type { LoadSource } from '../loads/table';
import type { Flag, Table, ViewRow } from '../view';

/** As it was submitted, without any personal field. */
export interface Submitted {
  readonly pack: string;
  readonly manifest: string;
  readonly permitId: string;
  readonly subject: ThingRef;
  readonly hauler: ThingRef;
  readonly vehicle?: ThingRef;
  readonly ticket: string;
  readonly quantity: QuantityJson;
  readonly plannedAt: string;
  readonly until: string;
  readonly sources: readonly LoadSource[];
  readonly distinct?: { readonly reason: string };
  readonly submittedAt: string;
  readonly recordedAt: string;
  readonly findings: readonly FindingSummary[];
}

/** Two streams speak of a manifest, its load's and its permit's, and neither waits for the other: each has its own place. */
export interface ManifestDoc {
  readonly load: {
    readonly submitted?: Submitted;
    /** Refused there, where there is no permit of the hauler's to say it in. */
    readonly refused?: { readonly event: string; readonly findings: readonly FindingSummary[] };
    readonly discharged?: { readonly event: string; readonly at: string };
  };
  readonly permit: {
    /** The domain's own fold, without its findings. */
    readonly standing?: ManifestStanding;
    readonly findings?: readonly FindingSummary[];
  };
}

export type ManifestStatus = 'pending' | 'accepted' | 'refused' | 'withdrawn' | 'discharged';

export interface ManifestRow extends ViewRow<ManifestDoc> {
  readonly pack: string;
  readonly manifest_type: string;
  readonly permit_id: string;
  readonly subject_kind: string;
  readonly subject_key: string;
  readonly hauler_kind: string;
  readonly hauler_key: string;
  readonly ticket: string;
  readonly planned_at: string;
  /** Past it, what is pending or accepted has lapsed: by derivation, so a list compares it with now. */
  readonly until_at: string;
  readonly status: ManifestStatus;
  /** 0: only its permit has named it so far, and it is not listed. */
  readonly submitted: Flag;
}

export const manifestsTable = {
  name: 'manifests',
  version: 1,
  columns: {
    pack: 'text',
    manifest_type: 'text',
    permit_id: 'text',
    subject_kind: 'text',
    subject_key: 'text',
    hauler_kind: 'text',
    hauler_key: 'text',
    ticket: 'text',
    planned_at: 'text',
    until_at: 'text',
    status: 'text',
    submitted: 'integer',
  },
  indexes: [
    ['jurisdiction', 'planned_at'],
    ['permit_id', 'planned_at'],
    ['hauler_key', 'planned_at'],
    ['subject_key', 'planned_at'],
    ['ticket', 'planned_at'],
    ['status', 'planned_at'],
  ],
} as const satisfies Table<ManifestRow>;
