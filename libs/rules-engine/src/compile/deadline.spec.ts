import type { Finding } from '@headworks/kernel';
import type { Pack } from '../api';
import { explainFinding } from '../explain';
import { clause, loadDemo, removeRulesDirs, source } from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const FACTS = `
  begun_at: { type: instant, optional: yes, label: Begun }
  ended_at: { type: instant, optional: yes, label: Ended }
  filed_on: { type: date, optional: yes, label: Filed }
  answered_on: { type: date, optional: yes, label: Answered }
  method: { type: choice, of: [good, bad], optional: yes, label: Method }`;
const MORE = {
  calendars: 'calendars: { legal: demo-legal, office: demo-office }\n',
  counting: 'counting: wis-990.001\n',
  subjects:
    'subjects: { wall: { label: Wall, key: number, facts: [begun_at, ended_at, filed_on, answered_on, method] } }\n',
  derived: `derived:
  ended_well: { label: Ended well, choose: [{ when: { fact: method, is: good }, then: ended_at }, { otherwise: none }] }
`,
};
const deadline = (body: string) =>
  clause('D', `deadline: { must: end it, if_missed: { outcome: violation }, ${body} }`);
const HOURS = deadline('who: worker, kind: physical, starts: begun_at, allow: 24 h, done: ended_at');
const DAYS = deadline('who: board, kind: decision, starts: filed_on, allow: 10 days, done: answered_on');

function judge(pack: Pack, facts: Readonly<Record<string, unknown>>, now: string): Finding {
  const question = { clauses: ['D'], facts: source(pack, facts), now: Date.parse(now) };
  const [finding] = pack.evaluate(question);
  if (!finding) throw new Error('no finding');
  expect(pack.statuses(question)).toEqual([finding.status]);
  return finding;
}

