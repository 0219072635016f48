import type { Finding } from '@headworks/kernel';
import type { FactSource, Pack } from '../api';
import { explainFinding } from '../explain';
import { clause, loadDemo, removeRulesDirs, source } from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const FACTS = `
  filed_on: { type: date, optional: yes, label: Filed }
  asked_on: { type: date, optional: yes, label: More was asked for }
  told_on: { type: date, optional: yes, label: More was told }
  longer: { type: count, optional: yes, label: Times it was made longer }
  answered_on: { type: date, optional: yes, label: Answered }
  begun_at: { type: instant, optional: yes, label: Begun }
  stopped_at: { type: instant, optional: yes, label: Stopped }
  again_at: { type: instant, optional: yes, label: Begun again }
  ended_at: { type: instant, optional: yes, label: Ended }`;
const MORE = {
  calendars: 'calendars: { legal: demo-legal, office: demo-office }\n',
  counting: 'counting: wis-990.001\n',
  bodies: 'bodies: { board: { name: Town board, role: board }, clerk: { name: Town clerk, role: clerk } }\n',
  subjects:
    'subjects: { wall: { label: Wall, key: number, facts: [filed_on, asked_on, told_on, longer, answered_on, begun_at, stopped_at, again_at, ended_at] } }\n',
};
const PAUSE = 'paused_by: { from: asked_on, until: told_on, then: restart }';
const LONGER = 'extended_by: { fact: longer, each: 5 days, granted_by: clerk }';
const BASE = 'who: board, must: answer, if_missed: { outcome: deemed_approved }';
const days = (more: string) =>
  clause(
    'D',
    `deadline: { ${BASE}, kind: decision, starts: filed_on, allow: 10 days, done: answered_on, ${more} }`,
  );
const load = (body: string): Pack => loadDemo(FACTS, body, MORE);

function judge(pack: Pack, facts: Readonly<Record<string, unknown>>, now: string): Finding {
  const question = { clauses: ['D'], facts: source(pack, facts), now: Date.parse(now) };
  const [finding] = pack.evaluate(question);
  if (!finding) throw new Error('no finding');
  expect(pack.statuses(question)).toEqual([finding.status]);
  return finding;
}
const start = Date.parse('2027-06-01T17:00:00Z');

describe('a clock that is stopped and starts anew', () => {
  const pack = load(days(PAUSE));
  // Ten days from June 1, a Tuesday: Friday, June 11.
  const filed = { filed_on: '2027-06-01', asked_on: null, told_on: null, answered_on: null };

  it.each([
    ['never stopped', {}, '2027-06-12T05:00:00Z', 'violated', '2027-06-11'],
    ['never stopped, still time', {}, '2027-06-12T04:59:59Z', 'unknown', '2027-06-11'],
    ['stopped, and not let go', { asked_on: '2027-06-08' }, '2028-01-01T00:00:00Z', 'unknown', undefined],
    // From June 16: ten days end on Saturday, June 26, which is a day like any other for a decision.
    [
      'stopped and let go',
      { asked_on: '2027-06-08', told_on: '2027-06-16' },
      '2027-06-27T05:00:00Z',
      'violated',
      '2027-06-26',
    ],
    [
      'stopped on the last day',
      { asked_on: '2027-06-11', told_on: '2027-06-16' },
      '2027-06-26T05:00:00Z',
      'unknown',
      '2027-06-26',
    ],
    ['stopped a day too late', { asked_on: '2027-06-12' }, '2027-06-12T05:00:00Z', 'violated', '2027-06-11'],
    [
      'asked before it was filed',
      { asked_on: '2027-05-31' },
      '2027-06-12T05:00:00Z',
      'violated',
      '2027-06-11',
    ],
    [
      'told before it was asked: an answer to an earlier question',
      { asked_on: '2027-06-08', told_on: '2027-06-07' },
      '2028-01-01T00:00:00Z',
      'unknown',
      undefined,
    ],
    [
      'asked on the day of the filing',
      { asked_on: '2027-06-01', told_on: '2027-06-04' },
      '2027-06-15T05:00:00Z',
      'violated',
      '2027-06-14',
    ],
  ])('%s', (_what, facts, now, status, date) => {
    const finding = judge(pack, { ...filed, ...facts }, now);
    expect([finding.status, finding.due?.date]).toEqual([status, date]);
  });

  it('says since when it stands still, and is met by what is done meanwhile', () => {
    const stopped = judge(pack, { ...filed, asked_on: '2027-06-08' }, '2028-01-01T00:00:00Z');
    expect(stopped).toMatchObject({
      reason: 'not_yet_due',
      missing: [],
      pausedSince: '2027-06-08T05:00:00.000Z',
    });
    expect(explainFinding(stopped)).toBe(
      'not yet due: the clock stands still since 2027-06-08T05:00:00.000Z',
    );
    const done = judge(
      pack,
      { ...filed, asked_on: '2027-06-08', answered_on: '2027-12-01' },
      '2028-01-01T00:00:00Z',
    );
    expect(done).toMatchObject({ status: 'satisfied', pausedSince: '2027-06-08T05:00:00.000Z' });
    expect(explainFinding(done)).toBe('met');
  });

  it.each([
    ['whether it was stopped', { asked_on: undefined }, ['asked_on']],
    ['whether it runs again', { asked_on: '2027-06-08', told_on: undefined }, ['told_on']],
    [
      'whether it was stopped, and by when',
      { asked_on: undefined, told_on: undefined },
      ['asked_on', 'told_on'],
    ],
  ])('is unknown where nobody has said %s', (_what, facts, missing) => {
    const given = Object.fromEntries(
      Object.entries({ ...filed, ...facts }).filter(([, value]) => value !== undefined),
    );
    const finding = judge(pack, given, '2028-01-01T00:00:00Z');
    expect(finding).toMatchObject({ status: 'unknown', reason: 'fact_missing', missing });
    expect(finding.due).toBeUndefined();
  });

  it('does not ask when a clock ran again that nobody stopped', () => {
    const { told_on: _told, ...never } = filed;
    expect(judge(pack, never, '2027-06-05T00:00:00Z')).toMatchObject({ reason: 'not_yet_due', missing: [] });
    const early = { ...never, asked_on: '2027-05-31' };
    expect(judge(pack, early, '2027-06-05T00:00:00Z')).toMatchObject({ reason: 'not_yet_due', missing: [] });
    expect(judge(pack, never, '2027-06-13T00:00:00Z').status).toBe('violated');
  });
});

