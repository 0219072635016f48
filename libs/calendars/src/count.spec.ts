import { localDate, type LocalDate } from '@headworks/kernel';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { parse } from 'yaml';
import type { Calendar, CountRequest, DutyKind } from './api';
import { parseCalendar } from './calendar';
import { countDue, dueInstants } from './count';

const CHICAGO = 'America/Chicago';
const legal = parseCalendar(
  parse(readFileSync(path.join(__dirname, '../../../rules/calendars/wi-legal-holidays.yaml'), 'utf8')),
  { id: 'wi-legal-holidays', version: '1' },
);
const office = parseCalendar(
  { holidays: [], closed: { days: ['Saturday', 'Sunday'], source: 'office hours' } },
  { id: 'office', version: '1' },
);
const iso = (text: string): string => new Date(text).toISOString();
const hours = (start: string, amount = 24, more: Partial<CountRequest> = {}): CountRequest => ({
  start: Date.parse(start),
  allow: { amount, unit: 'h' },
  zone: CHICAGO,
  counting: 'wis-990.001',
  kind: 'physical',
  legal,
  ...more,
});
const days = (
  start: string,
  amount: number,
  kind: DutyKind,
  more: Partial<CountRequest> = {},
): CountRequest => hours(start, amount, { allow: { amount, unit: 'days' }, kind, ...more });
const lastDay = (request: CountRequest): string => countDue(request).date;

describe('24 hours, by the clock and by Wis. Stat. 990.001(4)(a)', () => {
  it.each([
    ['over a Sunday', '2025-07-05T15:00-05:00', '2025-07-06T15:00-05:00', '2025-07-07T15:00-05:00'],
    ['over a Saturday holiday', '2026-07-03T16:00-05:00', '2026-07-04T16:00-05:00', '2026-07-06T16:00-05:00'],
    ['over the end of DST', '2025-11-01T20:00-05:00', '2025-11-02T19:00-06:00', '2025-11-03T20:00-06:00'],
    ['over the start of DST', '2025-03-08T20:00-06:00', '2025-03-09T21:00-05:00', '2025-03-10T20:00-05:00'],
    // A Sunday holiday takes the Monday with it: Sat Jul 3 2027, 15:00 -> Sunday and Monday out -> Tuesday 15:00.
    ['over a moved holiday', '2027-07-03T15:00-05:00', '2027-07-04T15:00-05:00', '2027-07-06T15:00-05:00'],
    ['on plain weekdays', '2025-07-08T15:00-05:00', '2025-07-09T15:00-05:00', '2025-07-09T15:00-05:00'],
    // Inside a day left out: nothing of that day runs, so the period is the whole of the next counted day.
    ['from a Sunday noon', '2025-07-06T12:00-05:00', '2025-07-07T12:00-05:00', '2025-07-08T00:00-05:00'],
    ['from a holiday', '2026-11-26T09:00-06:00', '2026-11-27T09:00-06:00', '2026-11-28T00:00-06:00'],
    [
      'from the second 01:30 of a 25-hour Sunday',
      '2025-11-02T01:30-06:00',
      '2025-11-03T01:30-06:00',
      '2025-11-04T00:00-06:00',
    ],
    [
      'from the last moment of a Saturday',
      '2025-07-05T23:59:59.999-05:00',
      '2025-07-06T23:59:59.999-05:00',
      '2025-07-07T23:59:59.999-05:00',
    ],
    [
      'from the first moment of a Monday',
      '2025-07-07T00:00-05:00',
      '2025-07-08T00:00-05:00',
      '2025-07-08T00:00-05:00',
    ],
  ])('%s', (_, start, elapsed, statutory) => {
    const due = countDue(hours(start));
    expect([due.elapsedAt, due.at]).toEqual([iso(elapsed), iso(statutory)]);
    expect(dueInstants(hours(start))).toEqual({ at: Date.parse(statutory), elapsedAt: Date.parse(elapsed) });
  });

  it('dates an end at midnight by the day that is ending', () => {
    expect(countDue(hours('2025-07-06T12:00-05:00')).date).toBe('2025-07-07');
    expect(countDue(hours('2025-07-05T15:00-05:00')).date).toBe('2025-07-07');
  });

  it('runs by the clock alone when the pack counts plainly', () => {
    const due = countDue(hours('2025-07-05T15:00-05:00', 24, { counting: 'plain' }));
    expect([due.at, due.elapsedAt]).toEqual([iso('2025-07-06T15:00-05:00'), iso('2025-07-06T15:00-05:00')]);
    expect(due.derivation?.[1]).toEqual({
      on: '2025-07-05/2025-07-06',
      counted: true,
      why: '24 h by the clock',
    });
  });

  it('keeps the derivation: the start, and each day counted or left out with its reason and source', () => {
    expect(countDue(hours('2026-07-03T16:00-05:00')).derivation).toEqual([
      { on: '2026-07-03T21:00:00.000Z', counted: false, why: 'the period starts, at 16:00 on 2026-07-03' },
      { on: '2026-07-03', counted: true, why: '8 h counted' },
      {
        on: '2026-07-04',
        counted: false,
        why: 'Independence Day: left out whole',
        source: 'Wis. Stat. 995.20',
      },
      { on: '2026-07-05', counted: false, why: 'Sunday: left out whole', source: 'Wis. Stat. 990.001(4)(a)' },
      { on: '2026-07-06', counted: true, why: '16 h counted, the last to 16:00' },
    ]);
  });
});

