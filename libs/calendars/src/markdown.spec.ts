import { localDate } from '@headworks/kernel';
import type { CountRequest } from './api';
import { countClock, countDue, countFixedDay } from './count';
import { withExtraDays } from './extra-days';
import { derivationMarkdown } from './markdown';
import { remindersOf } from './reminders';
import { ruleCalendar } from './testing/calendars.testing';

const [legal, office] = ['wi-legal-holidays', 'lodi-city-office'].map(ruleCalendar);
if (!legal || !office) throw new Error('a calendar is missing');
const CHICAGO = 'America/Chicago';
const bill: CountRequest = {
  start: Date.parse('2026-04-30T18:00:00Z'),
  allow: { amount: 30, unit: 'days' },
  zone: CHICAGO,
  counting: 'wis-990.001',
  kind: 'payment',
  legal,
  office,
  startedBy: { text: 'End of the month that is billed', event: 'subject-1@12' },
  clause: { id: 'pay', cite: 'billing, par. A', pack: 'some-city', version: '1' },
};

describe('a derivation for the file', () => {
  it('says the date, the rules and every day in order', () => {
    expect(derivationMarkdown(countDue(bill), 'Payment of the charges of April 2026'))
      .toBe(`# Payment of the charges of April 2026

**Due by the end of Monday, 2026-06-01.** Late from 00:00 on 2026-06-02 (UTC-05:00) on.

- Clause: pay (billing, par. A) of some-city, version 1
- Start: End of the month that is billed, 2026-04-30 (subject-1@12)
- Counted: 30 days, as a payment, by Wis. Stat. 990.001(4)
- Legal holidays: wi-legal-holidays, version 1
- Days of the office: lodi-city-office, version 1
- Zone: America/Chicago

| Day | Weekday | Counts | Why | Source |
| --- | --- | --- | --- | --- |
| 2026-04-30 | Thursday | no | End of the month that is billed; the day of the trigger is left out | Wis. Stat. 990.001(4)(a), (d); subject-1@12 |
| 2026-05-01 to 2026-05-30 | Friday to Saturday | yes | days 1 to 30 | Wis. Stat. 990.001(4)(a), (d) |
| 2026-05-30 | Saturday | no | Saturday, closed on Saturdays: the last day moves on | Wis. Stat. 990.001(4)(c); City of Lodi Code 272-21.G (business days of the plant) |
| 2026-05-31 | Sunday | no | Sunday: the last day moves on | Wis. Stat. 990.001(4)(b) |
| 2026-06-01 | Monday | yes | the last day, after moving on |  |
`);
  });

  it('shows both ends of hours, by the clocks there', () => {
    const request = {
      ...bill,
      start: Date.parse('2025-11-01T20:00:00-05:00'),
      allow: { amount: 24, unit: 'h' },
      kind: 'physical',
    } as const;
    const text = derivationMarkdown(countDue(request), 'Incorporation');
    expect(text).toContain(
      '**Due at 20:00 on 2025-11-03 (UTC-06:00).** By the clock alone: 19:00 on 2025-11-02 (UTC-06:00); between the two it is contestable.',
    );
    expect(text).toContain(
      '| 20:00 on 2025-11-01 (UTC-05:00) | Saturday | no | End of the month that is billed; the period starts, at 20:00 on 2025-11-01 |',
    );
    const plain = derivationMarkdown(countDue({ ...request, counting: 'plain' }), 'Incorporation');
    expect(plain).toContain('**Due at 19:00 on 2025-11-02 (UTC-06:00).**\n');
    expect(plain).toContain('every day alike');
  });

  it('says that nothing is due while the clock stands still', () => {
    const pauses = [
      { from: Date.parse('2026-05-04T18:00:00Z'), then: 'restart' as const, why: 'More was asked for' },
    ];
    const text = derivationMarkdown(countClock({ ...bill, pauses }), 'Payment');
    expect(text).toContain(
      '**Nothing is due: the clock stands still since 13:00 on 2026-05-04 (UTC-05:00).**',
    );
    expect(text).toContain(
      '| 2026-05-04 | Monday | no | More was asked for; the clock stands still from here on |  |',
    );
  });

  it('names the events by which days were added, once', () => {
    const snow = {
      date: localDate('2026-06-01'),
      name: 'Flood',
      event: 'law-city@4',
      closedFor: ['public'],
    } as const;
    const text = derivationMarkdown(countDue({ ...bill, office: withExtraDays(office, [snow]) }), 'Payment');
    expect(text).toContain(
      '- Days of the office: lodi-city-office, version 1, with days added by law-city@4',
    );
    expect(text).toContain(
      '| 2026-06-01 | Monday | no | Flood: the last day moves on | entered by an officer (law-city@4) |',
    );
  });

  it('lets no name form the paper', () => {
    const name = 'a | b\n# c <img src=x> [d](e) `f` *g* _h_ \\i &j;';
    const snow = { date: localDate('2026-06-01'), name, event: 'law-city@4', closedFor: ['public'] } as const;
    const text = derivationMarkdown(countDue({ ...bill, office: withExtraDays(office, [snow]) }), name);
    expect(text.split('\n')[0]).toBe(
      '# a \\| b \\# c \\<img src=x\\> \\[d\\](e) \\`f\\` \\*g\\* \\_h\\_ \\\\i \\&j;',
    );
    const rows = text.split('\n').filter((line) => line.startsWith('| 2026-06-01'));
    expect(rows[0]?.replace(/\\./g, '').split('|')).toHaveLength(7);
  });

  it('does without what it is not told', () => {
    const due = { date: '2026-06-01', at: '2026-06-02T05:00:00.000Z', elapsedAt: null };
    expect(derivationMarkdown(due, 'Bare')).toContain('Late from 2026-06-02T05:00:00.000Z on.');
    const fixed = countFixedDay({
      ...bill,
      day: localDate('2026-09-01'),
      prior: true,
      start: Date.parse('2026-08-01T12:00:00Z'),
    });
    const text = derivationMarkdown(fixed, 'Filing');
    expect(text).toContain('- Start: End of the month that is billed, 2026-08-01 (subject-1@12)');
    expect(text).toContain('- Counted: prior to 2026-09-01, as a payment');
  });
});

describe('reminders', () => {
  const at = (due: ReturnType<typeof countDue>, ...periods: Parameters<typeof remindersOf>[1]) =>
    remindersOf(due, periods, bill).map(({ text, on, at: moment }) => [text, on, moment]);

  it('are counted back from the date, first to last, and begin with their day', () => {
    const due = countDue(bill);
    expect(
      at(due, { amount: 2, unit: 'days' }, { amount: 2, unit: 'working_days' }, { amount: 2, unit: 'weeks' }),
    ).toEqual([
      ['2 weeks before', '2026-05-18', '2026-05-18T05:00:00.000Z'],
      ['2 working days before', '2026-05-28', '2026-05-28T05:00:00.000Z'],
      ['2 days before', '2026-05-30', '2026-05-30T05:00:00.000Z'],
    ]);
  });

  it('of hours are counted by the clock, from the earlier of the two ends', () => {
    const due = countDue({
      ...bill,
      start: Date.parse('2025-07-05T15:00-05:00'),
      allow: { amount: 24, unit: 'h' },
    });
    expect(at(due, { amount: 3, unit: 'h' })).toEqual([
      ['3 h before', '2025-07-06', '2025-07-06T17:00:00.000Z'],
    ]);
    expect(at(countDue(bill), { amount: 2, unit: 'h' })).toEqual([
      ['2 h before', '2026-06-01', '2026-06-02T03:00:00.000Z'],
    ]);
  });
});
