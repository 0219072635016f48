import {
  addDays,
  dateOf,
  dayOfWeek,
  daysInMonth,
  monthDayIn,
  nearest,
  parseLocalDate,
  parseMonthDay,
  refuseFaults,
  type Fault,
  type LocalDate,
} from '@headworks/kernel';
import type { Calendar } from './api';

export interface CalendarMeta {
  readonly id: string;
  readonly version: string;
}

interface Holiday {
  readonly name: string;
  readonly source: string;
}
interface HolidayRule extends Holiday {
  /** The day in a year, or undefined where the year has none (odd years of an even-year election). */
  readonly dayIn: (year: number) => LocalDate | undefined;
  readonly observed: Observed;
}
/** Days by which a holiday on that weekday moves: Sunday to Monday +1, Saturday to Friday -1. */
type Observed = ReadonlyMap<number, number>;
type Plain = Readonly<Record<string, unknown>>;

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const NTH = ['1st', '2nd', '3rd', '4th', 'last'];
const FORMS =
  "write 'Jul 4', '3rd Monday of Jan', 'last Monday of May', 'Tuesday after 1st Monday of Nov' or a date '2027-01-15'";

/**
 * Reads a calendar: `lists` (where the days come from and how they are observed), `holidays` (each with `list`,
 * `name`, `on`) and `closed` (weekdays an office keeps shut). Throws one CodedError with every fault and its pointer.
 *
 * A holiday keeps its own day when it is also observed on another: the law that moves a Sunday's holiday to Monday
 * loses nothing by it, and an office that takes Friday for a Saturday is shut on both.
 */
export function parseCalendar(input: unknown, meta: CalendarMeta): Calendar {
  const reader = new CalendarReader();
  const file = reader.object(input, '', [
    'calendar',
    'version',
    'title',
    'in_force',
    'note',
    'lists',
    'closed',
    'holidays',
  ]);
  if (file['calendar'] !== undefined && file['calendar'] !== meta.id) {
    reader.fault('/calendar', `the file says ${shown(file['calendar'])} but is loaded as '${meta.id}'`);
  }
  const lists = reader.lists(file['lists']);
  const rules = reader.holidays(file['holidays'], lists);
  const closed = reader.closed(file['closed']);
  refuseFaults(reader.faults, `The calendar '${meta.id}'`);
  const years = new Map<number, ReadonlyMap<LocalDate, Holiday>>();
  return {
    ...meta,
    holiday(date) {
      const year = Number(date.slice(0, 4));
      const days = years.get(year) ?? daysOfYear(rules, year);
      years.set(year, days);
      return days.get(date) ?? closed.get(dayOfWeek(date));
    },
  };
}

function daysOfYear(rules: readonly HolidayRule[], year: number): ReadonlyMap<LocalDate, Holiday> {
  const own = new Map<LocalDate, Holiday>();
  const moved = new Map<LocalDate, Holiday>();
  // A New Year's Day on a Saturday is observed in the year before: the neighbours' holidays may land here.
  for (const y of [year - 1, year, year + 1]) {
    for (const { name, source, dayIn, observed } of rules) {
      const day = dayIn(y);
      if (day === undefined) continue;
      if (!own.has(day)) own.set(day, { name, source });
      const shift = observed.get(dayOfWeek(day));
      if (shift !== undefined) moved.set(addDays(day, shift), { name: `${name} (observed)`, source });
    }
  }
  return new Map([...moved, ...own]);
}

const isPlain = (input: unknown): input is Plain =>
  typeof input === 'object' && input !== null && !Array.isArray(input);
/** A value as a message quotes it. */
const shown = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

/** Collects every fault instead of stopping at the first: the person who edits the file sees them all at once. */
class CalendarReader {
  readonly faults: Fault[] = [];

  fault(pointer: string, detail: string, hint?: string): void {
    this.faults.push({ pointer, code: 'calendar', detail, ...(hint ? { hint } : {}) });
  }

  object(input: unknown, pointer: string, known: readonly string[]): Plain {
    if (!isPlain(input)) {
      this.fault(pointer, 'here stands no mapping', `give ${known.join(', ')}`);
      return {};
    }
    for (const key of Object.keys(input)) {
      if (known.includes(key)) continue;
      const near = nearest(key, known);
      const hint = near ? `did you mean '${near}'?` : `use ${known.join(', ')}`;
      this.fault(`${pointer}/${key}`, `'${key}' has no place here`, hint);
    }
    return input;
  }

  text(input: unknown, pointer: string, what: string): string {
    if (typeof input === 'string' && input.trim() !== '') return input;
    this.fault(pointer, `${what} is missing`, 'write it as a text');
    return '';
  }

  lists(input: unknown): ReadonlyMap<string, { source: string; observed: Observed }> {
    const lists = new Map<string, { source: string; observed: Observed }>();
    if (input === undefined) return lists;
    for (const [id, value] of Object.entries(
      this.object(input, '/lists', isPlain(input) ? Object.keys(input) : []),
    )) {
      const at = `/lists/${id}`;
      const list = this.object(value, at, ['title', 'source', 'confidence', 'observed', 'note']);
      const source = this.text(list['source'], `${at}/source`, 'the source of the list');
      lists.set(id, { source, observed: this.observed(list['observed'], `${at}/observed`) });
    }
    return lists;
  }

