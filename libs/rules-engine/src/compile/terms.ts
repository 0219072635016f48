import { localDateAt, startOfDay, type Extension, type Pause } from '@headworks/calendars';
import type { LocalDate, Quantity } from '@headworks/kernel';
import type { DeadlineDef } from '../api';
import type { ClauseBody } from '../model/ir';
import type { Maybe } from '../model/types';
import type { Compiled, Evaluation } from './context';

type Deadline = Extract<ClauseBody, { verb: 'deadline' }>;

/** What moves the end of a deadline besides its start. */
export interface Terms {
  readonly pauses: readonly Pause[];
  readonly extensions: readonly Extension[];
}
export const NO_TERMS: Terms = Object.freeze({ pauses: [], extensions: [] });
/** More extensions than any office grants: a count beyond it is a slip of the keyboard. */
const MOST_EXTENSIONS = 1000;

/** Reads the terms of one deadline from the facts; undefined where they are not known. */
export type ReadTerms = (e: Evaluation, start: number) => Terms | undefined;

/** Undefined for a deadline that nothing moves: the hot path then asks nothing. */
export function compileTerms(body: Deadline, def: DeadlineDef, to: Compiled): ReadTerms | undefined {
  const { paused, extended } = body;
  const { pausedBy, extendedBy } = def;
  if (!paused && !extended) return undefined;
  const from = paused && to.formula(paused.from);
  const until = paused && to.formula(paused.until);
  const count = extended && to.formula(extended);
  return (e, start) => {
    let pauses: Terms['pauses'] = NO_TERMS.pauses;
    if (from && until && pausedBy) {
      const pause = pauseOf({ from: from(e), until: until(e) }, start, to.zone);
      if (pause === undefined) return undefined;
      if (pause !== null) pauses = [{ ...pause, then: pausedBy.then }];
    }
    if (!count || !extendedBy) return { pauses, extensions: NO_TERMS.extensions };
    const granted = countOf(count(e));
    if (granted === undefined) return undefined;
    const { amount, unit } = extendedBy.each;
    const extensions = granted === 0 ? NO_TERMS.extensions : [{ amount: granted * amount, unit }];
    return { pauses, extensions };
  };
}

/**
 * The pause that two facts tell, none where there is none. What was asked before the start stopped another clock (old
 * facts, new duties); an answer from before the question belongs to an earlier pause.
 */
function pauseOf(
  { from, until }: { readonly from: Maybe; readonly until: Maybe },
  start: number,
  zone: string,
): Omit<Pause, 'then'> | null | undefined {
  if (from === undefined || from === null) return from;
  const began = notBefore(start, from, zone);
  if (began === undefined) return null;
  if (until === undefined) return undefined;
  const ended = until === null ? undefined : notBefore(began, until, zone);
  return { from: began, ...(ended === undefined ? {} : { until: ended }) };
}

/**
 * A moment that is not before another, as an instant. A date stands for its whole day: on the same day it is not
 * before, and counts from the other on. Undefined where it lies before.
 */
function notBefore(first: number, moment: NonNullable<Maybe>, zone: string): number | undefined {
  if (typeof moment === 'number') return moment < first ? undefined : moment;
  const date = moment as LocalDate;
  const day = localDateAt(zone, first);
  if (date < day) return undefined;
  return date === day ? first : startOfDay(zone, date);
}

/** Whole and not below none, or nobody knows what was granted. */
function countOf(value: Maybe): number | undefined {
  if (value === null) return 0;
  if (value === undefined) return undefined;
  const { n, d } = (value as Quantity).base;
  return d === 1n && n >= 0n && n <= BigInt(MOST_EXTENSIONS) ? Number(n) : undefined;
}
