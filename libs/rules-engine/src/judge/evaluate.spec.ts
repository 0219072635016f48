import type { Finding } from '@headworks/kernel';
import type { Pack } from '../api';
import { explainFinding } from '../explain';
import { clause, loadDemo, removeRulesDirs, source, stored } from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const FACTS = `
  gap: { type: length, unit: ft, label: Gap }
  wide: { type: length, unit: ft, label: Width }
  coats: { type: count, label: Coats }
  colour: { type: choice, of: [red, green, blue], label: Colour }
  dry: { type: bool, label: Dry }
  pretty: { type: judgement, by: board, ask: Is it pretty?, label: Pretty }
  note: { type: text, label: Note }
  until: { type: date, optional: yes, label: Until }
  begun_at: { type: instant, label: Begun }
  ended_at: { type: instant, optional: yes, label: Ended }
  worker: { type: reference, to: painter, label: Worker }
  licensed: { type: set, to: painter, label: Licensed }
  tags: { type: set, label: Tags }`;
const SUBJECTS = {
  subjects:
    'subjects:\n  painter: { label: Painter, key: licence, facts: [gap, wide, coats, colour, dry, pretty, note, until, begun_at, ended_at, worker, licensed, tags] }\n',
};

/** One clause C with this body, judged on these facts. */
function judge(body: string, facts: Readonly<Record<string, unknown>>, now = 0): Finding {
  return judgeIn(loadDemo(FACTS, clause('C', body), SUBJECTS), facts, now);
}

function judgeIn(pack: Pack, facts: Readonly<Record<string, unknown>>, now = 0, id = 'C'): Finding {
  const question = { clauses: [id], facts: source(pack, facts), now };
  const finding = pack.evaluate(question)[0];
  if (!finding) throw new Error('no finding');
  // The hot path and the explained one must never differ.
  expect(pack.statuses(question)).toEqual([finding.status]);
  return finding;
}

