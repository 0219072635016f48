import type { ActedBy, Actor, LateReason } from '@headworks/kernel';
import type { ViewDatabase } from '../database/view-database';
import { listRows, mapPage, when } from '../listing/list';
import type { Page, PageRequest, Scope } from '../listing/page';
import { lateTable, type LateRow } from './table';

export interface LateFilter {
  /** Instants of recording (ISO, UTC, ms): `from` is in, `to` is out. */
  readonly from?: string;
  readonly to?: string;
  /** Id of who recorded. */
  readonly actor?: string;
  readonly streamKind?: string;
}

export interface LateItem extends LateReason {
  /** `stream@revision`. */
  readonly event: string;
  readonly type: string;
  readonly jurisdiction: string;
  readonly stream: string;
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly actor: Actor;
  readonly by?: ActedBy;
}

/** What was recorded late, the last recorded first. */
export async function listLate(
  database: ViewDatabase,
  scope: Scope,
  filter: LateFilter = {},
  page: PageRequest = {},
): Promise<Page<LateItem>> {
  const { from, to, actor, streamKind } = filter;
  const where = [
    ...when<LateRow>(from, 'recorded_at', '>='),
    ...when<LateRow>(to, 'recorded_at', '<'),
    ...when<LateRow>(actor, 'actor'),
    ...when<LateRow>(streamKind, 'stream_kind'),
  ];
  const rows = await listRows<LateRow>(database, lateTable, {
    scope,
    where,
    sort: ['recorded_at'],
    order: 'desc',
    page,
  });
  return mapPage(rows, itemOf);
}

const itemOf = ({ id, jurisdiction, stream, doc, ...row }: LateRow): LateItem => ({
  event: id,
  type: row.event_type,
  jurisdiction,
  stream,
  occurredAt: row.occurred_at,
  recordedAt: row.recorded_at,
  actor: { id: row.actor, roles: doc.roles },
  ...(doc.by && { by: doc.by }),
  reason: doc.reason,
  evidence: doc.evidence,
});
