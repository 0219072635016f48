import { CodedError, localDate } from '@headworks/kernel';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { parse } from 'yaml';
import { parseCalendar } from './calendar';

const legal = parseCalendar(
  parse(readFileSync(path.join(__dirname, '../../../rules/calendars/wi-legal-holidays.yaml'), 'utf8')),
  { id: 'wi-legal-holidays', version: '1' },
);
const small = (holidays: unknown[], more: object = {}) =>
  parseCalendar(
    {
      lists: {
        plain: { source: 'a list' },
        moving: { source: 'a moving list', observed: { Sunday: 'Monday', Saturday: 'Friday' } },
      },
      holidays,
      ...more,
    },
    { id: 'small', version: '1' },
  );
const nameOn = (calendar: ReturnType<typeof small>, date: string) => calendar.holiday(localDate(date))?.name;
const faultsOf = (input: unknown): readonly string[] => {
  try {
    parseCalendar(input, { id: 'small', version: '1' });
  } catch (error) {
    if (error instanceof CodedError)
      return error.faults.map((f) => `${f.pointer} ${f.detail}; ${f.hint ?? ''}`);
    throw error;
  }
  return [];
};

describe("Wisconsin's legal holidays", () => {
  it('lists the days of 2026, an election year whose Independence Day is a Saturday', () => {
    const days = ['01-01', '01-19', '02-16', '05-25', '06-19', '07-04', '08-11', '09-07', '10-12', '11-03'];
    for (const day of [...days, '11-11', '11-26', '12-25'])
      expect([day, nameOn(legal, `2026-${day}`) !== undefined]).toEqual([day, true]);
    expect(holidaysIn(2026)).toHaveLength(13);
    expect(nameOn(legal, '2026-07-03')).toBeUndefined();
  });

  it('has no election days in odd years', () => {
    expect(holidaysIn(2027)).toHaveLength(12); // eleven and the Monday after Sunday, July 4
    expect(nameOn(legal, '2025-08-12')).toBeUndefined();
    expect(nameOn(legal, '2025-11-04')).toBeUndefined();
  });

  it('keeps a Sunday holiday on the Monday too, and leaves a Saturday one alone', () => {
    expect(nameOn(legal, '2027-07-04')).toBe('Independence Day');
    expect(nameOn(legal, '2027-07-05')).toBe('Independence Day (observed)');
    expect(nameOn(legal, '2021-12-25')).toBe('Christmas Day');
    expect(nameOn(legal, '2021-12-24')).toBeUndefined();
  });

  it('has the general election on the Tuesday after the first Monday, never on the first of November', () => {
    expect(nameOn(legal, '2022-11-08')).toBe('General election');
    expect(nameOn(legal, '2022-11-01')).toBeUndefined();
    expect(nameOn(legal, '2028-11-07')).toBe('General election');
    expect(nameOn(legal, '2028-08-08')).toBe('Partisan primary election');
  });

  it('names the source of each day', () => {
    expect(legal.holiday(localDate('2027-07-05'))).toEqual({
      name: 'Independence Day (observed)',
      source: 'Wis. Stat. 995.20',
    });
  });

  function holidaysIn(year: number): string[] {
    const found: string[] = [];
    for (let ms = Date.UTC(year, 0, 1); ms < Date.UTC(year + 1, 0, 1); ms += 86_400_000) {
      const name = nameOn(legal, new Date(ms).toISOString().slice(0, 10));
      if (name) found.push(name);
    }
    return found;
  }
});

