import { checkRules, loadRules } from './load/load-rules';
import { exposureOf } from './exposure';
import { localDate } from '@headworks/kernel';
import { explainFinding } from './explain';
import { readPack } from './read/read-pack';
import { removeFacts } from './remove-facts';
import { formatProblem } from './source/problem';
import { clause, onlyPack, packText, removeRulesDirs, rulesDir, source } from './testing/rules-dir.testing';

afterAll(removeRulesDirs);

const SCHEDULE = `schedule: demo-fees
version: "3"
title: Fees of the board
in_force: { from: 2026-01-01 }
jurisdictions: [demo-town]
kept_by: Town clerk
items:
  looking: { says: Looking at a wall, amount: $20 }
  painting:
    says: Painting a wall
    dated: [{ from: "2026-01-01", amount: $30 }, { from: "2027-01-01", amount: $35.50 }]
  lime: { says: Lime, amount: { missing: the price of lime, kept_by: Mason } }
  fine: { says: Forfeiture, amount: { at_least: $50, at_most: $500 } }
  later_fine: { says: Later forfeiture, dated: [{ from: "2026-01-01", amount: $60 }, { from: "2027-01-01", amount: $90 }] }
  wage: { says: By the hour, amount: 2 USD/h }
`;
const FACTS = `
  herd: { type: animal_units, label: Herd }
  hours: { type: elapsed, unit: h, label: Hours }
  told_on: { type: date, optional: yes, label: Told }
  asked_on: { type: date, optional: yes, label: Asked }
  heard_on: { type: date, optional: yes, label: Heard }`;
const PAST_DUE =
  'kind: notice, starts: told_on, allow: 30 days, done: asked_on, if_missed: { outcome: appeal_barred }';
const CLAUSES = [
  clause(
    'TIERS',
    'fee: { by: herd, to: board, refundable: no, tiers: [{ more_than: 75 au, pay: $100 }, { at_least: 25 au, at_most: 75 au, pay: $50 }, { less_than: 25 au, pay: { missing: the least fee, kept_by: board } }] }',
  ),
  clause('LOOK', 'fee: { schedule: { of: demo-fees, item: looking } }'),
  clause('PAINT', 'fee: { schedule: { of: demo-fees, item: painting, on: seen_on }, refundable: yes }'),
  clause('LIME', 'fee: { schedule: { of: demo-fees, item: lime } }'),
  clause('WORK', 'fee: { pay: wages }'),
  clause('TIME', `deadline: { who: painter, must: appeal, ${PAST_DUE} }`),
  clause(
    'HEAR',
    'deadline: { who: board, must: hear it, kind: decision, starts: asked_on, allow: 15 days, done: heard_on, if_missed: { outcome: violation } }',
  ),
].join('\n');
const MORE = {
  derived:
    'derived: { wages: { label: Wages, multiply: [{ schedule: { of: demo-fees, item: wage } }, hours] } }\n',
  rest: `penalties:
  - { id: flat, cite: par. 8, rows: [DM-01], says: So much., for: [TIME], amount: $5 }
  - id: fine
    cite: par. 9
    rows: [DM-01]
    says: Whoever breaks it pays.
    for: any clause
    amount: { at_least: $50, at_most: $500, per: violation }
    each_day_separate: yes
    escalates: { within: 1 year, offences: [{ offence: 2, amount: { at_least: $100, at_most: $1000 } }, { offence: 3, amount: { at_most: $5000 } }] }
    after: conviction by a court
    adds: [costs of prosecution]
  - { id: by_schedule, cite: par. 10, rows: [DM-01], says: By the table., amount: { schedule: { of: demo-fees, item: fine }, per: day } }
  - { id: dated, cite: par. 10, rows: [DM-01], says: By its day., amount: { schedule: { of: demo-fees, item: later_fine } } }
  - { id: unknown, cite: par. 10, rows: [DM-01], says: Lime., amount: { schedule: { of: demo-fees, item: lime } } }
appeals:
  - id: hearing
    cite: par. 11
    rows: [DM-01]
    says: The board looks again.
    against: [denial, revocation, an order of the clerk]
    by: whoever is aggrieved
    to: board
    within: 30 days
    filed_under: TIME
    heard_under: [HEAR]
    stays: unless the board orders otherwise
`,
};
const text = packText(FACTS, CLAUSES, MORE);
const dir = (files: Readonly<Record<string, string>> = {}) =>
  rulesDir({ 'demo/1.yaml': text, 'schedules/demo-fees.yaml': SCHEDULE, ...files });
