import type { Finding } from '@headworks/kernel';
import type { Pack } from '../api';
import { explainFinding } from '../explain';
import { loadRules } from '../load/load-rules';
import {
  clause,
  loadDemo,
  onlyPack,
  packText,
  removeRulesDirs,
  rulesDir,
  source,
} from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const FACTS = `
  filed_on: { type: date, optional: yes, label: Filed }
  noticed_at: { type: instant, optional: yes, label: Noticed }
  answered_on: { type: date, optional: yes, label: Answered }
  plan_on: { type: date, optional: yes, label: Day of the plan }
  urgent: { type: bool, optional: yes, label: Urgent }`;
const MORE = {
  calendars: 'calendars: { legal: demo-legal, office: demo-office }\n',
  counting: 'counting: wis-990.001\n',
  subjects:
    'subjects: { wall: { label: Wall, key: number, facts: [filed_on, noticed_at, answered_on, plan_on, urgent] } }\n',
};
const deadline = (body: string, more = '') =>
  clause('D', `${more}deadline: { who: board, must: answer, if_missed: { outcome: violation }, ${body} }`);
const DECIDE =
  'kind: decision, starts: filed_on, due: { day: Oct 1, in_year_of: filed_on }, done: answered_on';

function judgeAll(pack: Pack, ids: readonly string[], facts: Readonly<Record<string, unknown>>, now: string) {
  const question = { clauses: ids, facts: source(pack, facts), now: Date.parse(now) };
  const findings = pack.evaluate(question);
  expect(pack.statuses(question)).toEqual(findings.map(({ status }) => status));
  return findings;
}
function judge(pack: Pack, facts: Readonly<Record<string, unknown>>, now: string): Finding {
  const [finding] = judgeAll(pack, ['D'], facts, now);
  if (!finding) throw new Error('no finding');
  return finding;
}

describe('a day that the law names', () => {
  const pack = loadDemo(FACTS, deadline(DECIDE), MORE);
  // 1 October 2028 is a Sunday: the decision may come on Monday.
  const due = { date: '2028-10-02', at: '2028-10-03T05:00:00.000Z', elapsedAt: null };

  it.each([
    ['2028-10-01', 'satisfied'],
    ['2028-10-02', 'satisfied'],
    ['2028-10-03', 'violated'],
  ])('answered on %s: %s', (answered_on, status) => {
    const finding = judge(pack, { filed_on: '2028-08-14', answered_on }, '2029-01-01T00:00:00Z');
    expect(finding).toMatchObject({ status, due, binds: 'office' });
  });

  it.each([
    ['2027-09-30', '2027-10-01', 'satisfied'],
    ['2027-10-01', '2027-10-01', 'satisfied'],
    ['2027-10-02', '2027-10-01', 'violated'],
    // A Saturday is no day off for a decision that the office itself must make.
    ['2022-10-01', '2022-10-01', 'satisfied'],
    ['2022-10-03', '2022-10-01', 'violated'],
  ])('answered on %s, where it is due on %s: %s', (answered_on, date, status) => {
    const facts = { filed_on: `${date.slice(0, 4)}-08-14`, answered_on };
    expect(judge(pack, facts, '2030-01-01T00:00:00Z')).toMatchObject({ status, due: { date } });
  });

  it('waits to its last moment, then it is missed', () => {
    const facts = { filed_on: '2028-08-14', answered_on: null };
    const waiting = judge(pack, facts, '2028-10-03T04:59:59.999Z');
    expect(waiting).toMatchObject({ status: 'unknown', reason: 'not_yet_due', missing: [], due });
    expect(explainFinding(waiting)).toBe('not yet due: until the end of 2028-10-02');
    const late = judge(pack, facts, '2028-10-03T05:00:00Z');
    expect(late).toMatchObject({ status: 'violated', outcome: 'violation', due });
    expect(explainFinding(late)).toBe('not done in time, due by the end of 2028-10-02 (violation)');
  });

  it('does not apply before it starts, and is unknown while nobody has said', () => {
    expect(judge(pack, { filed_on: null }, '2028-10-05T00:00:00Z').status).toBe('not_applicable');
    expect(judge(pack, {}, '2028-10-05T00:00:00Z').missing).toEqual(['filed_on', 'answered_on']);
    expect(judge(pack, { filed_on: '2028-08-14' }, '2028-10-05T00:00:00Z').missing).toEqual(['answered_on']);
  });

  it('tells how the day came to be', () => {
    const start = Date.parse('2028-08-14T12:00:00Z');
    expect(pack.due('D', start)).toMatchObject(due);
    expect(pack.due('D', start).derivation?.map(({ on, why }) => `${on}: ${why}`)).toEqual([
      '2028-10-01: the day that the law names, itself counted',
      '2028-10-01: Sunday: the last day moves on',
      '2028-10-02: the last day, after moving on',
    ]);
    // The start stands for the year where it is the date that names it, by the clocks of the zone.
    expect(pack.due('D', Date.parse('2029-01-01T05:59:59Z')).date).toBe('2028-10-02');
    expect(pack.due('D', start, source(pack, { filed_on: '2027-08-14' })).date).toBe('2027-10-01');
  });
});

