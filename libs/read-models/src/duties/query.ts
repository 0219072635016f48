import type { ViewDatabase } from '../database/view-database';
import { findRow, listRows, mapPage, when } from '../listing/list';
import { PAGE_LIMIT, type Page, type PageRequest, type Scope } from '../listing/page';
import { idOfStream } from '../thing';
import { dutiesTable, type DutyDoc, type DutyRow } from './table';

export interface DutyFilter {
  readonly state?: DutyRow['state'];
  /** Instant (ISO, UTC, ms): duties due earlier than it. */
  readonly dueBefore?: string;
  /** Stream of the duty's home. */
  readonly stream?: string;
  readonly clause?: string;
}

export interface DutyItem extends DutyDoc {
  readonly id: string;
  readonly jurisdiction: string;
  readonly stream: string;
  readonly subjectId: string;
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
  const { state, dueBefore, stream, clause } = filter;
  const where = [
    ...when<DutyRow>(state, 'state'),
    ...when<DutyRow>(dueBefore, 'due_at', '<'),
    ...when<DutyRow>(stream, 'stream'),
    ...when<DutyRow>(clause, 'clause'),
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

const dueOf = ({ stream, id, dueAt }: DutyItem): DueDuty => ({ stream, duty: id, dueAt });

const itemOf = ({ id, jurisdiction, stream, clause, due_at, state, how, doc }: DutyRow): DutyItem => ({
  ...doc,
  id,
  jurisdiction,
  stream,
  subjectId: idOfStream(stream),
  clause,
  dueAt: due_at,
  state,
  how,
});