describe('operators', () => {
  it.each([
    [
      '{ fact: gap, at_least: 6 ft }',
      { gap: '6 ft' },
      'satisfied',
      '0 ft',
      '6 ft, at least 6 ft: exactly at the limit, which is enough',
    ],
    [
      '{ fact: gap, at_least: 6 ft }',
      { gap: '5.9 ft' },
      'violated',
      '-0.1 ft',
      '5.9 ft, not at least 6 ft: 0.1 ft short',
    ],
    [
      '{ fact: gap, more_than: 6 ft }',
      { gap: '6 ft' },
      'violated',
      '0 ft',
      '6 ft, not more than 6 ft: exactly at the limit, which is not enough',
    ],
    [
      '{ fact: gap, more_than: 6 ft }',
      { gap: '18 ft' },
      'satisfied',
      '12 ft',
      '18 ft, more than 6 ft: 12 ft to spare',
    ],
    [
      '{ fact: gap, at_most: 6 ft }',
      { gap: '72 in' },
      'satisfied',
      '0 ft',
      '72 in, at most 6 ft: exactly at the limit, which is enough',
    ],
    [
      '{ fact: gap, at_most: 6 ft }',
      { gap: '7 ft' },
      'violated',
      '-1 ft',
      '7 ft, not at most 6 ft: 1 ft over',
    ],
    [
      '{ fact: gap, less_than: 6 ft }',
      { gap: '2 yd' },
      'violated',
      '0 ft',
      '2 yd, not less than 6 ft: exactly at the limit, which is not enough',
    ],
    [
      '{ fact: gap, less_than: wide }',
      { gap: '1 ft', wide: '2 yd' },
      'satisfied',
      '1.666667 yd',
      '1 ft, less than 2 yd: 1.666667 yd to spare',
    ],
    ['{ fact: gap, equals: 6 ft }', { gap: '2 yd' }, 'satisfied', undefined, 'gap is 2 yd'],
    ['{ fact: coats, at_most: 1 }', { coats: 2 }, 'violated', '-1 1', '2, not at most 1: 1 over'],
    ['{ fact: colour, is: red }', { colour: 'blue' }, 'violated', undefined, 'colour is blue, not red'],
    [
      '{ fact: colour, is_one_of: [red, green] }',
      { colour: 'green' },
      'satisfied',
      undefined,
      'green, one of red, green',
    ],
    [
      '{ fact: colour, none_of: [red, green] }',
      { colour: 'green' },
      'violated',
      undefined,
      'green, not none of red, green',
    ],
    ['{ fact: dry, is: yes }', { dry: true }, 'satisfied', undefined, 'dry is yes'],
    ['{ fact: dry, is: no }', { dry: true }, 'violated', undefined, 'dry is yes, not no'],
    ['{ fact: note, is: Fine work }', { note: 'Fine work' }, 'satisfied', undefined, 'note is Fine work'],
    [
      '{ fact: seen_on, before: "2027-03-02" }',
      { seen_on: '2027-03-01' },
      'satisfied',
      '1 days',
      '2027-03-01, before 2027-03-02: 1 day to spare',
    ],
    [
      '{ fact: seen_on, on_or_before: "2027-02-28" }',
      { seen_on: '2027-03-02' },
      'violated',
      '-2 days',
      '2027-03-02, not on or before 2027-02-28: 2 days over',
    ],
    [
      '{ fact: seen_on, after: until }',
      { seen_on: '2027-03-02', until: '2027-03-02' },
      'violated',
      '0 days',
      '2027-03-02, not after 2027-03-02: exactly at the limit, which is not enough',
    ],
    [
      '{ fact: seen_on, on_or_after: until }',
      { seen_on: '2027-03-02', until: '2027-03-01' },
      'satisfied',
      '1 days',
      '2027-03-02, on or after 2027-03-01: 1 day to spare',
    ],
    [
      '{ fact: begun_at, before: ended_at }',
      { begun_at: '2027-03-02T10:00:00Z', ended_at: '2027-03-02T06:30:00-05:00' },
      'satisfied',
      '1.5 h',
      '2027-03-02T10:00:00.000Z, before 2027-03-02T11:30:00.000Z: 1.5 h to spare',
    ],
    [
      '{ fact: seen_on, in_season: Oct 31 to Apr 30 }',
      { seen_on: '2027-10-31' },
      'satisfied',
      undefined,
      '2027-10-31, within Oct 31 to Apr 30',
    ],
    [
      '{ fact: seen_on, in_season: Oct 31 to Apr 30 }',
      { seen_on: '2027-10-30' },
      'violated',
      undefined,
      '2027-10-30, not within Oct 31 to Apr 30',
    ],
    [
      '{ fact: seen_on, outside_season: Oct 31 to Apr 30 }',
      { seen_on: '2027-05-01' },
      'satisfied',
      undefined,
      '2027-05-01, outside Oct 31 to Apr 30',
    ],
    [
      '{ fact: seen_on, outside_season: Mar 1 to Apr 30 }',
      { seen_on: '2027-04-30' },
      'violated',
      undefined,
      '2027-04-30, not outside Mar 1 to Apr 30',
    ],
    ['{ fact: until, happened: yes }', { until: null }, 'violated', undefined, 'until has not happened'],
    ['{ fact: until, happened: no }', { until: '2027-01-01' }, 'violated', undefined, 'until has happened'],
    [
      '{ fact: worker, is_one_of: licensed }',
      { worker: 'ab 1', licensed: ['AB 1'] },
      'satisfied',
      undefined,
      'AB 1, one of AB 1',
    ],
    [
      '{ fact: worker, is_one_of: tags }',
      { worker: 'ab 1', tags: ['ab  1'] },
      'satisfied',
      undefined,
      'AB 1, one of ab  1',
    ],
    [
      '{ fact: worker, none_of: licensed }',
      { worker: 'X', licensed: [] },
      'satisfied',
      undefined,
      'X, none of nothing',
    ],
  ])('require %s with %j is %s', (condition, facts, status, margin, text) => {
    const finding = judge(`require: ${condition}`, facts);
    expect(finding.status).toBe(status);
    expect(finding.margin && `${finding.margin.value} ${finding.margin.unit}`).toBe(margin);
    expect(explainFinding(finding)).toBe(text);
    // forbid is the mirror of require: same margin from the other side.
    const mirrored = judge(`forbid: ${condition}`, facts);
    expect(mirrored.status).toBe(status === 'satisfied' ? 'violated' : 'satisfied');
    if (finding.margin) expect(Number(mirrored.margin?.value)).toBe(0 - Number(finding.margin.value));
  });

  it('a finding of forbid names what must hold', () => {
    const finding = judge('forbid: { fact: gap, less_than: 6 ft }', { gap: '7 ft' });
    expect(finding.limit).toEqual({ op: 'at_least', value: { value: '6', unit: 'ft' } });
    expect(explainFinding(finding)).toBe('7 ft, at least 6 ft: 1 ft to spare');
  });

  it('tells a hair from a limit, which no double could', () => {
    const hair = '6.00000000000000000001 ft';
    expect(judge('require: { fact: gap, more_than: 6 ft }', { gap: hair }).status).toBe('satisfied');
    expect(judge('require: { fact: gap, at_most: 6 ft }', { gap: hair }).status).toBe('violated');
  });

  it('compares with none as false, and so forbids nothing by it', () => {
    expect(
      judge('require: { fact: until, equals: seen_on }', { until: null, seen_on: '2027-01-01' }).status,
    ).toBe('violated');
    expect(judge('forbid: { fact: until, equals: seen_on }', { until: null }).status).toBe('satisfied');
    expect(judge('require: { fact: until, equals: seen_on }', { until: null }).operands).toEqual([
      { fact: 'until', none: true, from: { source: 'payload' } },
    ]);
  });
});

