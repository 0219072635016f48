import type { Finding } from '@headworks/kernel';
import { explainFinding } from '../explain';
import { clause, loadDemo, removeRulesDirs, source } from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const FACTS = `
  began_at: { type: instant, optional: yes, label: Began }
  held_on: { type: date, optional: yes, label: Held }
  valid_from: { type: date, optional: yes, label: Valid from }
  closed_days: { type: set, of: date, optional: yes, label: Closed days }
  open_days: { type: set, of: date, label: Open days }
  brought: { type: set, of: [ash, bark, clay], optional: yes, label: Brought }
  allowed: { type: set, of: [ash, bark, clay], optional: yes, label: Allowed }
  crew: { type: set, to: painter, label: Crew }
  licensed: { type: set, to: painter, label: Licensed }
  remark: { type: text, optional: yes, label: Remark }`;
const MORE = {
  calendars: 'calendars: { legal: demo-legal, office: demo-office }\n',
  counting: 'counting: wis-990.001\n',
  subjects:
    'subjects:\n  painter: { label: Painter, key: licence, facts: [began_at, held_on, valid_from, closed_days, open_days, brought, allowed, crew, licensed, remark] }\n',
};

function judge(body: string, facts: Readonly<Record<string, unknown>>): Finding {
  const pack = loadDemo(FACTS, clause('C', body), MORE);
  const question = { clauses: ['C'], facts: source(pack, facts), now: 0 };
  const finding = pack.evaluate(question)[0];
  if (!finding) throw new Error('no finding');
  expect(pack.statuses(question)).toEqual([finding.status]);
  return finding;
}
const required = (condition: string, facts: Readonly<Record<string, unknown>>): Finding =>
  judge(`require: ${condition}`, facts);

describe('in_hours', () => {
  const hours = '{ fact: began_at, in_hours: "7:00 to 15:30 Mon to Fri" }';

  it.each([
    ['a millisecond early', '2027-01-05T06:59:59.999-06:00', 'violated'],
    ['at the opening', '2027-01-05T07:00:00-06:00', 'satisfied'],
    ['at the closing', '2027-01-05T15:30:00-06:00', 'satisfied'],
    ['a millisecond late', '2027-01-05T15:30:00.001-06:00', 'violated'],
    ['a minute late', '2027-01-05T15:31:00-06:00', 'violated'],
    ['on Friday', '2027-01-08T12:00:00-06:00', 'satisfied'],
    ['on Saturday', '2027-01-09T12:00:00-06:00', 'violated'],
    ['on Sunday', '2027-01-10T12:00:00-06:00', 'violated'],
    ['on Monday', '2027-01-11T12:00:00-06:00', 'satisfied'],
    // 12:30 in UTC is 7:30 in summer and 6:30 in winter.
    ['by the clocks of summer', '2027-07-06T12:30:00Z', 'satisfied'],
    ['by the clocks of winter', '2027-01-05T12:30:00Z', 'violated'],
    // Monday in UTC is still Sunday evening in the zone.
    ['on the weekday of the zone', '2027-01-11T01:00:00Z', 'violated'],
  ])('%s', (_name, began_at, status) => {
    expect(required(hours, { began_at }).status).toBe(status);
    // What is forbidden in hours is exactly what is not required in them.
    const opposite = status === 'satisfied' ? 'violated' : 'satisfied';
    expect(judge(`forbid: ${hours}`, { began_at }).status).toBe(opposite);
  });

  it('is unknown without the time, and not met by what has not happened', () => {
    expect(required(hours, {})).toMatchObject({ status: 'unknown', missing: ['began_at'] });
    expect(required(hours, { began_at: null }).status).toBe('violated');
  });

  it('names the zone beside the hours, since the time itself is written in UTC', () => {
    const late = required(hours, { began_at: '2027-01-05T15:31:00-06:00' });
    expect(late.limit).toEqual({ op: 'in_hours', value: '7:00 to 15:30 Mon to Fri (America/Chicago)' });
    expect(explainFinding(late)).toBe(
      '2027-01-05T21:31:00.000Z, not within 7:00 to 15:30 Mon to Fri (America/Chicago)',
    );
    const early = judge(`forbid: ${hours}`, { began_at: '2027-01-05T06:00:00-06:00' });
    expect(early.limit?.op).toBe('outside_hours');
  });

  it.each([
    ['"0:00 to 23:59"', '2027-01-10T12:00:00-06:00', 'satisfied'],
    ['"8:00 to 12:00 Sat"', '2027-01-09T12:00:00-06:00', 'satisfied'],
    ['"8:00 to 12:00 Sat"', '2027-01-10T12:00:00-06:00', 'violated'],
    ['"8:00 to 12:00 Sat to Mon"', '2027-01-11T08:00:00-06:00', 'satisfied'],
    ['"8:00 to 12:00 Sat to Mon"', '2027-01-12T08:00:00-06:00', 'violated'],
  ])('%s at %s is %s', (span, began_at, status) => {
    expect(required(`{ fact: began_at, in_hours: ${span} }`, { began_at }).status).toBe(status);
  });
});

