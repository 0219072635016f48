import fc from 'fast-check';
import { CodedError, isoInstant } from '@headworks/kernel';
import type { PermitCommand } from '../permit/commands';
import type { SubjectState } from '../subject/subject';
import { dutyUnder, Leave, missed, open, standing, Weir, WEIR, WEIR_RULES } from '../testing/weir.testing';
import { dutiesOf } from './derive';
import { endedInTime, isInTime, isMissed, isOwed, missedFinding } from './duty';

const START = Date.parse('2027-01-04T15:00:00.000Z');
const DAY = 86_400_000;
const HOUR = 3_600_000;

/** What stands must be what follows from log and law, each duty missed once at most, and folded as it was carried. */
function holds(state: SubjectState, refolded: SubjectState, nowMs: number): void {
  expect(refolded).toEqual(state);
  const duties = dutiesOf(state, WEIR_RULES);
  const due = duties.filter((duty) => isMissed(duty, nowMs) && missedFinding(duty).status === 'violated');
  const written = [...state.missed.values()].filter(({ reversedBy }) => reversedBy === undefined);
  expect(written.map(({ data }) => data.duty).toSorted()).toEqual(due.map(({ duty }) => duty).toSorted());
  for (const { data, metAt } of written) {
    const done = duties.find(({ duty }) => duty === data.duty)?.done;
    expect(metAt).toBe(done && isoInstant(done.ms));
  }
  // Open is what is owed and not yet due: nothing more, and nothing less.
  const owed = duties.filter((duty) => !endedInTime(duty) && isInTime(duty, nowMs) && isOwed(duty, nowMs));
  const stands = [...state.openDuties.values()].filter(({ duty }) => duties.some((one) => one.duty === duty));
  expect(stands.map(({ duty, dueAt }) => `${duty} ${dueAt}`).toSorted()).toEqual(
    owed.map(({ duty, clock }) => `${duty} ${clock.due?.at ?? null}`).toSorted(),
  );
  expect(stands).toHaveLength(state.openDuties.size);
}

interface Told {
  readonly act: string;
  readonly day: number;
  readonly fact: number;
  /** Of those, what turns out to have been an error. */
  readonly isError: boolean;
}
const told = fc.record<Told>({
  act: fc.constantFrom(
    'order_repair',
    'repair_weir',
    'lift_order',
    'file_log',
    'look_at_weir',
    'leaks',
    'leaks',
  ),
  day: fc.integer({ min: 0, max: 900 }),
  fact: fc.integer({ min: 0, max: 20 }),
  isError: fc.boolean(),
});
/** One a day at most: what happened at one instant has no order of its own but that of its recording. */
const tale = fc.uniqueArray(told, { maxLength: 14, selector: ({ day }) => day });

const at = (day: number): string => isoInstant(START + day * DAY);
const END = START + 1200 * DAY;

function tell(weir: Weir, { act, day, fact }: Told, now: string): string {
  const when = { now, occurred: at(day) };
  if (act === 'leaks') weir.facts({ leaks_since: at(day - fact).slice(0, 10) }, when);
  else weir.act(act, {}, when);
  return `${weir.stream}@${weir.log.findLastIndex(({ type }) => !/^(DutyMissed|ConsequenceReversed)$/.test(type))}`;
}

function annul(weir: Weir, event: string, now: string): void {
  weir.when({ type: 'annul', annuls: event, reason: 'another weir' }, { now });
}

