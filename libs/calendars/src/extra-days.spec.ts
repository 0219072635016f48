import { localDate } from '@headworks/kernel';
import type { CountRequest, DutyKind, ExtraDay, PeriodUnit } from './api';
import { joinCalendars, parseCalendar } from './calendar';
import { countDue, dueInstants } from './count';
import { movedBy, withExtraDays } from './extra-days';
import { ruleCalendar, weekdaysOnly } from './testing/calendars.testing';

const CHICAGO = 'America/Chicago';
const legal = ruleCalendar('wi-legal-holidays');
const extra = (date: string, more: Partial<ExtraDay> = {}): ExtraDay => ({
  date: localDate(date),
  name: 'Blizzard',
  event: 'law-town@3',
  closedFor: ['public'],
  ...more,
});
/** Ten days from Tuesday, January 5 end on Friday the 15th of 2027; five working days on Tuesday the 12th. */
const request = (kind: DutyKind, more: Partial<CountRequest> = {}): CountRequest => ({
  start: Date.parse('2027-01-05T18:00:00Z'),
  allow: { amount: 10, unit: 'days' },
  zone: CHICAGO,
  counting: 'wis-990.001',
  kind,
  legal,
  office: weekdaysOnly,
  ...more,
});
const after = (kind: DutyKind, days: readonly ExtraDay[], unit: PeriodUnit = 'days') =>
  countDue(
    request(kind, {
      office: withExtraDays(weekdaysOnly, days),
      allow: { amount: unit === 'days' ? 10 : 5, unit },
    }),
  );

describe('a day that an officer adds', () => {
  it.each<[string, DutyKind, ExtraDay['closedFor'], string]>([
    ['a filing moves past a closed door', 'filing', ['public'], '2027-01-19'],
    ['a payment as well', 'payment', ['public'], '2027-01-19'],
    ['a notice as well', 'notice', ['public'], '2027-01-19'],
    ['and past a day that is closed for everyone', 'filing', 'everyone', '2027-01-19'],
    ['a filing needs no staff at work and no contractors', 'filing', ['staff', 'contractors'], '2027-01-15'],
    ['an office does not lengthen its own time by closing', 'decision', 'everyone', '2027-01-15'],
    ['what is done on the land never moves', 'physical', 'everyone', '2027-01-15'],
  ])('%s', (_what, kind, closedFor, last) => {
    // Friday is closed, then come Saturday, Sunday and (the 18th) a legal holiday.
    expect(after(kind, [extra('2027-01-15', { closedFor })]).date).toBe(last);
  });

  it.each<[string, DutyKind, ExtraDay['closedFor'], string]>([
    ['a day without staff', 'decision', ['staff'], '2027-01-13'],
    ['a day closed for everyone', 'decision', 'everyone', '2027-01-13'],
    ['a door that is shut alone', 'decision', ['public'], '2027-01-12'],
    ['a day on which nobody can build, for the desk', 'decision', ['contractors'], '2027-01-12'],
    ['a day on which nobody can build, for the land', 'physical', ['contractors'], '2027-01-13'],
  ])('working days: %s', (_what, kind, closedFor, last) => {
    expect(after(kind, [extra('2027-01-07', { closedFor })], 'working_days').date).toBe(last);
  });

  it('as a legal holiday it moves decisions too, and hours leave it out whole', () => {
    const added = withExtraDays(legal, [
      extra('2027-01-15', { name: 'Day of mourning', closedFor: 'everyone' }),
    ]);
    expect(countDue(request('decision', { legal: added })).date).toBe('2027-01-16');
    const hours = request('physical', {
      legal: added,
      allow: { amount: 24, unit: 'h' },
      start: Date.parse('2027-01-14T18:00:00Z'),
    });
    // Thursday noon: twelve hours that day, Friday left out, twelve on Saturday.
    expect(countDue(hours)).toMatchObject({
      at: '2027-01-16T18:00:00.000Z',
      elapsedAt: '2027-01-15T18:00:00.000Z',
    });
  });

  it('a legal holiday is one for everyone or none', () => {
    const added = withExtraDays(legal, [extra('2027-01-15', { closedFor: ['public', 'staff'] })]);
    expect(countDue(request('decision', { legal: added })).date).toBe('2027-01-15');
  });

  it('stands in the derivation with its event, and moves the date that was known', () => {
    const [before, moved] = [countDue(request('filing')), after('filing', [extra('2027-01-15')])];
    expect(before.date).toBe('2027-01-15');
    expect(movedBy(before, moved)).toEqual([
      {
        on: '2027-01-15',
        counted: false,
        why: 'Blizzard: the last day moves on',
        source: 'entered by an officer (law-town@3)',
        event: 'law-town@3',
      },
    ]);
    expect(moved.by?.calendars[1]).toEqual({
      as: 'office',
      id: 'office',
      version: '1',
      amendedBy: ['law-town@3'],
    });
    expect(movedBy(before, before)).toEqual([]);
  });

  it('keeps the reason that the day had: a holiday is not closed by the officer', () => {
    const days = [
      extra('2027-01-18', { closedFor: 'everyone' }),
      extra('2027-01-16', { event: 'law-town@4' }),
    ];
    const due = after('filing', [extra('2027-01-15'), ...days]);
    expect(due.derivation?.filter(({ event }) => event !== undefined).map(({ on }) => on)).toEqual([
      '2027-01-15',
    ]);
    expect(withExtraDays(legal, days).holiday(localDate('2027-01-18'))?.name).toBe(
      'Martin Luther King Jr. Day',
    );
  });

  it('leaves the calendar it was added to as it was, and is counted anew each time', () => {
    const one = withExtraDays(weekdaysOnly, [extra('2027-01-15')]);
    expect(dueInstants(request('filing')).at).toBe(Date.parse('2027-01-16T06:00:00Z'));
    expect(dueInstants(request('filing', { office: one })).at).toBe(Date.parse('2027-01-20T06:00:00Z'));
    expect(withExtraDays(weekdaysOnly, [])).toBe(weekdaysOnly);
    expect(weekdaysOnly.added).toBeUndefined();
    const two = withExtraDays(one, [extra('2027-01-19', { name: 'Ice', event: 'law-town@9' })]);
    expect(countDue(request('filing', { office: two })).date).toBe('2027-01-20');
    expect(two.amendedBy).toEqual(['law-town@3', 'law-town@9']);
  });

  it('closed twice, it is closed by whoever closed it first', () => {
    const days = [extra('2027-01-15'), extra('2027-01-15', { name: 'Ice', event: 'law-town@9' })];
    expect(withExtraDays(weekdaysOnly, days).added?.(localDate('2027-01-15'), 'public')).toMatchObject({
      name: 'Blizzard',
      event: 'law-town@3',
    });
  });
});

