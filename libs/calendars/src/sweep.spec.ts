import { addDays, daysBetween, localDate, parseMonthDay } from '@headworks/kernel';
import * as fc from 'fast-check';
import type { Calendar, CountRequest, Counting, DutyKind, ExtraDay, Pause, Whom } from './api';
import { countClock, countFixedDay, dueInstants } from './count';
import { countBack } from './count-back';
import { withExtraDays } from './extra-days';
import { seasonOn } from './season';
import {
  bruteBack,
  bruteHours,
  bruteInSeason,
  bruteLastDay,
  CHICAGO,
  day,
  dayAt,
  endOf,
  isCountyOff,
  isFederal,
  isLegal,
  type BruteRequest,
  type BruteUnit,
} from './testing/brute.testing';
import { ruleCalendar } from './testing/calendars.testing';

/** Nine years, 2024 to 2032, against a counter that shares nothing with the one it checks (testing/brute.testing.ts). */
const legal = ruleCalendar('wi-legal-holidays');
const federal = ruleCalendar('federal-holidays');
const county = ruleCalendar('wi-county-office');
const [FIRST, LAST] = [day('2024-01-01'), day('2032-12-31')];
const DAYS = FIRST.until(LAST).days;
const MINUTE = 60_000;
const noonOf = (text: string): number =>
  day(text).toZonedDateTime({ timeZone: CHICAGO, plainTime: '12:00' }).epochMilliseconds;

const dates = fc.integer({ min: 0, max: DAYS }).map((n) => FIRST.add({ days: n }).toString());
const kinds = fc.constantFrom<DutyKind>('filing', 'payment', 'notice', 'decision', 'physical');
const countings = fc.constantFrom<Counting>('wis-990.001', 'wis-990.001', 'plain');
const periods = fc.oneof(
  fc.record({
    amount: fc.integer({ min: 1, max: 120 }),
    unit: fc.constantFrom<BruteUnit>('days', 'working_days'),
  }),
  fc.record({ amount: fc.integer({ min: 1, max: 40 }), unit: fc.constantFrom<BruteUnit>('months', 'weeks') }),
  fc.record({ amount: fc.integer({ min: 1, max: 4 }), unit: fc.constant<BruteUnit>('years') }),
);
/** Pauses by days from the trigger: some before the start, some within, some after the end, some for good. */
const pauses = fc.array(
  fc.record({
    from: fc.integer({ min: -5, max: 130 }),
    length: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 12, nil: undefined }),
    then: fc.constantFrom<Pause['then']>('restart', 'resume'),
  }),
  { maxLength: 3 },
);
const whoms = fc.subarray<Whom>(['public', 'staff', 'contractors'], { minLength: 1 });
const shutDays = fc.array(fc.record({ after: fc.integer({ min: 1, max: 130 }), closedFor: whoms }), {
  maxLength: 12,
});

interface Drawn {
  readonly from: string;
  readonly allow: { readonly amount: number; readonly unit: BruteUnit };
  readonly kind: DutyKind;
  readonly counting: Counting;
  readonly pauses: readonly { from: number; length: number | undefined; then: Pause['then'] }[];
  readonly extensions: readonly { amount: number; unit: BruteUnit }[];
  readonly shut: readonly { after: number; closedFor: readonly Whom[] }[];
}
const drawn: fc.Arbitrary<Drawn> = fc.record({
  from: dates,
  allow: periods,
  kind: kinds,
  counting: countings,
  pauses: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: pauses }),
  extensions: fc.array(periods, { maxLength: 2 }),
  shut: shutDays,
});

const plusDays = (text: string, days: number): string => day(text).add({ days }).toString();

function requestOf(one: Drawn): CountRequest {
  const extra = new Map<string, ExtraDay>();
  for (const [index, { after, closedFor }] of one.shut.entries()) {
    const date = localDate(plusDays(one.from, after));
    if (!extra.has(date)) extra.set(date, { date, name: 'Snow', event: `law-town@${index}`, closedFor });
  }
  return {
    start: noonOf(one.from),
    allow: one.allow,
    zone: CHICAGO,
    counting: one.counting,
    kind: one.kind,
    legal,
    office: withExtraDays(county, [...extra.values()]),
    extensions: one.extensions.map((more) => ({ ...more, event: 'permit-1@4' })),
    pauses: one.pauses.map(({ from, length, then }) => {
      const begins = plusDays(one.from, from);
      const until = length === undefined ? {} : { until: noonOf(plusDays(begins, length)) };
      return { from: noonOf(begins), then, ...until };
    }),
  };
}

