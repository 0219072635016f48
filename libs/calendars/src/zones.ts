import { epochDay, fromEpochDay, type LocalDate, type Occurred } from '@headworks/kernel';
import { Temporal } from 'temporal-polyfill';

const DAY_MS = 86_400_000;

/** The offsets of one zone in one UTC year: `offsets[i]` holds from `from[i]` on. `from[0]` is the year's start. */
interface YearTable {
  readonly from: readonly number[];
  readonly offsets: readonly number[];
}

/**
 * What is known of a zone. Temporal and Intl cost microseconds a call, more than judging a whole clause: each year is
 * asked once, each day's start worked out once, and the stretch between two changes of clocks is kept at hand.
 */
interface Zone {
  readonly years: Map<number, YearTable>;
  readonly dayStarts: Map<number, number>;
  /** `offset` holds in [since, until): the stretch that was asked for last. */
  since: number;
  until: number;
  offset: number;
}

const zones = new Map<string, Zone>();
// A date's text is asked far more often than there are days; 1900 to 2199 is 110,000 of them at most.
const dates = new Map<number, LocalDate>();

/** Whether the name is an IANA zone in its own spelling. Bare offsets are none: they know no change of clocks. */
export function isZone(name: string): boolean {
  if (zones.has(name)) return true;
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId === name;
  } catch {
    return false;
  }
}

/** The zone's offset from UTC in milliseconds at an instant. */
export function offsetAt(name: string, ms: number): number {
  const zone = zoneOf(name);
  if (ms < zone.since || ms >= zone.until) remember(name, zone, ms);
  return zone.offset;
}

function remember(name: string, zone: Zone, ms: number): void {
  const year = new Date(ms).getUTCFullYear();
  const { from, offsets } = yearTable(name, zone, year);
  let index = from.length - 1;
  while (index > 0 && ms < (from[index] ?? 0)) index--;
  zone.since = from[index] ?? 0;
  zone.until = from[index + 1] ?? Date.UTC(year + 1, 0, 1);
  zone.offset = offsets[index] ?? 0;
}

/** The local day of an instant, as days since 1970-01-01: the hot form of `localDateAt`. */
export function localDayAt(zone: string, ms: number): number {
  return Math.floor((ms + offsetAt(zone, ms)) / DAY_MS);
}

export function localDateAt(zone: string, ms: number): LocalDate {
  return dateOfDay(localDayAt(zone, ms));
}

/** `fromEpochDay`, remembered. */
export function dateOfDay(day: number): LocalDate {
  let date = dates.get(day);
  if (date === undefined) {
    date = fromEpochDay(day);
    dates.set(day, date);
  }
  return date;
}

/** First instant of the local date. Where the clocks skip midnight it is the moment they change. */
export function startOfDay(zone: string, date: LocalDate): number {
  return startOfEpochDay(zone, epochDay(date));
}

/** The instant at which the local date is over: the start of the next. */
export function endOfDay(zone: string, date: LocalDate): number {
  return startOfEpochDay(zone, epochDay(date) + 1);
}

/** `startOfDay` by the number of the day since 1970-01-01, remembered. */
export function startOfEpochDay(name: string, day: number): number {
  const { dayStarts } = zoneOf(name);
  let start = dayStarts.get(day);
  if (start === undefined) {
    const wall = day * DAY_MS;
    start = instantsOf(name, wall)[0] ?? changeNear(name, wall);
    dayStarts.set(day, start);
  }
  return start;
}

export type WallResult = { readonly ms: number } | { readonly why: string };

/**
 * The instant of a local date and time of day (`HH:MM` or `HH:MM:SS`). A time that the clocks skip or show twice is
 * refused, with what to write in its place: guessing would date an act an hour wrong.
 */
export function wallToInstant(zone: string, date: LocalDate, time: string): WallResult {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(time);
  if (!match) return { why: `'${time}' is no time of day: write it as 15:00 or 15:00:30` };
  const [, hour, minute, second = '0'] = match;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const wall = epochDay(date) * DAY_MS + seconds * 1000;
  const found = instantsOf(zone, wall);
  const [first, second2] = found;
  if (first === undefined) return { why: skipped(zone, date, time, wall) };
  if (second2 === undefined) return { ms: first };
  const choices = found.map((ms) => `${date}T${time}${offsetText(offsetAt(zone, ms))}`).join(' or ');
  return { why: `${date} ${time} comes twice in ${zone}, as the clocks go back: write ${choices}` };
}