describe('a clock that goes on, or is lengthened', () => {
  it.each([
    [0, '2027-06-11'],
    [1, '2027-06-16'],
    [3, '2027-06-26'],
    [null, '2027-06-11'],
  ])('lengthened %s times', (longer, date) => {
    const facts = { filed_on: '2027-06-01', answered_on: null, longer };
    expect(judge(load(days(LONGER)), facts, '2027-06-05T00:00:00Z').due?.date).toBe(date);
  });

  it.each([['-1'], ['0.5'], ['1001']])('lengthened %s times: nobody knows what was granted', (longer) => {
    const pack = load(days(LONGER));
    const facts = { filed_on: '2027-06-01', answered_on: null };
    const given: FactSource = (name) =>
      name === 'longer'
        ? { json: { value: longer, unit: '1' }, from: { source: 'payload' } }
        : source(pack, facts)(name);
    const [finding] = pack.evaluate({ clauses: ['D'], facts: given, now: start });
    expect(finding?.status).toBe('unknown');
    expect(pack.clock('D', start, given)).toBeUndefined();
    expect(() => pack.due('D', start, given)).toThrow(
      "what moves the end of 'D' is not known: give the facts",
    );
  });

  it('goes on with what was left: the day of the answer is the last of the pause', () => {
    const pack = load(days(PAUSE.replace('restart', 'resume')));
    const facts = {
      filed_on: '2027-06-01',
      asked_on: '2027-06-08',
      told_on: '2027-06-16',
      answered_on: null,
    };
    expect(judge(pack, facts, '2027-06-18T00:00:00Z').due?.date).toBe('2027-06-19');
  });

  it('a named day may be lengthened', () => {
    const named = clause(
      'D',
      `deadline: { ${BASE}, kind: decision, starts: filed_on, due: { day: Oct 1, in_year_of: filed_on }, done: answered_on, ${LONGER} }`,
    );
    const facts = { filed_on: '2027-06-01', answered_on: null };
    const due = (longer: number) =>
      judge(load(named), { ...facts, longer }, '2027-06-18T00:00:00Z').due?.date;
    expect([due(0), due(1)]).toEqual(['2027-10-01', '2027-10-06']);
  });

  it('hours are stopped by the moment, and both their ends move', () => {
    const pack = load(
      clause(
        'D',
        `deadline: { ${BASE}, kind: physical, starts: begun_at, allow: 24 h, done: ended_at, paused_by: { from: stopped_at, until: again_at, then: resume } }`,
      ),
    );
    const facts = {
      begun_at: '2027-06-05T15:00:00-05:00',
      ended_at: null,
      stopped_at: '2027-06-05T17:00:00-05:00',
    };
    const due = (again_at: string) => judge(pack, { ...facts, again_at }, '2027-06-06T00:00:00Z').due;
    // Saturday 15:00; two hours run, two stand still, then 22 more: Sunday 17:00 by the clock, Monday by the statute.
    expect(due('2027-06-05T19:00:00-05:00')).toEqual({
      date: '2027-06-07',
      at: '2027-06-07T22:00:00.000Z',
      elapsedAt: '2027-06-06T22:00:00.000Z',
    });
    expect(due('2027-06-05T20:00:00-05:00')?.elapsedAt).toBe('2027-06-06T23:00:00.000Z');
    const open = judge(pack, { ...facts, again_at: null }, '2027-07-06T00:00:00Z');
    expect(open).toMatchObject({ status: 'unknown', pausedSince: '2027-06-05T22:00:00.000Z' });
  });
});