describe('a day in the year of another date', () => {
  const pack = loadDemo(
    FACTS,
    deadline(
      'kind: notice, starts: noticed_at, due: { day: Mar 15, in_year_of: plan_on }, done: answered_on',
    ),
    MORE,
  );
  const facts = { noticed_at: '2026-11-01T12:00:00-06:00', answered_on: '2027-03-15', plan_on: '2027-05-01' };
  const now = '2028-01-01T00:00:00Z';

  it('is asked for with the facts, or said to be unknown', () => {
    const start = Date.parse(facts.noticed_at);
    expect(judge(pack, facts, now)).toMatchObject({ status: 'satisfied', due: { date: '2027-03-15' } });
    expect(pack.due('D', start, source(pack, facts)).date).toBe('2027-03-15');
    expect(() => pack.due('D', start)).toThrow(
      "the day of 'D' is in the year of 'plan_on', which is not known",
    );
    expect(() => pack.due('D', start, source(pack, { plan_on: null }))).toThrow('give the facts');
  });

  it('is unknown without it, and does not apply where there is no such date', () => {
    const { plan_on: _plan, ...without } = facts;
    expect(judge(pack, without, now)).toMatchObject({ status: 'unknown', missing: ['plan_on'] });
    expect(judge(pack, without, now).due).toBeUndefined();
    expect(judge(pack, { ...facts, plan_on: null }, now).status).toBe('not_applicable');
  });
});

describe('a filing that is judged by the last day of its own year', () => {
  const FILE = 'kind: filing, starts: filed_on, due: { day: Sep 1, in_year_of: filed_on }, done: filed_on';
  const pack = loadDemo(FACTS, deadline(FILE), MORE);
  const plain = loadDemo(FACTS, deadline(`${FILE}, counting: plain`.replace('Sep 1', 'Aug 31')), MORE);

  it.each([
    ['2026-08-31', 'satisfied', 'satisfied'],
    ['2026-09-01', 'satisfied', 'violated'],
    ['2026-09-02', 'violated', 'violated'],
    // A Sunday: Monday will do for the one, and for the other nothing rolls.
    ['2024-09-02', 'satisfied', 'violated'],
    ['2024-09-03', 'violated', 'violated'],
    // A closed Saturday in 2029: Monday the 3rd.
    ['2029-09-03', 'satisfied', 'violated'],
  ])('filed on %s: %s, and %s by a plain day', (filed_on, rolled, unrolled) => {
    expect(judge(pack, { filed_on }, '2031-01-01T00:00:00Z').status).toBe(rolled);
    expect(judge(plain, { filed_on }, '2031-01-01T00:00:00Z').status).toBe(unrolled);
  });
});

describe('a day that something is done prior to', () => {
  const FILE = 'kind: filing, starts: filed_on, done: filed_on';
  const prior = loadDemo(
    FACTS,
    deadline(`${FILE}, due: { day: Sep 1, in_year_of: filed_on, prior: yes }`),
    MORE,
  );

  it.each([
    ['2026-08-31', 'satisfied'],
    ['2026-09-01', 'violated'],
    // August 31, 2025 is a Sunday, and the last day all the same.
    ['2025-08-31', 'satisfied'],
    ['2025-09-01', 'violated'],
  ])('filed on %s: %s', (filed_on, status) => {
    const finding = judge(prior, { filed_on }, '2031-01-01T00:00:00Z');
    expect(finding).toMatchObject({ status, due: { date: `${filed_on.slice(0, 4)}-08-31` } });
  });
});