const rules = loadRules(dir());
const pack = onlyPack(rules);
const NOW = Date.UTC(2027, 5, 1);
const judge = (id: string, facts: Readonly<Record<string, unknown>>) => {
  const question = { clauses: [id], facts: source(pack, facts), now: NOW };
  const [finding] = pack.evaluate(question);
  expect(pack.statuses(question)).toEqual([finding?.status]);
  if (!finding) throw new Error('no finding');
  return finding;
};

describe('a fee', () => {
  it.each([
    ['75.01 au', '100'],
    ['75 au', '50'],
    ['25 au', '50'],
  ])('in tiers: %s pays $%s', (herd, value) => {
    expect(judge('TIERS', { herd })).toMatchObject({ status: 'satisfied', amount: { value, unit: 'USD' } });
  });

  it('is unknown where its figure is missing, or what it hangs on', () => {
    expect(judge('TIERS', { herd: '24 au' })).toMatchObject({ status: 'unknown', reason: 'figure_missing' });
    expect(judge('TIERS', {})).toMatchObject({ status: 'unknown', missing: ['herd'] });
    expect(judge('LIME', {})).toMatchObject({ status: 'unknown', reason: 'figure_missing' });
  });

  it.each([
    ['LOOK', {}, '$20 to pay'],
    ['PAINT', { seen_on: '2026-12-31' }, '$30 to pay'],
    ['PAINT', { seen_on: '2027-01-01' }, '$35.5 to pay'],
    ['WORK', { hours: '3 h' }, '$6 to pay'],
  ])('by a schedule: %s with %j', (id, facts, shown) => {
    expect(explainFinding(judge(id, facts))).toBe(shown);
  });

  it('of a day before the schedule is not known', () => {
    expect(judge('PAINT', { seen_on: '2025-12-31' })).toMatchObject({ reason: 'figure_missing' });
    expect(judge('PAINT', {})).toMatchObject({ reason: 'fact_missing', missing: ['seen_on'] });
  });

  it('says whether it is paid back', () => {
    expect(pack.clauses.get('TIERS')?.fee).toEqual({ to: 'board', refundable: false });
    expect(pack.clauses.get('PAINT')?.fee).toEqual({ refundable: true });
  });

  it('never flips when facts are taken away', () => {
    expect(removeFacts(pack, { findings: 5_000, seed: 3, now: NOW }).flips).toEqual([]);
  });
});

describe('a schedule', () => {
  it('is a text that the log adopts, of the jurisdictions whose packs name it', () => {
    expect(rules.files.find(({ kind }) => kind === 'schedule')).toMatchObject({
      id: 'demo-fees',
      version: '3',
      jurisdictions: ['demo-town'],
      path: 'schedules/demo-fees.yaml',
      inForce: { from: '2026-01-01' },
    });
    expect(checkRules(dir()).packs[0]?.missingFigures).toEqual([
      'the least fee (kept by board)',
      'the price of lime (kept by Mason)',
    ]);
  });

  const problems = (files: Readonly<Record<string, string>>) =>
    checkRules(dir(files)).problems.map((one) => formatProblem(one));

  it.each([
    [
      'schedule: demo-fees',
      'schedule: demo-fes',
      "1:11\n    the file is named demo-fees.yaml, but it says 'demo-fes'",
    ],
    [
      '[demo-town]',
      '[demo-twn]',
      "5:17\n    the registry has no jurisdiction 'demo-twn': did you mean 'demo-town'?",
    ],
    ['amount: $20', 'amount: twenty', "8:47\n    'twenty' is no quantity: write an amount such as $50"],
    [
      '"2027-01-01", amount: $35',
      '"2025-01-01", amount: $35',
      '11:58\n    2025-01-01 does not come after 2026-01-01: write the oldest first',
    ],
    ['"2027-01-01", amount: $35.50', '"2027-02-30", amount: $35.50', "11:58\n    '2027-02-30' is no date"],
    [
      'amount: $35.50',
      'amount: 3 ft',
      "9:3\n    '$30' is a sum of money (USD), but '3 ft' is a length (ft): one item is of one kind",
    ],
    [
      'amount: $20',
      'amount: { schedule: { of: x, item: y } }',
      '8:47\n    a schedule holds the amount itself, and does not name another',
    ],
    [
      'amount: $20',
      'sum: $20',
      '8:12\n    an item says what it is for and has an amount, or amounts with the day each begins (dated)',
    ],
  ])('with %j as %j is refused', (from, to, problem) => {
    expect(problems({ 'schedules/demo-fees.yaml': SCHEDULE.replace(from, to) })).toEqual([
      `rules/schedules/demo-fees.yaml:${problem}`,
    ]);
  });

  it('of an adopted pack keeps its text until it has a new version', () => {
    const registry = `jurisdictions: [{ id: demo-town, title: Demo Town, zone: America/Chicago }]
packs: [{ id: demo, title: Demo, jurisdiction: demo-town, status: adopted }]
`;
    const files = { 'registry.yaml': registry, 'demo/1.yaml': text };
    const lines = problems(files)
      .filter((line) => /add the line/.test(line))
      .map((line) => /'([0-9a-f]{64} {2}\S+)'/.exec(line)?.[1] ?? '');
    expect(lines.map((line) => line.split('  ')[1])).toEqual(['demo/1.yaml', 'schedules/demo-fees@3']);
    const lock = `${lines.join('\n')}\n`;
    expect(problems({ ...files, 'versions.lock': lock })).toEqual([]);
    const changed = {
      ...files,
      'versions.lock': lock,
      'schedules/demo-fees.yaml': SCHEDULE.replace('$20', '$21'),
    };
    expect(problems(changed)).toEqual([
      "rules/schedules/demo-fees.yaml:2:10\n    an adopted pack names version '3': give the changed text a new version",
    ]);
  });
});

