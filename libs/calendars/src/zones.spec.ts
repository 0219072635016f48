import { addDays, localDate, type LocalDate } from '@headworks/kernel';
import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { endOfDay, isZone, localDateAt, occurredMs, startOfDay, wallToInstant } from './zones';

const CHICAGO = 'America/Chicago';
const utc = (text: string): number => Date.parse(text);

// Zones with clock changes at midnight, of half an hour, of a whole day, south of the equator, and none.
const ODD_ZONES = [
  CHICAGO,
  'America/Havana',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Europe/Dublin',
  'UTC',
];

describe('zones', () => {
  it('knows the names of zones by their own spelling', () => {
    for (const zone of ODD_ZONES) expect([zone, isZone(zone)]).toEqual([zone, true]);
    for (const name of ['america/chicago', 'Chicago', '-05:00', '', 'America/Chicago ', '__proto__'])
      expect([name, isZone(name)]).toEqual([name, false]);
  });

  it('says what to write instead of a name that is no zone', () => {
    expect(() => localDateAt('Wisconsin', 0)).toThrow(
      "'Wisconsin' is no time zone: use an IANA name such as America/New_York",
    );
  });

  it('gives the local date on both sides of midnight and of each change of clocks', () => {
    expect(localDateAt(CHICAGO, utc('2027-07-04T04:59:59.999Z'))).toBe('2027-07-03');
    expect(localDateAt(CHICAGO, utc('2027-07-04T05:00:00Z'))).toBe('2027-07-04');
    expect(localDateAt(CHICAGO, utc('2025-11-03T05:59:59Z'))).toBe('2025-11-02');
    expect(localDateAt(CHICAGO, utc('2025-11-03T06:00:00Z'))).toBe('2025-11-03');
  });

  it('makes the days of the clock changes 23 and 25 hours long', () => {
    const hours = (date: LocalDate) => (endOfDay(CHICAGO, date) - startOfDay(CHICAGO, date)) / 3_600_000;
    expect(hours(localDate('2025-03-09'))).toBe(23);
    expect(hours(localDate('2025-11-02'))).toBe(25);
    expect(hours(localDate('2025-11-03'))).toBe(24);
  });

  it('agrees with Temporal on days and their starts, in every kind of zone', () => {
    const instants = fc.integer({ min: utc('1990-01-02T00:00Z'), max: utc('2040-01-01T00:00Z') });
    fc.assert(
      fc.property(fc.constantFrom(...ODD_ZONES), instants, (zone, ms) => {
        const theirs = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
        const date = theirs.toPlainDate();
        expect(localDateAt(zone, ms)).toBe(date.toString());
        expect(startOfDay(zone, localDate(date.toString()))).toBe(
          date.toZonedDateTime(zone).epochMilliseconds,
        );
        expect(endOfDay(zone, localDate(date.toString()))).toBe(
          date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds,
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with Temporal on every day of four years around each change', () => {
    for (const [zone, year] of [
      ['America/Sao_Paulo', 2017],
      ['America/Havana', 2024],
      ['Asia/Beirut', 2022],
      ['Pacific/Apia', 2010],
      [CHICAGO, 2024],
    ] as const) {
      for (let i = 0, date = localDate(`${year}-01-01`); i < 1461; i++, date = addDays(date, 1)) {
        const theirs = Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
        expect([zone, date, startOfDay(zone, date)]).toEqual([zone, date, theirs]);
      }
    }
  });
});

describe('wallToInstant', () => {
  it('reads a local date and time', () => {
    expect(wallToInstant(CHICAGO, localDate('2027-07-03'), '15:00')).toEqual({
      ms: utc('2027-07-03T20:00:00Z'),
    });
    expect(wallToInstant(CHICAGO, localDate('2027-01-03'), '15:00:30')).toEqual({
      ms: utc('2027-01-03T21:00:30Z'),
    });
  });

  it('refuses a time that the clocks skip, and says which moment is probably meant', () => {
    expect(wallToInstant(CHICAGO, localDate('2025-03-09'), '02:30')).toEqual({
      why: '2025-03-09 02:30 does not exist in America/Chicago, as the clocks go forward then: write 2025-03-09T03:30-05:00 if that is meant',
    });
    expect(wallToInstant(CHICAGO, localDate('2025-03-09'), '01:59')).toHaveProperty('ms');
    expect(wallToInstant(CHICAGO, localDate('2025-03-09'), '03:00')).toHaveProperty('ms');
  });

  it('refuses a time that comes twice, and offers both', () => {
    expect(wallToInstant(CHICAGO, localDate('2025-11-02'), '01:30')).toEqual({
      why: '2025-11-02 01:30 comes twice in America/Chicago, as the clocks go back: write 2025-11-02T01:30-05:00 or 2025-11-02T01:30-06:00',
    });
    expect(wallToInstant(CHICAGO, localDate('2025-11-02'), '00:59')).toHaveProperty('ms');
    expect(wallToInstant(CHICAGO, localDate('2025-11-02'), '02:00')).toHaveProperty('ms');
  });

  it('refuses a day that a zone left out of its calendar', () => {
    expect(wallToInstant('Pacific/Apia', localDate('2011-12-30'), '12:00')).toHaveProperty('why');
  });

  it.each(['24:00', '7:00', '15:60', '15:00:60', '15', '', '15:00Z'])(
    "refuses '%s' as a time of day",
    (time) => {
      expect(wallToInstant(CHICAGO, localDate('2027-07-03'), time)).toEqual({
        why: `'${time}' is no time of day: write it as 15:00 or 15:00:30`,
      });
    },
  );

  it('agrees with Temporal on which times exist once', () => {
    const minutes = fc.integer({ min: 0, max: 1439 });
    const days = fc.integer({ min: 0, max: 3287 });
    fc.assert(
      fc.property(fc.constantFrom(...ODD_ZONES), days, minutes, (zone, day, minute) => {
        const date = addDays(localDate('2008-01-01'), day);
        const two = (n: number) => String(n).padStart(2, '0');
        const time = `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
        const wall = Temporal.PlainDateTime.from(`${date}T${time}`);
        const theirs = () => wall.toZonedDateTime(zone, { disambiguation: 'reject' }).epochMilliseconds;
        const ours = wallToInstant(zone, date, time);
        if ('ms' in ours) expect(ours.ms).toBe(theirs());
        else expect(theirs).toThrow(RangeError);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('occurredMs', () => {
  it('is the instant, or the last millisecond of the local date', () => {
    expect(occurredMs({ at: '2027-07-03T20:00:00.000Z' })).toBe(utc('2027-07-03T20:00:00Z'));
    const onDay = occurredMs({ date: localDate('2027-07-03'), zone: CHICAGO });
    expect(onDay).toBe(utc('2027-07-04T05:00:00Z') - 1);
    // Sorts after everything of its day and before the first moment of the next.
    expect(onDay).toBeGreaterThan(occurredMs({ at: '2027-07-04T04:59:59.998Z' }));
    expect(onDay).toBeLessThan(occurredMs({ at: '2027-07-04T05:00:00.000Z' }));
  });

  it('refuses a time without an offset, which the machine would read in its own zone', () => {
    expect(() => occurredMs({ at: '2027-07-03T20:00:00' })).toThrow(
      "'2027-07-03T20:00:00' is no instant: write it as 2027-07-03T20:00:00.000Z",
    );
    expect(() => occurredMs({ at: 'yesterdayZ' })).toThrow(RangeError);
  });
});
