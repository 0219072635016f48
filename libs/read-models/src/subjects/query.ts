import type { ThingRef } from '@headworks/domain';
import type { JsonObject, JsonValue } from '@headworks/kernel';
import { isoInstant } from '@headworks/kernel';
import type { ViewDatabase } from '../database/view-database';
import { findRow, listRows, mapPage, when, whenOneOf } from '../listing/list';
import type { Page, PageRequest, Scope } from '../listing/page';
import { keyColumn } from '../thing';
import {
  subjectsTable,
  type SubjectAct,
  type SubjectCounts,
  type SubjectDoc,
  type SubjectRow,
} from './table';

export interface SubjectFilter {
  readonly kind?: string;
  /** In any spelling. */
  readonly key?: string;
  readonly registered?: boolean;
  /** One of these. */
  readonly holding?: readonly ThingRef[];
}

export interface SubjectItem {
  readonly id: string;
  readonly jurisdiction: string;
  readonly kind: string;
  readonly key: string;
  readonly name: string | null;
  readonly geometry: JsonObject | null;
  readonly registered: boolean;
  readonly superseded: SubjectDoc['superseded'] | null;
  /** The newest of each by legal order, also one whose own time (`until`) is over. */
  readonly facts: { readonly [fact: string]: SubjectFact };
  readonly acts: readonly SubjectAct[];
  readonly counts: SubjectCounts;
  readonly lastActivity: SubjectDoc['lastActivity'] | null;
}

export interface SubjectFact {
  readonly value: JsonValue;
  readonly from: string;
  readonly until: string | null;
  /** Address of the event that said so: the recording, or its correction. */
  readonly event: string;
}

/** Things by key. What only a load has named so far, with nothing in its own stream, is not listed. */
export async function listSubjects(
  database: ViewDatabase,
  scope: Scope,
  filter: SubjectFilter = {},
  page: PageRequest = {},
): Promise<Page<SubjectItem>> {
  const { kind, key, registered, holding } = filter;
  const where = [
    { column: 'revision', op: '>=', value: 0 } as const,
    ...when<SubjectRow>(kind, 'kind'),
    ...when<SubjectRow>(key === undefined ? undefined : keyColumn(key), 'key'),
    ...when<SubjectRow>(registered === undefined ? undefined : Number(registered), 'registered'),
    ...whenOneOf<SubjectRow>(holding, [['kind', 'key']]),
  ];
  const rows = await listRows<SubjectRow>(database, subjectsTable, {
    scope,
    where,
    sort: ['key'],
    order: 'asc',
    page,
  });
  return mapPage(rows, itemOf);
}

export async function findSubject(
  database: ViewDatabase,
  scope: Scope,
  id: string,
): Promise<SubjectItem | undefined> {
  const row = await findRow<SubjectRow>(database, subjectsTable, scope, id);
  return row && row.revision >= 0 ? itemOf(row) : undefined;
}

function itemOf({ id, jurisdiction, registered, name, doc }: SubjectRow): SubjectItem {
  return {
    id,
    jurisdiction,
    kind: doc.kind,
    key: doc.key,
    name,
    geometry: doc.geometry ?? null,
    registered: registered === 1,
    superseded: doc.superseded ?? null,
    facts: Object.fromEntries(
      Object.entries(doc.timeline).flatMap(([fact, rows]) => {
        const newest = rows.at(-1);
        if (!newest) return [];
        const { json, key, untilMs, saidBy } = newest;
        const until = untilMs === undefined ? null : isoInstant(untilMs);
        return [[fact, { value: json, from: isoInstant(key.ms), until, event: saidBy }]];
      }),
    ),
    acts: doc.acts,
    counts: doc.counts,
    lastActivity: doc.lastActivity ?? null,
  };
}