describe('days', () => {
  it.each([
    // Worked values of other ordinances that rest on the same statute.
    ['30 days to a Sunday', '2025-01-31', 30, 'payment', '2025-03-03'],
    ['30 days in a leap year', '2024-01-31', 30, 'payment', '2024-03-01'],
    ['30 days to a Saturday, office shut', '2026-04-30', 30, 'payment', '2026-06-01'],
    ['5 days to Memorial Day', '2026-05-20', 5, 'filing', '2026-05-26'],
    ['to a Saturday, a decision of the office', '2026-04-30', 30, 'decision', '2026-05-30'],
    ['to a Sunday, a decision of the office', '2025-01-31', 30, 'decision', '2025-03-03'],
    ['to a Sunday, a duty on the land', '2025-01-31', 30, 'physical', '2025-03-02'],
    ['to a holiday, a duty on the land', '2026-05-20', 5, 'physical', '2026-05-25'],
    // Fri Jul 4 2025 -> Saturday, office shut -> Sunday -> Monday.
    ['to a Friday holiday', '2025-07-01', 3, 'notice', '2025-07-07'],
  ] as const)('%s', (_, from, amount, kind, expected) => {
    expect(lastDay(days(`${from}T12:00-06:00`, amount, kind, { office }))).toBe(expected);
  });

  it('does not move off a Saturday on which the office is open, or whose hours nobody gave', () => {
    const always = parseCalendar({ holidays: [] }, { id: 'always', version: '1' });
    expect(lastDay(days('2026-04-30T12:00-05:00', 30, 'payment', { office: always }))).toBe('2026-05-30');
    expect(lastDay(days('2026-04-30T12:00-05:00', 30, 'payment'))).toBe('2026-05-30');
  });

  it('moves off no day when the pack counts plainly', () => {
    const plain = { counting: 'plain', office } as const;
    expect(lastDay(days('2025-01-31T12:00-06:00', 30, 'payment', plain))).toBe('2025-03-02');
  });

  it('ends with the end of the last day, whatever the hour of the trigger, across a change of clocks', () => {
    for (const at of ['2025-10-31T00:00-05:00', '2025-10-31T23:59:59-05:00']) {
      const due = countDue(days(at, 3, 'filing', { office }));
      expect([due.date, due.at, due.elapsedAt]).toEqual(['2025-11-03', iso('2025-11-04T00:00-06:00'), null]);
    }
  });

  it('keeps the derivation', () => {
    expect(countDue(days('2026-04-30T12:00-05:00', 30, 'payment', { office })).derivation).toEqual([
      {
        on: '2026-04-30',
        counted: false,
        why: 'the day of the trigger is left out',
        source: expect.any(String),
      },
      {
        on: '2026-05-01/2026-05-30',
        counted: true,
        why: 'days 1 to 30',
        source: 'Wis. Stat. 990.001(4)(a), (d)',
      },
      {
        on: '2026-05-30',
        counted: false,
        why: 'Saturday, closed on Saturdays: the last day moves on',
        source: 'Wis. Stat. 990.001(4)(c); office hours',
      },
      {
        on: '2026-05-31',
        counted: false,
        why: 'Sunday: the last day moves on',
        source: 'Wis. Stat. 990.001(4)(b)',
      },
      { on: '2026-06-01', counted: true, why: 'the last day, after moving on' },
    ]);
  });
});

