import type { ThingRef } from '@headworks/domain';
import type { ViewDatabase } from '../database/view-database';
import { findRow, isOneOf, listRows, mapPage, namesOneOf, when, type AnyOf } from '../listing/list';
import { PAGE_LIMIT, type Page, type PageRequest, type Scope } from '../listing/page';
import { homeOf } from '../thing';
import { dutiesTable, type DutyDoc, type DutyRow } from './table';

export interface DutyFilter {
  readonly state?: DutyRow['state'];
  /** Instant (ISO, UTC, ms): duties due earlier than it. */
  readonly dueBefore?: string;
  /** Stream of the duty's home. */
  readonly stream?: string;
  readonly clause?: string;
  /** Opened by a load that one of these brought, or at home in one of the streams. */
  readonly holding?: { readonly things: readonly ThingRef[]; readonly streams: readonly string[] };
}

export interface DutyItem extends DutyDoc {
  readonly id: string;
  readonly jurisdiction: string;
  readonly stream: string;
  /** One of the two: a duty is at home with a thing, or with a permit. */
  readonly subjectId: string | null;
  readonly permitId: string | null;
  readonly clause: string;
  readonly dueAt: string;
  readonly state: DutyRow['state'];
  readonly how: string | null;
}

/** What an alarm carries: enough to send Settle, nothing to decide on. */
export interface DueDuty {
  readonly stream: string;
  readonly duty: string;
  readonly dueAt: string;
}

/** Duties, the next due first. */
export async function listDuties(
  database: ViewDatabase,
  scope: Scope,
  filter: DutyFilter = {},
  page: PageRequest = {},
): Promise<Page<DutyItem>> {
  const { state, dueBefore, stream, clause, holding } = filter;
  const where = [
    ...when<DutyRow>(state, 'state'),
    ...when<DutyRow>(dueBefore, 'due_at', '<'),
    ...when<DutyRow>(stream, 'stream'),
    ...when<DutyRow>(clause, 'clause'),
    ...(holding ? [isHeld(holding)] : []),
  ];
  const rows = await listRows<DutyRow>(database, dutiesTable, {
    scope,
    where,
    sort: ['due_at'],
    order: 'asc',
    page,
  });
  return mapPage(rows, itemOf);
}

export async function findDuty(
  database: ViewDatabase,
  scope: Scope,
  id: string,
): Promise<DutyItem | undefined> {
  const row = await findRow<DutyRow>(database, dutiesTable, scope, id);
  return row && itemOf(row);
}

/** The open duty that is due first, past or to come. */
export async function nextDue(database: ViewDatabase, scope: Scope): Promise<DueDuty | undefined> {
  const { items } = await listDuties(database, scope, { state: 'open' }, { limit: 1 });
  return items[0] && dueOf(items[0]);
}

/** Open duties due earlier than the instant, the earliest first; Settle closes them, so the next call has the others. */
export async function dueBefore(
  database: ViewDatabase,
  scope: Scope,
  instant: string,
  limit: number = PAGE_LIMIT.most,
): Promise<readonly DueDuty[]> {
  const { items } = await listDuties(database, scope, { state: 'open', dueBefore: instant }, { limit });
  return items.map(dueOf);
}

const isHeld = ({ things, streams }: NonNullable<DutyFilter['holding']>): AnyOf<DutyRow> => ({
  anyOf: [
    ...namesOneOf<DutyRow>(things, [['hauler_kind', 'hauler_key']]).anyOf,
    ...isOneOf<DutyRow>(streams, 'stream').anyOf,
  ],
});

const dueOf = ({ stream, id, dueAt }: DutyItem): DueDuty => ({ stream, duty: id, dueAt });

const itemOf = ({ id, jurisdiction, stream, clause, due_at, state, how, doc }: DutyRow): DutyItem => ({
  ...doc,
  id,
  jurisdiction,
  stream,
  ...homeOf(stream),
  clause,
  dueAt: due_at,
  state,
  how,
});
