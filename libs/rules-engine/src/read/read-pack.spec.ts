import { clause, loadDemo, removeRulesDirs } from '../testing/rules-dir.testing';
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