const FAMILY: Readonly<Record<BruteUnit, string>> = {
  days: 'days',
  weeks: 'days',
  working_days: 'working_days',
  months: 'months',
  years: 'months',
};

/** Years and months that follow each other are one stretch of months, as a clerk would add them up first. */
function legsOf({ allow, extensions }: Drawn): BruteRequest['legs'] {
  const legs: { amount: number; unit: BruteUnit }[] = [];
  for (const { amount, unit } of [allow, ...extensions]) {
    const last = legs.at(-1);
    const months = unit === 'years' ? 12 * amount : amount;
    if (last && FAMILY[unit] === 'months' && last.unit === 'months') last.amount += months;
    else legs.push(FAMILY[unit] === 'months' ? { amount: months, unit: 'months' } : { amount, unit });
  }
  return legs;
}

function bruteOf(one: Drawn): BruteRequest {
  const shut = new Map<string, readonly Whom[]>();
  for (const { after, closedFor } of one.shut) {
    const date = plusDays(one.from, after);
    if (!shut.has(date)) shut.set(date, closedFor);
  }
  return {
    trigger: day(one.from),
    legs: legsOf(one),
    kind: one.kind,
    plain: one.counting === 'plain',
    shut,
    pauses: one.pauses
      .filter(({ from }) => from >= 0)
      .map(({ from, length, then }) => {
        const begins = day(one.from).add({ days: from });
        return {
          from: begins,
          then,
          ...(length === undefined ? {} : { until: begins.add({ days: length }) }),
        };
      }),
  };
}

describe('the lists, day by day', () => {
  const wrong = (calendar: Calendar, is: (date: ReturnType<typeof day>) => boolean): readonly string[] => {
    const found: string[] = [];
    for (let date = FIRST; date.toString() <= LAST.toString(); date = date.add({ days: 1 })) {
      const text = date.toString();
      if ((calendar.holiday(localDate(text)) !== undefined) !== is(date)) found.push(text);
    }
    return found;
  };

  it('holds the legal holidays of nine years', () => expect(wrong(legal, isLegal)).toEqual([]));
  it('holds the federal ones, with the days on which they are observed', () =>
    expect(wrong(federal, isFederal)).toEqual([]));
  it('joins both and the weekends for the county', () => expect(wrong(county, isCountyOff)).toEqual([]));
});