describe('parseCalendar', () => {
  it('reads each form of a day', () => {
    const calendar = small([
      { list: 'plain', name: 'fixed', on: 'Jul 5' },
      { list: 'plain', name: 'nth', on: '4th Thursday of Nov' },
      { list: 'plain', name: 'last', on: 'last Monday of May' },
      { list: 'plain', name: 'after', on: 'Friday after the 4th Thursday of Nov' },
      { list: 'plain', name: 'once', on: '2027-01-15', source: 'a resolution' },
    ]);
    expect(nameOn(calendar, '2027-07-05')).toBe('fixed');
    expect(nameOn(calendar, '2027-11-25')).toBe('nth');
    expect(nameOn(calendar, '2027-05-31')).toBe('last');
    expect(nameOn(calendar, '2027-11-26')).toBe('after');
    expect(calendar.holiday(localDate('2027-01-15'))).toEqual({ name: 'once', source: 'a resolution' });
    expect(nameOn(calendar, '2028-01-15')).toBeUndefined();
  });

  it('observes Saturday on Friday, across the new year too', () => {
    const calendar = small([{ list: 'moving', name: 'New Year', on: 'Jan 1' }]);
    expect(nameOn(calendar, '2027-12-31')).toBe('New Year (observed)'); // Jan 1 2028 is a Saturday
    expect(nameOn(calendar, '2028-01-01')).toBe('New Year');
    expect(nameOn(calendar, '2023-01-02')).toBe('New Year (observed)'); // Jan 1 2023 was a Sunday
  });

  it('begins and ends a holiday with its years', () => {
    const calendar = small([{ list: 'plain', name: 'new', on: 'Jun 19', from: 2021, until: 2023 }]);
    const found = [2020, 2021, 2023, 2024].map((year) => nameOn(calendar, `${year}-06-19`));
    expect(found).toEqual([undefined, 'new', 'new', undefined]);
  });

  it('reads the weekdays on which an office is shut', () => {
    const calendar = small([], { closed: { days: ['Saturday'], source: 'office hours' } });
    expect(calendar.holiday(localDate('2026-05-30'))).toEqual({
      name: 'closed on Saturdays',
      source: 'office hours',
    });
    expect(nameOn(calendar, '2026-05-29')).toBeUndefined();
  });

  it('lists every fault with its place and what to write', () => {
    const faults = faultsOf({
      calendar: 'other',
      holidayz: [],
      lists: { a: { observed: { Sunday: 'Tuesday' } } },
      closed: { days: ['Sonntag'], source: 'x' },
      holidays: [
        { list: 'b', name: 'x', on: 'Feb 30', source: 's' },
        { list: 'a', on: '5th Monday of Jan', years: 'odd', from: 'long ago' },
        'Christmas',
      ],
    });
    expect(faults).toEqual([
      "/holidayz 'holidayz' has no place here; did you mean 'holidays'?",
      "/calendar the file says 'other' but is loaded as 'small'; ",
      '/lists/a/source the source of the list is missing; write it as a text',
      '/lists/a/observed/Sunday a Sunday can only move to Monday; ',
      "/holidays/0/list there is no list 'b'; did you mean 'a'?",
      expect.stringMatching(/^\/holidays\/0\/on 'Feb 30' is no day of the year; write 'Jul 4', /),
      '/holidays/1/name the name of the holiday is missing; write it as a text',
      '/holidays/1/source the source (its own, or that of a list) is missing; write it as a text',
      expect.stringMatching(/^\/holidays\/1\/on '5th Monday of Jan' is no day/),
      "/holidays/1/from 'long ago' is no year; write it as 2021",
      "/holidays/1/years 'odd' is no choice of years; write 'even' or leave it out",
      expect.stringMatching(/^\/holidays\/2 here stands no mapping; /),
      expect.stringMatching(/^\/holidays\/2\/name /),
      expect.stringMatching(/^\/holidays\/2\/source /),
      expect.stringMatching(/^\/holidays\/2\/on /),
      "/closed/days/0 'Sonntag' is no weekday; write Saturday",
    ]);
  });

  it('refuses a calendar that is none, or an office that never opens', () => {
    expect(faultsOf(null)).toHaveLength(2);
    const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    expect(faultsOf({ holidays: [], closed: { days, source: 'x' } })).toEqual([
      '/closed/days an office can not be closed on all seven days; ',
    ]);
  });
});
