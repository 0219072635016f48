import { loadRules } from '../load/load-rules';
import { PERMITS_PACK } from '../testing/permits-pack.testing';
import { clause, loadDemo, onlyPack, removeRulesDirs, rulesDir } from '../testing/rules-dir.testing';
import { readPack } from './read-pack';

afterAll(removeRulesDirs);

describe("the officer's view", () => {
  const pack = loadDemo(
    `
  gap: { type: length, unit: ft, label: Gap to the road }
  dry: { type: bool, label: Dry }
  begun_at: { type: instant, label: First coat }
  ended_at: { type: instant, optional: yes, label: Last coat }
  earlier: { type: series, label: Earlier gaps, fields: { on: { type: date }, gap: { type: length, unit: ft } } }`,
    [
      clause(
        'C1',
        'reading: wide, require: { any: [{ fact: whole, more_than: 6 ft }, { fact: dry, is: no }] }',
      ),
      clause(
        'C2',
        'applies_if: { fact: dry, is: yes }, forbid: { fact: seen_on, in_season: Oct 31 to Apr 30 }, unless: { clauses_met: [C1] }, continues_until: ended_at',
      ),
      clause(
        'C3',
        'deadline: { who: board, must: end it, kind: physical, starts: begun_at, allow: 24 h, done: ended_at, if_missed: { outcome: violation } }',
      ),
      clause('C4', 'power: { who: board, may: look at it, grounds: a complaint }'),
      clause('C5', 'fee: { pay: { missing: the fee, kept_by: board } }'),
    ].join('\n'),
    {
      readings:
        'readings: { wide: { choices: [six, seven], chosen: six, says: Six is wide., why: So it was., by: nobody } }\n',
      derived:
        'derived: { whole: { label: Whole gap, sum: [gap, { sum_of: { series: earlier, field: gap, same_year: { field: on, as: seen_on } } }] } }\n',
      rest: 'penalties: [{ id: fine, cite: par. 9, rows: [DM-01], says: Whoever breaks it pays., amount: { at_least: $5, at_most: $50, per: violation } }]\n',
    },
  );
  const text = readPack(pack);

  it.each([
    'Demo ordinance. Pack `demo`, version 1, in force from unknown, read on 2026-11-30.',
    '- **SAYS** Says C1.',
    '- **MUST** whole gap is more than 6 ft or dry is no.',
    '- **READ** wide: six (of six, seven). Six is wide. Why: So it was. By: nobody.',
    '- **MUST** Where dry is yes: it is forbidden that day seen falls within Oct 31 to Apr 30, unless C1 are met.',
    '- A breach lasts until last coat, a day at a time.',
    '- **MUST** Town board must end it within 24 h of first coat, counted by the clock; done when last coat. If missed: violation.',
    '- **MUST** Town board may look at it, on grounds of a complaint. Never automatic.',
    '- **MUST** a figure that is missing (the fee, kept by Town board) is to be paid.',
    '- whole gap: gap to the road + (the sum of gap in earlier gaps in the year of day seen)',
    '- Whoever breaks it pays. (par. 9): at least $5, at most $50, per violation',
    '- Binds the office. Rows: DM-01.',
  ])('has the line %j', (line) => {
    expect(text.split('\n')).toContain(line);
  });
});