describe('what can not be counted', () => {
  it.each([
    [hours('2025-07-05T15:00-05:00', 0), "A period of 0 h can't be counted: give a whole number from 1"],
    [hours('2025-07-05T15:00-05:00', 1.5), "A period of 1.5 h can't be counted: give a whole number from 1"],
    [{ ...hours('2025-07-05T15:00-05:00'), start: NaN }, 'NaN is no instant: give whole milliseconds'],
  ])('is refused with a sentence', (request, sentence) => {
    expect(() => countDue(request)).toThrow(sentence);
    expect(() => dueInstants(request)).toThrow(sentence);
  });

  it('needs the legal calendar that the counting rests on', () => {
    const { legal: _, ...without } = hours('2025-07-05T15:00-05:00');
    expect(() => countDue(without)).toThrow("needs the calendar of legal holidays: give it as 'legal'");
  });

  it('stops where a calendar leaves out every day', () => {
    const never: Calendar = { id: 'never', version: '1', holiday: () => ({ name: 'shut', source: 'x' }) };
    const sentence =
      "The calendar 'never' leaves out every day, so no period ever ends: correct the calendar";
    expect(() => countDue(hours('2025-07-05T15:00-05:00', 1, { legal: never }))).toThrow(sentence);
    expect(() => countDue(days('2025-07-05T15:00-05:00', 1, 'filing', { legal: never }))).toThrow(sentence);
  });
});

/**
 * An independent counter: the holidays are typed from a wall calendar, days come from Temporal, and time passes a
 * minute at a time. It shares no line with the code under test.
 */
const WALL: Readonly<Record<string, string>> = {
  2024: '01-01 01-15 02-19 05-27 06-19 07-04 08-13 09-02 10-14 11-05 11-11 11-28 12-25',
  2025: '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25',
  2026: '01-01 01-19 02-16 05-25 06-19 07-04 08-11 09-07 10-12 11-03 11-11 11-26 12-25',
  2027: '01-01 01-18 02-15 05-31 06-19 07-05 09-06 10-11 11-11 11-25 12-25',
  2028: '01-01 01-17 02-21 05-29 06-19 07-04 08-08 09-04 10-09 11-07 11-11 11-23 12-25',
  2029: '01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25',
  2030: '01-01 01-21 02-18 05-27 06-19 07-04 08-13 09-02 10-14 11-05 11-11 11-28 12-25',
  2031: '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25',
  2032: '01-01 01-19 02-16 05-31 06-19 07-05 08-10 09-06 10-11 11-02 11-11 11-25 12-25',
  2033: '01-01 01-17',
};
const offDays = new Set(
  Object.entries(WALL).flatMap(([year, text]) => text.split(' ').map((d) => `${year}-${d}`)),
);
const MINUTE = 60_000;
const [FROM, TO] = [Date.parse('2024-01-01T06:00Z'), Date.parse('2033-01-01T06:00Z')];

