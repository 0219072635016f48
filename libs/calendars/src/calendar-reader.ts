import { nearest, type Fault } from '@headworks/kernel';
import type { Calendar, Holiday, OpenHours } from './api';
import { DAY_FORMS, parseDayRule, WEEKDAYS, type DayRule } from './day-rule';
import { parseHours } from './hours';

export interface HolidayRule extends Holiday {
  readonly dayIn: DayRule;
  readonly observed: Observed;
}
/** Days by which a holiday on that weekday moves: Sunday to Monday +1, Saturday to Friday -1. */
export type Observed = ReadonlyMap<number, number>;
interface List {
  readonly source: string;
  readonly observed: Observed;
}
export type Plain = Readonly<Record<string, unknown>>;
/** Weekdays (1 Monday) on which an office is shut. */
export type ClosedDays = ReadonlyMap<number, Holiday>;

const isPlain = (input: unknown): input is Plain =>
  typeof input === 'object' && input !== null && !Array.isArray(input);
/** A value as a message quotes it. */
export const shown = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value);

/** Collects every fault instead of stopping at the first: the person who edits the file sees them all at once. */
export class CalendarReader {
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

  /** Other calendars by id: their days are this one's too. */
  includes(input: unknown, calendarOf: (id: string) => Calendar | undefined): readonly Calendar[] {
    if (input === undefined) return [];
    const ids = Array.isArray(input) ? (input as unknown[]) : [];
    if (ids.length === 0) this.fault('/includes', 'no calendar is listed', 'write [some-calendar]');
    return ids.flatMap((id, index) => {
      const found = typeof id === 'string' ? calendarOf(id) : undefined;
      if (!found) {
        const hint = 'name a file of the folder calendars, and never one that includes this';
        this.fault(`/includes/${index}`, `there is no calendar ${shown(id)} to include`, hint);
      }
      return found ?? [];
    });
  }

  lists(input: unknown): ReadonlyMap<string, List> {
    const lists = new Map<string, List>();
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

  closed(input: unknown): ClosedDays {
    const days = new Map<number, Holiday>();
    if (input === undefined) return days;
    const given = this.object(input, '/closed', ['days', 'source']);
    const source = this.text(given['source'], '/closed/source', 'the source of the closed days');
    const names = Array.isArray(given['days']) ? (given['days'] as unknown[]) : [];
    for (const [index, name] of names.entries()) {
      const day = WEEKDAYS.indexOf(String(name)) + 1;
      if (day === 0) this.fault(`/closed/days/${index}`, `'${String(name)}' is no weekday`, 'write Saturday');
      else days.set(day, closedOn(day, source));
    }
    if (names.length === 0) this.fault('/closed/days', 'no weekday is listed', 'write [Saturday, Sunday]');
    // An office that never opens would let a last day move on for ever.
    if (days.size === 7) this.fault('/closed/days', 'an office can not be closed on all seven days');
    return days;
  }

  /** Opening hours. They are nobody's guess: a calendar whose source does not give them has none. */
  open(input: unknown): OpenHours | undefined {
    if (input === undefined) return undefined;
    const given = this.object(input, '/open', ['hours', 'source']);
    const source = this.text(given['source'], '/open/source', 'the source of the hours');
    const text = this.text(given['hours'], '/open/hours', 'the hours');
    if (text === '') return undefined;
    const hours = parseHours(text);
    if (!('why' in hours)) return { ...hours, shown: text, source };
    this.fault('/open/hours', hours.why);
    return undefined;
  }

  /** Each weekday is open or closed, never both; where only the hours are said, it is closed on all others. */
  weekdays(closed: ClosedDays, open: OpenHours | undefined): ClosedDays {
    if (!open) return closed;
    const days = new Map(closed);
    for (const [index, name] of WEEKDAYS.entries()) {
      const isOpen = (open.days & (1 << index)) !== 0;
      if (isOpen && closed.has(index + 1)) {
        this.fault('/open/hours', `${name} is open here and closed under 'closed'`, 'take one of them out');
      }
      if (!isOpen && closed.size === 0) days.set(index + 1, closedOn(index + 1, open.source));
      else if (!isOpen && !closed.has(index + 1)) {
        this.fault('/closed/days', `${name} is neither open nor closed`, 'add it to one of them');
      }
    }
    return days;
  }

  holidays(input: unknown, lists: ReadonlyMap<string, List>): readonly HolidayRule[] {
    if (!Array.isArray(input)) {
      this.fault('/holidays', 'the list of holidays is missing', 'write holidays: [] if there are none');
      return [];
    }
    return input.map((value, index) => this.rule(value, `/holidays/${index}`, lists));
  }

  private rule(value: unknown, at: string, lists: ReadonlyMap<string, List>): HolidayRule {
    const entry = this.object(value, at, ['list', 'name', 'on', 'source', 'years', 'from', 'until', 'note']);
    const list = typeof entry['list'] === 'string' ? lists.get(entry['list']) : undefined;
    if (entry['list'] !== undefined && !list) {
      const near = nearest(shown(entry['list']).replaceAll("'", ''), lists.keys());
      this.fault(`${at}/list`, `there is no list ${shown(entry['list'])}`, near && `did you mean '${near}'?`);
    }
    const source = entry['source'] ?? list?.source;
    return {
      name: this.text(entry['name'], `${at}/name`, 'the name of the holiday'),
      source: this.text(source, `${at}/source`, 'the source (its own, or that of a list)'),
      dayIn: this.years(entry, at, this.day(entry['on'], `${at}/on`)),
      observed: list?.observed ?? new Map<number, number>(),
    };
  }

  private years(entry: Plain, at: string, day: DayRule): DayRule {
    const bound = (key: string, otherwise: number): number => {
      const value = entry[key];
      if (value === undefined) return otherwise;
      if (Number.isInteger(value)) return Number(value);
      this.fault(`${at}/${key}`, `${shown(value)} is no year`, 'write it as 2021');
      return otherwise;
    };
    const [from, until] = [bound('from', -Infinity), bound('until', Infinity)];
    if (entry['years'] !== undefined && entry['years'] !== 'even') {
      const hint = "write 'even' or leave it out";
      this.fault(`${at}/years`, `${shown(entry['years'])} is no choice of years`, hint);
    }
    const step = entry['years'] === 'even' ? 2 : 1;
    return (year) => (year >= from && year <= until && year % step === 0 ? day(year) : undefined);
  }

  private day(input: unknown, pointer: string): DayRule {
    const rule = typeof input === 'string' ? parseDayRule(input) : undefined;
    if (!rule) this.fault(pointer, `${shown(input)} is no day of the year`, DAY_FORMS);
    return rule ?? (() => undefined);
  }
}

const closedOn = (day: number, source: string): Holiday => ({
  name: `closed on ${WEEKDAYS[day - 1] ?? ''}s`,
  source,
});
