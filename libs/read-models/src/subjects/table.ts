import type { FactRow } from '@headworks/domain';
import type { JsonObject } from '@headworks/kernel';
import type { Flag, Table, ViewRow } from '../view';

export interface SubjectDoc {
  /** As registered; where it is not, as a load named it. */
  readonly kind: string;
  readonly key: string;
  readonly name?: string;
  readonly geometry?: JsonObject;
  /** Address of SubjectRegistered. */
  readonly registeredBy?: string;
  /** What is known of it, fact by fact in legal order: a correction may reach any of it. */
  readonly timeline: { readonly [fact: string]: readonly FactRow[] };
  /** Acts done on it that stand, in the order of arrival. */
  readonly acts: readonly SubjectAct[];
  readonly counts: SubjectCounts;
  readonly lastActivity?: { readonly type: string; readonly event: string; readonly recordedAt: string };
  readonly superseded?: { readonly on: string; readonly successors: readonly JsonObject[] };
  /** Postings that were brought forward, by predecessor's stream: the next from there replaces them. */
  readonly brought: { readonly [stream: string]: number };
}

export type SubjectAct = {
  readonly act: string;
  readonly pack: string;
  readonly at: string;
  readonly event: string;
};

export type SubjectCounts = {
  readonly events: number;
  /** Loads that count here now. */
  readonly postings: number;
  readonly refusals: number;
  /** Loads over a limit, by limit and clause. */
  readonly exceeded: number;
};

export interface SubjectRow extends ViewRow<SubjectDoc> {
  readonly kind: string;
  /** Normalised; empty where nothing has named the thing. */
  readonly key: string;
  readonly name: string | null;
  readonly registered: Flag;
  readonly superseded: Flag;
  /** -1: only named by a load so far, and not listed. */
  readonly revision: number;
}

export const subjectsTable = {
  name: 'subjects',
  version: 1,
  columns: {
    kind: 'text',
    key: 'text',
    name: 'text?',
    registered: 'integer',
    superseded: 'integer',
    revision: 'integer',
  },
  indexes: [
    ['jurisdiction', 'key'],
    ['jurisdiction', 'kind', 'key'],
  ],
} as const satisfies Table<SubjectRow>;
