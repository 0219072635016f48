import type { StoredDue } from '../events';

/** Days that became closed after it began moved the end of an open duty. Both ends are kept, and what moved it. */
export type DutyMoved = {
  readonly duty: string;
  readonly pack: string;
  readonly clause: string;
  readonly from: { readonly date?: string; readonly at: string };
  readonly due: StoredDue;
  /** Events by which the days were added, or another version of the calendar adopted. */
  readonly by: readonly string[];
};

/** An officer looked at a consequence that would stand otherwise under the calendars as they are now, and lets it stand. */
export type ConsequenceConfirmed = {
  readonly event: string;
  readonly duty: string;
  readonly reason: string;
  readonly evidence?: string;
  /** The newest change of calendars that was looked at: a later one asks again. */
  readonly under: string;
};
