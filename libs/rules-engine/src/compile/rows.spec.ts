import { readPack } from '../read/read-pack';
import { removeFacts } from '../remove-facts';
import { clause, loadDemo, removeRulesDirs, source } from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const pack = loadDemo(
  `
  wet_from: { type: percent, label: Wet from }
  coats:
    type: series
    label: Coats
    fields:
      on: { type: date }
      paint: { type: volume, unit: gal }
      kind: { type: choice, of: [oil, lime] }
      water: { type: percent }`,
  [
    clause('OIL', 'require: { fact: oil, at_most: 10 gal }'),
    clause('YEAR', 'require: { fact: year, at_most: 20 gal }'),
    clause('WET', 'require: { fact: wet, at_most: 1 }'),
    clause('LONG', 'require: { fact: long, at_most: 2 }'),
  ].join('\n'),
  {
    derived: `derived:
  oil: { label: Oil, sum_of: { series: coats, field: paint, where: { field: kind, is: oil } } }
  year: { label: This year, sum_of: { series: coats, field: paint, rolling: { field: on, days: 365, as: seen_on } } }
  wet:
    label: Wet coats
    count_of:
      series: coats
      same_year: { field: on, as: seen_on }
      where: { all: [{ field: water, at_least: wet_from }, { not: { field: kind, is: lime } }] }
  long: { label: Coats of two months, count_of: { series: coats, rolling: { field: on, months: 2, as: seen_on } } }
`,
  },
);
const row = (on: string, paint: string, kind?: string, water = '5 %') => ({
  on,
  paint,
  water,
  ...(kind === undefined ? {} : { kind }),
});
const judge = (coats: readonly unknown[] | undefined, more: Readonly<Record<string, unknown>> = {}) => {
  const facts = source(pack, { seen_on: '2027-07-03', ...(coats ? { coats } : {}), ...more });
  const question = { clauses: ['OIL', 'YEAR', 'WET', 'LONG'], facts, now: 0 };
  const findings = pack.evaluate(question);
  expect(findings.map(({ status }) => status)).toEqual(pack.statuses(question));
  return findings;
};

describe('rows of a series', () => {
  it('count where a condition on their columns holds', () => {
    const coats = [row('2027-01-01', '10 gal', 'oil'), row('2027-01-01', '99 gal', 'lime')];
    expect(judge(coats)[0]?.status).toBe('satisfied');
    expect(judge([...coats, row('2027-01-01', '0.01 gal', 'oil')])[0]?.status).toBe('violated');
  });

  it('count for so many days up to a day, that day in', () => {
    const at = (on: string) =>
      pack.value('year', source(pack, { seen_on: '2027-07-03', coats: [row(on, '7 gal')] }));
    expect(at('2027-07-03')).toEqual({ value: '7', unit: 'gal' });
    expect(at('2026-07-04')).toEqual({ value: '7', unit: 'gal' });
    expect(at('2026-07-03')).toEqual({ value: '0', unit: 'gal' });
    expect(at('2027-07-04')).toEqual({ value: '0', unit: 'gal' });
  });

  it.each([
    ['2027-05-03', 0],
    ['2027-05-04', 1],
  ])('count for so many months: %s counts %d', (on, count) => {
    expect(pack.value('long', source(pack, { seen_on: '2027-07-03', coats: [row(on, '1 gal')] }))).toBe(
      count,
    );
  });

  it('leave the whole unknown while nobody knows of one of them, unless another part leaves it out', () => {
    expect(judge([row('2027-01-01', '1 gal')])[0]).toMatchObject({ status: 'unknown', missing: ['coats'] });
    expect(judge([row('2026-01-01', '1 gal')], { wet_from: '4 %' })[2]?.status).toBe('satisfied');
    expect(judge([row('2027-01-01', '1 gal')], { wet_from: '4 %' })[2]?.status).toBe('unknown');
    expect(judge([row('2027-01-01', '1 gal')], { wet_from: '6 %' })[2]?.status).toBe('satisfied');
  });

  it('ask for what their condition compares with', () => {
    expect(judge([row('2027-01-01', '1 gal', 'oil')])[2]).toMatchObject({
      status: 'unknown',
      missing: ['wet_from'],
    });
    expect(judge(undefined, { wet_from: '6 %' })[2]).toMatchObject({ missing: ['coats'] });
  });

  it('let no finding flip when facts are taken away', () => {
    const { flips } = removeFacts(pack, { findings: 6_000, seed: 11, now: Date.UTC(2027, 6, 3) });
    expect(flips).toEqual([]);
  });

  it('are told in words', () => {
    expect(readPack(pack).split('\n')).toEqual(
      expect.arrayContaining([
        '- oil: the sum of paint in coats where kind is oil',
        '- this year: the sum of paint in coats in the 365 days up to day seen',
        '- wet coats: the number of coats in the year of day seen where water is at least wet from and kind is not lime',
      ]),
    );
  });
});
