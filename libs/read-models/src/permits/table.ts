import type { PermitFile, PhaseName } from '@headworks/domain';
import type { Flag, Table, ViewRow } from '../view';

export interface PermitDoc {
  /** The domain's fold of the file, its steps without what a list has no use for: findings, facts, reasons. */
  readonly file: PermitFile;
  /** When the application was put on file. */
  readonly recordedAt: string;
}

/** A permit, from its application on. */
export interface PermitRow extends ViewRow<PermitDoc> {
  readonly pack: string;
  readonly permit_type: string;
  readonly holder_kind: string;
  readonly holder_key: string;
  /** By all the steps that stand. The end of its validity makes a step of its own: whoever lists has settled before. */
  readonly phase: PhaseName;
  readonly phase_since: string;
  readonly series: string | null;
  /** 0: it has none yet. */
  readonly number: number;
  readonly filed_at: string;
  /** Local dates, both in. */
  readonly valid_from: string | null;
  readonly valid_until: string | null;
  /** The instant in UTC at which its validity ends, while that is still to be written down: alarms are found by it. */
  readonly ends_at: string | null;
  /** It follows another, it was followed by another, a clause was waived for it. */
  readonly is_renewal: Flag;
  readonly is_renewed: Flag;
  readonly has_waiver: Flag;
}

export const permitsTable = {
  name: 'permits',
  version: 1,
  columns: {
    pack: 'text',
    permit_type: 'text',
    holder_kind: 'text',
    holder_key: 'text',
    phase: 'text',
    phase_since: 'text',
    series: 'text?',
    number: 'integer',
    filed_at: 'text',
    valid_from: 'text?',
    valid_until: 'text?',
    ends_at: 'text?',
    is_renewal: 'integer',
    is_renewed: 'integer',
    has_waiver: 'integer',
  },
  indexes: [
    ['jurisdiction', 'filed_at'],
    ['jurisdiction', 'phase', 'filed_at'],
    ['holder_key', 'filed_at'],
    ['series', 'number'],
    ['ends_at'],
  ],
} as const satisfies Table<PermitRow>;
