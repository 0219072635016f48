import {
  countClock,
  countFixedDay,
  dueInstants,
  localDateAt,
  type Clock,
  type CountRequest,
  type FixedDayRequest,
  type Told,
} from '@headworks/calendars';
import { monthDayIn, parseMonthDay, type LocalDate } from '@headworks/kernel';
import type { DeadlineDef } from '../api';
import type { Maybe } from '../model/types';
import { listsOf, type Calendars, type Lists } from './lists';
import { NO_TERMS, type Terms } from './terms';

/** Where a deadline ends, by its start, or by a date (its year, or the day itself): undefined is not known, null is never. */
export interface Ends {
  /** It ends with a day, and the last moment of that day is still in time; else with an instant. */
  readonly byDay: boolean;
  /** Last instant; for days the first one too late. Infinity while the clock stands still. */
  at(start: number, year: Maybe, terms?: Terms): number | null | undefined;
  clock(start: number, year: Maybe, terms?: Terms, told?: Told): Clock | undefined;
}

/** As many as are asked for again and again; starting over is as good as any choice of what to forget. */
const MOST = 10_000;

/** A bounded memory of what was counted: the same loads are judged again and again. */
class Memory<K> {
  private readonly known = new Map<K, number>();

  get(key: K): number | undefined {
    return this.known.get(key);
  }

  set(key: K, end: number): number {
    if (this.known.size >= MOST) this.known.clear();
    this.known.set(key, end);
    return end;
  }
}

/** Terms as a key: what is counted hangs on the instants and amounts alone, and not on who asked or granted. */
function keyOf({ pauses, extensions }: Terms): string {
  const stops = pauses.map(({ from, until = '', then }) => `${from}-${until}${then}`);
  return [...stops, ...extensions.map(({ amount, unit }) => `${amount}${unit}`)].join();
}

const isPlain = (terms: Terms): boolean => terms.pauses.length === 0 && terms.extensions.length === 0;

/** A period from the start on. */
function periodEnds(
  def: DeadlineDef,
  allow: NonNullable<DeadlineDef['allow']>,
  zone: string,
  calendars: Lists,
): Ends {
  const { counting, kind } = def;
  const request = (start: number, terms: Terms, told: Told = {}): CountRequest => ({
    start,
    allow,
    zone,
    counting,
    kind,
    ...calendars,
    ...terms,
    ...told,
  });
  const plain = new Memory<number>();
  const moved = new Memory<string>();
  return {
    byDay: allow.unit !== 'h',
    at: (start, _year, terms) => {
      if (terms === undefined || isPlain(terms)) {
        return plain.get(start) ?? plain.set(start, dueInstants(request(start, NO_TERMS)).at);
      }
      const key = `${start} ${keyOf(terms)}`;
      return moved.get(key) ?? moved.set(key, dueInstants(request(start, terms)).at);
    },
    clock: (start, _year, terms = NO_TERMS, told = {}) => countClock(request(start, terms, told)),
  };
}

/** A day that the law names in the year of a date, or that date itself: whatever it starts with, it ends with that day. */
function fixedEnds(
  def: DeadlineDef,
  due: NonNullable<DeadlineDef['due']>,
  zone: string,
  calendars: Lists,
): Ends {
  const { counting, kind } = def;
  const dayOf = dayOfDue(due, zone);
  const request = (day: LocalDate, { extensions }: Terms): FixedDayRequest => ({
    day,
    zone,
    counting,
    kind,
    extensions,
    prior: due.prior ?? false,
    set: due.day === undefined,
    ...calendars,
  });
  const plain = new Memory<string>();
  const moved = new Memory<string>();
  const endOf = (day: LocalDate, terms: Terms): number => Date.parse(countFixedDay(request(day, terms)).at);
  return {
    byDay: true,
    at: (_start, of, terms) => {
      if (of === undefined || of === null) return of;
      const day = dayOf(of);
      if (terms === undefined || isPlain(terms))
        return plain.get(day) ?? plain.set(day, endOf(day, NO_TERMS));
      const key = `${day} ${keyOf(terms)}`;
      return moved.get(key) ?? moved.set(key, endOf(day, terms));
    },
    clock: (start, of, terms = NO_TERMS, told = {}) =>
      of === undefined || of === null
        ? undefined
        : { due: countFixedDay({ ...request(dayOf(of), terms), ...told, start }) },
  };
}

type DayOf = (moment: NonNullable<Maybe>) => LocalDate;

function dayOfDue({ day }: NonNullable<DeadlineDef['due']>, zone: string): DayOf {
  if (day === undefined) {
    return (moment) => (typeof moment === 'number' ? localDateAt(zone, moment) : (moment as LocalDate));
  }
  const named = parseMonthDay(day);
  if (!named) throw new TypeError(`'${day}' is no day of the year`);
  const years = new Map<number, LocalDate>();
  return (moment) => {
    const year = yearOf(zone, moment);
    const known = years.get(year);
    if (known) return known;
    const made = monthDayIn(year, named);
    years.set(year, made);
    return made;
  };
}

export function endsOf(def: DeadlineDef, zone: string, all: Calendars): Ends {
  const calendars = listsOf(def, all);
  if (def.due) return fixedEnds(def, def.due, zone, calendars);
  if (def.allow) return periodEnds(def, def.allow, zone, calendars);
  throw new TypeError('a deadline has a period or a day');
}

/** The calendar year of a date, or of an instant by the clocks of the pack. */
export function yearOf(zone: string, moment: NonNullable<Maybe>): number {
  return Number((typeof moment === 'number' ? localDateAt(zone, moment) : (moment as string)).slice(0, 4));
}
