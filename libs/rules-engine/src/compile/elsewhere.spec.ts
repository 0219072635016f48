import { localDate } from '@headworks/kernel';
import { amendRules } from '../amend-rules';
import type { Pack, RuleSet } from '../api';
import { explainFinding } from '../explain';
import { checkRules, loadRules } from '../load/load-rules';
import { readPack } from '../read/read-pack';
import { removeFacts } from '../remove-facts';
import { formatProblem } from '../source/problem';
import { clause, packText, removeRulesDirs, rulesDir, source } from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const REGISTRY = `jurisdictions: [{ id: demo-town, title: Demo Town, zone: America/Chicago }]
packs:
  - { id: demo, title: Demo, jurisdiction: demo-town, status: draft }
  - { id: state, title: State, jurisdiction: demo-town, status: draft }
`;
const OURS = (asked: string) =>
  packText(
    `
  painted_at: { type: instant, optional: yes, label: Painted }
  gap: { type: length, unit: yd, label: Gap }
  shade: { type: choice, of: [light, dark], label: Shade }`,
    `${clause('STATE', `require: { clauses_met: ${asked} }`)}\n${clause('DONE', 'require: { fact: painted_at, happened: yes }')}`,
    {
      calendars: 'calendars: { legal: demo-legal }\n',
      derived: 'derived: { double: { label: Double gap, sum: [gap, gap] } }\n',
    },
  );
const THEIRS = (version: string, inForce: string, most: string, more = '') =>
  packText(
    `
  width: { type: length, unit: ft, label: Width }
  shade: { type: choice, of: [light, dark], label: Shade }`,
    clause('WIDE', `require: { fact: width, at_least: ${most} }`).replace('DM-01', 'DM-02') +
      '\n' +
      clause('LIGHT', 'forbid: { fact: shade, is: dark }').replace('DM-01', 'DM-02') +
      '\n' +
      clause('FEE', 'fee: { pay: { missing: a fee, kept_by: board } }').replace('DM-01', 'DM-02') +
      more,
  )
    .replace('pack: demo', 'pack: state')
    .replace('version: "1"', `version: "${version}"`)
    .replace(/in_force: .*/, `in_force: ${inForce}`);
const ROWS = (later: boolean) => `
- { id: DM-01, cite: par. 1, says: The first., pack: demo }
- { id: DM-02, cite: par. 2, says: The second., pack: state${later ? ', later: yes' : ''} }
`;
const ALL = '{ pack: state, assessment: visit, on: seen_on, facts: [shade], as: { width: double } }';
const FILES = {
  'registry.yaml': REGISTRY,
  'rows.yaml': ROWS(false),
  'demo/1.yaml': OURS(ALL),
  'state/1.yaml': THEIRS('1', '{ from: "2026-01-01", until: "2027-01-01" }', '6 ft'),
  'state/2.yaml': THEIRS('2', '{ from: "2027-01-01" }', '12 ft'),
};
const withRows = (files: Readonly<Record<string, string>>) => rulesDir({ ...FILES, ...files });
const packOf = (rules: RuleSet): Pack => {
  const pack = rules.packs.get('demo')?.[0];
  if (!pack) throw new Error('no pack');
  return pack;
};
const NOW = Date.UTC(2027, 0, 10);
const judge = (pack: Pack, facts: Readonly<Record<string, unknown>>) => {
  const question = { clauses: ['STATE'], facts: source(pack, facts), now: NOW };
  const [finding] = pack.evaluate(question);
  expect(pack.statuses(question)).toEqual([finding?.status]);
  if (!finding) throw new Error('no finding');
  return finding;
};

