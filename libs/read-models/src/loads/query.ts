import type { ThingRef } from '@headworks/domain';
import type { ViewDatabase } from '../database/view-database';
import { findRow, listRows, mapPage, when, whenOneOf } from '../listing/list';
import type { Page, PageRequest, Scope } from '../listing/page';
import { keyColumn } from '../thing';
import { loadsTable, type LoadDoc, type LoadRow } from './table';

export interface LoadFilter {
  readonly subject?: ThingRef;
  /** As in `/subjects/{kind}/{id}`. */
  readonly subjectId?: string;
  readonly hauler?: ThingRef;
  readonly pack?: string;
  readonly ticket?: string;
  readonly permitId?: string;
  /** Brought by one of these, or on one of them. */
  readonly holding?: readonly ThingRef[];
  /** Instants (ISO, UTC, ms): `from` is in, `to` is out. */
  readonly from?: string;
  readonly to?: string;
  readonly finding?: 'unknown' | 'violated';
  readonly voided?: boolean;
}

export interface LoadItem extends LoadDoc {
  readonly id: string;
  readonly jurisdiction: string;
  readonly recordedAt: string;
  readonly voided: boolean;
  readonly subjectId: string;
}

/** Loads, the newest first. */
export async function listLoads(
  database: ViewDatabase,
  scope: Scope,
  filter: LoadFilter = {},
  page: PageRequest = {},
): Promise<Page<LoadItem>> {
  const { subject, subjectId, hauler, pack, ticket, permitId, from, to, finding, voided, holding } = filter;
  const where = [
    ...when<LoadRow>(subject?.kind, 'subject_kind'),
    ...when<LoadRow>(subject && keyColumn(subject.key), 'subject_key'),
    ...when<LoadRow>(subjectId, 'subject_id'),
    ...when<LoadRow>(hauler?.kind, 'hauler_kind'),
    ...when<LoadRow>(hauler && keyColumn(hauler.key), 'hauler_key'),
    ...when<LoadRow>(pack, 'pack'),
    ...when<LoadRow>(ticket, 'ticket'),
    ...when<LoadRow>(permitId, 'permit_id'),
    ...when<LoadRow>(from, 'occurred_at', '>='),
    ...when<LoadRow>(to, 'occurred_at', '<'),
    ...when<LoadRow>(finding === 'unknown' ? 1 : undefined, 'has_unknown'),
    ...when<LoadRow>(finding === 'violated' ? 1 : undefined, 'has_violated'),
    ...when<LoadRow>(voided === undefined ? undefined : Number(voided), 'voided'),
    ...whenOneOf<LoadRow>(holding, [
      ['hauler_kind', 'hauler_key'],
      ['subject_kind', 'subject_key'],
    ]),
  ];
  const rows = await listRows<LoadRow>(database, loadsTable, {
    scope,
    where,
    sort: ['occurred_at'],
    order: 'desc',
    page,
  });
  return mapPage(rows, itemOf);
}

export async function findLoad(
  database: ViewDatabase,
  scope: Scope,
  id: string,
): Promise<LoadItem | undefined> {
  const row = await findRow<LoadRow>(database, loadsTable, scope, id);
  return row && itemOf(row);
}

const itemOf = ({ id, jurisdiction, recorded_at, voided, subject_id, doc }: LoadRow): LoadItem => ({
  ...doc,
  id,
  jurisdiction,
  recordedAt: recorded_at,
  voided: voided === 1,
  subjectId: subject_id,
});
