import { addDays, dayOfWeek, localDate } from '@headworks/kernel';
import { countBack } from './count-back';
import { countDue, countFixedDay } from './count';
import type { BackRequest, CountRequest, DutyKind, PeriodUnit } from './api';
import { ruleCalendar } from './testing/calendars.testing';

/**
 * Dates worked out by hand from the five laws (clauses.md, sections 3.2 and 9), each under the row it belongs to. What
 * an ordinance counts by stands in its pack; here stands that the counting itself gives these days.
 */
const CHICAGO = 'America/Chicago';
const [legal, county, city] = ['wi-legal-holidays', 'wi-county-office', 'lodi-city-office'].map(ruleCalendar);
if (!legal || !county || !city) throw new Error('a calendar is missing');

const noon = (date: string): number => Date.parse(`${date}T18:00:00Z`);
const counted = (
  from: string,
  amount: number,
  unit: PeriodUnit,
  kind: DutyKind,
  more: Partial<CountRequest> = {},
): string =>
  countDue({
    start: noon(from),
    allow: { amount, unit },
    zone: CHICAGO,
    counting: 'wis-990.001',
    kind,
    legal,
    office: county,
    ...more,
  }).date;
const named = (date: string, kind: DutyKind, prior = false): string =>
  countFixedDay({
    day: localDate(date),
    zone: CHICAGO,
    counting: 'wis-990.001',
    kind,
    legal,
    office: city,
    prior,
  }).date;
const back = (from: string, amount: number, unit: PeriodUnit, more: Partial<BackRequest> = {}): string =>
  countBack({
    event: noon(from),
    allow: { amount, unit },
    zone: CHICAGO,
    counting: 'wis-990.001',
    kind: 'notice',
    legal,
    office: county,
    ...more,
  }).date;

describe('24 hours (WW-16, WW-17)', () => {
  const hours = (start: string) =>
    countDue({
      start: Date.parse(start),
      allow: { amount: 24, unit: 'h' },
      zone: CHICAGO,
      counting: 'wis-990.001',
      kind: 'physical',
      legal,
    });

  it.each([
    ['from a Saturday', '2025-07-05T15:00-05:00', '2025-07-06T15:00-05:00', '2025-07-07T15:00-05:00'],
    ['to a Saturday holiday', '2026-07-03T16:00-05:00', '2026-07-04T16:00-05:00', '2026-07-06T16:00-05:00'],
    ['over the end of DST', '2025-11-01T20:00-05:00', '2025-11-02T19:00-06:00', '2025-11-03T20:00-06:00'],
  ])('%s', (_what, start, elapsed, statutory) => {
    const due = hours(start);
    expect([Date.parse(due.elapsedAt ?? ''), Date.parse(due.at)]).toEqual([
      Date.parse(elapsed),
      Date.parse(statutory),
    ]);
  });
});

describe('a city and its disposers', () => {
  it.each([
    ['LO-64', 'January 2025: Sunday, March 2, so Monday', '2025-01-31', '2025-03-03'],
    ['LO-64', 'January 2024: a leap year, Friday', '2024-01-31', '2024-03-01'],
    ['LO-64', 'April 2026: Saturday, May 30, the office closed, so Monday', '2026-04-30', '2026-06-01'],
  ])('%s: 30 days from the end of %s', (_row, _what, monthEnd, last) => {
    expect(counted(monthEnd, 30, 'days', 'payment', { office: city })).toBe(last);
  });

  it('LO-75: notice three weeks before a change that takes effect on July 1', () => {
    expect(back('2026-07-01', 21, 'days')).toBe('2026-06-10');
    expect(back('2026-07-01', 3, 'weeks')).toBe('2026-06-10');
  });

  it.each([
    ['LO-23', 'a Labor Day', '2025-09-01', '2025-09-02'],
    ['LO-23', 'a Sunday before Labor Day', '2024-09-01', '2024-09-03'],
    ['LO-23', 'a Tuesday', '2026-09-01', '2026-09-01'],
  ])('%s: filed by September 1, %s', (_row, _what, day, last) => {
    expect(named(day, 'filing')).toBe(last);
  });

  it('NR-11: prior to September 1 is August 31, whatever day that is', () => {
    expect(named('2025-09-01', 'filing', true)).toBe('2025-08-31'); // a Sunday
    expect(named('2024-09-01', 'filing', true)).toBe('2024-08-31'); // a Saturday
  });

  it('LO-27: decided by October 1, which moves past a Sunday and not past a Saturday', () => {
    expect(named('2028-10-01', 'decision')).toBe('2028-10-02');
    expect(named('2022-10-01', 'decision')).toBe('2022-10-01');
  });
});