describe('what may be done by post', () => {
  const calendars = 'calendars: { legal: demo-legal, office: demo-office, post: demo-post }\n';
  const POST = `
calendar: demo-post
version: "7"
lists: { mail: { source: Postal statute, observed: { Saturday: Friday } } }
holidays: [{ list: mail, name: Mail Day, on: Oct 2 }]
`;
  const load = (more: string): Pack => {
    const text = packText(
      FACTS,
      deadline(`kind: filing, starts: filed_on, allow: 1 day, done: answered_on${more}`),
      { ...MORE, calendars },
    );
    return onlyPack(loadRules(rulesDir({ 'demo/1.yaml': text, 'calendars/demo-post.yaml': POST })));
  };
  const start = Date.parse('2027-09-30T17:00:00Z');

  it('has the holidays of the post beside the legal ones, and says whose they are', () => {
    // October 2, 2027 is a Saturday: the post keeps it on Friday, the office is closed on it, Sunday is no day.
    const due = load(', may_be_mailed: yes').due('D', start);
    expect(due.date).toBe('2027-10-04');
    expect(
      due.derivation?.filter(({ counted }) => !counted).map(({ on, source = '' }) => [on, source]),
    ).toEqual([
      ['2027-09-30', 'Wis. Stat. 990.001(4)(a), (d)'],
      ['2027-10-01', 'Wis. Stat. 990.001(4)(b); Postal statute'],
      ['2027-10-02', 'Wis. Stat. 990.001(4)(b); Postal statute'],
      ['2027-10-03', 'Wis. Stat. 990.001(4)(b)'],
    ]);
    expect(due.by?.calendars).toMatchObject([
      { as: 'legal', id: 'demo-legal' },
      { as: 'legal', id: 'demo-post', version: '7' },
      { as: 'office', id: 'demo-office' },
    ]);
    expect(load('').due('D', start).date).toBe('2027-10-01');
  });
});

describe('the last years that dates are written for', () => {
  it.each(['allow: 60 days', 'allow: 30 working days', 'allow: 14 months', 'allow: 2 years'])(
    '%s from its last day',
    (allow) => {
      const pack = loadDemo(
        FACTS,
        deadline(`kind: filing, starts: filed_on, ${allow}, done: answered_on`),
        MORE,
      );
      const facts = { filed_on: '2199-12-31', answered_on: null };
      expect(judge(pack, facts, '2199-12-31T23:00:00Z')).toMatchObject({
        status: 'unknown',
        reason: 'not_yet_due',
      });
    },
  );
});

describe('periods by the calendar', () => {
  it.each([
    ['2 months', '2027-06-30', '2027-08-30', '2027-08-31'],
    ['1 year', '2027-06-30', '2028-06-30', '2028-07-01'],
    // Friday; Saturday and Sunday are no working days.
    ['2 working days', '2027-06-25', '2027-06-29', '2027-06-30'],
  ])('%s from %s end on %s', (allow, filed_on, last, next) => {
    const pack = loadDemo(
      FACTS,
      deadline(`kind: decision, starts: filed_on, allow: ${allow}, done: answered_on`),
      MORE,
    );
    const now = '2030-01-01T00:00:00Z';
    expect(judge(pack, { filed_on, answered_on: last }, now)).toMatchObject({
      status: 'satisfied',
      due: { date: last },
    });
    expect(judge(pack, { filed_on, answered_on: next }, now).status).toBe('violated');
  });
});

describe('conditions on a deadline, and deadlines in conditions', () => {
  const pack = loadDemo(
    FACTS,
    [
      deadline(DECIDE, 'applies_if: { fact: urgent, is: no }, '),
      clause('M', 'require: { any: [{ clauses_met: [D] }, { fact: plan_on, happened: yes }] }'),
      clause('N', 'require: { not: { clauses_met: [D] } }'),
    ].join('\n'),
    MORE,
  );
  const met = (facts: Readonly<Record<string, unknown>>, now: string) =>
    judgeAll(pack, ['D', 'M', 'N'], { plan_on: null, ...facts }, now).map(({ status }) => status);
  const filed = { filed_on: '2028-08-14', urgent: false };

  it.each<[string, Readonly<Record<string, unknown>>, string, readonly string[]]>([
    [
      'in time',
      { ...filed, answered_on: '2028-10-02' },
      '2029-01-01',
      ['satisfied', 'satisfied', 'violated'],
    ],
    ['late', { ...filed, answered_on: '2028-10-03' }, '2029-01-01', ['violated', 'violated', 'satisfied']],
    ['still time', { ...filed, answered_on: null }, '2028-09-01', ['unknown', 'unknown', 'unknown']],
    ['never', { ...filed, answered_on: null }, '2028-10-04', ['violated', 'violated', 'satisfied']],
    [
      'not for these',
      { ...filed, urgent: true, answered_on: null },
      '2029-01-01',
      ['not_applicable', 'satisfied', 'violated'],
    ],
    [
      'perhaps not for these',
      { filed_on: '2028-08-14', answered_on: '2028-10-02' },
      '2029-01-01',
      ['unknown', 'unknown', 'unknown'],
    ],
  ])('%s', (_name, facts, now, statuses) => {
    expect(met(facts, `${now}T12:00:00Z`)).toEqual(statuses);
  });

  it('says that it is not yet due behind a condition', () => {
    const [, behind] = judgeAll(
      pack,
      ['D', 'M'],
      { ...filed, answered_on: null, plan_on: null },
      '2028-09-01T00:00:00Z',
    );
    expect(behind).toMatchObject({ status: 'unknown', reason: 'not_yet_due', missing: [] });
  });
});