describe('three values', () => {
  const all = 'require: { all: [{ fact: gap, more_than: 6 ft }, { fact: dry, is: yes }] }';
  const any = 'require: { any: [{ fact: gap, more_than: 6 ft }, { fact: dry, is: yes }] }';
  it.each([
    [all, { gap: '7 ft', dry: true }, 'satisfied', []],
    [all, { gap: '7 ft' }, 'unknown', ['dry']],
    [all, { dry: false }, 'violated', []],
    [all, {}, 'unknown', ['gap', 'dry']],
    [any, { gap: '5 ft', dry: false }, 'violated', []],
    [any, { dry: true }, 'satisfied', []],
    [any, { gap: '5 ft' }, 'unknown', ['dry']],
    [
      'require: { not: { all: [{ fact: gap, more_than: 6 ft }, { fact: dry, is: yes }] } }',
      { gap: '5 ft' },
      'satisfied',
      [],
    ],
    ['require: { not: { fact: dry, is: yes } }', {}, 'unknown', ['dry']],
    [
      'forbid: { fact: gap, at_most: 6 ft }, unless: { fact: dry, is: yes }',
      { gap: '5 ft', dry: true },
      'satisfied',
      [],
    ],
    [
      'forbid: { fact: gap, at_most: 6 ft }, unless: { fact: dry, is: yes }',
      { gap: '5 ft' },
      'unknown',
      ['dry'],
    ],
    [
      'forbid: { fact: gap, at_most: 6 ft }, unless: { fact: dry, is: yes }',
      { gap: '7 ft' },
      'satisfied',
      [],
    ],
    [
      'forbid: { fact: gap, at_most: 6 ft }, unless: { fact: dry, is: yes }',
      { dry: false },
      'unknown',
      ['gap'],
    ],
    [
      'applies_if: { fact: dry, is: yes }, require: { fact: gap, more_than: 6 ft }',
      { dry: false },
      'not_applicable',
      [],
    ],
    // Not known to apply: "satisfied" could still turn into "not applicable".
    [
      'applies_if: { fact: dry, is: yes }, require: { fact: gap, more_than: 6 ft }',
      { gap: '7 ft' },
      'unknown',
      ['dry'],
    ],
  ])('%s with %j is %s', (body, facts, status, missing) => {
    const finding = judge(body, facts);
    expect(finding.status).toBe(status);
    expect(finding.missing).toEqual(missing);
  });

  it('says why it does not know', () => {
    const judged = judge('require: { fact: pretty, is: yes }', {});
    expect(judged).toMatchObject({ status: 'unknown', reason: 'awaiting_judgement', missing: ['pretty'] });
    expect(explainFinding(judged)).toBe('unknown: waits for a judgement on pretty');
    const both = judge('require: { all: [{ fact: pretty, is: yes }, { fact: dry, is: yes }] }', {});
    expect(both).toMatchObject({ reason: 'fact_missing', missing: ['pretty', 'dry'] });
    expect(explainFinding(both)).toBe('unknown: nobody has said pretty, dry');
    const figure = judge('require: { fact: gap, at_most: { missing: how wide, kept_by: board } }', {
      gap: '1 ft',
    });
    expect(figure).toMatchObject({ status: 'unknown', reason: 'figure_missing', missing: [] });
  });

  it('asks for a choice first: what depends on it may never matter', () => {
    const body = 'require: { any: [{ fact: colour, is: red }, { fact: gap, more_than: 6 ft }] }';
    expect(judge(body, {}).missing).toEqual(['colour']);
    expect(judge(body, { colour: 'blue' }).missing).toEqual(['gap']);
  });

  it('takes a null for unknown where the pack says that there is no none', () => {
    const pack = loadDemo(FACTS, clause('C', 'require: { fact: dry, is: yes }'), SUBJECTS);
    const [finding] = pack.evaluate({ clauses: ['C'], facts: stored({ dry: null }), now: 0 });
    expect(finding).toMatchObject({ status: 'unknown', missing: ['dry'] });
  });

  it('takes a value of another type for unknown: an old text may have asked for something else', () => {
    const pack = loadDemo(FACTS, clause('C', 'require: { fact: gap, more_than: 6 ft }'), SUBJECTS);
    for (const json of [{ value: '7', unit: 'gal' }, '7 ft', 7, true, [], { value: '7', unit: 'rod' }]) {
      const [finding] = pack.evaluate({ clauses: ['C'], facts: stored({ gap: json }), now: 0 });
      expect(finding?.status).toBe('unknown');
    }
  });
});

