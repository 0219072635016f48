import type { ThingRef } from '@headworks/domain';
import { isoInstant, type QuantityJson } from '@headworks/kernel';
import type { ViewDatabase } from '../database/view-database';
import type { FindingSummary } from '../findings';
import { findRow, listRows, mapPage, isOneOf, when, whenOneOf } from '../listing/list';
import type { Page, PageRequest, Scope } from '../listing/page';
import type { LoadSource } from '../loads/table';
import { manifestsTable, type ManifestRow, type ManifestStatus } from './table';

/** Lapsed is what time makes of a pending or accepted one: nobody writes it down. */
export type ShownManifestStatus = ManifestStatus | 'lapsed';

export interface ManifestFilter {
  readonly pack?: string;
  readonly manifest?: string;
  readonly permitId?: string;
  readonly subject?: ThingRef;
  readonly hauler?: ThingRef;
  readonly ticket?: string;
  readonly status?: ShownManifestStatus;
  /** Instants (ISO, UTC, ms) that it was planned for: `from` is in, `to` is out. */
  readonly from?: string;
  readonly to?: string;
  /** Brought by one of these. */
  readonly holding?: readonly ThingRef[];
}

export interface ManifestItem {
  readonly id: string;
  readonly jurisdiction: string;
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
  readonly submittedAt: string;
  readonly recordedAt: string;
  readonly sources: readonly LoadSource[];
  readonly distinct?: { readonly reason: string };
  readonly status: ShownManifestStatus;
  /** Why it was withdrawn: a word of the log. */
  readonly why: string | null;
  /** Facts that a pending one waits for. */
  readonly missing: readonly string[];
  readonly dischargedAt: string | null;
  readonly findings: readonly FindingSummary[];
}

const OPEN: readonly ManifestStatus[] = ['pending', 'accepted'];

/** Manifests, the latest planned first; `now` (epoch ms) tells what has lapsed. */
export async function listManifests(
  database: ViewDatabase,
  scope: Scope,
  nowMs: number,
  filter: ManifestFilter = {},
  page: PageRequest = {},
): Promise<Page<ManifestItem>> {
  const { pack, manifest, permitId, subject, hauler, ticket, status, from, to, holding } = filter;
  const where = [
    ...when<ManifestRow>(1, 'submitted'),
    ...when<ManifestRow>(pack, 'pack'),
    ...when<ManifestRow>(manifest, 'manifest_type'),
    ...when<ManifestRow>(permitId, 'permit_id'),
    ...whenOneOf<ManifestRow>(subject && [subject], [['subject_kind', 'subject_key']]),
    ...whenOneOf<ManifestRow>(hauler && [hauler], [['hauler_kind', 'hauler_key']]),
    ...when<ManifestRow>(ticket, 'ticket'),
    ...whereStatus(status, nowMs),
    ...when<ManifestRow>(from, 'planned_at', '>='),
    ...when<ManifestRow>(to, 'planned_at', '<'),
    ...whenOneOf<ManifestRow>(holding, [['hauler_kind', 'hauler_key']]),
  ];
  const rows = await listRows<ManifestRow>(database, manifestsTable, {
    scope,
    where,
    sort: ['planned_at'],
    order: 'desc',
    page,
  });
  return mapPage(rows, (row) => itemOf(row, nowMs));
}

function whereStatus(status: ShownManifestStatus | undefined, nowMs: number) {
  // `until` itself is out: at it, the acceptance stands no longer.
  const later = isoInstant(nowMs + 1);
  switch (status) {
    case 'lapsed':
      return [isOneOf<ManifestRow>(OPEN, 'status'), ...when<ManifestRow>(later, 'until_at', '<')];
    case 'pending':
    case 'accepted':
      return [...when<ManifestRow>(status, 'status'), ...when<ManifestRow>(later, 'until_at', '>=')];
    case 'refused':
    case 'withdrawn':
    case 'discharged':
    case undefined:
      return when<ManifestRow>(status, 'status');
  }
}

export async function findManifest(
  database: ViewDatabase,
  scope: Scope,
  nowMs: number,
  id: string,
): Promise<ManifestItem | undefined> {
  const row = await findRow<ManifestRow>(database, manifestsTable, scope, id);
  return row && row.submitted === 1 ? itemOf(row, nowMs) : undefined;
}

function itemOf({ id, jurisdiction, status, doc, ...row }: ManifestRow, nowMs: number): ManifestItem {
  const { submitted, refused, discharged } = doc.load;
  if (!submitted) throw new Error(`the manifest ${id} is listed and was never submitted`);
  const { standing, findings } = doc.permit;
  const hasLapsed = OPEN.includes(status) && nowMs >= Date.parse(row.until_at);
  return {
    id,
    jurisdiction,
    ...submitted,
    status: hasLapsed ? 'lapsed' : status,
    why: standing?.is === 'withdrawn' ? standing.why : null,
    missing: standing?.is === 'pending' ? standing.data.missing : [],
    dischargedAt: discharged?.at ?? null,
    findings: findings ?? refused?.findings ?? submitted.findings,
  };
}