describe('periods, pauses, extensions and added days', () => {
  it('agree with a clock that runs a day at a time', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const request = requestOf(one);
        const expected = bruteLastDay(bruteOf(one));
        const clock = countClock(request);
        expect(clock.due?.date ?? 'paused').toBe(expected);
        const end = expected === 'paused' ? Infinity : endOf(day(expected));
        expect(dueInstants(request)).toEqual({ at: end });
        if (clock.due) expect(Date.parse(clock.due.at)).toBe(end);
      }),
      { numRuns: 2500 },
    );
  });

  it('agree on every day of nine years, for each unit and kind', () => {
    const wrong: string[] = [];
    const units: readonly (readonly [number, BruteUnit])[] = [
      [30, 'days'],
      [15, 'working_days'],
      [1, 'months'],
      [1, 'years'],
    ];
    for (let n = 0; n <= DAYS; n++) {
      const from = FIRST.add({ days: n }).toString();
      for (const [amount, unit] of units) {
        const kind = (['filing', 'decision', 'physical'] as const)[n % 3] ?? 'filing';
        const one = { from, allow: { amount, unit }, kind, counting: 'wis-990.001' as const };
        const whole = { ...one, pauses: [], extensions: [], shut: [] };
        const { at } = dueInstants(requestOf(whole));
        const last = bruteLastDay(bruteOf(whole));
        if (at !== endOf(day(last))) wrong.push(`${amount} ${unit} from ${from}, ${kind}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('account for every day between the start and the end, and count as many as were given', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const { due } = countClock(requestOf(one));
        if (!due) return;
        const covered = new Set((due.derivation ?? []).flatMap(({ on }) => spread(on)));
        expect(spread(`${one.from}/${due.date}`).filter((date) => !covered.has(date))).toEqual([]);
        const unit = one.allow.unit;
        if ((unit !== 'days' && unit !== 'working_days') || one.extensions.length > 0) return;
        const spans = (due.derivation ?? []).filter(({ why }) => /^(working )?days? \d/.test(why));
        expect(spans.flatMap(({ on }) => spread(on))).toHaveLength(one.allow.amount);
      }),
      { numRuns: 600 },
    );
  });
});

/** The days of `first/last`. */
function spread(on: string): readonly string[] {
  const [first = on, last = first] = on.split('/');
  const length = daysBetween(localDate(first), localDate(last)) + 1;
  return Array.from({ length }, (_, n) => addDays(localDate(first), n));
}

describe('hours with pauses', () => {
  const minutes = fc.integer({
    min: FIRST.toZonedDateTime(CHICAGO).epochMilliseconds / MINUTE,
    max: endOf(LAST) / MINUTE - 1,
  });
  const stops = fc.array(
    fc.record({
      from: fc.integer({ min: 0, max: 90 * 60 }),
      length: fc.integer({ min: 0, max: 60 * 60 }),
      then: fc.constantFrom<Pause['then']>('restart', 'resume'),
    }),
    { maxLength: 2 },
  );

  it('agree with a clock that runs a minute at a time', () => {
    fc.assert(
      fc.property(
        minutes,
        fc.integer({ min: 1, max: 72 }),
        stops,
        countings,
        (minute, amount, list, counting) => {
          const start = minute * MINUTE;
          const paused = list.map(({ from, length, then }) => {
            const begins = start + from * MINUTE;
            return { from: begins, until: begins + length * MINUTE, then };
          });
          const allow = { amount, unit: 'h' } as const;
          const request = {
            start,
            allow,
            zone: CHICAGO,
            counting,
            kind: 'physical',
            legal,
            pauses: paused,
          } as const;
          const { due } = countClock(request);
          expect(Date.parse(due?.at ?? '')).toBe(bruteHours(start, amount, paused, counting === 'plain'));
          expect(dueInstants(request).at).toBe(Date.parse(due?.at ?? ''));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('days that the law names, days before an event, and seasons', () => {
  it('a named day, prior to it, and lengthened', () => {
    const more = fc.array(periods, { maxLength: 1 });
    fc.assert(
      fc.property(dates, kinds, countings, fc.boolean(), more, (date, kind, counting, prior, extensions) => {
        const request = { zone: CHICAGO, kind, counting, legal, office: county };
        const named = { ...request, day: localDate(date), prior, extensions };
        const trigger = day(date).subtract({ days: prior ? 1 : 0 });
        const plain = counting === 'plain' || (prior && extensions.length === 0);
        // A named day is the last of a period of no days: its own end is where rolling begins.
        const legs = extensions.length > 0 ? extensions : [{ amount: 1, unit: 'days' as const }];
        const from = extensions.length > 0 ? trigger : trigger.subtract({ days: 1 });
        expect(countFixedDay(named).date).toBe(bruteLastDay({ trigger: from, legs, kind, plain }));
      }),
      { numRuns: 1500 },
    );
  });

  it('at least so long before an event', () => {
    fc.assert(
      fc.property(dates, periods, fc.boolean(), kinds, (date, allow, clear, kind) => {
        const request = { zone: CHICAGO, kind, counting: 'wis-990.001', legal, office: county } as const;
        const due = countBack({ ...request, event: noonOf(date), allow, clear });
        expect(due.date).toBe(bruteBack(day(date), allow.amount, allow.unit, clear));
        expect(Date.parse(due.at)).toBe(endOf(day(due.date)));
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    ['Oct 31', 'Apr 30'],
    ['Nov 15', 'Apr 15'],
    ['Apr 16', 'Nov 14'],
    ['Aug 1', 'Sep 1'],
    ['Jan 1', 'Dec 31'],
    ['Dec 31', 'Jan 1'],
  ])('the season %s to %s, over the new year where it goes that way', (from, to) => {
    const [first, last] = [parseMonthDay(from), parseMonthDay(to)];
    if (!first || !last) throw new Error('no day');
    const pad = (n: number): string => String(n).padStart(2, '0');
    const text = ({ month, day: date }: { month: number; day: number }): string =>
      `${pad(month)}-${pad(date)}`;
    const wrong: string[] = [];
    for (let n = 0; n <= DAYS; n += 1) {
      const date = FIRST.add({ days: n });
      const season = seasonOn(localDate(date.toString()), first, last);
      if ((season !== undefined) !== bruteInSeason(date, text(first), text(last)))
        wrong.push(date.toString());
      if (season && (season.from > date.toString() || season.to < date.toString()))
        wrong.push(date.toString());
    }
    expect(wrong).toEqual([]);
  });

  it('knows the local day of an instant as Temporal does', () => {
    expect(dayAt(Date.parse('2024-03-10T05:59:59Z')).toString()).toBe('2024-03-09');
  });
});