describe('whatever is told of a weir', () => {
  it('in any order and whoever settles, each duty is met or missed once, and the same in the end', () => {
    fc.assert(
      fc.property(tale, fc.array(fc.nat(1200), { maxLength: 8 }), fc.nat(), (events, settles, seed) => {
        const inTime = new Weir();
        const ordered = events.toSorted((a, b) => a.day - b.day);
        for (const one of ordered) {
          const before = settles.filter((day) => at(day) > inTime.now && day <= one.day);
          for (const day of before.toSorted((a, b) => a - b)) inTime.settle(at(day));
          const event = tell(inTime, one, at(one.day));
          holds(inTime.state, inTime.refold(), Date.parse(inTime.now));
          if (one.isError) annul(inTime, event, at(one.day));
          holds(inTime.state, inTime.refold(), Date.parse(inTime.now));
        }
        inTime.settle(isoInstant(END));

        const late = new Weir();
        const shuffled = events.toSorted(
          (a, b) => ((a.day * 7919 + seed) % 997) - ((b.day * 7919 + seed) % 997),
        );
        shuffled.forEach((one, index) => {
          const event = tell(late, one, isoInstant(END - (events.length - index) * HOUR));
          holds(late.state, late.refold(), Date.parse(late.now));
          if (one.isError) annul(late, event, late.now);
          holds(late.state, late.refold(), Date.parse(late.now));
        });
        late.settle(isoInstant(END));
        const all = ({ state }: Weir) => [standing(state, isoInstant(END)), missed(state), open(state)];
        expect(all(late)).toEqual(all(inTime));
        holds(late.state, late.refold(), END);
        expect(late.settle(isoInstant(END))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

interface Move {
  readonly what: string;
  readonly afterHours: number;
  readonly agoHours: number;
}
const move = fc.record<Move>({
  what: fc.constantFrom(
    ...['ask', 'answer', 'approve', 'deny', 'withdraw', 'issue', 'suspend', 'reinstate', 'revoke', 'settle'],
    ...['tell_neighbours', 'bring_bond', 'hear_miller', 'ask_toll', 'pay_toll', 'remit_toll'],
    ...['extend', 'waive', 'annul'],
  ),
  afterHours: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 100 }) },
    fc.integer({ min: 0, max: 2000 }),
  ),
  agoHours: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 600 })),
});

const reason = 'because';
function commandOf(leave: Leave, { what, agoHours }: Move): PermitCommand | undefined {
  const grounds = ['toll'];
  switch (what) {
    case 'ask':
      return { type: 'request-information', reason, facts: [] };
    case 'answer':
      return { type: 'receive-information', facts: { in_flood_plain: agoHours % 2 === 0 } };
    case 'approve':
      return { type: 'approve', reason, sets: {}, waive: [], issue: agoHours % 3 !== 0 };
    case 'deny':
      return { type: 'deny', reason, grounds };
    case 'withdraw':
      return { type: 'withdraw', reason };
    case 'issue':
      return { type: 'issue' };
    case 'suspend':
    case 'revoke':
      return { type: what, reason, grounds };
    case 'reinstate':
      return { type: what, reason };
    case 'settle':
      return { type: what };
    case 'extend': {
      const { duty } = dutyUnder(leave.state, 'decide');
      return { type: 'extend-duty', duty, times: 1, reason };
    }
    case 'waive':
      return { type: 'waive-duty', duty: dutyUnder(leave.state, 'tell').duty, reason };
    case 'annul':
      return { type: 'annul', annuls: `${leave.stream}@${agoHours % leave.log.length}`, reason };
    default: {
      const facts =
        what === 'ask_toll'
          ? { toll_month: '2027-01-31' }
          : what === 'pay_toll'
            ? { paid_month: '2027-01-02' }
            : {};
      return { type: 'do-act', kind: 'permit', pack: WEIR, act: what, facts, by: { person: 'ada' } };
    }
  }
}

describe('whatever is decided on a leave', () => {
  it('each duty is missed once at most, and what silence made of it stands or falls with that', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 16 }), fc.boolean(), (moves, flood) => {
        const leave = new Leave();
        leave.apply({ now: isoInstant(START) }, { wheels: 1, in_flood_plain: flood });
        let now = START;
        for (const one of moves) {
          now += one.afterHours * HOUR;
          const occurred = isoInstant(Math.max(START, now - one.agoHours * HOUR));
          const command = commandOf(leave, one);
          try {
            if (command) leave.when(command, { now: isoInstant(now), occurred });
          } catch (error) {
            if (!(error instanceof CodedError)) throw error;
            // What is refused leaves the log as it is; the sweep comes by.
            leave.settle(isoInstant(now));
          }
          holds(leave.state, leave.refold(), now);
        }
        const silent = leave.state.file.steps.filter(({ data }) => typeof data['duty'] === 'string');
        expect(new Set(silent.map(({ data }) => data['duty'])).size).toBe(silent.length);
      }),
      { numRuns: 100 },
    );
  });
});
