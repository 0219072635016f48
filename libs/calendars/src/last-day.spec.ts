import { localDate } from '@headworks/kernel';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { parse } from 'yaml';
import type { CountRequest, DutyKind, PeriodUnit } from './api';
import { parseCalendar } from './calendar';
import { countDue, countFixedDay, dueInstants, rolledDay } from './count';

const CHICAGO = 'America/Chicago';
const legal = parseCalendar(
  parse(readFileSync(path.join(__dirname, '../../../rules/calendars/wi-legal-holidays.yaml'), 'utf8')),
  { id: 'wi-legal-holidays', version: '1' },
);
const office = parseCalendar(
  { holidays: [], closed: { days: ['Saturday', 'Sunday'], source: 'office hours' } },
  { id: 'office', version: '1' },
);
const named = (day: string, kind: DutyKind, counting: CountRequest['counting'] = 'wis-990.001') =>
  countFixedDay({ day: localDate(day), zone: CHICAGO, kind, counting, legal, office });
const period = (
  start: string,
  amount: number,
  unit: PeriodUnit,
  more: Partial<CountRequest> = {},
): CountRequest => ({
  start: Date.parse(start),
  allow: { amount, unit },
  zone: CHICAGO,
  counting: 'wis-990.001',
  kind: 'decision',
  legal,
  office,
  ...more,
});

describe('a day that the law names', () => {
  it.each<[string, string, DutyKind, string]>([
    ['a weekday stands', '2026-09-01', 'filing', '2026-09-01'],
    ['a filing on Labor Day moves to Tuesday', '2025-09-01', 'filing', '2025-09-02'],
    ['a filing on the Sunday before Labor Day moves over both', '2024-09-01', 'filing', '2024-09-03'],
    ['a filing on a closed Saturday before Labor Day moves to Tuesday', '2029-09-01', 'filing', '2029-09-04'],
    ['a payment on a closed Saturday as well', '2027-10-02', 'payment', '2027-10-04'],
    [
      'a decision on a Saturday stands: the office need not bring it to itself',
      '2022-10-01',
      'decision',
      '2022-10-01',
    ],
    ['a decision on a Sunday moves', '2023-10-01', 'decision', '2023-10-02'],
    ['a duty on the land never moves', '2023-10-01', 'physical', '2023-10-01'],
  ])('%s', (_name, day, kind, last) => {
    expect(named(day, kind).date).toBe(last);
    expect(rolledDay({ day: localDate(day), kind, counting: 'wis-990.001', legal, office })).toBe(last);
  });

  it('never moves where the law says a plain day', () => {
    expect(named('2025-08-31', 'filing', 'plain')).toMatchObject({
      date: '2025-08-31',
      at: '2025-09-01T05:00:00.000Z',
    });
  });

  it('ends with its day, in the zone, and tells how it came to be', () => {
    expect(named('2024-09-01', 'filing')).toMatchObject({
      date: '2024-09-03',
      at: '2024-09-04T05:00:00.000Z',
      elapsedAt: null,
      derivation: [
        { on: '2024-09-01', counted: true, why: 'the day that the law names, itself counted' },
        {
          on: '2024-09-01',
          counted: false,
          why: 'Sunday: the last day moves on',
          source: 'Wis. Stat. 990.001(4)(b)',
        },
        {
          on: '2024-09-02',
          counted: false,
          why: 'Labor Day: the last day moves on',
          source: 'Wis. Stat. 990.001(4)(b); Wis. Stat. 995.20',
        },
        { on: '2024-09-03', counted: true, why: 'the last day, after moving on' },
      ],
    });
  });

  it('needs the holidays to count by', () => {
    const day = localDate('2024-09-01');
    expect(() => rolledDay({ day, kind: 'filing', counting: 'wis-990.001' })).toThrow("give it as 'legal'");
    expect(() => countFixedDay({ day, zone: CHICAGO, kind: 'filing', counting: 'wis-990.001' })).toThrow(
      "give it as 'legal'",
    );
  });
});

describe('months and years', () => {
  it.each<[string, string, number, PeriodUnit, string]>([
    ['end on the day of the same number', '2026-03-10T18:00Z', 2, 'months', '2026-05-11'], // May 10 is a Sunday
    ['are cut at the end of a shorter month', '2027-01-31T18:00Z', 1, 'months', '2027-03-01'], // Feb 28 is a Sunday
    ['reach the 29th in a leap year', '2028-01-31T18:00Z', 1, 'months', '2028-02-29'],
    ['a year is twelve months', '2026-06-15T18:00Z', 1, 'years', '2027-06-15'],
    ['a year from February 29 ends on the 28th', '2028-02-29T18:00Z', 1, 'years', '2029-02-28'],
  ])('%s', (_name, start, amount, unit, last) => {
    const request = period(start, amount, unit);
    const due = countDue(request);
    expect(due.date).toBe(last);
    expect(dueInstants(request)).toEqual({ at: Date.parse(due.at) });
  });

  it('say what was counted', () => {
    expect(countDue(period('2026-03-11T18:00Z', 1, 'months', { kind: 'physical' })).derivation).toEqual([
      {
        on: '2026-03-11',
        counted: false,
        why: 'the day of the trigger is left out',
        source: 'Wis. Stat. 990.001(4)(a), (d)',
      },
      {
        on: '2026-03-12/2026-04-11',
        counted: true,
        why: '1 month on, by the calendar',
        source: 'Wis. Stat. 990.01(21), (49)',
      },
    ]);
  });
});

describe('working days', () => {
  it('count neither weekends nor holidays, and say which they left out', () => {
    // Friday before Labor Day: Sat, Sun and the holiday are left out, so Tuesday is the first.
    const due = countDue(period('2025-08-29T18:00Z', 2, 'working_days'));
    expect(due.date).toBe('2025-09-03');
    expect(due.derivation?.slice(1)).toEqual([
      {
        on: '2025-08-30',
        counted: false,
        why: 'closed on Saturdays: no working day',
        source: 'office hours',
      },
      { on: '2025-08-31', counted: false, why: 'Sunday: no working day', source: 'Wis. Stat. 990.001(4)(a)' },
      { on: '2025-09-01', counted: false, why: 'Labor Day: no working day', source: 'Wis. Stat. 995.20' },
      { on: '2025-09-02/2025-09-03', counted: true, why: 'working days 1 to 2' },
    ]);
  });

  it('need to know when the office works', () => {
    const { office: _shut, ...without } = period('2025-08-29T18:00Z', 2, 'working_days');
    expect(() => countDue(without)).toThrow("give it as 'office'");
  });
});
