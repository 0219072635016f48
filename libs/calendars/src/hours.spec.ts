import { localDate, parseMonthDay } from '@headworks/kernel';
import { parseCalendar } from './calendar';
import { withExtraDays } from './extra-days';
import { isInHours, isOpen, nextOpen, parseHours } from './hours';
import { nextSeason, seasonOn } from './season';
import { ruleCalendar, weekdaysOnly } from './testing/calendars.testing';

const CHICAGO = 'America/Chicago';
const plant = ruleCalendar('lodi-plant');
const at = (text: string): number => Date.parse(text);

describe('hours', () => {
  it.each([
    ['7:00 to 15:30 Mon to Fri', { from: 420, to: 930, days: 0b0011111 }],
    ['9:00 to 12:00', { from: 540, to: 720, days: 0b1111111 }],
    ['9:00 to 12:00 Sat', { from: 540, to: 720, days: 0b0100000 }],
    ['9:00 to 12:00 Sat to Mon', { from: 540, to: 720, days: 0b1100001 }],
    ['7 to 15:30', { why: "'7 to 15:30': write hours as 7:00 to 15:30 Mon to Fri" }],
    ['7:00 to 15:60', { why: "'7:00 to 15:60' names a time that no day has" }],
    [
      '22:00 to 6:00',
      { why: "'22:00 to 6:00' ends before it begins: hours over midnight are two conditions" },
    ],
    ['7:00 to 15:30 Mon to Fry', { why: "'7:00 to 15:30 Mon to Fry' names a weekday that no week has" }],
  ])('%s', (text, wanted) => expect(parseHours(text)).toEqual(wanted));

  it.each([
    ['the opening minute', '2027-01-05T07:00:00-06:00', true],
    ['a moment before', '2027-01-05T06:59:59.999-06:00', false],
    ['the closing minute', '2027-01-05T15:30:00-06:00', true],
    ['a moment after', '2027-01-05T15:30:00.001-06:00', false],
    ['a Saturday', '2027-01-09T10:00:00-06:00', false],
    ['summer, by the clocks there', '2027-07-06T07:00:00-05:00', true],
    ['the first morning of summer time', '2027-03-15T07:00:00-05:00', true],
  ])('%s', (_what, text, open) => {
    expect(isOpen(plant, CHICAGO, at(text))).toBe(open);
    const hours = plant.hours;
    if (hours) expect(isInHours(hours, CHICAGO, at(text))).toBe(open);
  });

  it('closes the weekdays that its hours leave out, and says by what', () => {
    expect(plant.holiday(localDate('2027-01-09'))).toEqual({
      name: 'closed on Saturdays',
      source: 'City of Lodi Code 272-21.G',
    });
    expect(plant.holiday(localDate('2027-01-08'))).toBeUndefined();
  });

  it('nobody guesses hours', () => {
    expect(isOpen(weekdaysOnly, CHICAGO, at('2027-01-05T10:00:00-06:00'))).toBeUndefined();
    expect(nextOpen(weekdaysOnly, CHICAGO, at('2027-01-05T10:00:00-06:00'))).toBeUndefined();
  });

  it.each([
    ['open already', '2027-01-05T10:00:00-06:00', '2027-01-05T10:00:00-06:00'],
    ['before it opens', '2027-01-05T03:00:00-06:00', '2027-01-05T07:00:00-06:00'],
    ['after it closes on a Friday', '2027-01-08T15:31:00-06:00', '2027-01-11T07:00:00-06:00'],
    [
      'over the night on which the clocks go forward',
      '2027-03-13T12:00:00-06:00',
      '2027-03-15T07:00:00-05:00',
    ],
  ])('opens next, %s', (_what, from, opens) => {
    expect(nextOpen(plant, CHICAGO, at(from))).toBe(at(opens));
  });

  it('opens on the day itself when the clocks change before it does', () => {
    const daily = parseCalendar(
      { holidays: [], open: { hours: '7:00 to 15:30', source: 'a sign' } },
      { id: 'daily', version: '1' },
    );
    expect(nextOpen(daily, CHICAGO, at('2027-03-14T00:30:00-06:00'))).toBe(at('2027-03-14T07:00:00-05:00'));
    expect(nextOpen(daily, CHICAGO, at('2027-11-07T00:30:00-05:00'))).toBe(at('2027-11-07T07:00:00-06:00'));
  });

  it('stays shut on a day that an officer closed to the public', () => {
    const snow = {
      date: localDate('2027-01-05'),
      name: 'Snow',
      event: 'law-town@1',
      closedFor: ['public'],
    } as const;
    const closed = withExtraDays(plant, [snow]);
    expect(isOpen(closed, CHICAGO, at('2027-01-05T10:00:00-06:00'))).toBe(false);
    expect(nextOpen(closed, CHICAGO, at('2027-01-05T10:00:00-06:00'))).toBe(at('2027-01-06T07:00:00-06:00'));
  });

  it('is never open where every day is closed', () => {
    const never = { ...plant, holiday: () => ({ name: 'shut', source: 'x' }) };
    expect(nextOpen(never, CHICAGO, at('2027-01-05T10:00:00-06:00'))).toBeUndefined();
  });
});

describe('a window of the year', () => {
  const [oct31, apr30, sep1, aug1] = ['Oct 31', 'Apr 30', 'Sep 1', 'Aug 1'].map((text) =>
    parseMonthDay(text),
  );
  if (!oct31 || !apr30 || !sep1 || !aug1) throw new Error('no day');

  it.each([
    ['2027-10-30', undefined],
    ['2027-10-31', { from: '2027-10-31', to: '2028-04-30' }],
    ['2028-01-01', { from: '2027-10-31', to: '2028-04-30' }],
    ['2028-04-30', { from: '2027-10-31', to: '2028-04-30' }],
    ['2028-05-01', undefined],
  ])('that wraps the year holds %s: %j', (date, season) => {
    expect(seasonOn(localDate(date), oct31, apr30)).toEqual(season);
  });

  it('that does not, and both of its ends are in', () => {
    expect(seasonOn(localDate('2027-09-01'), aug1, sep1)).toEqual({ from: '2027-08-01', to: '2027-09-01' });
    expect(seasonOn(localDate('2027-09-02'), aug1, sep1)).toBeUndefined();
    expect(nextSeason(localDate('2027-09-02'), aug1)).toBe('2028-08-01');
    expect(nextSeason(localDate('2027-08-01'), aug1)).toBe('2027-08-01');
  });
});
