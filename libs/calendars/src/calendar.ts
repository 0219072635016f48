import { addDays, dayOfWeek, refuseFaults, type LocalDate } from '@headworks/kernel';
import type { Calendar, Holiday } from './api';
import { CalendarReader, shown, type HolidayRule } from './calendar-reader';

export interface CalendarMeta {
  readonly id: string;
  readonly version: string;
}

const KEYS = [
  'calendar',
  'version',
  'title',
  'in_force',
  'jurisdictions',
  'note',
  'includes',
  'lists',
  'closed',
  'open',
  'holidays',
];

/**
 * Reads a calendar: `lists` (where the days come from and how they are observed), `holidays` (each with `list`,
 * `name`, `on`), `closed` (weekdays an office keeps shut), `open` (its hours) and `includes` (other calendars, which
 * `calendarOf` hands in). Throws one CodedError with every fault and its pointer.
 *
 * A holiday keeps its own day when it is also observed on another: the law that moves a Sunday's holiday to Monday
 * loses nothing by it, and an office that takes Friday for a Saturday is shut on both.
 */
export function parseCalendar(
  input: unknown,
  meta: CalendarMeta,
  calendarOf: (id: string) => Calendar | undefined = () => undefined,
): Calendar {
  const reader = new CalendarReader();
  const file = reader.object(input, '', KEYS);
  if (file['calendar'] !== undefined && file['calendar'] !== meta.id) {
    reader.fault('/calendar', `the file says ${shown(file['calendar'])} but is loaded as '${meta.id}'`);
  }
  const includes = reader.includes(file['includes'], calendarOf);
  const lists = reader.lists(file['lists']);
  const rules = reader.holidays(file['holidays'], lists);
  const hours = reader.open(file['open']);
  const closed = reader.weekdays(reader.closed(file['closed']), hours);
  refuseFaults(reader.faults, `The calendar '${meta.id}'`);
  const years = new Map<number, ReadonlyMap<LocalDate, Holiday>>();
  const own = (date: LocalDate): Holiday | undefined => {
    const year = Number(date.slice(0, 4));
    const days = years.get(year) ?? daysOfYear(rules, year);
    years.set(year, days);
    return days.get(date) ?? closed.get(dayOfWeek(date));
  };
  return {
    ...meta,
    ...(hours ? { hours } : {}),
    ...(includes.length > 0 ? { includes } : {}),
    holiday:
      includes.length > 0
        ? joined([
            ...includes.map(
              (one): HolidayOn =>
                (date) =>
                  one.holiday(date),
            ),
            own,
          ])
        : own,
  };
}

/**
 * Two lists as one, under the name of the first: acts that may be done by post have the federal holidays beside the
 * State's (990.001(4)(e)). Which of them names a day stands in every derivation.
 */
export function joinCalendars(first: Calendar, second: Calendar): Calendar {
  return {
    ...first,
    includes: [...(first.includes ?? []), second],
    holiday: joined([(date) => first.holiday(date), (date) => second.holiday(date)]),
    added: (date, whom) => first.added?.(date, whom) ?? second.added?.(date, whom),
  };
}

type HolidayOn = Calendar['holiday'];

/** One day with every list that names it: who reads the derivation sees that both do. */
function joined(lists: readonly HolidayOn[]): HolidayOn {
  return (date) => {
    const found: Holiday[] = [];
    for (const list of lists) {
      const holiday = list(date);
      if (holiday && !found.some(({ source }) => source === holiday.source)) found.push(holiday);
    }
    const [first] = found;
    if (!first || found.length === 1) return first;
    const name = [...new Set(found.map((one) => one.name))].join('; ');
    return { ...first, name, source: found.map(({ source }) => source).join('; ') };
  };
}

const [FIRST_YEAR, LAST_YEAR] = [1900, 2199];

function daysOfYear(rules: readonly HolidayRule[], year: number): ReadonlyMap<LocalDate, Holiday> {
  const own = new Map<LocalDate, Holiday>();
  const moved = new Map<LocalDate, Holiday>();
  // Dates are known from 1900 to 2199; a period that runs past them counts every day alike.
  if (year < FIRST_YEAR || year > LAST_YEAR) return own;
  // A New Year's Day on a Saturday is observed in the year before: the neighbours' holidays may land here.
  for (const y of [year - 1, year, year + 1]) {
    for (const { name, source, dayIn, observed } of rules) {
      const day = y < FIRST_YEAR || y > LAST_YEAR ? undefined : dayIn(y);
      if (day === undefined) continue;
      if (!own.has(day)) own.set(day, { name, source });
      const shift = observed.get(dayOfWeek(day));
      if (shift !== undefined) moved.set(addDays(day, shift), { name: `${name} (observed)`, source });
    }
  }
  return new Map([...moved, ...own]);
}
