import { localDateAt } from '@headworks/calendars';
import { intervalsOf, violationDays, type StoredFinding, type ThingRef } from '@headworks/domain';
import { isoInstant } from '@headworks/kernel';
import type { ViewDatabase } from '../database/view-database';
import { findRow, listRows, mapPage, when, whenOneOf } from '../listing/list';
import type { Page, PageRequest, Scope } from '../listing/page';
import { keyColumn } from '../thing';
import { violationOf } from './evolve';
import { violationsTable, type ViolationRow } from './table';

export interface ViolationFilter {
  readonly clause?: string;
  readonly pack?: string;
  readonly subject?: ThingRef;
  readonly subjectId?: string;
  readonly responsible?: ThingRef;
  readonly permitId?: string;
  readonly loadId?: string;
  readonly status?: ViolationRow['status'];
  /** Instants (ISO, UTC, ms) that it began at: `from` is in, `to` is out. */
  readonly from?: string;
  readonly to?: string;
  /** One of these answers for it, or it is on one of them. */
  readonly holding?: readonly ThingRef[];
}

export interface ViolationItem {
  readonly id: string;
  readonly jurisdiction: string;
  readonly pack: string;
  readonly packVersion: string;
  readonly clause: string;
  readonly rows: readonly string[];
  readonly cite: string;
  readonly binds: 'person' | 'office';
  readonly responsible: ThingRef;
  readonly subject: ThingRef;
  readonly subjectId: string;
  readonly permitId: string | null;
  readonly loadId: string | null;
  readonly duty: string | null;
  readonly status: ViolationRow['status'];
  readonly detectedAt: string;
  readonly recordedAt: string;
  /** Local dates: the first day, and the day of the cure (which is out), null while it goes on. */
  readonly from: string;
  readonly until: string | null;
  /** Counted up to `now` at the latest: see `violationDays`. */
  readonly days: number;
  readonly intervals: readonly { readonly from: string; readonly until: string | null }[];
  readonly withdrawn: { readonly event: string; readonly why: string } | null;
  readonly finding: StoredFinding;
}

/** Violations, the newest first; `now` (epoch ms) is what the days of a lasting one are counted up to. */
export async function listViolations(
  database: ViewDatabase,
  scope: Scope,
  nowMs: number,
  filter: ViolationFilter = {},
  page: PageRequest = {},
): Promise<Page<ViolationItem>> {
  return mapPage(await listViolationRows(database, scope, filter, page), (row) => violationItem(row, nowMs));
}

/** The same as rows: for a list as of an instant, which folds each anew. */
export function listViolationRows(
  database: ViewDatabase,
  scope: Scope,
  filter: ViolationFilter,
  page: PageRequest,
): Promise<Page<ViolationRow>> {
  const { clause, pack, subject, subjectId, responsible, permitId, loadId, status, from, to, holding } =
    filter;
  const where = [
    ...when<ViolationRow>(clause, 'clause'),
    ...when<ViolationRow>(pack, 'pack'),
    ...when<ViolationRow>(subject?.kind, 'subject_kind'),
    ...when<ViolationRow>(subject && keyColumn(subject.key), 'subject_key'),
    ...when<ViolationRow>(subjectId, 'subject_id'),
    ...when<ViolationRow>(responsible?.kind, 'responsible_kind'),
    ...when<ViolationRow>(responsible && keyColumn(responsible.key), 'responsible_key'),
    ...when<ViolationRow>(permitId, 'permit_id'),
    ...when<ViolationRow>(loadId, 'load_id'),
    ...when<ViolationRow>(status, 'status'),
    ...when<ViolationRow>(from, 'detected_at', '>='),
    ...when<ViolationRow>(to, 'detected_at', '<'),
    ...whenOneOf<ViolationRow>(holding, [
      ['responsible_kind', 'responsible_key'],
      ['subject_kind', 'subject_key'],
    ]),
  ];
  return listRows<ViolationRow>(database, violationsTable, {
    scope,
    where,
    sort: ['detected_at'],
    order: 'desc',
    page,
  });
}

export async function findViolation(
  database: ViewDatabase,
  scope: Scope,
  nowMs: number,
  id: string,
): Promise<ViolationItem | undefined> {
  const row = await findRow<ViolationRow>(database, violationsTable, scope, id);
  return row && violationItem(row, nowMs);
}

export function violationItem(row: ViolationRow, nowMs: number): ViolationItem {
  const state = violationOf(row);
  const { data } = row.doc.detected;
  const intervals = intervalsOf(state);
  const last = intervals.at(-1);
  return {
    id: row.id,
    jurisdiction: row.jurisdiction,
    pack: data.pack,
    packVersion: data.packVersion,
    clause: data.clause,
    rows: data.rows,
    cite: data.cite,
    binds: data.binds,
    responsible: data.responsible,
    subject: data.subject,
    subjectId: row.subject_id,
    permitId: data.permitId ?? null,
    loadId: data.loadId ?? null,
    duty: data.duty ?? null,
    status: row.status,
    detectedAt: row.detected_at,
    recordedAt: row.recorded_at,
    from: row.from_date,
    until: last?.untilMs === undefined ? null : localDateAt(data.zone, last.untilMs),
    days: violationDays(state, nowMs),
    intervals: intervals.map(({ fromMs, untilMs }) => ({
      from: isoInstant(fromMs),
      until: untilMs === undefined ? null : isoInstant(untilMs),
    })),
    withdrawn: row.doc.withdrawn ?? null,
    finding: data.finding,
  };
}
