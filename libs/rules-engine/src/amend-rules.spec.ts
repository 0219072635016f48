import { localDate } from '@headworks/kernel';
import { movedBy, type ExtraDay } from '@headworks/calendars';
import { amendRules, type AmendedDay } from './amend-rules';
import type { RuleSet } from './api';
import { loadRules } from './load/load-rules';
import { readPack } from './read/read-pack';
import { clause, packText, removeRulesDirs, rulesDir } from './testing/rules-dir.testing';

afterAll(removeRulesDirs);

const FACTS = `
  filed_on: { type: date, optional: yes, label: Filed }
  answered_on: { type: date, optional: yes, label: Answered }`;
const deadline = (id: string, body: string) =>
  clause(
    id,
    `deadline: { who: board, must: answer, starts: filed_on, done: answered_on, if_missed: { outcome: violation }, ${body} }`,
  );
const TEXT = packText(
  FACTS,
  [
    deadline('filing', 'kind: filing, allow: 10 days'),
    deadline('decision', 'kind: decision, allow: 10 days'),
    deadline('working', 'kind: decision, allow: 5 working days'),
    deadline('building', 'kind: physical, allow: 5 working days'),
  ].join('\n'),
  {
    calendars: 'calendars: { legal: demo-legal, office: demo-office }\n',
    counting: 'counting: wis-990.001\n',
  },
);
const OFFICE = `
calendar: demo-office
version: "1"
includes: [demo-county]
closed: { days: [Saturday, Sunday], source: Office hours }
holidays: []
`;
const COUNTY = 'calendar: demo-county\nversion: "3"\nholidays: []\n';
const load = (): RuleSet =>
  loadRules(
    rulesDir({
      'demo/1.yaml': TEXT,
      'calendars/demo-office.yaml': OFFICE,
      'calendars/demo-county.yaml': COUNTY,
    }),
  );
/** Tuesday, June 1: ten days end on Friday the 11th, five working days on Tuesday the 8th. */
const START = Date.parse('2027-06-01T17:00:00Z');
const rules = load();
const day = (date: string, more: Partial<AmendedDay> = {}): AmendedDay => ({
  jurisdiction: 'demo-town',
  calendar: 'demo-office',
  date: localDate(date),
  name: 'Flood',
  event: 'law-demo-town@7',
  closedFor: ['public'],
  ...more,
});
function dates(set: RuleSet): Readonly<Record<string, string>> {
  const pack = set.packOn('demo', localDate('2027-06-01'));
  if (!pack) throw new Error('no pack');
  return Object.fromEntries([...pack.clauses.keys()].map((id) => [id, pack.due(id, START).date]));
}
const before = {
  filing: '2027-06-11',
  decision: '2027-06-11',
  working: '2027-06-08',
  building: '2027-06-08',
};

describe('rules with days that officers added', () => {
  it.each<[string, readonly AmendedDay[], Partial<typeof before>]>([
    ['none', [], {}],
    ['a day on which nobody can bring anything', [day('2027-06-11')], { filing: '2027-06-14' }],
    [
      'a day on which the office does not work',
      [day('2027-06-04', { closedFor: ['staff'] })],
      { working: '2027-06-09', building: '2027-06-09' },
    ],
    [
      'a day on which nobody can build',
      [day('2027-06-04', { closedFor: ['contractors'] })],
      { building: '2027-06-09' },
    ],
    [
      'a legal holiday',
      [day('2027-06-11', { calendar: 'demo-legal', closedFor: 'everyone' })],
      { filing: '2027-06-14', decision: '2027-06-12' },
    ],
    [
      'a day of a calendar that the office includes',
      [day('2027-06-04', { calendar: 'demo-county', closedFor: ['staff'] })],
      { working: '2027-06-09', building: '2027-06-09' },
    ],
    ['a day of another town', [day('2027-06-11', { jurisdiction: 'other-town' })], {}],
    ['a day of a calendar that nobody counts by', [day('2027-06-11', { calendar: 'gone' })], {}],
  ])('%s', (_what, days, moved) => {
    expect(dates(amendRules(rules, days))).toEqual({ ...before, ...moved });
    expect(dates(rules)).toEqual(before);
  });

  it('are the same rules where nothing was added, and the same text where something was', () => {
    expect(amendRules(rules, [])).toBe(rules);
    const amended = amendRules(rules, [day('2027-06-11')]);
    const [old, pack] = [rules, amended].map((set) => set.packs.get('demo')?.[0]);
    expect(pack?.ref).toEqual(old?.ref);
    expect(pack).not.toBe(old);
    expect(amendRules(rules, [day('2027-06-11', { calendar: 'gone' })]).packs.get('demo')?.[0]).toBe(old);
    expect(pack && readPack(pack)).toContain('# Demo');
  });

  it('can be amended again: a day that is annulled is left out of the next list', () => {
    const once = amendRules(rules, [day('2027-06-11')]);
    const twice = amendRules(once, [day('2027-06-14', { event: 'law-demo-town@9' })]);
    expect(dates(twice)).toMatchObject({ filing: '2027-06-15' });
    expect(twice.packs.get('demo')?.[0]?.calendars.office?.amendedBy).toEqual([
      'law-demo-town@7',
      'law-demo-town@9',
    ]);
  });

  it('tell which event moved a date that was known before', () => {
    const pack = (set: RuleSet) => set.packs.get('demo')?.[0];
    const [was, is] = [rules, amendRules(rules, [day('2027-06-11')])].map((set) =>
      pack(set)?.due('filing', START),
    );
    if (!was || !is) throw new Error('no date');
    expect(movedBy(was, is)).toEqual([
      {
        on: '2027-06-11',
        counted: false,
        why: 'Flood: the last day moves on',
        source: 'entered by an officer (law-demo-town@7)',
        event: 'law-demo-town@7',
      },
    ]);
    expect(is.by?.calendars.find(({ id }) => id === 'demo-office')?.amendedBy).toEqual(['law-demo-town@7']);
  });

  it.each<[string, Partial<ExtraDay>]>([
    ["'2027-02-30' is no date", { date: '2027-02-30' as ExtraDay['date'] }],
    ['Say why 2027-06-11 is closed', { name: ' ' }],
    ["'yesterday' names no event", { event: 'yesterday' }],
    ['2027-06-11 is closed for nobody', { closedFor: [] }],
  ])('refuse a day that says: %s', (sentence, more) => {
    expect(() => amendRules(rules, [day('2027-06-11', more)])).toThrow(sentence);
  });
});
