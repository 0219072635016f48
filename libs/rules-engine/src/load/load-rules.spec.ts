import { localDate, sha256Hex } from '@headworks/kernel';
import { formatProblem, RuleErrors } from '../source/problem';
import { clause, packText, REGISTRY, removeRulesDirs, ROWS, rulesDir } from '../testing/rules-dir.testing';
import { checkRules, loadRules } from './load-rules';

afterAll(removeRulesDirs);

const GOOD = packText(
  '  gap: { type: length, unit: ft, label: Gap }',
  clause('C', 'require: { fact: gap, more_than: 6 ft }'),
);
const version = (id: string, inForce: string) =>
  GOOD.replace('version: "1"', `version: "${id}"`).replace(
    '{ from: unknown, verified_on: "2026-11-30" }',
    inForce,
  );
const problems = (files: Readonly<Record<string, string>>): readonly string[] =>
  checkRules(rulesDir(files)).problems.map(formatProblem);

describe('a rules directory', () => {
  it('loads whole: jurisdictions, packs, calendars and the texts to adopt', () => {
    const rules = loadRules(rulesDir({ 'demo/1.yaml': GOOD }));
    expect(rules.jurisdictions.get('demo-town')).toMatchObject({
      zone: 'America/Chicago',
      bounds: [-90, 42, -88, 44],
    });
    const pack = rules.packs.get('demo')?.[0];
    expect(pack).toMatchObject({ title: 'Demo', zone: 'America/Chicago', inForce: { from: 'unknown' } });
    expect(pack?.ref).toEqual({ pack: 'demo', version: '1', sha256: sha256Hex(GOOD) });
    expect(pack?.assessments.get('visit')).toEqual({
      name: 'visit',
      question: 'May it stand?',
      judgedOn: 'seen_on',
      clauses: ['C'],
    });
    expect(rules.calendars.get('demo-legal')?.holiday(localDate('2027-07-05'))?.name).toContain(
      'Independence',
    );
    expect(rules.files.map(({ kind, id, path, jurisdictions }) => [kind, id, path, jurisdictions])).toEqual([
      ['pack', 'demo', 'demo/1.yaml', ['demo-town']],
      ['calendar', 'demo-legal', 'calendars/demo-legal.yaml', []],
      ['calendar', 'demo-office', 'calendars/demo-office.yaml', []],
    ]);
    expect(rules.files[0]).toMatchObject({
      sha256: sha256Hex(GOOD),
      text: GOOD,
      status: 'draft',
      inForce: { from: 'unknown' },
    });
  });

  it('a calendar is adopted by the jurisdictions that count by it', () => {
    const text = GOOD.replace('counting: plain', 'calendars: { legal: demo-legal }\ncounting: plain');
    const { files } = loadRules(rulesDir({ 'demo/1.yaml': text }));
    expect(files.find(({ id }) => id === 'demo-legal')?.jurisdictions).toEqual(['demo-town']);
  });

  it('picks the version in force on the day: from its first day on, up to but not including until', () => {
    const rules = loadRules(
      rulesDir({
        'demo/1.yaml': version('1', '{ from: unknown, verified_on: "2026-11-30", until: "2027-01-01" }'),
        'demo/2.yaml': version('2', '{ from: "2027-01-01", until: "2028-01-01" }'),
        'demo/10.yaml': version('10', '{ from: "2028-02-01" }'),
      }),
    );
    const on = (date: string) => rules.packOn('demo', localDate(date))?.ref.version;
    expect(rules.packs.get('demo')?.map(({ ref }) => ref.version)).toEqual(['1', '2', '10']);
    expect(
      ['1900-01-01', '2026-12-31', '2027-01-01', '2027-12-31', '2028-01-15', '2028-02-01'].map(on),
    ).toEqual(['1', '1', '2', '2', undefined, '10']);
    expect(rules.packOn('nothing', localDate('2027-01-01'))).toBeUndefined();
  });

  it('reports how much of the law each pack holds', () => {
    const { packs } = checkRules(rulesDir({ 'demo/1.yaml': GOOD }));
    expect(packs).toEqual([
      {
        pack: 'demo',
        version: '1',
        clauses: 1,
        rowsTotal: 2,
        rowsCovered: 1,
        notTested: [],
        later: ['DM-02'],
        interpretations: [],
        missingFigures: [],
      },
    ]);
  });

  it('counts readings, missing figures and what is not tested', () => {
    const text = packText(
      '  gap: { type: length, unit: ft, label: Gap }',
      clause('C', 'reading: wide, require: { fact: gap, more_than: { missing: how wide, kept_by: board } }'),
      {
        readings: 'readings: { wide: { choices: [six, seven], chosen: six, why: So., by: nobody } }\n',
        rest: 'not_tested: [{ cite: par. 2, rows: [DM-02], why: a definition }]\n',
      },
    );
    const rows = ROWS.replace(', later: yes', '');
    expect(checkRules(rulesDir({ 'demo/1.yaml': text, 'rows.yaml': rows })).packs[0]).toMatchObject({
      rowsTotal: 2,
      rowsCovered: 1,
      notTested: ['DM-02'],
      interpretations: ['wide: six'],
      missingFigures: ['how wide (kept by board)'],
    });
  });
});

