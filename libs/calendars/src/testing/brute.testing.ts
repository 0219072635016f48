import { Temporal } from 'temporal-polyfill';

/**
 * A counter that knows nothing of the one it checks: it lets a clock run a day (or a minute) at a time, as a clerk with
 * a wall calendar would, and was written from the law before the other. It shares no line and no date with it: days come
 * from Temporal, holidays from the words of the two lists.
 */
export const CHICAGO = 'America/Chicago';
type Day = Temporal.PlainDate;
export const day = (text: string): Day => Temporal.PlainDate.from(text);
const plus = (date: Day, days: number): Day => date.add({ days });
export const dayAt = (ms: number): Day =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(CHICAGO).toPlainDate();
/** The end of a day: the first moment of the next. */
export const endOf = (date: Day): number => plus(date, 1).toZonedDateTime(CHICAGO).epochMilliseconds;

/** The nth weekday (1 Monday) of a month that the date is. */
const nth = (date: Day): number => Math.ceil(date.day / 7);
const isNth = (date: Day, month: number, weekday: number, n: number): boolean =>
  date.month === month && date.dayOfWeek === weekday && nth(date) === n;
const isLastMonday = (date: Day, month: number): boolean =>
  date.month === month && date.dayOfWeek === 1 && plus(date, 7).month !== month;

/** Days that both lists name, by their words. */
function isNational(date: Day): boolean {
  const fixed = `${date.month}-${date.day}`;
  if (['1-1', '7-4', '11-11', '12-25'].includes(fixed)) return true;
  if (fixed === '6-19') return true;
  return (
    isNth(date, 1, 1, 3) ||
    isNth(date, 2, 1, 3) ||
    isLastMonday(date, 5) ||
    isNth(date, 9, 1, 1) ||
    isNth(date, 10, 1, 2) ||
    isNth(date, 11, 4, 4)
  );
}

/** Even years: the second Tuesday of August, and the day after the first Monday of November. */
function isElection(date: Day): boolean {
  if (date.year % 2 !== 0) return false;
  return isNth(date, 8, 2, 2) || isNth(plus(date, -1), 11, 1, 1);
}

const isSunday = (date: Day): boolean => date.dayOfWeek === 7;

/** Wis. Stat. 995.20: a Sunday's holiday takes the Monday too. */
export function isLegal(date: Day): boolean {
  const yesterday = plus(date, -1);
  return isNational(date) || isElection(date) || (isSunday(yesterday) && isNational(yesterday));
}

/** 5 USC 6103: a Saturday's holiday is kept on the Friday before, a Sunday's on the Monday after. */
export function isFederal(date: Day): boolean {
  const [yesterday, tomorrow] = [plus(date, -1), plus(date, 1)];
  if (isNational(date)) return true;
  if (date.dayOfWeek === 5 && isNational(tomorrow)) return true;
  return date.dayOfWeek === 1 && isNational(yesterday);
}

export const isWeekend = (date: Day): boolean => date.dayOfWeek >= 6;
/** No working day of a county office: a weekend, or a holiday of either list. */
export const isCountyOff = (date: Day): boolean => isWeekend(date) || isLegal(date) || isFederal(date);

export type BruteUnit = 'days' | 'weeks' | 'working_days' | 'months' | 'years';
export interface BrutePause {
  readonly from: Day;
  readonly until?: Day;
  readonly then: 'restart' | 'resume';
}
export interface BruteRequest {
  readonly trigger: Day;
  /** The period, then what it was lengthened by: one after the other. */
  readonly legs: readonly { readonly amount: number; readonly unit: BruteUnit }[];
  readonly kind: 'filing' | 'payment' | 'notice' | 'decision' | 'physical';
  readonly plain?: boolean;
  readonly pauses?: readonly BrutePause[];
  /** Days that an officer closed, by what is closed on them. */
  readonly shut?: ReadonlyMap<string, readonly ('public' | 'staff' | 'contractors')[]>;
}

/** One sheet of the wall calendar, with what is printed on it. */
interface Sheet {
  readonly n: number;
  readonly date: Day;
  readonly text: string;
  readonly weekday: number;
  readonly legal: boolean;
  readonly countyOff: boolean;
}
const FIRST_SHEET = day('2022-01-01');
const sheets: Sheet[] = [];

/** The wall calendar grows as it is read: asking Temporal for each day again and again takes minutes. */
function sheet(n: number): Sheet {
  while (sheets.length <= n) {
    const date = plus(FIRST_SHEET, sheets.length);
    sheets.push({
      n: sheets.length,
      date,
      text: date.toString(),
      weekday: date.dayOfWeek,
      legal: isLegal(date),
      countyOff: isCountyOff(date),
    });
  }
  const found = sheets[n];
  if (!found) throw new RangeError('the wall calendar begins with 2022');
  return found;
}
const sheetOf = (date: Day): Sheet => sheet(FIRST_SHEET.until(date).days);