describe('a penalty', () => {
  const penalty = (id: string) => {
    const found = pack.penalties.find((one) => one.id === id);
    if (!found) throw new Error(id);
    return found;
  };
  const usd = (value: string) => ({ value, unit: 'USD' });
  const on = localDate('2027-06-01');

  it.each([
    ['flat', 3, [], { offence: 1, times: 1, least: usd('5'), most: usd('5') }],
    ['fine', 3, [], { offence: 1, times: 3, least: usd('150'), most: usd('1500') }],
    ['fine', 1, ['2026-06-02'], { offence: 2, least: usd('100'), most: usd('1000') }],
    ['fine', 1, ['2026-06-01'], { offence: 1, least: usd('50') }],
    [
      'fine',
      2,
      ['2027-01-01', '2027-02-01', '2027-03-01'],
      { offence: 4, least: usd('0'), most: usd('10000') },
    ],
    ['by_schedule', 1, [], { least: usd('50'), most: usd('500') }],
    ['dated', 1, [], { least: usd('90'), most: usd('90') }],
    ['unknown', 1, [], { is: 'missing', missing: 'the price of lime', keptBy: 'Mason' }],
  ])('%s over %d days after %j', (id, days, earlier, span) => {
    expect(exposureOf(penalty(id), { on, days, earlier: earlier.map(localDate) })).toMatchObject(span);
  });

  it('of a day before its schedule has no span', () => {
    expect(exposureOf(penalty('dated'), { on: localDate('2025-01-01'), days: 1 })).toBeUndefined();
  });
});

describe('an appeal', () => {
  it('names its deadlines', () => {
    expect(pack.appeals).toMatchObject([
      {
        id: 'hearing',
        to: 'board',
        within: { amount: 30, unit: 'days' },
        filedUnder: 'TIME',
        heardUnder: ['HEAR'],
      },
    ]);
  });

  it('comes too late the day after', () => {
    expect(judge('TIME', { told_on: '2027-03-01', asked_on: '2027-03-31' })).toMatchObject({
      status: 'satisfied',
    });
    expect(judge('TIME', { told_on: '2027-03-01', asked_on: '2027-04-01' })).toMatchObject({
      status: 'violated',
      outcome: 'appeal_barred',
    });
  });
});

describe("the officer's view of money and appeals", () => {
  it.each([
    '- **MUST** by herd is to be paid to Town board: more than 75 au: $100; at least 25 au, at most 75 au: $50; less than 25 au: missing: the least fee, kept by Town board. It is not paid back.',
    "- **MUST** 'Painting a wall' of the schedule demo-fees on day seen is to be paid. It is paid back.",
    "- wages: ('By the hour' of the schedule demo-fees) x hours",
    '- Whoever breaks it pays. (par. 9): at least $50, at most $500, per violation, each day for itself, offence 2 within 1 year: at least $100, at most $1000, offence 3 within 1 year: at most $5000, after conviction by a court, besides costs of prosecution',
    '- By its day. (par. 10): from 2026-01-01 $60, from 2027-01-01 $90',
    '- The board looks again. (par. 11): against denial, revocation, an order of the clerk; by whoever is aggrieved to Town board; within 30 days; unless the board orders otherwise; under TIME, HEAR',
  ])('has the line %j', (line) => {
    expect(readPack(pack).split('\n')).toContain(line);
  });
});
