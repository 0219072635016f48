import { endOfDay, localDateAt, startOfDay } from '@headworks/calendars';
import { parseLocalDate, type JsonValue } from '@headworks/kernel';
import type { DeadlineDef, FactEntry, FactSource, Pack } from '@headworks/rules-engine';
import type { FactTimeline } from '../facts';

/** When a thing was done, and the instant from which it is known: a fact may be said later than it is about. */
export interface Done {
  readonly ms: number;
  readonly saidMs: number;
}

/** Where it is looked up whether a thing was done. */
export interface Doing {
  readonly facts: (ms: number) => FactSource;
  readonly startMs: number;
  /** Instants at which something was said, ascending. */
  readonly changes: readonly number[];
  /** Events that began the duty, and their corrections: what begins it does not meet it. */
  readonly begunBy?: ReadonlySet<string>;
}

/**
 * The first instant from the start on that the named fact gives. Facts count only from the start on, so an old cure
 * never satisfies a new duty.
 */
export function doneSince(pack: Pack, name: string, doing: Doing): Done | undefined {
  const { facts, startMs, changes, begunBy } = doing;
  for (const saidMs of [startMs, ...changes.filter((ms) => ms > startMs)]) {
    const source = facts(saidMs);
    const ms = doneAt(pack, pack.value(name, source), saidMs, startMs);
    if (ms === undefined) continue;
    if (begunBy && isSaidBy(readFor(pack, name, source), begunBy)) continue;
    return { ms, saidMs };
  }
  return undefined;
}

const isSaidBy = (read: Read, events: ReadonlySet<string>): boolean =>
  [...read.values()].every(({ json, from }) => json === null || events.has(from.event ?? ''));

export type Read = ReadonlyMap<string, FactEntry>;

/** The facts that a value is told by, as they are known. */
export function readFor(pack: Pack, name: string, source: FactSource): Read {
  const read = new Map<string, FactEntry>();
  pack.value(name, (fact) => {
    const entry = source(fact);
    if (entry) read.set(fact, entry);
    return entry;
  });
  return read;
}

/**
 * The facts of a duty without what its own beginning says of its end: a filing that begins the next cycle is the end of
 * the one before. Only what the start is not told by is left out.
 */
export function withoutBeginning(
  pack: Pack,
  { starts, done }: Pick<DeadlineDef, 'starts' | 'done'>,
  facts: (ms: number) => FactSource,
  { begunBy, fromMs }: { readonly begunBy: ReadonlySet<string>; readonly fromMs: number },
): (ms: number) => FactSource {
  const told = readFor(pack, starts, facts(fromMs));
  const isOwn = ({ from }: FactEntry): boolean => begunBy.has(from.event ?? '');
  const hidden = [...readFor(pack, done, facts(fromMs))].flatMap(([fact, entry]) =>
    isOwn(entry) && !told.has(fact) && pack.facts.get(fact)?.optional === true ? [fact] : [],
  );
  if (hidden.length === 0) return facts;
  return (ms) => {
    const source = facts(ms);
    return (fact) => {
      const entry = source(fact);
      return entry && hidden.includes(fact) && isOwn(entry) ? { ...entry, json: null } : entry;
    };
  };
}

/** An event with the corrections of what it said. */
export const withCorrections = ({ rows }: FactTimeline, event: string): ReadonlySet<string> =>
  new Set([
    event,
    ...[...rows.values()]
      .flat()
      .filter(({ recordedBy }) => recordedBy === event)
      .map(({ saidBy }) => saidBy),
  ]);

/**
 * A day stands for the instant at which it was said, where that was on the day; else for its last moment. It counts
 * from the day of the start on, an instant from that instant on.
 */
function doneAt(
  pack: Pack,
  value: JsonValue | undefined,
  saidMs: number,
  startMs: number,
): number | undefined {
  if (typeof value !== 'string') return undefined;
  const day = parseLocalDate(value);
  if (day === undefined) {
    const at = Date.parse(value);
    return at >= startMs ? at : undefined;
  }
  if (day < localDateAt(pack.zone, startMs)) return undefined;
  return day === localDateAt(pack.zone, saidMs) ? saidMs : endOfDay(pack.zone, day) - 1;
}

/** The instant that a start counts from: a day is counted from its beginning. */
export function startOf(pack: Pack, value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'string') return undefined;
  const day = parseLocalDate(value);
  return day === undefined ? Date.parse(value) : startOfDay(pack.zone, day);
}