/** Off or on for each UTC hour: Wisconsin's midnights always stand on one. */
const offHours: boolean[] = [];
beforeAll(() => {
  let date = Temporal.PlainDate.from('2024-01-01');
  while (offHours.length * 60 * MINUTE < TO - FROM + 14 * 24 * 60 * MINUTE) {
    const next = date.add({ days: 1 });
    const length =
      next.toZonedDateTime(CHICAGO).epochMilliseconds - date.toZonedDateTime(CHICAGO).epochMilliseconds;
    const off = date.dayOfWeek === 7 || offDays.has(date.toString());
    for (let minute = 0; minute < length / MINUTE; minute += 60) offHours.push(off);
    date = next;
  }
});

/** `step` minutes at a time: 1 from any minute, 60 from a full hour. */
function bruteHours(start: number, amount: number, step: number): number {
  let [minutes, ms] = [amount * 60, start];
  while (minutes > 0) {
    if (!offHours[Math.floor((ms - FROM) / (60 * MINUTE))]) minutes -= step;
    ms += step * MINUTE;
  }
  return ms;
}

function bruteDays(start: number, amount: number, kind: DutyKind): string {
  let date = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(CHICAGO).toPlainDate();
  for (let i = 0; i < amount; i++) date = date.add({ days: 1 });
  const rolls = (d: Temporal.PlainDate): boolean =>
    (kind !== 'physical' && (d.dayOfWeek === 7 || offDays.has(d.toString()))) ||
    (['filing', 'payment', 'notice'].includes(kind) && d.dayOfWeek === 6);
  while (rolls(date)) date = date.add({ days: 1 });
  return date.toString();
}

describe('against a counter that steps through the time, 2024 to 2032', () => {
  it('agrees on 24 hours from each hour of nine years', () => {
    let wrong = 0;
    for (let ms = FROM; ms < TO; ms += 60 * MINUTE) {
      if (dueInstants(hours(new Date(ms).toISOString())).at !== bruteHours(ms, 24, 60)) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it('agrees on any hours from any minute', () => {
    const minutes = fc.integer({ min: FROM / MINUTE, max: TO / MINUTE - 1 });
    fc.assert(
      fc.property(minutes, fc.integer({ min: 1, max: 120 }), (minute, amount) => {
        const request = hours(new Date(minute * MINUTE).toISOString(), amount);
        const due = countDue(request);
        expect(Date.parse(due.at)).toBe(bruteHours(minute * MINUTE, amount, 1));
        expect(Date.parse(due.elapsedAt ?? '')).toBe(minute * MINUTE + amount * 60 * MINUTE);
        expect(dueInstants(request).at).toBe(Date.parse(due.at));
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees on any days, for each kind of duty', () => {
    const kinds = fc.constantFrom<DutyKind>('filing', 'payment', 'notice', 'decision', 'physical');
    const starts = fc.integer({ min: FROM, max: TO - 400 * 24 * 60 * MINUTE });
    fc.assert(
      fc.property(starts, fc.integer({ min: 1, max: 90 }), kinds, (start, amount, kind) => {
        const request = days(new Date(start).toISOString(), amount, kind, { office });
        const due = countDue(request);
        expect(due.date).toBe(bruteDays(start, amount, kind));
        const nextDay = Temporal.PlainDate.from(due.date).add({ days: 1 }).toZonedDateTime(CHICAGO);
        expect(Date.parse(due.at)).toBe(nextDay.epochMilliseconds);
        expect(dueInstants(request)).toEqual({ at: Date.parse(due.at) });
      }),
      { numRuns: 1000 },
    );
  });

  it('knows the same holidays as the wall calendar', () => {
    const found: LocalDate[] = [];
    for (let ms = Date.UTC(2024, 0, 1); ms < Date.UTC(2033, 0, 1); ms += 86_400_000) {
      const date = localDate(new Date(ms).toISOString().slice(0, 10));
      const sunday = new Date(ms).getUTCDay() === 0;
      if (!sunday && legal.holiday(date)) found.push(date);
    }
    const typed = [...offDays].filter((d) => d < '2033' && new Date(d).getUTCDay() !== 0);
    expect(found).toEqual(typed.sort());
  });
});