describe('clauses that ask for clauses', () => {
  const clauses = [
    clause('A', 'require: { fact: gap, more_than: 6 ft }'),
    clause('B', 'applies_if: { fact: colour, is: red }, require: { fact: dry, is: yes }'),
    clause('C', 'require: { clauses_met: [A, B] }'),
  ].join('\n');

  it('counts not applicable as met, and carries what is missing', () => {
    const pack = loadDemo(FACTS, clauses, SUBJECTS);
    expect(judgeIn(pack, { gap: '7 ft', colour: 'blue' }).status).toBe('satisfied');
    expect(judgeIn(pack, { gap: '7 ft', colour: 'red' })).toMatchObject({
      status: 'unknown',
      missing: ['dry'],
    });
    const broken = judgeIn(pack, { gap: '5 ft', colour: 'red' });
    expect(broken).toMatchObject({
      status: 'violated',
      limit: { op: 'clauses_met', value: ['A', 'B'] },
      operands: [
        { fact: 'clause:A', value: 'violated', from: { source: 'derived' } },
        { fact: 'clause:B', value: 'unknown', from: { source: 'derived' } },
      ],
    });
    expect(explainFinding(broken)).toBe('not all of A, B are met: A');
    expect([...pack.factsUsedBy(['C'])].sort()).toEqual(['colour', 'dry', 'gap']);
  });
});

