import type { CountedBy, CountedCalendar } from '@headworks/kernel';
import type { Calendar, Rolling, Told } from './api';

/** The head of a derivation: the rules that the days below were counted by. */
export function countedBy(
  request: Rolling & Told & { readonly zone: string },
  period: string,
  start: string,
): CountedBy {
  const { startedBy, clause, kind, counting, zone, legal, office } = request;
  return {
    period,
    kind,
    counting,
    zone,
    calendars: [...calendarsOf('legal', legal), ...calendarsOf('office', office)],
    start: {
      on: start,
      ...(startedBy === undefined ? {} : { text: startedBy.text }),
      ...(startedBy?.event === undefined ? {} : { event: startedBy.event }),
    },
    ...(clause ? { clause } : {}),
  };
}

/** A calendar with those whose days are its own too: each has a version of its own. */
function calendarsOf(as: CountedCalendar['as'], calendar: Calendar | undefined): readonly CountedCalendar[] {
  if (!calendar) return [];
  const { id, version, amendedBy, includes = [] } = calendar;
  const own: CountedCalendar = { as, id, version, ...(amendedBy ? { amendedBy } : {}) };
  return [own, ...includes.flatMap((one) => calendarsOf(as, one))];
}
