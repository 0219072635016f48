import { joinCalendars, type Calendar } from '@headworks/calendars';
import type { DeadlineDef } from '../api';

/** The days that a pack counts by. */
export interface Calendars {
  readonly legal?: Calendar;
  readonly office?: Calendar;
  /** Holidays that count beside the legal ones for what may be done by post. */
  readonly post?: Calendar;
}

/** What one deadline is counted by. */
export type Lists = Pick<Calendars, 'legal' | 'office'>;

/** The lists that one deadline is counted by. */
export function listsOf({ byPost }: DeadlineDef, { legal, office, post }: Calendars): Lists {
  const holidays = legal && byPost && post ? joinCalendars(legal, post) : legal;
  return { ...(holidays ? { legal: holidays } : {}), ...(office ? { office } : {}) };
}