describe('a county that counts working days', () => {
  it.each([
    ['WC-80', 30, '2025-10-06', '2025-11-19'],
    ['WC-84', 60, '2025-10-06', '2026-01-05'],
    ['WC-80', 30, '2026-06-15', '2026-07-29'],
    ['WC-84', 60, '2026-06-15', '2026-09-11'],
    ['WC-94', 15, '2025-12-15', '2026-01-07'],
  ])('%s: %i working days from %s', (_row, amount, from, last) => {
    expect(counted(from, amount, 'working_days', 'decision')).toBe(last);
  });

  it.each([
    ['2025-10-06', ['2025-10-13', '2025-11-11', '2025-11-27', '2025-12-25', '2026-01-01']],
    ['2026-06-15', ['2026-06-19', '2026-07-03', '2026-08-11', '2026-09-07']],
  ])('names the weekdays that it leaves out of 60 from %s', (from, skipped) => {
    const request = {
      start: noon(from),
      allow: { amount: 60, unit: 'working_days' },
      zone: CHICAGO,
      counting: 'wis-990.001',
      kind: 'decision',
      legal,
      office: county,
    } as const;
    const out = (countDue(request).derivation ?? []).slice(1).filter(({ counted: is }) => !is);
    const weekdays = out.map(({ on }) => on).filter((on) => dayOfWeek(localDate(on)) < 6);
    expect(weekdays).toEqual(skipped);
  });

  it('WC-88: five working days of notice, July 3 observed: work may start on the day after the fifth', () => {
    const fifth = counted('2026-07-01', 5, 'working_days', 'physical');
    expect(fifth).toBe('2026-07-09');
    expect(addDays(localDate(fifth), 1)).toBe('2026-07-10');
    // Back from the start: with clear days the notice of July 1 is in time for the 10th; for the 9th only without.
    expect(back('2026-07-10', 5, 'working_days', { clear: true })).toBe('2026-07-01');
    expect(back('2026-07-09', 5, 'working_days')).toBe('2026-07-01');
    expect(back('2026-07-09', 5, 'working_days', { clear: true })).toBe('2026-06-30');
  });

  it('WC-39, WC-41: idle a year after the last deposit, restored in a year, re-use reviewed after two', () => {
    const idle = counted('2024-05-01', 1, 'years', 'physical');
    expect(idle).toBe('2025-05-01');
    expect(counted(idle, 1, 'years', 'physical')).toBe('2026-05-01');
    expect(counted(idle, 2, 'years', 'physical')).toBe('2027-05-01');
  });

  it('WC-57, WC-58: an emergency is reported on the next working day and answered in two more', () => {
    expect(counted('2026-07-02', 1, 'working_days', 'filing')).toBe('2026-07-06');
    expect(counted('2026-07-06', 2, 'working_days', 'decision')).toBe('2026-07-08');
  });
});

describe('a county that counts days', () => {
  it.each([
    ['BC-25', 'completeness', '2026-03-02', 45, 'decision', '2026-04-16'],
    ['BC-26', 'notice to neighbors', '2026-04-10', 14, 'notice', '2026-04-24'],
    ['BC-27', 'decision', '2026-04-10', 90, 'decision', '2026-07-09'],
    ['BC-54', 'hearing', '2026-04-01', 15, 'decision', '2026-04-16'],
    ['BC-55', 'decision on an appeal', '2026-04-01', 30, 'decision', '2026-05-01'],
    [
      'BC-55',
      'the 20-day mark of a hearing, after which May 1 governs',
      '2026-04-14',
      20,
      'decision',
      '2026-05-04',
    ],
    ['BC-67', 'five days to ask, to Memorial Day', '2026-05-20', 5, 'filing', '2026-05-26'],
    ['BC-81', 'variance', '2026-01-05', 60, 'filing', '2026-03-06'],
  ] as const)('%s: %s', (_row, _what, from, amount, kind, last) => {
    expect(counted(from, amount, 'days', kind)).toBe(last);
  });

  it('BC-77: a notice of January 5, 2026 gives three years, and four with extensions', () => {
    expect(counted('2026-01-05', 3, 'years', 'physical')).toBe('2029-01-05');
    const extensions = [{ amount: 1, unit: 'years', event: 'permit-1@9' }] as const;
    expect(counted('2026-01-05', 3, 'years', 'physical', { extensions })).toBe('2030-01-05');
  });
});

describe('the State and the land', () => {
  it.each([
    ['NR-67', 30, 'days', '2025-06-15', '2025-07-15'],
    ['NR-64', 14, 'months', '2025-06-15', '2026-08-15'],
    ['NR-65', 20, 'months', '2025-06-15', '2027-02-15'],
    ['NR-66', 38, 'months', '2025-06-15', '2028-08-15'],
    ['NR-64, clamped', 14, 'months', '2025-12-31', '2027-02-28'],
  ] as const)('%s: no harvest for %i %s from %s', (_row, amount, unit, from, last) => {
    expect(counted(from, amount, unit, 'physical')).toBe(last);
  });

  it('NR-75: a site is filed seven days before its first use, and NR-45: not spread on ten months before', () => {
    expect(back('2026-05-11', 7, 'days')).toBe('2026-05-04');
    expect(back('2027-05-31', 10, 'months')).toBe('2026-07-31');
    expect(back('2026-12-31', 10, 'months')).toBe('2026-02-28');
  });
});