describe('the clock of a duty', () => {
  const pack = load(
    days(`${PAUSE}, ${LONGER}, waived_by: board, remind: [2 days before, 3 working days before]`),
  );
  const recorded =
    (facts: Readonly<Record<string, unknown>>): FactSource =>
    (name) => {
      const entry = source(pack, facts)(name);
      return (
        entry && {
          ...entry,
          from: { source: 'permit', event: `permit-1@${Object.keys(facts).indexOf(name)}` },
        }
      );
    };
  const stopped = { filed_on: '2027-06-01', asked_on: '2027-06-08', told_on: '2027-06-16', longer: 1 };

  it('is declared: what stops it, who lengthens it and who lets it go', () => {
    expect(pack.clauses.get('D')?.deadline).toMatchObject({
      pausedBy: { from: 'asked_on', until: 'told_on', then: 'restart' },
      extendedBy: { fact: 'longer', each: { amount: 5, unit: 'days' }, grantedBy: 'clerk' },
      waivedBy: 'board',
      remind: [
        { amount: 2, unit: 'days' },
        { amount: 3, unit: 'working_days' },
      ],
    });
  });

  it('tells its start, its pause and its extension with the events that say so', () => {
    const due = pack.due('D', start, recorded(stopped));
    expect(due).toMatchObject({
      date: '2027-07-01',
      by: { period: '10 days, lengthened by 5 days', zone: 'America/Chicago' },
    });
    expect(due.by).toMatchObject({
      start: { on: '2027-06-01', text: 'Filed', event: 'permit-1@0' },
      clause: { id: 'D', cite: 'par. 1', pack: 'demo', version: '1' },
      calendars: [
        { as: 'legal', id: 'demo-legal', version: '1' },
        { as: 'office', id: 'demo-office', version: '1' },
      ],
    });
    expect(due.derivation?.map(({ on, why, event = '' }) => [on, why, event])).toEqual([
      ['2027-06-01', 'Filed; the day of the trigger is left out', 'permit-1@0'],
      [
        '2027-06-02/2027-06-16',
        'More was asked for; the period begins anew, and what had run of it is void',
        'permit-1@1',
      ],
      ['2027-06-16', 'the day of the fresh start is left out', ''],
      ['2027-06-17/2027-07-01', 'days 1 to 15', ''],
      ['2027-07-01', 'Times it was made longer; lengthened by 5 days', 'permit-1@3'],
    ]);
  });

  it('stands still, or is not known, or is counted as nobody moved it', () => {
    const open = { ...stopped, told_on: null };
    expect(pack.clock('D', start, recorded(open))).toMatchObject({ pausedSince: '2027-06-08T05:00:00.000Z' });
    expect(() => pack.due('D', start, recorded(open))).toThrow(
      "the clock of 'D' stands still since 2027-06-08",
    );
    expect(pack.clock('D', start, recorded({ filed_on: '2027-06-01' }))).toBeUndefined();
    expect(pack.clock('D', start)?.due?.date).toBe('2027-06-11');
  });

  it('takes pauses and extensions of the log in place of those of the facts', () => {
    const pause = pack.pause('D', start, recorded({ ...stopped, told_on: null }));
    expect(pause).toEqual({
      from: Date.parse('2027-06-08T05:00:00Z'),
      then: 'restart',
      why: 'More was asked for',
      event: 'permit-1@1',
    });
    expect(pack.pause('D', start, recorded({ ...stopped, asked_on: null }))).toBeUndefined();
    const noon = (day: string): number => Date.parse(`2027-06-${day}T17:00:00Z`);
    const pauses = [
      { from: noon('03'), until: noon('05'), then: 'restart' as const },
      { from: noon('08'), until: noon('16'), then: 'restart' as const },
    ];
    expect(pack.due('D', start, recorded(stopped), { pauses, extensions: [] }).date).toBe('2027-06-26');
    const only = { pauses: pauses.slice(0, 1) };
    expect(
      pack.due('D', start, recorded({ filed_on: '2027-06-01', asked_on: null, longer: 2 }), only).date,
    ).toBe('2027-06-25');
  });

  it('reminds ahead of the date as it moved, first to last', () => {
    // Thursday, July 1: three working days before are Monday, two days before are Tuesday.
    const due = pack.due('D', start, recorded(stopped));
    expect(pack.reminders('D', due).map(({ on, text, at }) => [on, text, at])).toEqual([
      ['2027-06-28', '3 working days before', '2027-06-28T05:00:00.000Z'],
      ['2027-06-29', '2 days before', '2027-06-29T05:00:00.000Z'],
    ]);
  });
});
