import { clause, loadDemo, removeRulesDirs, source, stored } from './testing/rules-dir.testing';

afterAll(removeRulesDirs);

const FACTS = `
  paint: { type: volume, unit: gal, label: Paint }
  cake: { type: mass, unit: lb, label: Cake }
  form: { type: choice, of: [wet, cake], label: Form }
  solids: { type: percent, label: Solids }
  plot: { type: area, unit: acre, label: Plot }
  turn: { type: count, label: Turn }
  begun_at: { type: instant, label: Begun }
  allowance: { type: volume, unit: gal, label: Allowance }
  earlier: { type: series, label: Earlier, fields: { on: { type: date }, wet: { type: volume, unit: gal } } }`;
const MORE = {
  calendars: 'calendars: { legal: demo-legal }\n',
  counting: 'counting: wis-990.001\n',
  derived: `derived:
  wet: { label: Wet, unit: gal, choose: [{ when: { fact: form, is: wet }, then: paint }, { otherwise: { divide: [cake, { multiply: [8.34 lb/gal, solids] }] } }] }
  before: { label: Before, sum_of: { series: earlier, field: wet, same_year: { field: on, as: seen_on } } }
  total: { label: Total, sum: [before, wet] }
  rate: { label: Rate, unit: gal/acre, divide: [total, plot] }
`,
  subjects: 'subjects: { wall: { label: Wall, key: k, facts: [allowance] } }\n',
  loads: `loads:
  coat: { label: Coat, on: wall, judged_by: visit, counts_in: [year], facts: [form, solids, plot], gives: { paint: quantity, cake: quantity, seen_on: occurred_on, begun_at: campaign_start, turn: campaign_number } }
`,
  limits: `limits:
  year: { label: Year, key: wall, window: calendar year, campaign: 24 h, series: earlier, row: { on: seen_on, wet: wet }, measures: [rate, total, turn], under: [ONCE, RATE],
    headroom: [{ clause: RATE, used: before, allowed: allowance }, { clause: ONCE, used: turn, allowed: "1" }] }
  rolling: { label: Rolling, key: wall, window: rolling 365 days, series: earlier, row: { on: seen_on, wet: wet }, measures: [total], under: [ONCE] }
`,
};
const pack = loadDemo(
  FACTS,
  [
    clause('RATE', 'require: { fact: rate, at_most: 20000 gal/acre }'),
    clause('ONCE', 'forbid: { fact: turn, more_than: 1 }'),
    clause('BEGUN', 'require: { fact: begun_at, after: "2020-01-01T00:00:00Z" }'),
  ].join('\n'),
  { ...MORE, loads: MORE.loads.replace('[year]', '[year, rolling]') },
);
const limit = (name: string) => pack.limits.get(name);