/**
 * Epoch milliseconds that an occurrence sorts by. A local date stands at the last millisecond of its day: what the law
 * dates by the day is only known to be over when the day is.
 */
export function occurredMs(occurred: Occurred): number {
  if ('date' in occurred) return endOfDay(occurred.zone, occurred.date) - 1;
  const ms = Date.parse(occurred.at);
  if (!/(Z|[+-]\d\d:\d\d)$/.test(occurred.at) || Number.isNaN(ms)) {
    throw new RangeError(`'${occurred.at}' is no instant: write it as 2027-07-03T20:00:00.000Z`);
  }
  return ms;
}

/** Time of day at an instant, `15:00`, with seconds only where there are some. */
export function clockAt(zone: string, ms: number): string {
  const text = new Date(ms + offsetAt(zone, ms)).toISOString();
  return text.slice(17, 19) === '00' ? text.slice(11, 16) : text.slice(11, 19);
}

/** The zone's offset at an instant as ISO 8601 writes it, `-05:00`. */
export const offsetTextAt = (zone: string, ms: number): string => offsetText(offsetAt(zone, ms));

function skipped(zone: string, date: LocalDate, time: string, wall: number): string {
  const change = changeNear(zone, wall);
  const [before, after] = [offsetAt(zone, change - 1), offsetAt(zone, change)];
  // As if the clocks had not changed yet: the same moment under its real name, and safely past the gap.
  const meant = wall - before;
  const instead = `${dateOfDay(localDayAt(zone, meant))}T${clockAt(zone, meant)}${offsetText(after)}`;
  return `${date} ${time} does not exist in ${zone}, as the clocks go forward then: write ${instead} if that is meant`;
}

/** The instants at which the zone's clocks show a wall time: none, one, or two in order. */
function instantsOf(zone: string, wall: number): readonly number[] {
  const [early, late] = [offsetAt(zone, wall - DAY_MS), offsetAt(zone, wall + DAY_MS)];
  const tried = early === late ? [early] : [early, late];
  return tried
    .map((offset) => wall - offset)
    .filter((ms, index) => offsetAt(zone, ms) === tried[index])
    .sort((a, b) => a - b);
}

/** The change of clocks within a day of a wall time. Only asked where there is one. */
function changeNear(zone: string, wall: number): number {
  const year = new Date(wall).getUTCFullYear();
  for (const y of [year - 1, year, year + 1]) {
    const { from, offsets } = yearTable(zone, zoneOf(zone), y);
    const index = from.findIndex(
      (ms, i) => i > 0 && ms + (offsets[i - 1] ?? 0) <= wall && wall < ms + (offsets[i] ?? 0),
    );
    if (index > 0) return from[index] ?? wall;
  }
  // The change may stand exactly at a year's start, where no entry of the year's own table marks it.
  return Date.UTC(year, 0, 1);
}

function yearTable(name: string, zone: Zone, year: number): YearTable {
  const known = zone.years.get(year);
  if (known) return known;
  const table = readYear(name, year);
  zone.years.set(year, table);
  return table;
}

function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  if (!isZone(name)) {
    throw new RangeError(`'${name}' is no time zone: use an IANA name such as America/New_York`);
  }
  const zone: Zone = { years: new Map(), dayStarts: new Map(), since: 0, until: 0, offset: 0 };
  zones.set(name, zone);
  return zone;
}

function readYear(zone: string, year: number): YearTable {
  const [start, end] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
  let at: Temporal.ZonedDateTime | null =
    Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone);
  const [from, offsets]: [number[], number[]] = [[], []];
  while (at && at.epochMilliseconds < end) {
    from.push(at.epochMilliseconds);
    offsets.push(at.offsetNanoseconds / 1_000_000);
    at = at.getTimeZoneTransition('next');
  }
  return { from, offsets };
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / 60_000;
  const pad = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}
