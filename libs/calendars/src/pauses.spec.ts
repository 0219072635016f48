import type { CountRequest, Extension, Pause } from './api';
import { countClock, countDue, dueInstants } from './count';
import { ruleCalendar } from './testing/calendars.testing';

const [legal, office] = ['wi-legal-holidays', 'wi-county-office'].map(ruleCalendar);
if (!legal || !office) throw new Error('a calendar is missing');
const noon = (date: string): number => Date.parse(`2027-${date}T18:00:00Z`);
const stop = (
  from: string,
  until: string | undefined,
  then: Pause['then'],
  more: Partial<Pause> = {},
): Pause => ({
  from: noon(from),
  ...(until === undefined ? {} : { until: noon(until) }),
  then,
  ...more,
});
/** Ten days from Monday, March 1: Thursday the 11th. */
const request = (pauses: readonly Pause[], more: Partial<CountRequest> = {}): CountRequest => ({
  start: noon('03-01'),
  allow: { amount: 10, unit: 'days' },
  zone: 'America/Chicago',
  counting: 'wis-990.001',
  kind: 'decision',
  legal,
  office,
  pauses,
  ...more,
});
const last = (pauses: readonly Pause[], more: Partial<CountRequest> = {}): string | undefined =>
  countClock(request(pauses, more)).due?.date;

describe('a pause after which what was left runs on', () => {
  it.each([
    // The 5th is the last day before the pause and counts; the 9th is the last day of it and does not.
    ['lengthens the period by its own days', [stop('03-05', '03-09', 'resume')], '2027-03-15'],
    ['of no day changes nothing', [stop('03-05', '03-05', 'resume')], '2027-03-11'],
    ['on the last day still counts', [stop('03-11', '03-16', 'resume')], '2027-03-16'],
    ['after the last day does not', [stop('03-12', '03-16', 'resume')], '2027-03-11'],
    ['from before the start is none of this clock', [stop('02-26', '03-05', 'resume')], '2027-03-11'],
    ['on the day of the start stops it at once', [stop('03-01', '03-04', 'resume')], '2027-03-15'], // Sunday the 14th
    [
      'beside another is left out once',
      [stop('03-05', '03-09', 'resume'), stop('03-08', '03-10', 'resume')],
      '2027-03-16',
    ],
    [
      'inside another changes nothing',
      [stop('03-05', '03-09', 'resume'), stop('03-06', '03-08', 'resume')],
      '2027-03-15',
    ],
    [
      'that begins in days which another gained',
      [stop('03-05', '03-09', 'resume'), stop('03-14', '03-16', 'resume')],
      '2027-03-17',
    ],
    [
      'in whatever order they are told',
      [stop('03-14', '03-16', 'resume'), stop('03-05', '03-09', 'resume')],
      '2027-03-17',
    ],
  ])('%s', (_what, pauses, date) => expect(last(pauses)).toBe(date));

  it('leaves out working days, and never skips one that follows', () => {
    const working = { allow: { amount: 5, unit: 'working_days' } } as const;
    // Tuesday to Thursday count (2, 3, 4); stopped from the 4th to Tuesday the 9th; then the 10th and 11th.
    expect(last([stop('03-04', '03-09', 'resume')], working)).toBe('2027-03-11');
  });

  it('adds its days to months', () => {
    expect(last([stop('03-05', '03-09', 'resume')], { allow: { amount: 1, unit: 'months' } })).toBe(
      '2027-04-05',
    );
  });

  it('may begin on a day to which the last one moved', () => {
    // Filed Thursday the 11th, ten days end on Sunday the 21st and move to Monday.
    const moved = { start: noon('03-11') };
    expect(last([], moved)).toBe('2027-03-22');
    expect(last([stop('03-22', '03-26', 'resume')], moved)).toBe('2027-03-26');
    expect(last([stop('03-23', '03-26', 'resume')], moved)).toBe('2027-03-22');
  });
});

describe('a pause after which the period begins anew', () => {
  it.each([
    ['counts the whole of it from its last day', [stop('03-05', '03-09', 'restart')], '2027-03-19'],
    ['of a day starts it on that day', [stop('03-05', '03-05', 'restart')], '2027-03-15'],
    ['twice', [stop('03-05', '03-09', 'restart'), stop('03-12', '03-15', 'restart')], '2027-03-25'],
    [
      'after the end of the first period and inside the second',
      [stop('03-05', '03-09', 'restart'), stop('03-18', '03-20', 'restart')],
      '2027-03-30',
    ],
    [
      'while another still stands',
      [stop('03-05', '03-09', 'restart'), stop('03-08', '03-12', 'resume')],
      '2027-03-22',
    ],
  ])('%s', (_what, pauses, date) => expect(last(pauses)).toBe(date));
});