describe('in_year_of', () => {
  const year = '{ fact: began_at, in_year_of: valid_from }';

  it.each([
    // The last moment of the year by the clocks of the zone, when UTC has long begun the next.
    ['2027-12-31T23:59:59-06:00', '2027-01-01', 'satisfied'],
    ['2028-01-01T00:00:00-06:00', '2027-01-01', 'violated'],
    ['2027-01-01T00:00:00-06:00', '2027-12-31', 'satisfied'],
    ['2026-12-31T23:59:59-06:00', '2027-12-31', 'violated'],
    ['2027-05-05T00:00:00-05:00', null, 'violated'],
    [null, '2027-12-31', 'violated'],
  ])('%s in the year of %s: %s', (began_at, valid_from, status) => {
    expect(required(year, { began_at, valid_from }).status).toBe(status);
  });

  it('is unknown while either is', () => {
    expect(required(year, { began_at: '2027-05-05T00:00:00Z' }).missing).toEqual(['valid_from']);
    expect(required(year, { valid_from: '2027-05-05' }).missing).toEqual(['began_at']);
  });

  it('takes dates and days written in the pack alike', () => {
    expect(required('{ fact: held_on, in_year_of: "2027-01-01" }', { held_on: '2027-12-31' }).status).toBe(
      'satisfied',
    );
    const other = required('{ fact: held_on, in_year_of: valid_from }', {
      held_on: '2026-12-31',
      valid_from: '2027-01-01',
    });
    expect(explainFinding(other)).toBe('2026-12-31, not in the year of 2027-01-01');
    const forbidden = judge('forbid: { fact: held_on, in_year_of: valid_from }', {
      held_on: '2026-12-31',
      valid_from: '2027-01-01',
    });
    expect(explainFinding(forbidden)).toBe('2026-12-31, in another year than 2027-01-01');
  });
});

describe('a set of days', () => {
  const open = '{ fact: held_on, none_of: closed_days }';

  it.each([
    [{ held_on: '2027-07-05', closed_days: ['2027-07-05', '2027-12-24'] }, 'violated'],
    [{ held_on: '2027-07-06', closed_days: ['2027-07-05', '2027-12-24'] }, 'satisfied'],
    [{ held_on: '2027-07-06', closed_days: [] }, 'satisfied'],
    [{ held_on: '2027-07-06' }, 'unknown'],
    [{ closed_days: [] }, 'unknown'],
    [{ held_on: null, closed_days: [] }, 'violated'],
  ])('%j: %s', (facts, status) => {
    expect(required(open, facts).status).toBe(status);
  });

  it('names the list that nobody has given', () => {
    expect(required(open, { held_on: '2027-07-06' })).toMatchObject({
      reason: 'fact_missing',
      missing: ['closed_days'],
    });
  });

  it('may be written in the pack', () => {
    const listed = '{ fact: held_on, is_one_of: ["2027-07-05", "2027-07-06"] }';
    expect(required(listed, { held_on: '2027-07-06' }).status).toBe('satisfied');
    expect(required(listed, { held_on: '2027-07-07' }).status).toBe('violated');
  });

  it('compares with another set of days', () => {
    const facts = { open_days: ['2027-07-06'], closed_days: ['2027-07-05'] };
    expect(required('{ fact: open_days, none_of: closed_days }', facts).status).toBe('satisfied');
    expect(required('{ fact: open_days, any_of: closed_days }', facts).status).toBe('violated');
  });
});

