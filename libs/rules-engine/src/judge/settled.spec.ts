import { clause, loadDemo, removeRulesDirs, source } from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const pack = loadDemo(
  `
  gap: { type: length, unit: ft, label: Gap }
  begun_at: { type: instant, label: Begun }
  ended_at: { type: instant, optional: yes, label: Ended }`,
  [
    clause('GAP', 'require: { any: [{ fact: gap, at_least: 9 ft }, { clauses_met: [BOTH] }] }'),
    clause('BOTH', 'require: { clauses_met: [END] }'),
    clause(
      'END',
      'deadline: { who: owner, must: end it, kind: physical, starts: begun_at, allow: 6 h, done: ended_at, if_missed: { outcome: violation } }',
    ),
    clause('ALONE', 'require: { fact: gap, at_least: 1 ft }'),
  ].join('\n'),
);
const CLAUSES = ['GAP', 'BOTH', 'END', 'ALONE'];
const begun = { gap: '5 ft', begun_at: '2027-07-03T15:00:00Z', ended_at: null };
const judge = (
  settled: ReadonlyMap<string, 'satisfied' | 'violated'> | undefined,
  facts: Readonly<Record<string, unknown>> = begun,
) => {
  const question = {
    clauses: CLAUSES,
    facts: source(pack, facts),
    now: Date.parse('2027-07-03T15:00:00Z'),
    ...(settled ? { settled } : {}),
  };
  const statuses = pack.statuses(question);
  expect(pack.evaluate(question).map(({ status }) => status)).toEqual(statuses);
  return statuses;
};

describe('how a deadline ended', () => {
  it.each([
    [undefined, ['unknown', 'unknown', 'unknown', 'satisfied']],
    ['satisfied', ['satisfied', 'satisfied', 'satisfied', 'satisfied']],
    ['violated', ['violated', 'violated', 'violated', 'satisfied']],
  ] as const)('said from outside as %s settles what hangs on it', (end, statuses) => {
    expect(judge(end && new Map([['END', end]]))).toEqual(statuses);
  });

  it('is asked from outside only where the facts do not tell', () => {
    const facts = { ...begun, ended_at: '2027-07-03T16:00:00Z' };
    expect(judge(new Map([['END', 'violated']]), facts)).toEqual([
      'satisfied',
      'satisfied',
      'satisfied',
      'satisfied',
    ]);
    // Nothing of one question is left for the next.
    expect(judge(undefined)[0]).toBe('unknown');
  });

  it('matters to the clauses that ask for it, however many steps away', () => {
    expect([...pack.clausesAskedBy(['GAP'])]).toEqual(['BOTH', 'END']);
    expect([...pack.clausesAskedBy(['ALONE'])]).toEqual([]);
  });
});
