import fc from 'fast-check';
import { CodedError, isoInstant, type RecordedEvent } from '@headworks/kernel';
import { PermitFileUnderTest } from '../testing/permit.testing';
import type { PermitCommand } from './commands';
import { isLive, phaseAt } from './permit';

const HOUR = 3_600_000;
const START = Date.parse('2027-08-05T12:00:00.000Z');

/** What somebody does after a while, or says later of a while before. */
interface Move {
  readonly command: PermitCommand | 'annul';
  readonly afterHours: number;
  readonly agoHours: number;
  readonly person: string;
  /** Which of the events so far an annulment is of. */
  readonly which: number;
}

const grounds = ['clean'];
const reason = 'because';
const COMMANDS: readonly (PermitCommand | 'annul')[] = [
  { type: 'request-information', reason, facts: [] },
  { type: 'receive-information', facts: { fruit: ['pears'] } },
  { type: 'complete' },
  { type: 'approve', reason, sets: {}, waive: [{ clause: 'season', reason }], issue: true },
  { type: 'approve', reason, sets: {}, waive: [], issue: false },
  { type: 'deny', reason, grounds },
  { type: 'withdraw', reason },
  { type: 'issue' },
  { type: 'condition', reason, conditions: ['c'], sets: {} },
  { type: 'suspend', reason, grounds },
  { type: 'reinstate', reason },
  { type: 'revoke', reason, grounds },
  { type: 'void', reason },
  { type: 'settle' },
  'annul',
];
const move = fc.record<Move>({
  command: fc.constantFrom(...COMMANDS),
  // Hours, weeks, or past the end of the year; and said at once, or as of long before.
  afterHours: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 800 }) },
    fc.integer({ min: 0, max: 14_000 }),
  ),
  agoHours: fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    fc.integer({ min: 0, max: 1000 }),
    fc.integer({ min: 0, max: 9000 }),
  ),
  person: fc.constantFrom('ada', 'bo', 'cy'),
  which: fc.nat(),
});

/** From the form on, or from the issue on: chance alone seldom gets that far. */
interface Story {
  readonly issued: boolean;
  readonly moves: readonly Move[];
}
const story = fc.record<Story>({ issued: fc.boolean(), moves: fc.array(move, { maxLength: 25 }) });

/** Plays the moves; what the table, the clauses or the persons refuse writes nothing. */
function play({ issued, moves }: Story, each: (permit: PermitFileUnderTest) => void): PermitFileUnderTest {
  const permit = new PermitFileUnderTest();
  if (issued) permit.issued();
  else permit.file(undefined, { now: isoInstant(START) });
  permit.act('accept_bond', { bonded: true });
  let now = Date.parse(permit.now);
  for (const { command, afterHours, agoHours, person, which } of moves) {
    now += afterHours * HOUR;
    const occurred = isoInstant(Math.max(START, now - agoHours * HOUR));
    const annuls = `${permit.stream}@${which % permit.log.length}`;
    const asked = command === 'annul' ? ({ type: 'annul', annuls, reason } as const) : command;
    try {
      permit.when(asked, { now: isoInstant(now), occurred, by: { person } });
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
    }
    each(permit);
  }
  return permit;
}

/** Events of the type that nothing took back, as the log alone has them. */
function standing({ log }: PermitFileUnderTest, ...types: readonly string[]): readonly RecordedEvent[] {
  const back = new Set(log.map(({ data }) => data['annuls'] ?? data['event']));
  return log.filter((e) => types.includes(e.type) && !back.has(`${e.stream}@${e.revision}`));
}
const msOf = ({ metadata: { occurred } }: RecordedEvent): number =>
  'at' in occurred ? Date.parse(occurred.at) : Number.NaN;

/** Each instant at which anything happened, and just after it. */
const instants = ({ log }: PermitFileUnderTest): readonly number[] =>
  log.flatMap((event) => [msOf(event), msOf(event) + 1]);

