import type { Duty } from './duty';

export interface Asked {
  /** The earliest instant that a change is about: what was over before it can't have changed. */
  readonly sinceMs: number;
  /** Ids that are looked at whenever they ended. */
  readonly always: ReadonlySet<string>;
}

export interface Found {
  readonly duties: readonly Duty[];
  /** Ids of those that were over before the instant: nothing of then on changes whether they were missed. */
  readonly over: ReadonlySet<string>;
}

/** A load begins campaigns; a fact, an act or a step of a file has a say in every duty. */
export type Reach = 'loads' | 'all';

export const NONE_FOUND: Found = { duties: [], over: new Set() };

export const joinFound = (found: readonly Found[]): Found => ({
  duties: found.flatMap(({ duties }) => duties),
  over: new Set(found.flatMap(({ over }) => [...over])),
});
