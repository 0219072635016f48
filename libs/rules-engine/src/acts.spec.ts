import { clause, loadDemo, removeRulesDirs, source } from './testing/rules-dir.testing';
import { explainFinding } from './explain';

afterAll(removeRulesDirs);

const pack = loadDemo(
  `
  gap: { type: length, unit: ft, holds: day, label: Gap }
  dry: { type: bool, label: Dry }
  painted_on: { type: date, optional: yes, label: Painted on }
  done_by: { type: actor, label: Done by }
  begun_at: { type: instant, label: Begun }
  ended_at: { type: instant, optional: yes, label: Ended }
  owner_name: { type: text, personal: yes, label: Owner }`,
  [
    clause('C1', 'require: { fact: gap, more_than: 6 ft }'),
    clause(
      'C2',
      'deadline: { who: painter, must: m, kind: physical, starts: begun_at, allow: 24 h, done: ended_at, if_missed: { outcome: violation } }, continues_until: ended_at',
    ),
  ].join('\n'),
  {
    subjects:
      'subjects: { wall: { label: Wall, key: number, facts: [gap, dry, painted_on, done_by, begun_at, ended_at, owner_name] } }\n',
    acts: `acts:
  look: { label: Look, cite: par. 3, on: wall, by: { body: board }, records: [gap], event: WallSeen }
  paint: { label: Paint, cite: par. 4, rows: [DM-01], on: wall, by: { body: board, same_as: look }, when: { all: [{ fact: dry, is: yes }, { fact: painted_on, happened: no }] }, needs: [C1], starts: [C2], gives: { painted_on: occurred_on, begun_at: occurredAt, done_by: person }, once: yes, judged_by: visit, event: WallPainted }
  scrape: { label: Scrape, cite: par. 5, on: wall, by: { person: painter, not_same_as: look }, ends: [C2], undoes: paint, event: WallScraped }
`,
  },
);

describe('acts', () => {
  it('say who, on what, what they record, need, start, end and undo', () => {
    expect(pack.acts.get('paint')).toEqual({
      name: 'paint',
      label: 'Paint',
      cite: 'par. 4',
      rows: ['DM-01'],
      on: 'wall',
      by: { body: 'board', sameAs: 'look' },
      event: 'WallPainted',
      records: [],
      gives: { painted_on: 'occurred_on', begun_at: 'occurredAt', done_by: 'person' },
      needs: ['C1'],
      starts: ['C2'],
      ends: [],
      once: true,
      scope: [],
      judgedBy: 'visit',
      hasWhen: true,
    });
    expect(pack.acts.get('scrape')).toMatchObject({
      by: { person: 'painter', notSameAs: 'look' },
      ends: ['C2'],
      undoes: 'paint',
      once: false,
      hasWhen: false,
    });
  });

  it('may be done where their condition holds, and say why not', () => {
    const may = (facts: Readonly<Record<string, unknown>>) =>
      pack.actAllowed('paint', source(pack, facts), 0);
    expect(may({ dry: true, painted_on: null })).toMatchObject({
      clause: 'act:paint',
      cite: 'par. 4',
      rows: ['DM-01'],
      status: 'satisfied',
    });
    const twice = may({ dry: true, painted_on: '2027-01-01' });
    expect(twice.status).toBe('violated');
    expect(explainFinding(twice)).toBe('painted_on has happened');
    expect(may({ painted_on: null })).toMatchObject({
      status: 'unknown',
      reason: 'fact_missing',
      missing: ['dry'],
    });
  });

  it('without a condition they may always be done', () => {
    expect(pack.actAllowed('look', () => undefined, 0)).toEqual({
      clause: 'act:look',
      rows: [],
      cite: 'par. 3',
      says: 'Look',
      status: 'satisfied',
      operands: [],
      missing: [],
      binds: 'person',
    });
    expect(() => pack.actAllowed('lock', () => undefined, 0)).toThrow("has no act 'lock'");
  });
});

describe('definitions', () => {
  it('of facts keep what recording needs to know', () => {
    expect(pack.facts.get('gap')).toEqual({
      name: 'gap',
      label: 'Gap',
      type: 'length',
      unit: 'ft',
      optional: false,
      personal: false,
      holds: 'day',
    });
    expect(pack.facts.get('owner_name')).toMatchObject({ personal: true, holds: 'until_replaced' });
    expect(pack.facts.get('painted_on')?.optional).toBe(true);
  });

  it('of clauses and deadlines keep who is bound, for how long and what follows', () => {
    expect(pack.clauses.get('C2')).toMatchObject({
      verb: 'deadline',
      binds: 'person',
      continuesUntil: 'ended_at',
      deadline: {
        who: 'painter',
        must: 'm',
        kind: 'physical',
        starts: 'begun_at',
        done: 'ended_at',
        allow: { amount: 24, unit: 'h' },
        counting: 'plain',
        outcome: 'violation',
      },
    });
    expect(Object.isFrozen(pack.clauses.get('C2'))).toBe(true);
  });

  it('of subjects name their key', () => {
    expect(pack.subjects.get('wall')).toMatchObject({ kind: 'wall', label: 'Wall', key: 'number' });
  });
});