const DECISIONS: readonly string[] = [
  'ApplicationFiled',
  'InformationRequested',
  'InformationReceived',
  'ApplicationCompleted',
  'ApplicationApproved',
  'ApplicationDenied',
  'ApplicationWithdrawn',
  'PermitIssued',
  'PermitConditioned',
  'PermitSuspended',
  'PermitReinstated',
  'PermitRevoked',
  'PermitVoided',
  'PermitExpired',
];
const WITH_FINDINGS: readonly string[] = [
  'ApplicationFiled',
  'ApplicationCompleted',
  'ApplicationApproved',
  'ApplicationDenied',
  'PermitIssued',
  'PermitConditioned',
  'PermitSuspended',
  'PermitReinstated',
  'PermitRevoked',
];

describe('whatever is asked of a file, in whatever order, early or late', () => {
  const runs = { numRuns: 200 };

  it('no permit is live at or after its revocation, its voidance or its end', () => {
    fc.assert(
      fc.property(story, (told) => {
        play(told, (permit) => {
          const ends = standing(permit, 'PermitRevoked', 'PermitVoided', 'PermitExpired');
          for (const ms of instants(permit)) {
            const ended = ends.some((event) => msOf(event) <= ms);
            if (ended && isLive(permit.state.file, ms))
              throw new Error(`live at ${isoInstant(ms)} after its end`);
          }
        });
      }),
      runs,
    );
  });

  it('the moves do reach every end, and every way back', () => {
    const seen = new Set<string>();
    for (const told of fc.sample(story, { seed: 3, numRuns: 600 })) {
      for (const { type } of play(told, () => undefined).log) seen.add(type);
    }
    const wanted = [...DECISIONS, 'RecordedInError', 'ConsequenceReversed'];
    expect(wanted.filter((type) => !seen.has(type))).toEqual([]);
  });

  it('every decision stands on findings, an actor, a person and a version of the law; consequences on nobody', () => {
    fc.assert(
      fc.property(story, (told) => {
        const { log } = play(told, () => undefined);
        for (const { type, data, metadata } of log.filter((event) => DECISIONS.includes(event.type))) {
          expect(metadata.law).toMatchObject({
            pack: 'fernhollow-press',
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          });
          expect(metadata.actor.id).toBe('somebody');
          expect(metadata.by?.person === undefined).toBe(type === 'PermitExpired');
          if (WITH_FINDINGS.includes(type)) expect(Array.isArray(data['findings'])).toBe(true);
        }
      }),
      runs,
    );
  });

  it('a denied or withdrawn application is never issued, and what is folded again is the same', () => {
    fc.assert(
      fc.property(story, (told) => {
        const permit = play(told, () => undefined);
        expect(permit.refold()).toEqual(permit.state);
        const closed = standing(permit, 'ApplicationDenied', 'ApplicationWithdrawn');
        const from = Math.min(...closed.map(msOf));
        for (const ms of instants(permit).filter((one) => one >= from))
          expect(phaseAt(permit.state.file, ms).is).not.toBe('issued');
      }),
      runs,
    );
  });

  it('settled at any time, an ended permit has ended once, at the end of its last day', () => {
    fc.assert(
      fc.property(story, (told) => {
        const permit = play(told, () => undefined);
        permit.when({ type: 'settle' }, { now: '2045-01-01T00:00:00.000Z' });
        expect(permit.when({ type: 'settle' }, { now: '2046-01-01T00:00:00.000Z' })).toEqual([]);
        expect(['issued', 'suspended']).not.toContain(phaseAt(permit.state.file).is);
        expect(standing(permit, 'PermitExpired').length).toBeLessThanOrEqual(1);
        for (const event of standing(permit, 'PermitExpired'))
          expect(msOf(event)).toBe(Date.parse('2029-01-01T06:00:00.000Z'));
      }),
      runs,
    );
  });
});
