import {
  countDue,
  countFixedDay,
  dueInstants,
  localDateAt,
  type Calendar,
  type CountRequest,
} from '@headworks/calendars';
import { monthDayIn, parseMonthDay, type Due } from '@headworks/kernel';
import type { DeadlineDef } from '../api';
import type { Maybe } from '../model/types';

export interface Calendars {
  readonly legal?: Calendar;
  readonly office?: Calendar;
}

/** Where a deadline ends, by its start or by the year of a date: undefined is not known, null is never. */
export interface Ends {
  /** It ends with a day, and the last moment of that day is still in time; else with an instant. */
  readonly byDay: boolean;
  /** Last instant; for days the first one too late. */
  at(start: number, year: Maybe): number | null | undefined;
  due(start: number, year: Maybe): Due | undefined;
}

/** As many as are asked for again and again; starting over is as good as any choice of what to forget. */
const MOST = 10_000;

/** A bounded memory of what was counted: the same loads are judged again and again. */
function remembered<V>(work: (key: number) => V): (key: number) => V {
  const known = new Map<number, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = work(key);
      if (known.size >= MOST) known.clear();
      known.set(key, value);
    }
    return value;
  };
}

/** A period from the start on. */
function periodEnds(
  def: DeadlineDef,
  allow: NonNullable<DeadlineDef['allow']>,
  zone: string,
  calendars: Calendars,
): Ends {
  const { counting, kind } = def;
  const request = (start: number): CountRequest => ({ start, allow, zone, counting, kind, ...calendars });
  const at = remembered((start) => dueInstants(request(start)).at);
  return { byDay: allow.unit !== 'h', at, due: (start) => countDue(request(start)) };
}

/** A day that the law names, in the year of a date: whatever it starts with, it ends with that day. */
function fixedEnds(
  def: DeadlineDef,
  due: NonNullable<DeadlineDef['due']>,
  zone: string,
  calendars: Calendars,
): Ends {
  const { counting, kind } = def;
  const named = parseMonthDay(due.day);
  if (!named) throw new TypeError(`'${due.day}' is no day of the year`);
  const inYear = remembered((year) => {
    const counted = countFixedDay({ day: monthDayIn(year, named), zone, counting, kind, ...calendars });
    return { at: Date.parse(counted.at), due: counted };
  });
  return {
    byDay: true,
    at: (_start, of) => (of === undefined || of === null ? of : inYear(yearOf(zone, of)).at),
    due: (_start, of) => (of === undefined || of === null ? undefined : inYear(yearOf(zone, of)).due),
  };
}

export function endsOf(def: DeadlineDef, zone: string, calendars: Calendars): Ends {
  if (def.due) return fixedEnds(def, def.due, zone, calendars);
  if (def.allow) return periodEnds(def, def.allow, zone, calendars);
  throw new TypeError('a deadline has a period or a day');
}

/** The calendar year of a date, or of an instant by the clocks of the pack. */
export function yearOf(zone: string, moment: NonNullable<Maybe>): number {
  return Number((typeof moment === 'number' ? localDateAt(zone, moment) : (moment as string)).slice(0, 4));
}