describe('a clock that stands still', () => {
  const open = [stop('03-05', undefined, 'restart', { event: 'permit-1@4', why: 'More was asked for' })];

  it('has no due date, says since when, and what had run', () => {
    const clock = countClock(request(open));
    expect(clock).toMatchObject({ pausedSince: '2027-03-05T18:00:00.000Z', by: { period: '10 days' } });
    expect(clock.due).toBeUndefined();
    expect(clock.derivation).toEqual([
      {
        on: '2027-03-01',
        counted: false,
        why: 'the day of the trigger is left out',
        source: 'Wis. Stat. 990.001(4)(a), (d)',
      },
      { on: '2027-03-02/2027-03-05', counted: true, why: 'had run before the clock stood still' },
      {
        on: '2027-03-05',
        counted: false,
        why: 'More was asked for; the clock stands still from here on',
        event: 'permit-1@4',
      },
    ]);
    expect(dueInstants(request(open))).toEqual({ at: Infinity });
    expect(() => countDue(request(open))).toThrow(
      'Nothing is due while the clock stands still (since 2027-03-05T18:00:00.000Z)',
    );
  });

  it('stands still in hours too', () => {
    const hours = request(open, { allow: { amount: 120, unit: 'h' } });
    expect(countClock(hours)).toMatchObject({ pausedSince: '2027-03-05T18:00:00.000Z' });
    expect(dueInstants(hours)).toEqual({ at: Infinity });
  });

  it('is not stopped by what came after its end', () => {
    expect(last([stop('03-12', undefined, 'restart')])).toBe('2027-03-11');
  });

  it('tells the pauses before it', () => {
    const clock = countClock(request([stop('03-03', '03-06', 'resume'), stop('03-09', undefined, 'resume')]));
    expect(clock.derivation?.map(({ on, counted }) => [on, counted])).toEqual([
      ['2027-03-01', false],
      ['2027-03-02/2027-03-03', true],
      ['2027-03-04/2027-03-06', false],
      ['2027-03-07/2027-03-09', true],
      ['2027-03-09', false],
    ]);
  });
});

describe('an extension', () => {
  const more = (amount: number, unit: Extension['unit']): Extension => ({
    amount,
    unit,
    event: 'permit-1@7',
    why: 'Good cause',
  });
  const extended = (extensions: readonly Extension[], rest: Partial<CountRequest> = {}): string | undefined =>
    last([], { extensions, ...rest });

  it.each([
    ['of days', [more(5, 'days')], '2027-03-16'],
    ['of weeks', [more(1, 'weeks')], '2027-03-18'],
    ['of working days, from the end of the period on', [more(2, 'working_days')], '2027-03-15'],
    ['of a month, from the end of the period on', [more(1, 'months')], '2027-04-12'], // Sunday the 11th
  ])('%s', (_what, extensions, date) => expect(extended(extensions)).toBe(date));

  it('of years does not drift from a leap day', () => {
    const leap = {
      start: Date.parse('2028-02-29T18:00:00Z'),
      allow: { amount: 1, unit: 'years' },
      kind: 'physical',
    } as const;
    expect(extended([more(1, 'years')], leap)).toBe('2030-02-28');
    expect(extended([more(2, 'years'), more(1, 'years')], leap)).toBe('2032-02-29');
  });

  it('is not lost by a fresh start, and lets a pause begin in it', () => {
    const extensions = [more(5, 'days')];
    expect(last([stop('03-05', '03-09', 'restart')], { extensions })).toBe('2027-03-24');
    expect(last([stop('03-15', '03-17', 'resume')], { extensions })).toBe('2027-03-18');
  });

  it('begins where the period ended, and a pause from that day on is one of its own days', () => {
    // Ten days end on March 30; a month on is April 30, and the three days of the pause make it May 3.
    const rest = { start: noon('03-20'), kind: 'physical', extensions: [more(1, 'months')] } as const;
    expect(last([stop('03-30', '04-02', 'resume')], rest)).toBe('2027-05-03');
  });

  it('of hours lengthens hours', () => {
    const hours = { allow: { amount: 24, unit: 'h' }, extensions: [more(12, 'h')] } as const;
    expect(countClock(request([], hours)).due?.at).toBe('2027-03-03T06:00:00.000Z');
  });

  it('stands in the derivation with its event, and in the head', () => {
    const { due } = countClock(request([], { extensions: [more(5, 'days')] }));
    expect(due?.derivation?.at(-1)).toEqual({
      on: '2027-03-16',
      counted: true,
      why: 'Good cause; lengthened by 5 days',
      event: 'permit-1@7',
    });
    expect(due?.by?.period).toBe('10 days, lengthened by 5 days');
  });

  it.each<[string, Partial<CountRequest>, string]>([
    ['days by hours', { extensions: [more(5, 'h')] }, "A period of 10 days can't be lengthened by h"],
    [
      'hours by days',
      { allow: { amount: 24, unit: 'h' }, extensions: [more(5, 'days')] },
      "A period of 24 h can't be lengthened by days",
    ],
    ['by nothing', { extensions: [more(0, 'days')] }, "A period of 0 days can't be counted"],
    ['by half a day', { extensions: [more(0.5, 'days')] }, "A period of 0.5 days can't be counted"],
    [
      'a pause that ends before it begins',
      { pauses: [stop('03-05', '03-03', 'resume')] },
      'A pause ends before it begins',
    ],
  ])('refuses %s', (_what, rest, sentence) => {
    expect(() => countClock(request([], rest))).toThrow(sentence);
    expect(() => dueInstants(request([], rest))).toThrow(sentence);
  });

  it('needs the office whose working days lengthen it', () => {
    const { office: _office, ...without } = request([], { extensions: [more(2, 'working_days')] });
    expect(() => countClock(without)).toThrow("give it as 'office'");
  });
});
