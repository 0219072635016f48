import type { Pack } from './api';
import { drawFacts, removeFacts } from './remove-facts';
import { clause, loadDemo, removeRulesDirs, stored } from './testing/rules-dir.testing';

afterAll(removeRulesDirs);

/** Every operator, formula and verb once, so that each is tried with anything missing. */
const FACTS = `
  gap: { type: length, unit: ft, label: Gap }
  plot: { type: area, unit: acre, label: Plot }
  paint: { type: volume, unit: gal, label: Paint }
  solids: { type: percent, label: Solids }
  coats: { type: count, label: Coats }
  colour: { type: choice, of: [red, green, blue], label: Colour }
  dry: { type: bool, label: Dry }
  pretty: { type: judgement, by: board, ask: Is it?, label: Pretty }
  until: { type: date, optional: yes, label: Until }
  begun_at: { type: instant, optional: yes, label: Begun }
  ended_at: { type: instant, optional: yes, label: Ended }
  asked_on: { type: date, optional: yes, label: Asked }
  told_on: { type: date, optional: yes, label: Told }
  answered_on: { type: date, optional: yes, label: Answered }
  stopped_at: { type: instant, optional: yes, label: Stopped }
  again_at: { type: instant, optional: yes, label: Begun again }
  longer: { type: count, optional: yes, label: Times made longer }
  worker: { type: reference, to: painter, label: Worker }
  licensed: { type: set, to: painter, optional: yes, label: Licensed }
  shut_days: { type: set, of: date, optional: yes, label: Shut days }
  tints: { type: set, of: [red, green, blue], optional: yes, label: Tints }
  stocked: { type: set, of: [red, green, blue], optional: yes, label: Tints in stock }
  remark: { type: text, optional: yes, label: Remark }
  earlier: { type: series, label: Earlier, fields: { on: { type: date }, paint: { type: volume, unit: gal } } }`;
const DERIVED = `derived:
  this_year: { label: y, sum: [{ sum_of: { series: earlier, field: paint, same_year: { field: on, as: seen_on } } }, paint] }
  rate: { label: r, unit: gal/acre, divide: [this_year, plot] }
  solid: { label: s, unit: gal, multiply: [paint, solids] }
  left: { label: l, subtract: [paint, solid] }
  most: { label: m, maximum: [paint, solid] }
  least: { label: n, minimum: [paint, 5 gal] }
  turns: { label: t, count_of: { series: earlier, same_year: { field: on, as: until } } }
  last_at: { label: a, latest: [begun_at, ended_at] }
  first_at: { label: e, earliest: [begun_at, ended_at] }
  begun_on: { label: o, day: first_at }
  is_red: { label: i, when: { any: [{ fact: colour, is: red }, { fact: dry, is: yes }] } }
  after: { label: af, day_after: { date: until, days: 21 } }
  before: { label: be, day_before: { date: { month_end: begun_at }, days: 7 } }
  notice_by: { label: nb, day_before: { date: seen_on, working_days: 5, clear: yes } }
  harvest_from: { label: hf, day_after: { date: begun_at, months: 14 } }
  last_filing: { label: lf, year_day: { day: Sep 1, of: begun_at, years: -1, rolls: filing } }
  this_long: { label: tl, subtract: [{ year: ended_at }, { year: until }] }
  done_at: { label: d, choose: [{ when: { fact: is_red, is: yes }, then: ended_at }, { when: { fact: coats, at_least: 2 }, then: last_at }, { otherwise: none }] }
`;
const CLAUSES = [
  clause('C1', 'applies_if: { fact: is_red, is: yes }, require: { fact: gap, more_than: 600 ft }'),
  clause(
    'C2',
    'forbid: { fact: seen_on, in_season: Oct 31 to Apr 30 }, unless: { all: [{ fact: gap, less_than: 2 ft }, { fact: until, equals: seen_on }, { clauses_met: [C1, C4] }] }',
  ),
  clause('C3', 'require: { any: [{ fact: rate, at_most: 5 gal/acre }, { fact: pretty, is: yes }] }'),
  clause('C4', 'require: { fact: worker, is_one_of: licensed }'),
  clause(
    'C5',
    'applies_if: { fact: colour, none_of: [blue] }, deadline: { who: w, must: m, kind: physical, starts: begun_at, allow: 24 h, done: done_at, if_missed: { outcome: violation } }',
  ),
  clause(
    'C6',
    'forbid: { not: { all: [{ fact: left, at_least: 5 gal }, { not: { fact: turns, equals: coats } }] } }',
  ),
  clause('C7', 'require: { any: [{ fact: until, happened: no }, { fact: begun_on, on_or_before: until }] }'),
  clause('C8', 'require: { all: [{ fact: most, at_least: least }, { fact: last_at, after: first_at }] }'),
  clause('C9', 'fee: { pay: $5 }'),
  clause(
    'C10',
    'require: { any: [{ fact: begun_at, in_hours: 7:00 to 15:30 Mon to Fri }, { fact: dry, is: no }] }',
  ),
  clause(
    'C11',
    'forbid: { all: [{ fact: ended_at, in_year_of: until }, { fact: seen_on, in_year_of: begun_at }] }',
  ),
  clause('C12', 'require: { fact: seen_on, none_of: shut_days }, unless: { fact: remark, happened: yes }'),
  clause(
    'C13',
    'applies_if: { fact: tints, any_of: [red, green] }, require: { fact: tints, all_of: stocked }',
  ),
  clause('C14', 'forbid: { fact: tints, none_of: stocked }'),
  clause(
    'C15',
    'require: { all: [{ fact: after, on_or_after: before }, { fact: seen_on, after: last_filing }] }',
  ),
  clause(
    'C24',
    'require: { any: [{ fact: until, on_or_before: notice_by }, { fact: seen_on, on_or_after: harvest_from }] }',
  ),
  clause('C16', 'require: { fact: this_long, at_most: 0 }'),
  clause(
    'C17',
    'applies_if: { clauses_met: [C10] }, deadline: { who: w, must: m, kind: filing, starts: begun_at, due: { day: Oct 1, in_year_of: until }, done: ended_at, if_missed: { outcome: violation } }',
  ),
  clause(
    'C18',
    'deadline: { who: w, must: m, kind: decision, starts: until, allow: 3 working days, done: ended_at, if_missed: { outcome: violation } }',
  ),
  clause(
    'C20',
    'deadline: { who: w, must: m, kind: decision, starts: until, allow: 30 days, done: answered_on, paused_by: { from: asked_on, until: told_on, then: restart }, extended_by: { fact: longer, each: 2 weeks, granted_by: board }, if_missed: { outcome: violation } }',
  ),
  clause(
    'C21',
    'deadline: { who: w, must: m, kind: physical, starts: begun_at, allow: 12 h, done: ended_at, paused_by: { from: stopped_at, until: again_at, then: resume }, if_missed: { outcome: violation } }',
  ),
  clause(
    'C22',
    'deadline: { who: w, must: m, kind: filing, starts: until, due: { day: Oct 1, in_year_of: until }, done: answered_on, extended_by: { fact: longer, each: 1 month, granted_by: board }, if_missed: { outcome: violation } }',
  ),
  clause('C23', 'require: { any: [{ clauses_met: [C20] }, { not: { clauses_met: [C21] } }] }'),
  clause('C19', 'require: { any: [{ clauses_met: [C17] }, { not: { clauses_met: [C18] } }] }'),
].join('\n');
const MORE = {
  calendars: 'calendars: { legal: demo-legal, office: demo-office }\n',
  counting: 'counting: wis-990.001\n',
  derived: DERIVED,
  subjects: 'subjects: { painter: { label: P, key: k, facts: [] } }\n',
};
const options = { findings: 20_000, seed: 7, now: Date.UTC(2027, 10, 3, 12) };

