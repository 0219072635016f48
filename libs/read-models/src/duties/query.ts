import type { ThingRef } from '@headworks/domain';
import { isoInstant } from '@headworks/kernel';
import type { ViewDatabase } from '../database/view-database';
import {
  findRow,
  isOneOf,
  listRows,
  mapPage,
  namesOneOf,
  when,
  type AnyOf,
  type Condition,
} from '../listing/list';
import type { Page, PageRequest, Scope } from '../listing/page';
import { homeOf } from '../thing';
import { dutiesTable, type DutyDoc, type DutyRow } from './table';

/** As the contract has it: between the elapsed and the statutory instant an open duty is contestable. */
export type ListedStatus = DutyRow['status'] | 'contestable';

export interface DutyFilter {
  /** One of these. */
  readonly status?: readonly ListedStatus[];
  /** Instant (ISO, UTC, ms): duties due earlier than it. */
  readonly dueBefore?: string;
  /** Instant (ISO, UTC, ms): duties due then or later. */
  readonly dueFrom?: string;
  /** Stream of the duty's home. */
  readonly stream?: string;
  readonly pack?: string;
  readonly clause?: string;
  readonly binds?: DutyRow['binds'];
  readonly who?: string;
  readonly owedTo?: string;
  /** A consequence of it was recorded at any time. */
  readonly wasMissed?: true;
  /** One of these answers for it, or it is at home in one of the streams. */
  readonly holding?: { readonly things: readonly ThingRef[]; readonly streams: readonly string[] };
}

export interface DutyItem {
  readonly id: string;
  readonly jurisdiction: string;
  readonly stream: string;
  readonly pack: string;
  readonly packVersion: string;
  readonly clause: string;
  readonly binds: DutyRow['binds'];
  readonly who: string;
  readonly owedTo: string;
  /** One of the two: a duty is at home with a thing, or with a permit. */
  readonly subjectId: string | null;
  readonly permitId: string | null;
  readonly loadId: string | null;
  readonly subject: ThingRef | null;
  readonly responsible: ThingRef | null;
  readonly startedBy: string;
  readonly due: DutyDoc['due'];
  readonly pausedSince: string | null;
  readonly status: ListedStatus;
  readonly metBy: string | null;
  readonly metAt: string | null;
  readonly outcome: string;
  /** The consequence that was recorded last, and what took it back. */
  readonly missed: string | null;
  readonly reversedBy: string | null;
  /** How often it came to be due on another day, or ended; and when that was recorded last. */
  readonly sequence: number;
  readonly changedAt: string;
}

/** Duties, the next due first; `nowMs`: whether one is late by the clock alone. */
export async function listDuties(
  database: ViewDatabase,
  scope: Scope,
  nowMs: number,
  filter: DutyFilter = {},
  page: PageRequest = {},
): Promise<Page<DutyItem>> {
  return mapPage(await listDutyRows(database, scope, nowMs, filter, page), (row) => dutyItem(row, nowMs));
}

/** The same as rows: for a list as of an instant, which looks at each anew. */
export function listDutyRows(
  database: ViewDatabase,
  scope: Scope,
  nowMs: number,
  filter: DutyFilter,
  page: PageRequest,
): Promise<Page<DutyRow>> {
  const {
    status,
    dueBefore: before,
    stream,
    pack,
    clause,
    binds,
    who,
    owedTo,
    holding,
    wasMissed,
    dueFrom,
  } = filter;
  const where = [
    ...(status ? [isOneStatusOf(status, isoInstant(nowMs))] : []),
    ...when<DutyRow>(before, 'due_at', '<'),
    ...when<DutyRow>(dueFrom, 'due_at', '>='),
    ...when<DutyRow>(stream, 'stream'),
    ...when<DutyRow>(pack, 'pack'),
    ...when<DutyRow>(clause, 'clause'),
    ...when<DutyRow>(binds, 'binds'),
    ...when<DutyRow>(who, 'who'),
    ...when<DutyRow>(owedTo, 'owed_to'),
    ...(holding ? [isHeld(holding)] : []),
    ...(wasMissed ? when<DutyRow>('0', 'missed', '>=') : []),
  ];
  return listRows<DutyRow>(database, dutiesTable, { scope, where, sort: ['due_at'], order: 'asc', page });
}

const is = (column: 'status' | 'elapsed_at', value: string): Condition<DutyRow> => ({
  column,
  op: '=',
  value,
});

/** An open duty without an elapsed instant of its own is never contestable: the empty text sorts before every instant. */
function isOneStatusOf(statuses: readonly ListedStatus[], now: string): AnyOf<DutyRow> {
  const open = is('status', 'open');
  return {
    anyOf: statuses.flatMap((status): readonly (readonly Condition<DutyRow>[])[] => {
      switch (status) {
        case 'open':
          return [
            [open, is('elapsed_at', '')],
            [open, { column: 'elapsed_at', op: '>=', value: now }],
          ];
        case 'contestable':
          return [
            [
              open,
              { column: 'elapsed_at', op: '<', value: now },
              { column: 'elapsed_at', op: '>=', value: '0' },
            ],
          ];
        case 'met':
        case 'met_late':
        case 'missed':
        case 'paused':
        case 'waived':
        case 'void':
          return [[is('status', status)]];
      }
    }),
  };
}

export async function findDuty(
  database: ViewDatabase,
  scope: Scope,
  nowMs: number,
  id: string,
): Promise<DutyItem | undefined> {
  const row = await findRow<DutyRow>(database, dutiesTable, scope, id);
  return row && dutyItem(row, nowMs);
}

const isHeld = ({ things, streams }: NonNullable<DutyFilter['holding']>): AnyOf<DutyRow> => ({
  anyOf: [
    ...namesOneOf<DutyRow>(things, [['responsible_kind', 'responsible_key']]).anyOf,
    ...isOneOf<DutyRow>(streams, 'stream').anyOf,
  ],
});

export function dutyItem(row: DutyRow, nowMs: number): DutyItem {
  const { doc } = row;
  const isContestable = row.status === 'open' && row.elapsed_at !== '' && row.elapsed_at < isoInstant(nowMs);
  return {
    id: row.id,
    jurisdiction: row.jurisdiction,
    stream: row.stream,
    pack: row.pack,
    packVersion: doc.version,
    clause: row.clause,
    binds: row.binds,
    who: row.who,
    owedTo: row.owed_to,
    ...homeOf(row.stream),
    loadId: doc.load ?? null,
    subject: doc.subject ?? null,
    responsible: doc.responsible ?? null,
    startedBy: doc.startedBy,
    due: doc.due,
    pausedSince: doc.pausedSince ?? null,
    status: isContestable ? 'contestable' : row.status,
    metBy: doc.metBy ?? null,
    metAt: doc.metAt ?? null,
    outcome: doc.outcome,
    missed: doc.missed ?? null,
    reversedBy: doc.reversedBy ?? null,
    sequence: doc.sequence,
    changedAt: doc.changedAt,
  };
}
