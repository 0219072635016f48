import { formatProblem } from '../source/problem';
import { clause, packText, removeRulesDirs, rulesDir } from '../testing/rules-dir.testing';
import { runCases } from './run-cases';

afterAll(removeRulesDirs);

const PACK = packText(
  `
  gap: { type: length, unit: ft, label: Gap }
  dry: { type: bool, label: Dry }
  begun_at: { type: instant, label: Begun }
  ended_at: { type: instant, optional: yes, label: Ended }
  earlier: { type: series, label: Earlier, fields: { gap: { type: length, unit: ft } } }`,
  [
    clause('C', 'require: { all: [{ fact: whole, more_than: 6 ft }, { fact: dry, is: yes }] }'),
    clause(
      'D',
      'deadline: { who: w, must: m, kind: physical, starts: begun_at, allow: 24 h, done: ended_at, if_missed: { outcome: violation } }',
    ),
    clause('F', 'fee: { pay: $5 }'),
  ].join('\n'),
  {
    derived:
      'derived: { whole: { label: Whole, sum: [gap, { sum_of: { series: earlier, field: gap } }] } }\n',
  },
);
const run = (cases: string) => runCases(rulesDir({ 'demo/1.yaml': PACK, 'demo/cases/one.yaml': cases }));
const failures = (one: string): readonly string[] => {
  const { results, problems } = run(`- name: A case\n  assessment: visit\n${one}`);
  expect(problems).toEqual([]);
  return results[0]?.failures ?? ['no result'];
};

describe('cases', () => {
  it('hold where every finding they name is as they say', () => {
    expect(
      failures(`
  now: "2027-07-04T12:00:00-05:00"
  facts: { gap: 5 ft, dry: yes, earlier: [{ gap: 24 in }], begun_at: "2027-07-03T15:00:00-05:00", ended_at: none }
  values: { whole: 7 ft }
  expect:
    C: { status: satisfied, margin: 12 in, missing: [] }
    D: { status: unknown, reason: not_yet_due, due: { date: "2027-07-04", at: "2027-07-04T15:00:00-05:00", elapsedAt: "2027-07-04T20:00:00Z" } }
    F: { status: satisfied, amount: $5 }
`),
    ).toEqual([]);
  });

  it.each([
    [
      '  facts: { gap: 7 ft, dry: no, earlier: [] }\n  expect: { C: satisfied }',
      'C: expected status satisfied, found violated (dry is no, not yes)',
    ],
    [
      '  facts: { gap: 8 ft, dry: yes, earlier: [] }\n  expect: { C: { status: satisfied, margin: 1 ft } }',
      'C: expected margin 1 ft, found 2 ft (8 ft, more than 6 ft: 2 ft to spare)',
    ],
    [
      '  facts: { dry: yes, earlier: [] }\n  expect: { C: { status: unknown, missing: [dry] } }',
      'C: expected missing dry, found gap (unknown: nobody has said gap)',
    ],
    [
      '  facts: {}\n  values: { whole: 7 ft }\n  expect: { F: satisfied }',
      'whole: expected 7 ft, found unknown',
    ],
    ['  facts: { gapp: 7 ft }\n  expect: { C: satisfied }', "there is no fact 'gapp': did you mean 'gap'?"],
    [
      '  facts: { gap: 7 gal }\n  expect: { C: satisfied }',
      "'gap' is a length (ft), but '7 gal' is a volume (gal): give it in ft",
    ],
    ['  facts: {}\n  expect: { X: satisfied }', "there is no clause 'X'"],
    [
      '  facts: {}\n  expect: { D: unknown }',
      "'D' is a deadline: say 'now', the moment at which it is judged",
    ],
    [
      '  facts: {}\n  now: "2027-07-04T12:00:00"\n  expect: { D: unknown }',
      "now: '2027-07-04T12:00:00' has no offset: write it as 2027-07-04T12:00:00-05:00 or in UTC as 2027-07-04T12:00:00Z",
    ],
  ])('%j fails and says how', (one, failure) => {
    expect(failures(one)).toEqual([failure]);
  });

  it('an unknown assessment is a failure, a malformed file a problem with its place', () => {
    expect(
      run('- { name: N, assessment: vist, facts: {}, expect: { C: unknown } }').results[0]?.failures,
    ).toEqual(["there is no assessment 'vist'"]);
    const { problems, results } = run(
      '- name: N\n  assessment: visit\n  facts: {}\n  expects: { C: unknown }\n',
    );
    expect(results).toEqual([]);
    expect(problems.map(formatProblem)).toEqual([
      "rules/demo/cases/one.yaml:4:3  case 'N'\n    'expects' has no place here: did you mean 'expect'?",
    ]);
  });

  it('runs nothing while the rules themselves are wrong', () => {
    const dir = rulesDir({ 'demo/1.yaml': PACK.replace('6 ft', '6 gal'), 'demo/cases/one.yaml': '[]' });
    expect(runCases(dir)).toMatchObject({ results: [], problems: [{ path: 'rules/demo/1.yaml' }] });
  });

  it('gives the place of each case', () => {
    const { results } = run(
      '# two\n- { name: A, assessment: visit, facts: {}, expect: { F: satisfied } }\n- { name: B, assessment: visit, facts: {}, expect: { F: satisfied } }\n',
    );
    expect(results.map(({ name, line, path, failures: wrong }) => [name, line, path, wrong])).toEqual([
      ['A', 2, 'rules/demo/cases/one.yaml', []],
      ['B', 3, 'rules/demo/cases/one.yaml', []],
    ]);
  });

  it('say which clauses they expect nothing of', () => {
    const one = '- { name: A, assessment: visit, facts: {}, expect: { C: unknown } }';
    expect(run(one).clausesWithoutCases).toEqual(['demo/D', 'demo/F']);
  });
});
