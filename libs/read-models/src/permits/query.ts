import { phaseAt, phaseNameAt, type PhaseName, type ThingRef, type Validity } from '@headworks/domain';
import type { ViewDatabase } from '../database/view-database';
import { findRow, listRows, mapPage, when, whenOneOf } from '../listing/list';
import type { Page, PageRequest, Scope } from '../listing/page';
import { permitsTable, type PermitRow } from './table';

export interface PermitFilter {
  readonly pack?: string;
  readonly permitType?: string;
  readonly holder?: ThingRef;
  readonly status?: PhaseName;
  /** Of this register; with `number`, the one of that number. */
  readonly series?: string;
  readonly number?: number;
  /** Instants (ISO, UTC, ms) at which it was filed: `from` is in, `to` is out. */
  readonly from?: string;
  readonly to?: string;
  /** Held by one of these. */
  readonly holding?: readonly ThingRef[];
}

export interface PermitItem {
  readonly id: string;
  readonly jurisdiction: string;
  readonly pack: string;
  readonly permitType: string;
  readonly applicant: ThingRef;
  readonly status: PhaseName;
  /** When the step was taken that made it so. */
  readonly since: string;
  readonly number: number | null;
  readonly series: string | null;
  readonly filedAt: string;
  readonly recordedAt: string;
  readonly valid: Validity | null;
  /** The instant at which its validity ends, while it lasts. */
  readonly endsAt: string | null;
  readonly renews: string | null;
  readonly renewedBy: string | null;
  readonly waived: boolean;
}

/** Permits and applications, the last filed first. */
export async function listPermits(
  database: ViewDatabase,
  scope: Scope,
  filter: PermitFilter = {},
  page: PageRequest = {},
): Promise<Page<PermitItem>> {
  return mapPage(await listPermitRows(database, scope, filter, page), permitItem);
}

/** The same as rows: for a list as of an instant, which folds each anew. */
export function listPermitRows(
  database: ViewDatabase,
  scope: Scope,
  filter: PermitFilter,
  page: PageRequest,
): Promise<Page<PermitRow>> {
  const { pack, permitType, holder, status, series, number, from, to, holding } = filter;
  const where = [
    ...when<PermitRow>(pack, 'pack'),
    ...when<PermitRow>(permitType, 'permit_type'),
    ...whenOneOf<PermitRow>(holder && [holder], [['holder_kind', 'holder_key']]),
    ...when<PermitRow>(status, 'phase'),
    ...when<PermitRow>(series, 'series'),
    ...when<PermitRow>(number, 'number'),
    ...when<PermitRow>(from, 'filed_at', '>='),
    ...when<PermitRow>(to, 'filed_at', '<'),
    ...whenOneOf<PermitRow>(holding, [['holder_kind', 'holder_key']]),
  ];
  return listRows<PermitRow>(database, permitsTable, {
    scope,
    where,
    sort: ['filed_at'],
    order: 'desc',
    page,
  });
}

export async function findPermit(
  database: ViewDatabase,
  scope: Scope,
  id: string,
): Promise<PermitItem | undefined> {
  const row = await findRow<PermitRow>(database, permitsTable, scope, id);
  return row && permitItem(row);
}

/** As of an instant, what the law has ended by then has ended, written down or not. */
export function permitItem(row: PermitRow, asOfMs?: number): PermitItem {
  const { file, recordedAt } = row.doc;
  const phase = phaseAt(file);
  const hasEnded = asOfMs !== undefined && row.ends_at !== null && asOfMs >= Date.parse(row.ends_at);
  const filed = file.filed;
  return {
    id: row.id,
    jurisdiction: row.jurisdiction,
    pack: row.pack,
    permitType: row.permit_type,
    applicant: filed?.applicant ?? { kind: row.holder_kind, key: row.holder_key },
    status: hasEnded ? phaseNameAt(file, asOfMs) : phase.is,
    since: hasEnded ? (row.ends_at ?? '') : row.phase_since,
    number: file.number?.number ?? null,
    series: file.number?.series ?? null,
    filedAt: row.filed_at,
    recordedAt,
    valid: 'issued' in phase && phase.issued ? phase.issued.valid : null,
    endsAt: hasEnded ? null : row.ends_at,
    renews: filed?.renews ?? null,
    renewedBy: file.renewedBy ?? null,
    waived: row.has_waiver === 1,
  };
}