describe('clauses of another pack', () => {
  const without = FILES['state/1.yaml'].replace(/.*id: FEE.*\n/, '');
  const noFee = {
    'state/1.yaml': without,
    'state/2.yaml': FILES['state/2.yaml'].replace(/.*id: FEE.*\n/, ''),
  };
  const rules = loadRules(withRows(noFee));
  const pack = packOf(rules);

  it.each([
    ['2026-12-31', '1 yd', 'light', 'satisfied'],
    ['2027-01-01', '1 yd', 'light', 'violated'],
    ['2027-01-01', '2 yd', 'light', 'satisfied'],
    ['2027-01-01', '2 yd', 'dark', 'violated'],
    ['2025-12-31', '2 yd', 'light', 'unknown'],
  ])('are judged by the version of the day: %s, %s, %s is %s', (seen_on, gap, shade, status) => {
    expect(judge(pack, { seen_on, gap, shade })).toMatchObject({ status });
  });

  it('are named where they are broken, with the text that was asked', () => {
    const finding = judge(pack, { seen_on: '2027-01-01', gap: '1 yd', shade: 'dark' });
    expect(explainFinding(finding)).toBe('not all of state: visit are met: state/WIDE, state/LIGHT');
    const sha256 = rules.packs.get('state')?.[1]?.ref.sha256;
    expect(finding.operands).toContainEqual({
      fact: 'pack:state',
      value: `2 ${sha256}`,
      from: { source: 'pack' },
    });
    expect(explainFinding(judge(pack, { seen_on: '2026-06-01', gap: '9 yd', shade: 'light' }))).toBe(
      'all of state: visit are met',
    );
  });

  it('ask for what they lack by the names of this pack', () => {
    expect(judge(pack, { seen_on: '2027-01-01', shade: 'light' })).toMatchObject({ missing: ['gap'] });
    expect(judge(pack, { gap: '3 yd', shade: 'light' })).toMatchObject({ missing: ['seen_on'] });
    expect(judge(pack, { seen_on: '2025-01-01' })).toMatchObject({ missing: ['pack:state'] });
  });

  it('are unknown while their pack has no file', () => {
    const dir = rulesDir({
      'registry.yaml': REGISTRY,
      'rows.yaml': ROWS(true),
      'demo/1.yaml': OURS(ALL),
    });
    const alone = packOf(loadRules(dir));
    const facts = { seen_on: '2027-01-01', gap: '3 yd', shade: 'light' };
    expect(judge(alone, facts)).toMatchObject({ status: 'unknown', missing: ['pack:state'] });
  });

  it('may be named one by one, and by the day of a time', () => {
    const asked = '{ pack: state, clauses: [LIGHT], on: painted_at, facts: [shade] }';
    const one = packOf(loadRules(withRows({ ...noFee, 'demo/1.yaml': OURS(asked) })));
    const at = (painted_at: unknown) => judge(one, { painted_at, shade: 'light' }).status;
    expect(at('2026-01-01T05:59:59Z')).toBe('unknown');
    expect(at('2026-01-01T06:00:00Z')).toBe('satisfied');
    expect(at(null)).toBe('violated');
    expect(explainFinding(judge(one, { painted_at: '2026-06-01T06:00:00Z', shade: 'dark' }))).toBe(
      'not all of state/LIGHT are met: state/LIGHT',
    );
  });

  it('are never flipped by taking facts away, and stay with the days that officers add', () => {
    expect(removeFacts(pack, { findings: 4_000, seed: 5, now: NOW }).flips).toEqual([]);
    const day = {
      date: localDate('2027-01-04'),
      name: 'Snow',
      event: 'law-demo-town@3',
      closedFor: 'everyone',
    } as const;
    const amended = amendRules(rules, [{ ...day, jurisdiction: 'demo-town', calendar: 'demo-legal' }]);
    expect(packOf(amended)).not.toBe(pack);
    expect(judge(packOf(amended), { seen_on: '2027-01-01', gap: '2 yd', shade: 'light' }).status).toBe(
      'satisfied',
    );
  });

  it('are told in words', () => {
    expect(readPack(pack)).toContain('- **MUST** all clauses about visit of the pack state are met.');
  });
});

describe('what a pack may not ask of another', () => {
  const problems = (files: Readonly<Record<string, string>>) =>
    checkRules(withRows(files)).problems.map((one) => formatProblem(one).replace(/^\S+?:\d+:\d+/, ''));

  it.each([
    ['pack: state', 'pack: stat', "the registry has no pack 'stat': did you mean 'state'?"],
    ['assessment: visit', 'assessment: visits', "'state' has no assessment 'visits': did you mean 'visit'?"],
    ['assessment: visit', 'clauses: [WIDER]', "'state' has no clause 'WIDER': did you mean 'WIDE'?"],
    ['width: double', 'widht: double', "'state' has no fact 'widht': did you mean 'width'?"],
    ['width: double', 'width: seen_on', "'width' of 'state' is a length (ft), but here it is a date"],
    ['width: double', 'shade: shade', "'shade' is given twice: by facts or by as"],
    ['pack: state', 'pack: demo', 'this is the pack itself: write clauses_met: [its clauses]'],
    ['on: seen_on', 'on: gap', "'gap' is a length (yd), and a date or a time belongs here"],
    [', on: seen_on', '', "'on' is missing"],
  ])('%s as %s', (from, to, message) => {
    const text = OURS(ALL.replace(from, to));
    expect(problems({ 'demo/1.yaml': text })).toEqual([`  clause STATE\n    ${message}`]);
  });

  it('is asked back in its turn', () => {
    const back = `\n${clause('BACK', 'require: { clauses_met: { pack: demo, clauses: [STATE], on: seen_on } }').replace('DM-01', 'DM-02')}`;
    const found = problems({ 'state/2.yaml': THEIRS('2', '{ from: "2027-01-01" }', '12 ft', back) });
    expect(found).toEqual([
      '  clause STATE\n    this pack is asked for in its turn: demo -> state -> demo. Take one of the steps out',
      '  clause BACK\n    this pack is asked for in its turn: state -> demo -> state. Take one of the steps out',
    ]);
  });

  it('is asked in a derived value', () => {
    const text = OURS(ALL).replace(
      'sum: [gap, gap] }',
      `sum: [gap, gap] }, met: { label: Met, when: { clauses_met: ${ALL} } }`,
    );
    expect(problems({ 'demo/1.yaml': text })).toEqual([
      '  derived value met\n    clauses_met has no place in a derived value: use it in a clause',
    ]);
  });
});
