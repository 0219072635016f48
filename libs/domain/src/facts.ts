import type { JsonValue } from '@headworks/kernel';
import { compareKeys, insertSorted, type LegalKey } from './legal-order';

/** A value that a thing had from an instant on, until another was recorded or until its own end. */
export interface FactRow {
  readonly fact: string;
  readonly json: JsonValue;
  readonly key: LegalKey;
  readonly untilMs?: number;
  /** Address of the event that recorded it. */
  readonly recordedBy: string;
  /** Address of the event that last said the value: the recording one, or its correction. */
  readonly saidBy: string;
}

/** What is known of a thing, fact by fact, in legal order. */
export interface FactTimeline {
  readonly rows: ReadonlyMap<string, readonly FactRow[]>;
}

export const noFacts: FactTimeline = { rows: new Map() };

export interface Recording {
  readonly facts: Readonly<Record<string, JsonValue>>;
  readonly until?: Readonly<Record<string, string>>;
  readonly key: LegalKey;
  readonly event: string;
}

export function recordFacts(timeline: FactTimeline, { facts, until, key, event }: Recording): FactTimeline {
  const names = Object.keys(facts);
  if (names.length === 0) return timeline;
  const rows = new Map(timeline.rows);
  for (const fact of names) {
    const end = until?.[fact];
    const row: FactRow = {
      fact,
      json: facts[fact] ?? null,
      key,
      recordedBy: event,
      saidBy: event,
      ...(end === undefined ? {} : { untilMs: Date.parse(end) }),
    };
    rows.set(
      fact,
      insertSorted(rows.get(fact) ?? [], row, (a, b) => compareKeys(a.key, b.key)),
    );
  }
  return { rows };
}

/** Replaces what an earlier event said: the value changes, the instant it holds from does not. */
export function correctFacts(
  timeline: FactTimeline,
  corrects: string,
  facts: Readonly<Record<string, JsonValue>>,
  event: string,
): FactTimeline {
  return mapRows(timeline, (row) =>
    row.recordedBy === corrects && Object.hasOwn(facts, row.fact)
      ? { ...row, json: facts[row.fact] ?? null, saidBy: event }
      : row,
  );
}

export function annulFacts(timeline: FactTimeline, event: string): FactTimeline {
  return mapRows(timeline, (row) => (row.recordedBy === event ? undefined : row));
}

function mapRows(timeline: FactTimeline, change: (row: FactRow) => FactRow | undefined): FactTimeline {
  const rows = new Map<string, readonly FactRow[]>();
  for (const [fact, list] of timeline.rows) {
    const kept = list.map(change).filter((row) => row !== undefined);
    if (kept.length > 0) rows.set(fact, kept);
  }
  return { rows };
}

/** The value that held at the instant, or undefined where nothing had been said or its time had ended. */
export function factAt(timeline: FactTimeline, fact: string, ms: number): FactRow | undefined {
  const list = timeline.rows.get(fact) ?? [];
  for (let i = list.length - 1; i >= 0; i--) {
    const row = list[i] as FactRow;
    if (row.key.ms > ms) continue;
    return row.untilMs !== undefined && ms >= row.untilMs ? undefined : row;
  }
  return undefined;
}

/** Instants at or after `from` at which one of the facts was said, ascending, each once. */
export function changesOf(timeline: FactTimeline, facts: Iterable<string>, from: number): readonly number[] {
  const instants = new Set<number>();
  for (const fact of facts) {
    for (const row of timeline.rows.get(fact) ?? []) if (row.key.ms >= from) instants.add(row.key.ms);
  }
  return [...instants].toSorted((a, b) => a - b);
}