describe("the officer's view of times and sets", () => {
  const pack = loadDemo(
    `
  began_at: { type: instant, optional: yes, label: Beginning }
  asked_on: { type: date, label: Day of asking }
  given_on: { type: date, optional: yes, label: Day of the answer }
  shut_days: { type: set, of: date, label: Shut days }
  brought: { type: set, of: [ash, bark], label: What is brought }
  taken: { type: set, of: [ash, bark], label: What is taken }`,
    [
      clause('C1', 'require: { fact: began_at, in_hours: "7:00 to 15:30 Mon to Fri" }'),
      clause(
        'C2',
        'forbid: { all: [{ fact: began_at, in_hours: "7:00 to 8:00" }, { fact: seen_on, in_year_of: notice }] }',
      ),
      clause('C3', 'require: { fact: seen_on, none_of: shut_days }'),
      clause(
        'C4',
        'require: { any: [{ fact: brought, all_of: taken }, { fact: brought, any_of: [ash] }, { fact: brought, none_of: taken }] }',
      ),
      clause(
        'C5',
        'require: { not: { any: [{ fact: brought, all_of: taken }, { fact: brought, any_of: [ash] }, { fact: brought, none_of: taken }] } }',
      ),
      clause(
        'C6',
        'deadline: { who: board, must: answer, kind: decision, starts: asked_on, due: { day: Oct 1, in_year_of: asked_on }, done: given_on, if_missed: { outcome: violation } }',
      ),
      clause('C7', 'require: { all: [{ fact: last_day, after: notice }, { fact: span, at_most: 1 }] }'),
    ].join('\n'),
    {
      calendars: 'calendars: { legal: demo-legal, office: demo-office }\n',
      subjects:
        'subjects: { wall: { label: W, key: k, facts: [began_at, asked_on, given_on, shut_days, brought, taken] } }\n',
      derived: `derived:
  notice: { label: End of notice, day_after: { date: { month_end: asked_on }, days: 21 } }
  eve: { label: The eve, day_before: { date: asked_on, days: 1 } }
  last_day: { label: Last day of filing, year_day: { day: Sep 1, of: began_at, years: -1, rolls: filing } }
  span: { label: Years between, subtract: [{ year: given_on }, { year: eve }] }
`,
    },
  );
  const lines = readPack(pack).split('\n');

  it.each([
    '- **MUST** beginning falls within 7:00 to 15:30 Mon to Fri.',
    '- **MUST** it is forbidden that beginning falls within 7:00 to 8:00 and day seen is in the year of end of notice.',
    '- **MUST** day seen is none of shut days.',
    '- **MUST** what is brought are all among what is taken or what is brought include at least one of ash or what is brought include none of what is taken.',
    '- **MUST** what is brought are not all among what is taken and what is brought include none of ash and what is brought include at least one of what is taken.',
    '- **MUST** Town board must answer by Oct 1 of the year of day of asking, from day of asking on, counted by the clock; done when day of the answer. If missed: violation.',
    '- end of notice: 21 days after the last day of the month of day of asking',
    '- the eve: the day before day of asking',
    '- last day of filing: Sep 1 of the year before that of beginning, moved on as a filing is',
    '- years between: (the year of day of the answer) - (the year of the eve)',
  ])('has the line %j', (line) => {
    expect(lines).toContain(line);
  });
});

describe("the officer's view of permits", () => {
  const read = (text = PERMITS_PACK) =>
    readPack(onlyPack(loadRules(rulesDir({ 'demo/1.yaml': text })))).split('\n');
  const lines = read();

  it.each([
    '## Permit to paint (`painting`, par. 1)',
    '- Held by: Painter.',
    '- The form asks: colour, paint that the permit allows (needed).',
    '- Called complete by Town clerk; decided by Town board (not by the person who called it complete) under C1; issued by Town clerk.',
    '- C1 may be left unmet, with a reason, by the power C5.',
    '- An approval fixes: paint that the permit allows.',
    '- Valid for the calendar year after its application; then it has expired. It may be renewed.',
    '- It may be revoked by Town board, on grounds of C3, C4.',
    '## Leave to paint (`leave`, par. 3)',
    '- Asked before: A coat of paint, at: Wall.',
    '- Under: Permit to paint.',
    '- It reserves in: Paint under a permit in a year. An acceptance stands to the end of the planned day.',
  ])('has the line %j', (line) => {
    expect(lines).toContain(line);
  });

  it.each([
    [
      '{ for: 1 year, from: issued_on, then: void }',
      '- Valid for 1 year from its issue; then it is void. It may be renewed.',
    ],
    [
      '{ from: asked_on, until: decided_on, then: expired }',
      '- Valid from day of the application until day of the decision, both in; then it has expired. It may be renewed.',
    ],
  ])('says how long: %s', (valid, line) => {
    expect(read(PERMITS_PACK.replace('{ calendar_year: following, then: expired }', valid))).toContain(line);
  });
});