describe('a set against a set', () => {
  const [none, some, all] = [['clay'], ['ash', 'clay'], ['bark', 'ash']];
  const allowed = ['ash', 'bark'];

  it.each<[string, readonly string[] | null, readonly string[] | null, string]>([
    ['all_of', all, allowed, 'satisfied'],
    ['all_of', some, allowed, 'violated'],
    ['all_of', none, allowed, 'violated'],
    ['all_of', [], allowed, 'satisfied'],
    ['all_of', [], [], 'satisfied'],
    ['any_of', all, allowed, 'satisfied'],
    ['any_of', some, allowed, 'satisfied'],
    ['any_of', none, allowed, 'violated'],
    ['any_of', [], allowed, 'violated'],
    ['none_of', all, allowed, 'violated'],
    ['none_of', some, allowed, 'violated'],
    ['none_of', none, allowed, 'satisfied'],
    ['none_of', [], allowed, 'satisfied'],
    // Nothing compares with what there is none of: say `happened: no` beside it where that is enough.
    ['all_of', null, allowed, 'violated'],
    ['any_of', some, null, 'violated'],
    ['none_of', some, null, 'violated'],
  ])('%s: %j among %j is %s', (op, brought, list, status) => {
    expect(required(`{ fact: brought, ${op}: allowed }`, { brought, allowed: list }).status).toBe(status);
    const opposite = status === 'satisfied' ? 'violated' : 'satisfied';
    expect(judge(`forbid: { fact: brought, ${op}: allowed }`, { brought, allowed: list }).status).toBe(
      opposite,
    );
  });

  it.each(['all_of', 'any_of', 'none_of'])('%s is unknown while either side is', (op) => {
    const condition = `{ fact: brought, ${op}: allowed }`;
    expect(required(condition, { brought: some }).missing).toEqual(['allowed']);
    expect(required(condition, { allowed }).missing).toEqual(['brought']);
  });

  it('takes a list of its own words', () => {
    expect(required('{ fact: brought, all_of: [ash, clay] }', { brought: some }).status).toBe('satisfied');
    expect(required('{ fact: brought, all_of: [ash, bark] }', { brought: some }).status).toBe('violated');
  });

  it('compares keys as those of things are compared', () => {
    const condition = '{ fact: crew, all_of: licensed }';
    expect(required(condition, { crew: ['wi 17'], licensed: ['WI 17', 'B'] }).status).toBe('satisfied');
    expect(required('{ fact: crew, any_of: [" Wi 17"] }', { crew: ['WI 17'] }).status).toBe('satisfied');
  });

  it.each([
    ['require: { fact: brought, all_of: allowed }', some, 'ash, clay are not all among ash, bark'],
    ['require: { fact: brought, all_of: allowed }', all, 'bark, ash are all among ash, bark'],
    ['forbid: { fact: brought, all_of: allowed }', all, 'bark, ash are all among ash, bark'],
    ['forbid: { fact: brought, all_of: allowed }', some, 'ash, clay are not all among ash, bark'],
    ['require: { fact: brought, any_of: allowed }', some, 'ash, clay include at least one of ash, bark'],
    ['require: { fact: brought, any_of: allowed }', none, 'clay include none of ash, bark'],
    ['forbid: { fact: brought, any_of: allowed }', some, 'ash, clay include at least one of ash, bark'],
    ['require: { fact: brought, none_of: allowed }', none, 'clay include none of ash, bark'],
    ['require: { fact: brought, none_of: allowed }', some, 'ash, clay include at least one of ash, bark'],
    ['forbid: { fact: brought, none_of: allowed }', none, 'clay include none of ash, bark'],
    ['require: { fact: brought, all_of: allowed }', null, 'brought has not happened'],
  ])('%s says of %j: %s', (body, brought, text) => {
    expect(explainFinding(judge(body, { brought, allowed }))).toBe(text);
  });
});

describe('happened', () => {
  it.each([
    ['remark', 'as was agreed'],
    ['brought', ['ash']],
    ['closed_days', []],
  ])('may be asked of %s', (fact, value) => {
    const condition = `{ fact: ${fact}, happened: yes }`;
    expect(required(condition, { [fact]: value }).status).toBe('satisfied');
    expect(required(condition, { [fact]: null }).status).toBe('violated');
    expect(required(condition, {})).toMatchObject({ status: 'unknown', missing: [fact] });
  });
});

