import { readPack } from '../read/read-pack';
import { removeFacts } from '../remove-facts';
import { clause, loadDemo, removeRulesDirs, source } from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const pack = loadDemo(
  `
  noticed_on: { type: date, optional: yes, label: Notice }
  comply_by: { type: date, optional: yes, label: Day set in the notice }
  extensions: { type: count, optional: yes, label: Extensions }
  hearing_at: { type: instant, optional: yes, label: Hearing }
  told_on: { type: date, optional: yes, label: Told }
  cured_on: { type: date, optional: yes, label: Cured }`,
  [
    clause(
      'CURE',
      'deadline: { who: owner, must: mend it, kind: filing, starts: noticed_on, due: { on: comply_by }, extended_by: { fact: extensions, each: 10 days, granted_by: board }, done: cured_on, if_missed: { outcome: violation } }',
    ),
    clause(
      'TELL',
      'deadline: { who: board, must: tell of the hearing, kind: notice, starts: noticed_on, due: { on: last_day }, done: told_on, if_missed: { outcome: violation } }',
    ),
    clause(
      'BEFORE',
      'deadline: { who: owner, must: answer, kind: filing, starts: noticed_on, due: { on: hearing_at, prior: yes }, done: cured_on, if_missed: { outcome: deemed_complete } }',
    ),
  ].join('\n'),
  {
    calendars: 'calendars: { legal: demo-legal, office: demo-office }\n',
    counting: 'counting: wis-990.001\n',
    derived:
      'derived: { last_day: { label: Last day of notice, day_before: { date: hearing_at, days: 10 } } }\n',
  },
);
const judge = (id: string, facts: Readonly<Record<string, unknown>>, now = '2027-12-31T00:00:00Z') => {
  const question = { clauses: [id], facts: source(pack, facts), now: Date.parse(now) };
  const [finding] = pack.evaluate(question);
  expect(pack.statuses(question)).toEqual([finding?.status]);
  return finding;
};
const NOTICE = { noticed_on: '2027-05-03', extensions: 0 };

describe('a day that somebody set', () => {
  // 6 June 2027 is a Sunday: a filing may come on Monday.
  it.each([
    ['2027-06-04', '2027-06-04', 'satisfied', '2027-06-04'],
    ['2027-06-04', '2027-06-05', 'violated', '2027-06-04'],
    ['2027-06-06', '2027-06-07', 'satisfied', '2027-06-07'],
  ])('%s, done on %s: %s', (comply_by, cured_on, status, date) => {
    expect(judge('CURE', { ...NOTICE, comply_by, cured_on })).toMatchObject({ status, due: { date } });
  });

  it('binds nobody until it is set, and is unknown while nobody has said', () => {
    expect(judge('CURE', { ...NOTICE, comply_by: null, cured_on: null })?.status).toBe('not_applicable');
    expect(judge('CURE', { ...NOTICE, cured_on: null })).toMatchObject({
      status: 'unknown',
      missing: ['comply_by'],
    });
  });

  it('is moved by extensions', () => {
    const facts = { ...NOTICE, extensions: 1, comply_by: '2027-06-04', cured_on: '2027-06-14' };
    expect(judge('CURE', facts)).toMatchObject({ status: 'satisfied', due: { date: '2027-06-14' } });
  });

  it('may be counted back from an event, and be prior to it', () => {
    const facts = { ...NOTICE, hearing_at: '2027-06-17T14:00:00-05:00' };
    expect(judge('TELL', { ...facts, told_on: '2027-06-07' })).toMatchObject({
      status: 'satisfied',
      due: { date: '2027-06-07' },
    });
    expect(judge('TELL', { ...facts, told_on: '2027-06-08' })?.status).toBe('violated');
    expect(judge('BEFORE', { ...facts, cured_on: '2027-06-16' })?.status).toBe('satisfied');
    expect(judge('BEFORE', { ...facts, cured_on: '2027-06-17' })).toMatchObject({
      outcome: 'deemed_complete',
    });
  });

  it('comes with a derivation that says so', () => {
    const facts = source(pack, { comply_by: '2027-06-04', extensions: 0 });
    const due = pack.due('CURE', Date.parse('2027-05-03T05:00:00Z'), facts);
    expect(due.derivation?.[0]).toMatchObject({
      on: '2027-06-04',
      why: 'the day that was set, itself counted',
    });
    expect(due.by?.period).toBe('by 2027-06-04');
  });

  it('never flips when facts are taken away', () => {
    expect(
      removeFacts(pack, { findings: 4_000, seed: 9, now: Date.parse('2027-06-05T00:00:00Z') }).flips,
    ).toEqual([]);
  });

  it('is told in words', () => {
    expect(readPack(pack)).toContain('owner must mend it by day set in the notice, from notice on');
  });
});
