import type { BackRequest } from './api';
import { countBack } from './count-back';
import { parsePeriod, periodText } from './period';
import { ruleCalendar } from './testing/calendars.testing';

const [legal, office] = ['wi-legal-holidays', 'wi-county-office'].map(ruleCalendar);
if (!legal || !office) throw new Error('a calendar is missing');
const request = (
  event: string,
  amount: number,
  unit: BackRequest['allow']['unit'],
  more: Partial<BackRequest> = {},
) => ({
  event: Date.parse(event),
  allow: { amount, unit },
  zone: 'America/Chicago',
  counting: 'wis-990.001' as const,
  kind: 'notice' as const,
  legal,
  office,
  ...more,
});

describe('so long before an event', () => {
  it.each([
    [
      'a Sunday stays: to move it would cut the time that is owed',
      '2026-07-05T18:00Z',
      21,
      'days',
      '2026-06-14',
    ],
    ['a month ends on the last day of a shorter one', '2026-03-31T18:00Z', 1, 'months', '2026-02-28'],
    ['a year from a leap day', '2028-02-29T18:00Z', 1, 'years', '2027-02-28'],
    ['the local day of the event', '2026-07-02T04:59Z', 1, 'days', '2026-06-30'],
  ] as const)('%s', (_what, event, amount, unit, date) => {
    expect(countBack(request(event, amount, unit)).date).toBe(date);
  });

  it('of working days names each that is none', () => {
    const due = countBack(
      request('2026-07-07T18:00Z', 2, 'working_days', {
        clear: true,
        startedBy: { text: 'Work starts', event: 'permit-1@3' },
      }),
    );
    expect(due).toMatchObject({ date: '2026-07-01', at: '2026-07-02T05:00:00.000Z', elapsedAt: null });
    expect(due.derivation?.map(({ on, counted, why }) => [on, counted, why])).toEqual([
      ['2026-07-07', false, 'Work starts; the day counted back from is left out'],
      ['2026-07-06', true, 'working day 1 back'],
      ['2026-07-05', false, 'Sunday: no working day'],
      ['2026-07-04', false, 'Independence Day: no working day'],
      ['2026-07-03', false, 'Independence Day (observed): no working day'],
      ['2026-07-02', true, 'working day 2 back'],
      ['2026-07-01', false, 'the day of the act, which is not counted either'],
    ]);
    expect(due.by).toMatchObject({
      period: 'at least 2 working days before, neither day counted',
      start: { on: '2026-07-07', text: 'Work starts', event: 'permit-1@3' },
    });
  });

  it('hours run back by the clock, over a change of clocks too', () => {
    const due = countBack(request('2026-11-01T12:00-06:00', 24, 'h'));
    expect(due).toMatchObject({
      date: '2026-10-31',
      at: '2026-10-31T18:00:00.000Z',
      elapsedAt: '2026-10-31T18:00:00.000Z',
    });
    expect(due.derivation).toHaveLength(2);
  });

  it('ends where a calendar leaves out every day', () => {
    const never = { id: 'never', version: '1', holiday: () => ({ name: 'shut', source: 'x' }) };
    expect(() => countBack(request('2026-07-05T18:00Z', 2, 'working_days', { office: never }))).toThrow(
      'leaves out every day',
    );
  });

  it.each([
    [request('2026-07-05T18:00Z', 0, 'days'), "A period of 0 days can't be counted"],
    [request('never', 1, 'days'), 'NaN is no instant'],
  ])('refuses what can not be counted', (one, sentence) => {
    expect(() => countBack(one)).toThrow(sentence);
  });
});

describe('a period in words', () => {
  it.each(['1 day', '30 days', '3 weeks', '60 working days', '1 month', '2 years', '24 h'])('%s', (text) => {
    const period = parsePeriod(text);
    expect(period && periodText(period)).toBe(text);
  });

  it.each(['0 days', 'a day', '2 fortnights', '-1 days', '1.5 h', '30days', ''])('%j is none', (text) => {
    expect(parsePeriod(text)).toBeUndefined();
  });
});