describe('days worked out from days', () => {
  const derive = (formula: string) =>
    loadDemo(FACTS, clause('C', 'require: { fact: out, happened: yes }'), {
      ...MORE,
      derived: `derived: { out: { label: Out, ${formula} } }\n`,
    });
  const value = (formula: string, facts: Readonly<Record<string, unknown>>) => {
    const pack = derive(formula);
    return pack.value('out', source(pack, facts));
  };

  it.each([
    ['day_after: { date: held_on, days: 1 }', '2027-12-31', '2028-01-01'],
    ['day_after: { date: held_on, days: 21 }', '2028-02-10', '2028-03-02'],
    ['day_before: { date: held_on, days: 21 }', '2027-01-15', '2026-12-25'],
    ['day_before: { date: held_on, days: 1 }', '2028-03-01', '2028-02-29'],
    ['day_after: { date: { month_end: held_on }, days: 30 }', '2027-01-05', '2027-03-02'],
    ['day_after: { date: { month_end: held_on }, days: 30 }', '2028-01-05', '2028-03-01'],
    ['day_after: { date: held_on, weeks: 3 }', '2027-01-15', '2027-02-05'],
    ['day_after: { date: held_on, months: 14 }', '2025-12-31', '2027-02-28'],
    ['day_after: { date: held_on, years: 1 }', '2028-02-29', '2029-02-28'],
    ['day_before: { date: held_on, months: 10 }', '2026-12-31', '2026-02-28'],
    ['day_before: { date: held_on, weeks: 1, clear: yes }', '2027-01-15', '2027-01-07'],
    ['day_before: { date: held_on, months: 1, clear: yes }', '2027-03-31', '2027-02-27'],
    // The demo calendar keeps the fourth of July (a Sunday in 2027) on the Monday too.
    ['day_before: { date: held_on, working_days: 2 }', '2027-07-07', '2027-07-02'],
    ['day_before: { date: held_on, working_days: 2, clear: yes }', '2027-07-07', '2027-07-01'],
    ['day_after: { date: held_on, working_days: 2 }', '2027-07-01', '2027-07-06'],
    ['month_end: held_on', '2028-02-01', '2028-02-29'],
    ['month_end: held_on', '2027-12-31', '2027-12-31'],
    ['year_day: { day: Sep 1, of: held_on }', '2026-09-01', '2026-09-01'],
    ['year_day: { day: Sep 1, of: held_on, years: -1 }', '2027-01-05', '2026-09-01'],
    ['year_day: { day: Dec 31, of: held_on, years: 1 }', '2026-08-14', '2027-12-31'],
    // 2024-09-01 is a Sunday; the demo calendar knows no Labor Day.
    ['year_day: { day: Sep 1, of: held_on, rolls: filing }', '2024-08-14', '2024-09-02'],
    ['year_day: { day: Sep 1, of: held_on, rolls: physical }', '2024-08-14', '2024-09-01'],
    // The fourth of July 2026 is a Saturday and a holiday: a decision moves over it and the Sunday, a filing too.
    ['year_day: { day: Jul 4, of: held_on, rolls: decision }', '2026-01-01', '2026-07-06'],
    ['year: held_on', '2027-12-31', 2027],
    ['sum: [{ year: held_on }, 1]', '2027-12-31', 2028],
  ])('%s of %s is %s', (formula, held_on, wanted) => {
    expect(value(formula, { held_on })).toEqual(wanted);
  });

  it('takes the local day of a time', () => {
    // Still New Year's Eve in the zone.
    const began_at = '2028-01-01T05:59:59Z';
    expect(value('day_after: { date: began_at, days: 1 }', { began_at })).toBe('2028-01-01');
    expect(value('year: began_at', { began_at })).toBe(2027);
    expect(value('month_end: began_at', { began_at })).toBe('2027-12-31');
  });

  it.each([
    'day_after: { date: held_on, days: 1 }',
    'year_day: { day: Sep 1, of: held_on }',
    'month_end: held_on',
    'year: held_on',
  ])('%s: none stays none, and unknown unknown', (formula) => {
    expect(value(formula, { held_on: null })).toBeNull();
    expect(value(formula, {})).toBeUndefined();
  });

  it('has no value beyond the years that dates are written for', () => {
    for (const step of ['days', 'weeks', 'working_days', 'months', 'years']) {
      const late = value(`day_after: { date: held_on, ${step}: 3 }`, { held_on: '2199-12-31' });
      const early = value(`day_before: { date: held_on, ${step}: 3 }`, { held_on: '1900-01-01' });
      expect([step, late, early]).toEqual([step, undefined, undefined]);
    }
    expect(
      value('year_day: { day: Sep 1, of: held_on, years: -1 }', { held_on: '1900-12-31' }),
    ).toBeUndefined();
  });

  it('names what is missing behind it', () => {
    const pack = derive('day_after: { date: { year_day: { day: Sep 1, of: held_on } }, days: 30 }');
    const [finding] = pack.evaluate({ clauses: ['C'], facts: source(pack, {}), now: 0 });
    expect(finding).toMatchObject({ status: 'unknown', missing: ['held_on'] });
  });

  it('shows what it was worked out from', () => {
    const pack = derive('day_before: { date: held_on, days: 21 }');
    const [finding] = pack.evaluate({
      clauses: ['C'],
      facts: source(pack, { held_on: '2027-03-22' }),
      now: 0,
    });
    expect(finding?.operands).toEqual([
      { fact: 'out', value: '2027-03-01', from: { source: 'derived' } },
      { fact: 'held_on', value: '2027-03-22', from: { source: 'payload' } },
    ]);
  });
});
