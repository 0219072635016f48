import { explainFinding } from '../explain';
import { readPack } from '../read/read-pack';
import { removeFacts } from '../remove-facts';
import { clause, loadDemo, removeRulesDirs, source } from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const pack = loadDemo(
  `
  distance: { type: length, unit: ft, label: Distance }
  kind: { type: choice, of: [brush, roller], label: How }
  pitch: { type: percent, label: Pitch }
  place: { type: choice, of: [porch, barn], label: Place }`,
  [
    clause('PORCH', 'require: { fact: distance, at_least: porch_gap }'),
    clause('PLACE', 'require: { fact: distance, at_least: place_gap }'),
    clause(
      'WIDE',
      'require: { any: [{ fact: distance, at_least: place_gap }, { fact: distance, more_than: 900 ft }] }',
    ),
  ].join('\n'),
  {
    derived: `derived:
  porch_gap: { label: Least gap at a porch, table: { of: gaps, row: porch } }
  place_gap: { label: Least gap, table: { of: steep_gaps, row: place } }
`,
    tables: `tables:
  gaps:
    label: Gaps
    cite: Table 1
    unit: ft
    columns: { by: kind, of: [brush, roller] }
    rows: { porch: [50, missing], shed: [2 yd, not_allowed] }
    missing: { missing: the newer table, kept_by: board }
  steep_gaps:
    label: Gaps by pitch
    cite: Table 2
    unit: ft
    columns:
      - { by: kind, of: [roller, brush] }
      - { by: pitch, of: [{ at_most: 6 % }, { more_than: 6 %, at_most: 12 % }, { more_than: 12 % }] }
    rows:
      porch: [[10, 20, 30], [40, 50, not_allowed]]
      barn: [[1, 2, 3], [4, 5, 6]]
`,
  },
);

const judge = (facts: Readonly<Record<string, unknown>>) => {
  const question = { clauses: ['PORCH', 'PLACE', 'WIDE'], facts: source(pack, facts), now: 0 };
  const findings = pack.evaluate(question);
  expect(findings.map(({ status }) => status)).toEqual(pack.statuses(question));
  return findings;
};

describe('a table', () => {
  it.each([
    ['50 ft', 'brush', 'satisfied', '50 ft, at least 50 ft: exactly at the limit, which is enough'],
    ['49.9 ft', 'brush', 'violated', '49.9 ft, not at least 50 ft: 0.1 ft short'],
    ['900 ft', 'roller', 'unknown', 'unknown: the law leaves a figure to somebody who has not given it'],
  ])('by one column: %s by %s is %s', (distance, kind, status, text) => {
    const [finding] = judge({ distance, kind });
    expect(finding).toMatchObject({ status });
    expect(finding && explainFinding(finding)).toBe(text);
  });

  it.each([
    ['porch', 'roller', '6 %', '10 ft', 'satisfied'],
    ['porch', 'roller', '6.01 %', '10 ft', 'violated'],
    ['porch', 'roller', '12 %', '20 ft', 'satisfied'],
    ['porch', 'brush', '0 %', '39 ft', 'violated'],
    ['barn', 'brush', '12 %', '5 ft', 'satisfied'],
    ['barn', 'brush', '99 %', '5 ft', 'violated'],
  ])('by row and two columns: %s, %s, %s: %s is %s', (place, kind, pitch, distance, status) => {
    expect(judge({ place, kind, pitch, distance })[1]).toMatchObject({ status });
  });

  it('fails what asks for a figure where nothing is allowed, and names the place', () => {
    const [, finding, wide] = judge({ place: 'porch', kind: 'brush', pitch: '13 %', distance: '800 ft' });
    expect(finding).toMatchObject({ status: 'violated', missing: [] });
    expect(finding && explainFinding(finding)).toBe('not allowed: porch, brush, more than 12 % (Table 2)');
    expect(wide?.status).toBe('violated');
    expect(judge({ place: 'porch', kind: 'brush', pitch: '13 %', distance: '901 ft' })[2]?.status).toBe(
      'satisfied',
    );
  });

  it('asks for what it is entered by, and for a missing figure only where that is known', () => {
    expect(judge({ distance: '5 ft', kind: 'brush' })[1]).toMatchObject({
      status: 'unknown',
      reason: 'fact_missing',
      missing: ['place', 'pitch'],
    });
    expect(judge({ distance: '5 ft' })[0]).toMatchObject({ reason: 'fact_missing', missing: ['kind'] });
    expect(judge({ distance: '5 ft', kind: 'roller' })[0]).toMatchObject({
      reason: 'figure_missing',
      missing: [],
    });
  });

  it('lets no finding flip when facts are taken away', () => {
    const { flips, seen } = removeFacts(pack, { findings: 6_000, seed: 7, now: 0 });
    expect(flips).toEqual([]);
    expect([...seen.keys()].sort()).toEqual(['satisfied', 'unknown', 'violated']);
  });

  it('stands in the view of an officer as the law prints it', () => {
    const lines = readPack(pack).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        "- least gap at a porch: the figure of the table 'Gaps' for porch, how",
        '## Gaps (Table 1)',
        '| by how | brush | roller |',
        '| porch | 50 ft | missing |',
        '| shed | 2 yd | not allowed |',
        'Missing: the newer table, kept by Town board.',
        '| by how and pitch | roller; at most 6 % | roller; more than 6 %, at most 12 % | roller; more than 12 % | brush; at most 6 % | brush; more than 6 %, at most 12 % | brush; more than 12 % |',
        '| barn | 1 ft | 2 ft | 3 ft | 4 ft | 5 ft | 6 ft |',
      ]),
    );
  });
});

describe('a choice among words', () => {
  const classes = loadDemo(
    `
  size: { type: animal_units, label: Size }`,
    clause('BIG', 'require: { fact: class, is_one_of: [big, huge] }'),
    {
      derived:
        'derived: { class: { label: Class, of: [small, big, huge], choose: [{ when: { fact: size, at_least: 500 au }, then: big }, { otherwise: small }] } }\n',
    },
  );
  it.each([
    ['500 au', 'satisfied'],
    ['499 au', 'violated'],
  ])('is a choice: %s is %s', (size, status) => {
    const facts = source(classes, { size });
    expect(classes.evaluate({ clauses: ['BIG'], facts, now: 0 })).toMatchObject([{ status }]);
    expect(classes.value('class', facts)).toBe(size === '500 au' ? 'big' : 'small');
  });
});