describe('taking facts away', () => {
  const pack = loadDemo(FACTS, CLAUSES, MORE);

  it('only ever turns a finding to unknown', () => {
    const { flips, compared, seen } = removeFacts(pack, options);
    expect(flips).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(options.findings);
    // A draw in which hardly anything is decided would prove nothing.
    for (const status of ['satisfied', 'violated', 'not_applicable']) {
      expect(seen.get(status) ?? 0).toBeGreaterThan(options.findings / 20);
    }
  });

  it('decides every clause both ways in what it draws', () => {
    const seen = new Map<string, Set<string>>();
    const clauses = [...pack.clauses.keys()];
    for (const facts of drawFacts(pack, { ...options, count: 2_000 })) {
      for (const { clause: id, status } of pack.evaluate({
        clauses,
        facts: stored(facts),
        now: options.now,
      })) {
        seen.set(id, (seen.get(id) ?? new Set()).add(status));
      }
    }
    const decided = (id: string) => ['satisfied', 'violated'].filter((status) => seen.get(id)?.has(status));
    // A fee is never broken.
    const oneSided = clauses.filter((id) => id !== 'C9' && decided(id).length < 2);
    expect(oneSided).toEqual([]);
  });

  it('draws the same from the same seed', () => {
    const seen = (seed: number) => [...removeFacts(pack, { ...options, findings: 500, seed }).seen];
    expect(seen(1)).toEqual(seen(1));
    expect(seen(1)).not.toEqual(seen(2));
  });

  it('finds a pack that lets a missing fact pass', () => {
    const lax: Pick<Pack, 'evaluate' | 'statuses'> = {
      evaluate: (question) =>
        pack
          .evaluate(question)
          .map((finding) => (finding.status === 'unknown' ? { ...finding, status: 'satisfied' } : finding)),
      statuses: (question) =>
        pack.statuses(question).map((status) => (status === 'unknown' ? 'satisfied' : status)),
    };
    const { flips } = removeFacts(pack, { ...options, findings: 2_000 }, lax);
    expect(flips.length).toBeGreaterThan(0);
    expect(flips[0]).toMatchObject({ after: 'satisfied' });
  });

  it('finds two paths that disagree', () => {
    const torn: Pick<Pack, 'evaluate' | 'statuses'> = {
      evaluate: (question) => pack.evaluate(question),
      statuses: (question) => pack.statuses(question).map(() => 'satisfied'),
    };
    expect(removeFacts(pack, { ...options, findings: 100 }, torn).flips.length).toBeGreaterThan(0);
  });
});