describe('what is wrong in a rules directory', () => {
  it('throws everything at once, file by file', () => {
    const dir = rulesDir({
      'demo/1.yaml': GOOD.replace('6 ft', '6 gal'),
      'registry.yaml': REGISTRY.replace('America/Chicago', 'America/Chikago'),
      'rows.yaml': ROWS.replace('says: The first., ', ''),
    });
    expect(() => loadRules(dir)).toThrow(RuleErrors);
    expect(() => loadRules(dir)).toThrow(
      [
        "The rules can't be used: 3 errors.",
        'rules/demo/1.yaml:15:105  clause C',
        "    'gap' is a length (ft), but '6 gal' is a volume (gal)",
        'rules/registry.yaml:3:46',
        "    'America/Chikago' is no time zone",
        'rules/rows.yaml:2:3',
        "    'says' is missing",
      ].join('\n'),
    );
  });

  it.each([
    ['an unreadable directory', {}, undefined],
    [
      'a row that was forgotten',
      { 'demo/1.yaml': GOOD, 'rows.yaml': ROWS.replace(', later: yes', '') },
      "rules/rows.yaml:3:9\n    the row 'DM-02' is forgotten: nothing in 'demo' claims it. Claim it, list it under not_tested, or mark it later",
    ],
    [
      'a pack without a file whose rows are not put off',
      { 'rows.yaml': ROWS.replace(', later: yes', '').replace('pack: demo }', 'pack: demo, later: yes }') },
      "rules/rows.yaml:3:9\n    the row 'DM-02' is forgotten: 'demo' has no file yet. Claim it, list it under not_tested, or mark it later",
    ],
    [
      'a row twice',
      { 'demo/1.yaml': GOOD, 'rows.yaml': `${ROWS}- { id: DM-01, cite: c, says: s, pack: demo }\n` },
      "rules/rows.yaml:4:9\n    the row 'DM-01' stands here twice",
    ],
    [
      'a row of an unknown pack',
      {
        'demo/1.yaml': GOOD,
        'rows.yaml': `${ROWS}- { id: DM-03, cite: c, says: s, pack: dema, later: yes }\n`,
      },
      "rules/rows.yaml:4:40\n    the registry has no pack 'dema': did you mean 'demo'?",
    ],
    [
      'swapped bounds',
      {
        'demo/1.yaml': GOOD,
        'registry.yaml': REGISTRY.replace('[-90, 42, -88, 44]', '[-88, 42, -90, 44]'),
      },
      'rules/registry.yaml:3:71\n    bounds are [west, south, east, north] in degrees',
    ],
    [
      'a pack of an unknown jurisdiction',
      {
        'demo/1.yaml': GOOD,
        'registry.yaml': `${REGISTRY}  - { id: two, title: Two, jurisdiction: demo-twon, status: draft }\n`,
      },
      "rules/registry.yaml:6:42\n    there is no jurisdiction 'demo-twon': did you mean 'demo-town'?",
    ],
    [
      'a folder without a row in the registry',
      { 'demo/1.yaml': GOOD, 'other/1.yaml': GOOD.replace('pack: demo', 'pack: other') },
      "rules/registry.yaml:4:1\n    the folder 'other' has no row here: add one with its title and jurisdiction",
    ],
    [
      'a file with the other ending',
      { 'demo/1.yaml': GOOD, 'demo/2.yml': GOOD },
      'rules/demo/2.yml:1:1\n    name it 2.yaml',
    ],
    [
      'versions that overlap',
      { 'demo/1.yaml': GOOD, 'demo/2.yaml': version('2', '{ from: "2027-01-01" }') },
      "rules/demo/2.yaml:6:11\n    version '1' is still in force then: give it an 'until' of 2027-01-01",
    ],
    [
      'a calendar with a wrong day',
      {
        'demo/1.yaml': GOOD,
        'calendars/demo-legal.yaml':
          'calendar: demo-legal\nversion: "1"\nholidays: [{ name: N, source: S, on: Jul 44 }]\n',
      },
      "rules/calendars/demo-legal.yaml:3:38\n    'Jul 44' is no day of the year: write 'Jul 4', '3rd Monday of Jan', 'last Monday of May', 'Tuesday after 1st Monday of Nov' or a date '2027-01-15'",
    ],
    [
      'a calendar with a key that means nothing',
      {
        'demo/1.yaml': GOOD,
        'calendars/demo-legal.yaml': 'calendar: demo-legal\nversion: "1"\nholiday: []\n',
      },
      "rules/calendars/demo-legal.yaml:3:1\n    'holiday' has no place here: did you mean 'holidays'?",
    ],
  ])('%s', (_what, files, problem) => {
    if (problem === undefined) {
      expect(checkRules('/nowhere/rules').problems.map(formatProblem)).toEqual([
        'rules:1:1\n    there is no such directory: RULES_DIR names the folder that holds registry.yaml',
      ]);
    } else {
      expect(problems(files)).toEqual([problem]);
    }
  });

  it('a text too long to adopt is refused', () => {
    const long = `${GOOD}# ${'x'.repeat(201 * 1024)}\n`;
    expect(problems({ 'demo/1.yaml': long })[0]).toContain('a rules file has at most 200 KB');
  });

  it('an adopted version never changes', () => {
    const registry = REGISTRY.replace('draft', 'adopted');
    const files = { 'demo/1.yaml': GOOD, 'registry.yaml': registry };
    const line = `${sha256Hex(GOOD)}  demo/1.yaml`;
    expect(problems(files)[0]).toContain(
      `an adopted version stands in versions.lock: add the line '${line}'`,
    );
    expect(problems({ ...files, 'versions.lock': `${line}\n` })).toEqual([]);
    const gone = { ...files, 'versions.lock': `${line}\n${line.replace('1.yaml', '0.yaml')}\n` };
    expect(problems(gone)).toEqual([
      "rules/registry.yaml:2:1\n    versions.lock names 'demo/0.yaml', which is not there: an adopted version stays for good, put it back",
    ]);
    const changed = { ...files, 'demo/1.yaml': `${GOOD}# a word more\n`, 'versions.lock': `${line}\n` };
    expect(problems(changed)[0]).toContain('an adopted version never changes');
  });
});