describe('limits', () => {
  it('say their window, campaign and what a posting must carry', () => {
    expect(limit('year')).toMatchObject({
      key: 'wall',
      window: { every: 'calendar_year' },
      campaign: { amount: 24, unit: 'h' },
      series: 'earlier',
      under: ['ONCE', 'RATE'],
    });
    expect(limit('rolling')?.window).toEqual({ rollingDays: 365 });
    // Not begun_at and turn: the decider folds campaigns from the postings themselves.
    expect([...(limit('year')?.postingFacts ?? [])].sort()).toEqual([
      'cake',
      'form',
      'paint',
      'plot',
      'seen_on',
      'solids',
    ]);
  });

  it('makes the row of a posting; what is unknown is left out', () => {
    const facts = source(pack, { form: 'wet', paint: '2500 gal', seen_on: '2027-07-03' });
    expect(pack.row('year', facts)).toEqual({ on: '2027-07-03', wet: { value: '2500', unit: 'gal' } });
    expect(pack.row('year', source(pack, { form: 'cake', seen_on: '2027-07-03' }))).toEqual({
      on: '2027-07-03',
    });
    expect(() => pack.row('month', facts)).toThrow("has no limit 'month'");
  });

  it('keeps thirds whole: three postings add up to the limit and not to a hair more', () => {
    // 1,667 + 1,668 + 1,669 = 5,004 lb of solids at 3 % are 20,000 gal exactly; no single one has a finite decimal.
    const load = (pounds: number, earlier: unknown[]) => ({
      ...{ form: 'cake', cake: `${pounds} lb`, solids: '3 %', plot: '1 acre', seen_on: '2027-07-03' },
      earlier,
    });
    const rows = [1667, 1668].map((pounds) => pack.row('year', source(pack, load(pounds, []))));
    expect(rows[0]?.['wet']).toEqual({
      value: '6662.669864',
      unit: 'gal',
      exact: expect.stringMatching(/^[0-9]+[/][0-9]+$/) as string,
    });
    const base = {
      form: 'cake',
      solids: { value: '3', unit: '%' },
      plot: { value: '1', unit: 'acre' },
      seen_on: '2027-07-03',
    };
    const judge = (pounds: string) =>
      pack.evaluate({
        clauses: ['RATE'],
        facts: stored({ ...base, cake: { value: pounds, unit: 'lb' }, earlier: rows }),
        now: 0,
      })[0];
    expect(judge('1669')).toMatchObject({ status: 'satisfied', margin: { value: '0', unit: 'gal/acre' } });
    expect(judge('1669.000001')?.status).toBe('violated');
  });

  it('derived operands say which ledger they rest on, and the list itself never stands in a finding', () => {
    const facts = stored({
      form: 'wet',
      paint: { value: '5000', unit: 'gal' },
      plot: { value: '1', unit: 'acre' },
      seen_on: '2027-07-03',
      earlier: [
        { on: '2027-01-01', wet: { value: '16000', unit: 'gal' } },
        { on: '2026-12-31', wet: { value: '90000', unit: 'gal' } },
      ],
    });
    const [finding] = pack.evaluate({ clauses: ['RATE'], facts, now: 0 });
    const ledger = { source: 'ledger', event: 'subject-1@4', count: 2 };
    expect(finding).toMatchObject({
      status: 'violated',
      margin: { value: '-1000', unit: 'gal/acre' },
      operands: [
        { fact: 'rate', value: { value: '21000', unit: 'gal/acre' }, from: ledger },
        { fact: 'total', value: { value: '21000', unit: 'gal' }, from: ledger },
        { fact: 'before', value: { value: '16000', unit: 'gal' }, from: ledger },
        { fact: 'seen_on', value: '2027-07-03', from: { source: 'payload' } },
        { fact: 'wet', value: { value: '5000', unit: 'gal' }, from: { source: 'derived' } },
        { fact: 'form', value: 'wet' },
        { fact: 'paint', value: { value: '5000', unit: 'gal' } },
        { fact: 'plot', value: { value: '1', unit: 'acre' } },
      ],
    });
    expect(JSON.stringify(finding)).not.toContain('90000');
  });

  it('a row that leaves a field out makes the sum unknown, one that says none adds nothing', () => {
    const base = { form: 'wet', paint: '1 gal', plot: '1 acre', seen_on: '2027-07-03' };
    const judge = (earlier: unknown[]) =>
      pack.evaluate({ clauses: ['RATE'], facts: source(pack, { ...base, earlier }), now: 0 })[0];
    expect(judge([{ on: '2027-01-01' }])).toMatchObject({ status: 'unknown', missing: ['earlier'] });
    expect(judge([{ wet: '1 gal' }])).toMatchObject({ status: 'unknown', missing: ['earlier'] });
    expect(judge([{ on: '2026-01-01' }])).toMatchObject({ status: 'satisfied' });
    expect(judge([{ on: '2027-01-01', wet: null }])).toMatchObject({ status: 'satisfied' });
  });

  it('a division by nothing is unknown, and names the divisor', () => {
    const facts = source(pack, {
      form: 'wet',
      paint: '1 gal',
      plot: '0 acre',
      seen_on: '2027-07-03',
      earlier: [],
    });
    expect(pack.evaluate({ clauses: ['RATE'], facts, now: 0 })[0]).toMatchObject({
      status: 'unknown',
      missing: ['plot'],
    });
  });

  it('headroom: used, allowed and what is left, never below nothing', () => {
    const facts = (earlier: unknown[], more: object = { allowance: '100 gal' }) =>
      source(pack, { seen_on: '2027-07-03', turn: 1, earlier, ...more });
    const rate = { limit: 'year', clause: 'RATE' };
    const gal = (value: string) => ({ value, unit: 'gal' });
    expect(pack.headroom('year', facts([{ on: '2027-01-01', wet: '30 gal' }]))).toEqual([
      { ...rate, used: gal('30'), allowed: gal('100'), remaining: gal('70') },
      {
        limit: 'year',
        clause: 'ONCE',
        used: { value: '1', unit: '1' },
        allowed: { value: '1', unit: '1' },
        remaining: { value: '0', unit: '1' },
      },
    ]);
    expect(pack.headroom('year', facts([{ on: '2027-01-01', wet: '130 gal' }]))[0]?.remaining).toEqual(
      gal('0'),
    );
    expect(pack.headroom('year', facts([], {}))[0]).toEqual({
      ...rate,
      used: gal('0'),
      allowed: null,
      remaining: null,
    });
  });

  it('measures and values are JSON; unknown is null there and undefined here', () => {
    const facts = source(pack, { form: 'wet', paint: '10 gal', seen_on: '2027-07-03', turn: 2, earlier: [] });
    expect(pack.measures('year', facts)).toEqual({
      rate: null,
      total: { value: '10', unit: 'gal' },
      turn: 2,
    });
    expect(pack.value('total', facts)).toEqual({ value: '10', unit: 'gal' });
    expect(pack.value('rate', facts)).toBeUndefined();
    expect(pack.value('paint', facts)).toEqual({ value: '10', unit: 'gal' });
    expect(() => pack.value('pain', facts)).toThrow("no fact or derived value 'pain'");
  });

  it('a campaign ends by the counting of the pack, and a limit without one has none', () => {
    // Saturday 3 July 2027 15:00 in Chicago: Sunday and the holiday observed on Monday are left out.
    expect(pack.campaignEnd('year', Date.parse('2027-07-03T20:00:00Z'))).toBe(
      Date.parse('2027-07-06T20:00:00Z'),
    );
    expect(pack.campaignEnd('rolling', 0)).toBeUndefined();
  });
});
