import { localDate, sha256Hex } from '@headworks/kernel';
import path from 'node:path';
import { formatProblem } from '../source/problem';
import {
  CALENDARS,
  clause,
  packText,
  REGISTRY,
  removeRulesDirs,
  rulesDir,
} from '../testing/rules-dir.testing';
import { checkRules, loadRules } from './load-rules';

afterAll(removeRulesDirs);

const PACK = packText(
  '  gap: { type: length, unit: ft, label: Gap }',
  clause('C', 'require: { fact: gap, more_than: 6 ft }'),
  { calendars: 'calendars: { legal: demo-legal, office: demo-both, post: demo-post }\n' },
);
const BOTH = 'calendar: demo-both\nversion: "2"\nincludes: [demo-legal, demo-office]\nholidays: []\n';
const POST = 'calendar: demo-post\nversion: "1"\nholidays: []\n';
const FILES = { 'demo/1.yaml': PACK, 'calendars/demo-both.yaml': BOTH, 'calendars/demo-post.yaml': POST };
const problems = (files: Readonly<Record<string, string>>): readonly string[] =>
  checkRules(rulesDir({ ...FILES, ...files })).problems.map(formatProblem);

describe('calendars of a rules directory', () => {
  it('may include others, in whatever order the files come', () => {
    const rules = loadRules(rulesDir(FILES));
    const both = rules.calendars.get('demo-both');
    expect(both?.holiday(localDate('2027-07-05'))).toEqual({
      name: 'Independence Day (observed)',
      source: 'Demo statute 1',
    });
    expect(both?.holiday(localDate('2027-07-03'))?.name).toBe('closed on Saturdays');
    // A Sunday and a holiday: both lists are named.
    expect(both?.holiday(localDate('2027-07-04'))).toEqual({
      name: 'Independence Day; closed on Sundays',
      source: 'Demo statute 1; Office hours',
    });
    expect([...rules.calendars.keys()]).toEqual(['demo-both', 'demo-legal', 'demo-office', 'demo-post']);
  });

  it('are adopted by whoever counts by them, also through another', () => {
    const { files } = loadRules(
      rulesDir({ ...FILES, 'calendars/unused.yaml': POST.replace('demo-post', 'unused') }),
    );
    const calendars = files.filter(({ kind }) => kind === 'calendar');
    expect(calendars.map(({ id, jurisdictions, status }) => [id, jurisdictions, status])).toEqual([
      ['demo-both', ['demo-town'], 'draft'],
      ['demo-legal', ['demo-town'], 'draft'],
      ['demo-office', ['demo-town'], 'draft'],
      ['demo-post', ['demo-town'], 'draft'],
      ['unused', [], 'draft'],
    ]);
  });

  it.each([
    [
      'one that includes what is not there',
      { 'calendars/demo-both.yaml': BOTH.replace('demo-office', 'demo-ofice') },
      "rules/calendars/demo-both.yaml:3:24\n    there is no calendar 'demo-ofice' to include: name a file of the folder calendars, and never one that includes this",
    ],
    [
      'two that include each other',
      {
        'calendars/demo-post.yaml': `${POST}includes: [demo-both]\n`,
        'calendars/demo-both.yaml': BOTH.replace('demo-office', 'demo-post'),
      },
      "rules/calendars/demo-post.yaml:4:12\n    there is no calendar 'demo-both' to include: name a file of the folder calendars, and never one that includes this",
    ],
    [
      'one of an unknown jurisdiction',
      { 'calendars/demo-both.yaml': `${BOTH}jurisdictions: [demo-twon]\n` },
      "rules/calendars/demo-both.yaml:5:17\n    the registry has no jurisdiction 'demo-twon': did you mean 'demo-town'?",
    ],
    [
      'hours that no day has',
      { 'calendars/demo-both.yaml': `${BOTH}open: { hours: "8:00 to 24:30", source: S }\n` },
      "rules/calendars/demo-both.yaml:5:16\n    '8:00 to 24:30' names a time that no day has",
    ],
    [
      'a weekday that is open and closed',
      {
        'calendars/demo-both.yaml': `${BOTH}open: { hours: 8:00 to 16:00 Mon to Sat, source: S }\nclosed: { days: [Saturday, Sunday], source: S }\n`,
      },
      "rules/calendars/demo-both.yaml:5:16\n    Saturday is open here and closed under 'closed': take one of them out",
    ],
    [
      'a weekday that is neither',
      {
        'calendars/demo-both.yaml': `${BOTH}open: { hours: 8:00 to 16:00 Mon to Fri, source: S }\nclosed: { days: [Sunday], source: S }\n`,
      },
      'rules/calendars/demo-both.yaml:6:17\n    Saturday is neither open nor closed: add it to one of them',
    ],
    [
      'a pack that counts by the post of nobody',
      { 'demo/1.yaml': PACK.replace('post: demo-post', 'post: demo-pos') },
      "rules/demo/1.yaml:11:58\n    there is no calendars/demo-pos.yaml: did you mean 'demo-post'?",
    ],
  ])('refuse %s', (_what, files, problem) => {
    expect(problems(files)).toEqual([problem]);
  });

  it('of an adopted pack change by a new version alone', () => {
    const adopted = { 'registry.yaml': REGISTRY.replace('draft', 'adopted') };
    const line = (name: string, text: string): string => `${sha256Hex(text)}  ${name}`;
    const { 'calendars/demo-legal.yaml': legal = '', 'calendars/demo-office.yaml': office = '' } = CALENDARS;
    const lock = [
      line('demo/1.yaml', PACK),
      line('calendars/demo-legal@1', legal),
      line('calendars/demo-office@1', office),
      line('calendars/demo-post@1', POST),
    ];
    const both = line('calendars/demo-both@2', BOTH);
    expect(problems({ ...adopted, 'versions.lock': lock.join('\n') })).toEqual([
      `rules/calendars/demo-both.yaml:1:1\n    an adopted pack counts by this: add the line '${both}' to versions.lock`,
    ]);
    const whole = { ...adopted, 'versions.lock': [...lock, both].join('\n') };
    expect(problems(whole)).toEqual([]);
    const changed = BOTH.replace('holidays: []', 'holidays: [{ name: N, on: Jan 2, source: S }]');
    expect(problems({ ...whole, 'calendars/demo-both.yaml': changed })).toEqual([
      "rules/calendars/demo-both.yaml:2:10\n    an adopted pack counts by version '2': give the changed text a new version",
    ]);
    // The next version stands beside the line of the old one.
    const next = changed.replace('version: "2"', 'version: "3"');
    const after = [...lock, both, line('calendars/demo-both@3', next)].join('\n');
    expect(problems({ ...whole, 'calendars/demo-both.yaml': next, 'versions.lock': after })).toEqual([]);
    const files = loadRules(rulesDir({ ...FILES, ...whole })).files.filter(({ kind }) => kind === 'calendar');
    expect(files.map(({ status }) => status)).toEqual(['adopted', 'adopted', 'adopted', 'adopted']);
  });
});

describe('the calendars of this repository', () => {
  const rules = loadRules(path.resolve(__dirname, '../../../../rules'));

  it('are there for the packs that are, and for the county that comes', () => {
    expect([...rules.calendars.keys()]).toEqual(
      expect.arrayContaining([
        'federal-holidays',
        'lodi-city-office',
        'lodi-plant',
        'wi-county-office',
        'wi-legal-holidays',
      ]),
    );
  });

  it('give hours only where their source does', () => {
    const hours = [...rules.calendars].filter(([, calendar]) => calendar.hours).map(([id]) => id);
    expect(hours).toEqual(['lodi-plant']);
  });
});