describe('a period in hours', () => {
  const pack = loadDemo(FACTS, HOURS, MORE);
  // Saturday, 3 July 2027, 15:00 in Chicago. Sunday is the 4th of July, observed on Monday: both are left out.
  const begun = '2027-07-03T15:00:00-05:00';
  const due = { date: '2027-07-06', at: '2027-07-06T20:00:00.000Z', elapsedAt: '2027-07-04T20:00:00.000Z' };

  it.each([
    ['in the last moment', { ended_at: '2027-07-06T15:00:00-05:00' }, 'satisfied', '0'],
    ['between the clock and the statute', { ended_at: '2027-07-05T15:00:00-05:00' }, 'satisfied', '24'],
    ['a millisecond late', { ended_at: '2027-07-06T15:00:00.001-05:00' }, 'violated', '0'],
  ])('ended %s', (_when, facts, status, margin) => {
    const finding = judge(pack, { begun_at: begun, ...facts }, '2027-08-01T00:00:00Z');
    expect(finding).toMatchObject({ status, due, binds: 'person' });
    expect(finding.margin?.value.replace('-', '')).toBe(margin);
    expect(finding.outcome).toBe(status === 'violated' ? 'violation' : undefined);
  });

  it('not ended: not yet due to the last moment, then a violation', () => {
    const facts = { begun_at: begun, ended_at: null };
    const waiting = judge(pack, facts, '2027-07-06T20:00:00Z');
    expect(waiting).toMatchObject({ status: 'unknown', reason: 'not_yet_due', missing: [], due });
    expect(explainFinding(waiting)).toBe(
      'not yet due: until 2027-07-06T20:00:00.000Z (by the clock 2027-07-04T20:00:00.000Z)',
    );
    const late = judge(pack, facts, '2027-07-06T20:00:00.001Z');
    expect(late).toMatchObject({ status: 'violated', outcome: 'violation' });
    expect(explainFinding(judge(pack, facts, '2027-07-06T21:30:00Z'))).toBe(
      'not done in time, due by 2027-07-06T20:00:00.000Z (by the clock 2027-07-04T20:00:00.000Z): 1.5 h late (violation)',
    );
  });

  it('nobody has said: unknown, and neither late nor not yet due', () => {
    expect(judge(pack, { begun_at: begun }, '2028-01-01T00:00:00Z')).toMatchObject({
      status: 'unknown',
      reason: 'fact_missing',
      missing: ['ended_at'],
    });
    expect(judge(pack, { ended_at: null }, '2028-01-01T00:00:00Z').missing).toEqual(['begun_at']);
  });

  it('not begun: does not apply', () => {
    expect(judge(pack, { begun_at: null }, '2028-01-01T00:00:00Z')).toMatchObject({
      status: 'not_applicable',
      missing: [],
    });
  });

  it('what was done before the start was not done for this duty', () => {
    const facts = { begun_at: begun, ended_at: '2027-07-03T14:59:59-05:00' };
    expect(judge(pack, facts, '2027-07-04T00:00:00Z')).toMatchObject({
      status: 'unknown',
      reason: 'not_yet_due',
    });
    expect(judge(pack, facts, '2027-08-04T00:00:00Z').status).toBe('violated');
    expect(judge(pack, { begun_at: begun, ended_at: begun }, '2027-08-04T00:00:00Z').status).toBe(
      'satisfied',
    );
  });

  it('gives the derivation on request, and keeps it out of the finding', () => {
    const whole = pack.due('D', Date.parse(begun));
    expect(whole).toMatchObject(due);
    expect(whole.derivation?.map(({ on, counted }) => [on, counted])).toEqual([
      ['2027-07-03T20:00:00.000Z', false],
      ['2027-07-03', true],
      ['2027-07-04', false],
      ['2027-07-05', false],
      ['2027-07-06', true],
    ]);
    expect(judge(pack, { begun_at: begun, ended_at: null }, '2027-07-04T00:00:00Z').due).toEqual(due);
    expect(() => pack.due('X', 0)).toThrow("has no clause 'X'");
  });

  it('a derived end counts only where the right thing was done', () => {
    const by = loadDemo(
      FACTS,
      deadline('who: worker, kind: physical, starts: begun_at, allow: 24 h, done: ended_well'),
      MORE,
    );
    const facts = { begun_at: begun, ended_at: '2027-07-03T16:00:00-05:00' };
    expect(judge(by, { ...facts, method: 'good' }, '2027-08-01T00:00:00Z').status).toBe('satisfied');
    expect(judge(by, { ...facts, method: 'bad' }, '2027-08-01T00:00:00Z').status).toBe('violated');
    expect(judge(by, { ...facts, method: null }, '2027-07-04T00:00:00Z').reason).toBe('not_yet_due');
    expect(judge(by, facts, '2027-08-01T00:00:00Z')).toMatchObject({
      status: 'unknown',
      missing: ['method'],
    });
  });
});

describe('a period in days', () => {
  const pack = loadDemo(FACTS, DAYS, MORE);
  const filed = '2027-06-24';
  // Ten days from 24 June end on Sunday, 4 July; Monday is the holiday observed: a decision rolls to Tuesday.
  const due = { date: '2027-07-06', at: '2027-07-07T05:00:00.000Z', elapsedAt: null };

  it('ends with its last day, and an office is bound', () => {
    const facts = { filed_on: filed, answered_on: null };
    expect(judge(pack, facts, '2027-07-07T04:59:59.999Z')).toMatchObject({
      reason: 'not_yet_due',
      due,
      binds: 'office',
    });
    const late = judge(pack, facts, '2027-07-07T05:00:00Z');
    expect(late).toMatchObject({ status: 'violated', due });
    expect(explainFinding(late)).toBe('not done in time, due by the end of 2027-07-06 (violation)');
  });

  it('takes a date for its whole day', () => {
    expect(judge(pack, { filed_on: filed, answered_on: '2027-07-06' }, '2027-08-01T00:00:00Z').status).toBe(
      'satisfied',
    );
    expect(judge(pack, { filed_on: filed, answered_on: '2027-07-07' }, '2027-08-01T00:00:00Z').status).toBe(
      'violated',
    );
    expect(judge(pack, { filed_on: filed, answered_on: '2027-06-23' }, '2027-06-25T00:00:00Z').reason).toBe(
      'not_yet_due',
    );
    expect(judge(pack, { filed_on: filed, answered_on: filed }, '2027-08-01T00:00:00Z').status).toBe(
      'satisfied',
    );
  });
});
