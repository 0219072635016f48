import type { Period } from '@headworks/calendars';
import type { Due } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import type { RemindedDuty } from './reminded-duty';

const DAY = 86_400_000;
/** No period of a unit is longer than so many days, holidays and weekends counted in generously. */
const MOST_DAYS: Readonly<Record<Period['unit'], number>> = {
  h: 1,
  days: 1,
  weeks: 7,
  working_days: 3,
  months: 31,
  years: 366,
};

/** A clause that reminds, in one version of a pack, and how far ahead of its due dates one has to look. */
export interface RemindingClause {
  readonly pack: Pack;
  readonly clause: string;
  readonly aheadMs: number;
}

export const remindingClauses = (packs: Iterable<Pack>): readonly RemindingClause[] =>
  [...packs].flatMap((pack) =>
    [...pack.clauses.values()].flatMap(({ id, deadline }) => {
      const days = (deadline?.remind ?? []).map(({ amount, unit }) => amount * MOST_DAYS[unit]);
      return days.length === 0 ? [] : [{ pack, clause: id, aheadMs: (Math.max(...days) + 14) * DAY }];
    }),
  );

export interface Moment {
  readonly reminder: string;
  readonly at: string;
}

/**
 * Of the moments that have come, the newest: who was silent for a week sends one reminder, late, and not all that it
 * missed. And the one that comes next.
 */
export function momentsOf(
  pack: Pack,
  { clause, due }: RemindedDuty,
  nowMs: number,
): { readonly now?: Moment; readonly next?: Moment } {
  const all = pack
    .reminders(clause, due as unknown as Due)
    .map(({ text, at }) => ({ reminder: text, at, ms: Date.parse(at) }));
  const now = all.findLast(({ ms }) => ms <= nowMs);
  const next = all.find(({ ms }) => ms > nowMs);
  return { ...(now && { now }), ...(next && { next }) };
}