  private observed(input: unknown, pointer: string): Observed {
    const moves = new Map<number, number>();
    if (input === undefined) return moves;
    const given = this.object(input, pointer, ['Saturday', 'Sunday']);
    for (const [day, to, shift] of [
      ['Saturday', 'Friday', -1],
      ['Sunday', 'Monday', 1],
    ] as const) {
      if (given[day] === to) moves.set(WEEKDAYS.indexOf(day) + 1, shift);
      else if (given[day] !== undefined) this.fault(`${pointer}/${day}`, `a ${day} can only move to ${to}`);
    }
    return moves;
  }

  closed(input: unknown): ReadonlyMap<number, Holiday> {
    const days = new Map<number, Holiday>();
    if (input === undefined) return days;
    const given = this.object(input, '/closed', ['days', 'source']);
    const source = this.text(given['source'], '/closed/source', 'the source of the closed days');
    const names = Array.isArray(given['days']) ? (given['days'] as unknown[]) : [];
    for (const [index, name] of names.entries()) {
      const day = WEEKDAYS.indexOf(String(name)) + 1;
      if (day === 0) this.fault(`/closed/days/${index}`, `'${String(name)}' is no weekday`, 'write Saturday');
      else days.set(day, { name: `closed on ${String(name)}s`, source });
    }
    if (names.length === 0) this.fault('/closed/days', 'no weekday is listed', 'write [Saturday, Sunday]');
    // An office that never opens would let a last day move on for ever.
    if (days.size === 7) this.fault('/closed/days', 'an office can not be closed on all seven days');
    return days;
  }

  holidays(
    input: unknown,
    lists: ReadonlyMap<string, { source: string; observed: Observed }>,
  ): readonly HolidayRule[] {
    if (!Array.isArray(input)) {
      this.fault('/holidays', 'the list of holidays is missing', 'write holidays: [] if there are none');
      return [];
    }
    return input.map((value, index) => {
      const at = `/holidays/${index}`;
      const entry = this.object(value, at, [
        'list',
        'name',
        'on',
        'source',
        'years',
        'from',
        'until',
        'note',
      ]);
      const list = typeof entry['list'] === 'string' ? lists.get(entry['list']) : undefined;
      if (entry['list'] !== undefined && !list) {
        const near = nearest(shown(entry['list']).replaceAll("'", ''), lists.keys());
        this.fault(
          `${at}/list`,
          `there is no list ${shown(entry['list'])}`,
          near && `did you mean '${near}'?`,
        );
      }
      const source = entry['source'] ?? list?.source;
      return {
        name: this.text(entry['name'], `${at}/name`, 'the name of the holiday'),
        source: this.text(source, `${at}/source`, 'the source (its own, or that of a list)'),
        dayIn: this.years(entry, at, this.day(entry['on'], `${at}/on`)),
        observed: list?.observed ?? new Map<number, number>(),
      };
    });
  }

  private years(entry: Plain, at: string, day: HolidayRule['dayIn']): HolidayRule['dayIn'] {
    const bound = (key: string, otherwise: number): number => {
      const value = entry[key];
      if (value === undefined) return otherwise;
      if (Number.isInteger(value)) return Number(value);
      this.fault(`${at}/${key}`, `${shown(value)} is no year`, 'write it as 2021');
      return otherwise;
    };
    const [from, until] = [bound('from', -Infinity), bound('until', Infinity)];
    if (entry['years'] !== undefined && entry['years'] !== 'even') {
      this.fault(
        `${at}/years`,
        `${shown(entry['years'])} is no choice of years`,
        "write 'even' or leave it out",
      );
    }
    const step = entry['years'] === 'even' ? 2 : 1;
    return (year) => (year >= from && year <= until && year % step === 0 ? day(year) : undefined);
  }

  private day(input: unknown, pointer: string): HolidayRule['dayIn'] {
    const rule = typeof input === 'string' ? dayRule(input) : undefined;
    if (!rule) this.fault(pointer, `${shown(input)} is no day of the year`, FORMS);
    return rule ?? (() => undefined);
  }
}

function dayRule(text: string): HolidayRule['dayIn'] | undefined {
  const once = parseLocalDate(text);
  if (once) return (year) => (once.startsWith(`${year}-`) ? once : undefined);
  const fixed = parseMonthDay(text);
  if (fixed) return (year) => monthDayIn(year, fixed);
  const match = /^(?:(\w+day) after (?:the )?)?(\w+) (\w+day) of (\w{3})$/.exec(text);
  if (!match) return undefined;
  const [, after, nth = '', weekday = '', monthName = ''] = match;
  const month = parseMonthDay(`${monthName} 1`)?.month;
  const day = WEEKDAYS.indexOf(weekday) + 1;
  if (month === undefined || day === 0 || !NTH.includes(nth)) return undefined;
  if (after === undefined) return (year) => nthWeekday(year, month, day, nth);
  const follows = WEEKDAYS.indexOf(after) + 1;
  if (follows === 0) return undefined;
  return (year) => {
    const first = nthWeekday(year, month, day, nth);
    return addDays(first, (follows - day + 7) % 7 || 7);
  };
}

function nthWeekday(year: number, month: number, weekday: number, nth: string): LocalDate {
  if (nth === 'last') {
    const end = dateOf(year, month, daysInMonth(year, month));
    return addDays(end, -((dayOfWeek(end) - weekday + 7) % 7));
  }
  const first = dateOf(year, month, 1);
  return addDays(first, ((weekday - dayOfWeek(first) + 7) % 7) + 7 * NTH.indexOf(nth));
}