describe('findings', () => {
  it('stand as the contract says, with nothing rendered', () => {
    const body =
      'interpretation: { id: DM-a, choice: wide, reading: r, why: w, by: b }, require: { fact: gap, more_than: 600 ft }';
    expect(judge(body, { gap: '612 ft' })).toEqual({
      clause: 'C',
      rows: ['DM-01'],
      cite: 'par. 1',
      says: 'Says C.',
      status: 'satisfied',
      operands: [{ fact: 'gap', value: { value: '612', unit: 'ft' }, from: { source: 'payload' } }],
      limit: { op: 'more_than', value: { value: '600', unit: 'ft' } },
      margin: { value: '12', unit: 'ft' },
      missing: [],
      binds: 'person',
      interpretation: { id: 'DM-a', choice: 'wide' },
    });
  });

  it('show the tightest place first: the failing part, or the first with a margin', () => {
    const body =
      'require: { all: [{ fact: dry, is: yes }, { fact: gap, more_than: 6 ft }, { fact: wide, more_than: 1 ft }] }';
    expect(explainFinding(judge(body, { dry: true, gap: '7 ft', wide: '9 ft' }))).toBe(
      '7 ft, more than 6 ft: 1 ft to spare',
    );
    expect(explainFinding(judge(body, { dry: true, gap: '7 ft', wide: '0 ft' }))).toBe(
      '0 ft, not more than 1 ft: 1 ft short',
    );
  });

  it('a failed exception explains the breach: it is what could have cured it', () => {
    const body =
      'forbid: { fact: seen_on, in_season: Oct 31 to Apr 30 }, unless: { fact: gap, less_than: 2 ft }';
    expect(explainFinding(judge(body, { seen_on: '2027-01-05', gap: '3 ft' }))).toBe(
      '3 ft, not less than 2 ft: 1 ft over',
    );
    expect(explainFinding(judge(body, { seen_on: '2027-01-05', gap: '1 ft' }))).toBe(
      '1 ft, less than 2 ft: 1 ft to spare',
    );
    expect(explainFinding(judge(body, { seen_on: '2027-05-05', gap: '3 ft' }))).toBe(
      '2027-05-05, outside Oct 31 to Apr 30',
    );
  });

  it('fees give an amount, powers and obligations are listed and never judged', () => {
    const fee = judge('fee: { pay: $75.50, to: board }', {});
    expect(fee).toMatchObject({ status: 'satisfied', amount: { value: '75.5', unit: 'USD' } });
    expect(explainFinding(fee)).toBe('$75.5 to pay');
    expect(judge('fee: { pay: { missing: the fee, kept_by: board } }', {})).toMatchObject({
      status: 'unknown',
      reason: 'figure_missing',
    });
    const power = judge('power: { who: board, may: look }', {});
    expect(power).toMatchObject({ status: 'not_applicable', binds: 'office' });
    expect(explainFinding(power)).toBe('does not apply here');
    expect(judge('obligation: { who: somebody, must: sweep }', {})).toMatchObject({
      status: 'not_applicable',
      binds: 'person',
    });
  });

  it('a fact source may ask the pack itself without disturbing the evaluation', () => {
    const pack = loadDemo(FACTS, clause('C', 'require: { fact: gap, more_than: 6 ft }'), SUBJECTS);
    const inner = source(pack, { gap: '1 ft' });
    const outer = source(pack, { gap: '9 ft' });
    const [finding] = pack.evaluate({
      clauses: ['C'],
      now: 0,
      facts: (name) => {
        expect(pack.statuses({ clauses: ['C'], facts: inner, now: 0 })).toEqual(['violated']);
        return outer(name);
      },
    });
    expect(finding?.status).toBe('satisfied');
  });

  it('asks each fact once, and refuses a clause that it does not have', () => {
    const pack = loadDemo(
      FACTS,
      [
        clause('C', 'require: { fact: gap, more_than: 6 ft }'),
        clause('D', 'forbid: { fact: gap, more_than: 9 ft }'),
      ].join('\n'),
      SUBJECTS,
    );
    const asked: string[] = [];
    const facts = source(pack, { gap: '7 ft' });
    const question = {
      clauses: ['C', 'D'],
      now: 0,
      facts: (name: string) => {
        asked.push(name);
        return facts(name);
      },
    };
    expect(pack.statuses(question)).toEqual(['satisfied', 'satisfied']);
    expect(pack.evaluate(question)).toHaveLength(2);
    expect(asked).toEqual(['gap', 'gap']);
    expect(() => pack.statuses({ ...question, clauses: ['X'] })).toThrow("has no clause 'X'");
  });
});
