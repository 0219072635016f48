import type { FactEntry, FactSource } from '../api';
import type { ReadJson } from '../model/json';
import type { Maybe, Truth } from '../model/types';

/** Marks a slot that nobody has asked for yet; undefined means asked and unknown. */
export const UNREAD: unique symbol = Symbol('unread');

/** Status codes, so that the hot path neither allocates nor compares texts. */
export const SATISFIED = 0;
export const VIOLATED = 1;
export const UNKNOWN = 2;
export const NOT_APPLICABLE = 3;
export type StatusCode = 0 | 1 | 2 | 3;
export const STATUS = ['satisfied', 'violated', 'unknown', 'not_applicable'] as const;

/** One evaluation: each fact is fetched and read once, each derived value and clause worked out once. */
export class Evaluation {
  readonly values: (Maybe | typeof UNREAD)[];
  readonly statuses: (StatusCode | -1)[];
  /** Kept for findings: where each fact came from. */
  readonly entries: (FactEntry | undefined)[] | undefined;

  constructor(
    readonly source: FactSource,
    readonly now: number,
    size: { readonly slots: number; readonly clauses: number },
    explain: boolean,
  ) {
    this.values = new Array<Maybe | typeof UNREAD>(size.slots).fill(UNREAD);
    this.statuses = new Array<StatusCode | -1>(size.clauses).fill(-1);
    this.entries = explain ? new Array<FactEntry | undefined>(size.slots) : undefined;
  }
}

export type Read = (e: Evaluation) => Maybe;
export type Test = (e: Evaluation) => Truth;
export type Judge = (e: Evaluation) => StatusCode;

/** Reads a base fact. A null counts as none only where the pack says that there may be none; else nobody has said. */
export function factReader(slot: number, name: string, read: ReadJson, optional: boolean): Read {
  return (e) => {
    const known = e.values[slot];
    if (known !== UNREAD) return known;
    const entry = e.source(name);
    if (e.entries) e.entries[slot] = entry;
    let value: Maybe;
    if (entry !== undefined) value = entry.json === null ? (optional ? null : undefined) : read(entry.json);
    e.values[slot] = value;
    return value;
  };
}

export function derivedReader(slot: number, work: Read): Read {
  return (e) => {
    const known = e.values[slot];
    if (known !== UNREAD) return known;
    const value = work(e);
    e.values[slot] = value;
    return value;
  };
}