/** Whether a last day moves on: rule 2 of section 1.1, and a door that an officer shut. */
function rolls({ text, weekday, legal }: Sheet, { kind, plain, shut }: BruteRequest): boolean {
  if (plain || kind === 'physical') return false;
  if (weekday === 7 || legal) return true;
  if (kind === 'decision') return false;
  return weekday === 6 || (shut?.get(text)?.includes('public') ?? false);
}

function isWorking({ text, countyOff }: Sheet, { kind, shut }: BruteRequest): boolean {
  const closed = shut?.get(text) ?? [];
  if (closed.includes('staff')) return false;
  return !countyOff && !(kind === 'physical' && closed.includes('contractors'));
}

const MONTHS: Readonly<Record<string, number>> = { months: 1, years: 12 };

/** One leg of a period: it is told of each day, and says when it is used up. */
class Leg {
  private left: number;
  private target: number | undefined;

  constructor(
    private readonly leg: BruteRequest['legs'][number],
    from: Sheet,
  ) {
    const months = MONTHS[leg.unit];
    if (months !== undefined) this.target = sheetOf(from.date.add({ months: months * leg.amount })).n;
    this.left = leg.unit === 'weeks' ? 7 * leg.amount : leg.amount;
  }

  pass(today: Sheet, runs: boolean, request: BruteRequest): boolean {
    if (this.target !== undefined) {
      if (!runs) this.target += 1;
      return this.target === today.n;
    }
    if (runs && (this.leg.unit !== 'working_days' || isWorking(today, request))) this.left--;
    return this.left === 0;
  }
}

/** The last day, or `paused` where the clock stands still for good. */
export function bruteLastDay(request: BruteRequest): string {
  const { trigger, legs } = request;
  const pauses = (request.pauses ?? []).map((pause) => ({
    from: sheetOf(pause.from).n,
    until: pause.until === undefined ? undefined : sheetOf(pause.until).n,
    then: pause.then,
  }));
  let today = sheetOf(trigger);
  let queue = [...legs];
  const next = (from: Sheet): Leg | undefined => {
    const leg = queue.shift();
    return leg && new Leg(leg, from);
  };
  let leg = next(today);
  const standing = new Set<(typeof pauses)[number]>();
  for (let passed = 0; passed < 20_000; passed++) {
    if (passed > 0) {
      today = sheet(today.n + 1);
      if (leg?.pass(today, standing.size === 0, request)) leg = next(today);
    }
    for (const pause of pauses) if (pause.from === today.n) standing.add(pause);
    for (const pause of standing) {
      if (pause.until === undefined) return 'paused';
      if (pause.until !== today.n) continue;
      standing.delete(pause);
      if (pause.then === 'resume') continue;
      queue = [...legs];
      leg = next(today);
    }
    if (leg === undefined && standing.size === 0 && !rolls(today, request)) return today.text;
  }
  throw new RangeError('this period never ends');
}

/** The last day to do a thing at least so long before an event. `clear`: neither end is counted. */
export function bruteBack(event: Day, amount: number, unit: BruteUnit, clear: boolean): string {
  if (unit === 'months' || unit === 'years') {
    const back = event.subtract({ months: (MONTHS[unit] ?? 1) * amount });
    return (clear ? plus(back, -1) : back).toString();
  }
  let [date, left] = [sheetOf(event), unit === 'weeks' ? 7 * amount : amount];
  while (left > 0) {
    date = sheet(date.n - 1);
    if (unit !== 'working_days' || !date.countyOff) left--;
  }
  return sheet(date.n - (clear ? 1 : 0)).text;
}

const MINUTE = 60_000;
export interface BruteStop {
  readonly from: number;
  readonly until: number;
  readonly then: 'restart' | 'resume';
}

/** Hours a minute at a time. Instants stand on whole minutes; Sundays and legal holidays pass without counting. */
export function bruteHours(
  start: number,
  hours: number,
  stops: readonly BruteStop[],
  plain: boolean,
): number {
  let [left, ms] = [hours * 60, start];
  let [offDay, until] = [false, start];
  const standing = new Set<BruteStop>();
  for (;;) {
    for (const stop of stops) if (stop.from === ms) standing.add(stop);
    for (const stop of standing) {
      if (stop.until !== ms) continue;
      standing.delete(stop);
      if (stop.then === 'restart') left = hours * 60;
    }
    if (left === 0 && standing.size === 0) return ms;
    if (ms >= until) {
      const { date, weekday, legal } = sheetOf(dayAt(ms));
      offDay = !plain && (weekday === 7 || legal);
      until = endOf(date);
    }
    if (!offDay && standing.size === 0) left--;
    ms += MINUTE;
  }
}

/** Whether a day lies in a season, by turning the sheets from its first day to its last, over the new year if need be. */
export function bruteInSeason(date: Day, from: string, to: string): boolean {
  for (const year of [date.year - 1, date.year]) {
    let step = sheetOf(day(`${year}-${from}`));
    while (step.text.slice(5) !== to) {
      if (step.date.equals(date)) return true;
      step = sheet(step.n + 1);
    }
    if (step.date.equals(date)) return true;
  }
  return false;
}