describe('two lists as one', () => {
  const federal = ruleCalendar('federal-holidays');
  const both = joinCalendars(legal, federal);

  it('moves what may be done by post past the federal holidays too', () => {
    // Friday, July 3, 2026 is the federal Independence Day; the State keeps Saturday.
    const to = (holidays: typeof legal) =>
      countDue(request('payment', { legal: holidays, start: Date.parse('2026-06-23T18:00:00Z') })).date;
    expect(to(legal)).toBe('2026-07-03');
    expect(to(both)).toBe('2026-07-06');
  });

  it('names both where both hold, and keeps the name of the first', () => {
    expect(both.holiday(localDate('2027-12-25'))).toEqual({
      name: 'Christmas Day',
      source: 'Wis. Stat. 995.20; 5 U.S.C. 6103',
    });
    expect(both.holiday(localDate('2028-11-07'))?.source).toBe('Wis. Stat. 995.20');
    expect(both).toMatchObject({ id: 'wi-legal-holidays', includes: [{ id: 'federal-holidays' }] });
  });

  it('sees days added to either', () => {
    const date = localDate('2027-03-02');
    const added = withExtraDays(federal, [extra('2027-03-02', { closedFor: 'everyone' })]);
    expect(joinCalendars(legal, added).holiday(date)?.event).toBe('law-town@3');
    expect(joinCalendars(legal, added).added?.(date, 'public')?.event).toBe('law-town@3');
    expect(
      joinCalendars(withExtraDays(legal, [extra('2027-03-02')]), federal).added?.(date, 'public'),
    ).toBeDefined();
  });
});

describe('a list that names a day of leap years', () => {
  it('has none in the others', () => {
    const leap = parseCalendar(
      { holidays: [{ name: 'Leap Day', on: 'Feb 29', source: 'a list' }] },
      { id: 'leap', version: '1' },
    );
    const found = ['2027-02-28', '2028-02-28', '2028-02-29'].map(
      (date) => leap.holiday(localDate(date))?.name,
    );
    expect(found).toEqual([undefined, undefined, 'Leap Day']);
  });
});
