import { isoInstant } from '@headworks/kernel';
import { dataOf, PACK, RULES, Thing, typesOf } from '../testing/thing.testing';
import { settledSubject } from '../subject/subject.decide';
import { dutiesOf } from './derive';
import { dutyStatus } from './duty';

const START = '2027-07-05T15:00:00.000Z';
/** Twelve hours of a Monday: what is due and what has passed are one. */
const DUE = '2027-07-06T03:00:00.000Z';
const after = (iso: string, ms = 1) => isoInstant(Date.parse(iso) + ms);

function tipped(make = 'wet', now = START): Thing {
  const thing = new Thing();
  thing.post({ load: 'a', at: START, facts: { make } }, { now });
  return thing;
}
const fork = (thing: Thing, occurred: string, now = occurred) =>
  thing.act('fork_in', { rake: 'fork' }, { occurred, now });
const missedNow = ({ state }: Thing) =>
  [...state.missed.values()]
    .filter(({ reversedBy }) => reversedBy === undefined)
    .map(({ data }) => `${data.load} ${data.due['at'] as string} ${data.responsible?.key}`);

describe('a duty that the first load of a campaign starts', () => {
  it('is opened in the event that starts it, and closed in the one that meets it', () => {
    const thing = new Thing();
    const [posted] = thing.post({ load: 'a', at: START }, { now: START });
    expect(posted?.data['duties']).toMatchObject({ opened: [{ clause: 'rake', dueAt: DUE }], closed: [] });
    const [done] = fork(thing, '2027-07-05T20:00:00.000Z');
    expect(done?.data['duties']).toMatchObject({ opened: [], closed: [{ how: 'met' }] });
    expect(thing.settle('2027-07-09T00:00:00.000Z')).toEqual([]);
  });

  it('is met by nothing but what the clause names', () => {
    const thing = tipped();
    thing.act('fork_in', { rake: 'roller' }, { now: '2027-07-05T20:00:00.000Z' });
    expect(thing.state.openDuties.size).toBe(1);
  });

  it('is none where the clause does not bind the load, and none where nobody knows whether it does', () => {
    expect(tipped('compost').state.openDuties.size).toBe(0);
    const thing = new Thing();
    thing.post({ load: 'a', at: START, facts: { make: null } }, { now: START });
    expect(thing.state.openDuties.size).toBe(0);
    expect(thing.settle('2027-07-09T00:00:00.000Z')).toEqual([]);
    const late = new Thing();
    const posted = late.post(
      { load: 'a', at: START, facts: { make: null } },
      { now: '2027-07-09T00:00:00.000Z' },
    );
    expect(typesOf(posted)).toEqual(['LoadPosted']);
    // Once it is known, it is missed at once, as of its own instant.
    const events = thing.post({ load: 'a', at: START, revision: 1 });
    expect(typesOf(events)).toEqual(['PostingReversed', 'LoadPosted', 'DutyMissed']);
  });

  it('binds the first load that the clause is known to bind, and starts with the campaign', () => {
    const thing = new Thing();
    thing.post({ load: 'a', at: START, facts: { make: 'compost' } }, { now: START });
    expect(thing.state.openDuties.size).toBe(0);
    thing.post(
      { load: 'b', at: '2027-07-05T18:00:00.000Z', hauler: { kind: 'hauler', key: 'H2' } },
      { now: '2027-07-05T18:00:00.000Z' },
    );
    thing.settle(after(DUE));
    expect(missedNow(thing)).toEqual([`b ${DUE} H2`]);
  });
});

describe('the instant', () => {
  it('at the very instant it is in time, a millisecond later it is not', () => {
    const inTime = tipped();
    fork(inTime, DUE);
    expect(inTime.settle(after(DUE))).toEqual([]);
    const late = tipped();
    expect(late.settle(DUE)).toEqual([]);
    const events = fork(late, after(DUE));
    expect(typesOf(events)).toEqual(['DutyMissed', `${PACK}.PomaceWorkedIn`]);
  });

  it('is dated when the law says, whenever the job ran, and stands once', () => {
    const thing = tipped();
    const events = thing.settle('2027-09-30T00:00:00.000Z');
    expect(events).toEqual([
      expect.objectContaining({
        type: 'DutyMissed',
        occurred: { at: DUE },
        causedBy: `${thing.stream}@0`,
        data: expect.objectContaining({
          clause: 'rake',
          load: 'a',
          startedAt: START,
          outcome: 'violation',
          binds: 'person',
          responsible: { kind: 'hauler', key: 'H1' },
          finding: expect.objectContaining({ status: 'violated' }),
          due: expect.objectContaining({ at: DUE, date: '2027-07-05' }),
        }),
      }),
    ]);
    expect(thing.settle('2027-10-30T00:00:00.000Z')).toEqual([]);
  });

  it('Sundays and feast days are left out; in between it is contestable', () => {
    const thing = new Thing();
    // Saturday 15:00 local: nine hours that day, none on Sunday, three on Monday.
    thing.post({ load: 'a', at: '2027-07-03T20:00:00Z' }, { now: '2027-07-03T20:00:00.000Z' });
    const [duty] = dutiesOf(thing.state, RULES);
    if (!duty) throw new Error('no duty');
    expect(duty.clock.due).toMatchObject({
      at: '2027-07-05T08:00:00.000Z',
      elapsedAt: '2027-07-04T08:00:00.000Z',
    });
    const at = (iso: string) => dutyStatus(duty, Date.parse(iso));
    expect(at('2027-07-04T08:00:00.000Z')).toBe('open');
    expect(at('2027-07-04T08:00:00.001Z')).toBe('contestable');
    expect(at('2027-07-05T08:00:00.000Z')).toBe('contestable');
    expect(at('2027-07-05T08:00:00.001Z')).toBe('missed');
  });

  it('across a change of clocks the hours are real ones', () => {
    const thing = new Thing();
    // Saturday 2027-03-13 18:00 local, before the clocks go forward on Sunday: six hours, then six on Monday.
    thing.post({ load: 'a', at: '2027-03-14T00:00:00Z' }, { now: '2027-03-14T00:00:00.000Z' });
    expect([...thing.state.openDuties.values()][0]?.dueAt).toBe('2027-03-15T11:00:00.000Z');
  });
});

describe('settle first', () => {
  it('what fell due stands before what is recorded now, in the order of the law', () => {
    const thing = new Thing();
    thing.post({ load: 'b', at: '2027-07-07T15:00:00.000Z' }, { now: '2027-07-07T15:00:00.000Z' });
    thing.post({ load: 'a', at: START }, { now: '2027-07-07T15:00:00.000Z', occurred: START });
    const events = thing.facts({ fenced: true }, { now: '2027-07-20T00:00:00.000Z' });
    expect(events.map(({ type, occurred }) => [type, occurred])).toEqual([
      ['DutyMissed', { at: '2027-07-08T03:00:00.000Z' }],
      ['FactsRecorded', undefined],
    ]);
    // The earlier one was past when its load was recorded late: it was missed in that same append.
    expect(missedNow(thing)).toEqual([`a ${DUE} H1`, 'b 2027-07-08T03:00:00.000Z H1']);
  });

  it('the recorder of what came after did not do it and gives no excuse for it', () => {
    const thing = tipped();
    const late = { reason: 'was away', evidence: 'book 3' };
    thing.act('fork_in', { rake: 'fork' }, { now: '2027-07-20T00:00:00.000Z', late });
    const [missed, done] = thing.log.slice(-2);
    expect(missed).toMatchObject({ type: 'DutyMissed', metadata: { actor: { id: 'somebody' } } });
    expect(missed?.metadata.by).toBeUndefined();
    expect(missed?.metadata.late).toBeUndefined();
    expect(done?.metadata).toMatchObject({ by: { person: 'ada' }, late });
  });

  it('a read settles in memory and keeps the head that it read', () => {
    const { state } = tipped();
    const envelope = {
      occurred: { at: DUE },
      recordedAt: DUE,
      actor: { id: 'x', roles: [] },
      correlationId: '',
      commandId: '',
    };
    const read = settledSubject(state, { law: RULES, nowMs: Date.parse(DUE) + 1, envelope });
    expect([...read.missed.values()]).toHaveLength(1);
    expect([read.openDuties.size, read.revision]).toEqual([0, state.revision]);
    expect(settledSubject(state, { law: RULES, nowMs: Date.parse(DUE), envelope })).toBe(state);
  });
});

describe('late recording', () => {
  it('what shows that it was met in time reverses the consequence; both stay in the history', () => {
    const thing = tipped();
    thing.settle(after(DUE));
    const events = fork(thing, '2027-07-05T20:00:00.000Z', '2027-07-08T00:00:00.000Z');
    expect(typesOf(events)).toEqual([`${PACK}.PomaceWorkedIn`, 'ConsequenceReversed']);
    expect(events[1]).toMatchObject({
      occurred: { at: DUE },
      causedBy: `${thing.stream}@${thing.state.revision - 1}`,
      data: {
        event: `${thing.stream}@1`,
        why: 'met_in_time',
        finding: { status: 'satisfied', clause: 'rake' },
      },
    });
    expect(missedNow(thing)).toEqual([]);
    expect(thing.state.missed.size).toBe(1);
  });

  it('what says only later when it was met in time reverses it all the same', () => {
    const thing = tipped();
    thing.settle(after(DUE));
    const facts = { rake: 'fork', raked_at: '2027-07-05T20:00:00.000Z' };
    expect(typesOf(thing.act('attest_rake', facts, { now: '2027-07-08T00:00:00.000Z' }))).toEqual([
      `${PACK}.WorkingInAttested`,
      'ConsequenceReversed',
    ]);
  });

  it('what shows that it was met late leaves the consequence', () => {
    const thing = tipped();
    thing.settle(after(DUE));
    expect(typesOf(fork(thing, '2027-07-07T20:00:00.000Z', '2027-07-08T00:00:00.000Z'))).toEqual([
      `${PACK}.PomaceWorkedIn`,
    ]);
    expect(missedNow(thing)).toHaveLength(1);
  });

  it('recorded in error after all: the duty is missed again', () => {
    const thing = tipped();
    thing.settle(after(DUE));
    fork(thing, '2027-07-05T20:00:00.000Z', '2027-07-08T00:00:00.000Z');
    const done = `${thing.stream}@${thing.state.revision - 1}`;
    const events = thing.when({ type: 'annul', annuls: done, reason: 'another meadow' });
    expect(typesOf(events)).toEqual(['RecordedInError', 'DutyMissed']);
    expect(missedNow(thing)).toHaveLength(1);
  });

  it('a load recorded after it was worked in late has missed its duty all the same', () => {
    const thing = new Thing();
    fork(thing, '2027-07-07T20:00:00.000Z');
    const events = thing.post({ load: 'a', at: START }, { now: '2027-07-08T00:00:00.000Z' });
    expect(typesOf(events)).toEqual(['LoadPosted', 'DutyMissed']);
  });

  it('an old cure does not meet a new duty', () => {
    const thing = new Thing();
    fork(thing, '2027-07-01T20:00:00.000Z');
    thing.post({ load: 'a', at: START }, { now: START });
    expect(thing.state.openDuties.size).toBe(1);
  });
});

describe('corrections', () => {
  it('a voided load ends its duty, or hands it to the next of the campaign', () => {
    const thing = tipped();
    thing.post({ load: 'b', at: '2027-07-05T18:00:00.000Z' }, { now: '2027-07-05T18:00:00.000Z' });
    const events = thing.leave('a');
    expect(dataOf(events, 'PostingReversed')['duties']).toMatchObject({
      opened: [{ dueAt: '2027-07-06T06:00:00.000Z' }],
      closed: [{ how: 'void' }],
    });
    thing.leave('b');
    expect(thing.state.openDuties.size).toBe(0);
  });

  it('a start that moves ahead of now takes the consequence back and opens the duty again', () => {
    const thing = tipped();
    thing.settle(after(DUE));
    const moved = '2027-07-06T02:00:00.000Z';
    const events = thing.post({ load: 'a', at: moved, revision: 1 }, { now: '2027-07-06T04:00:00.000Z' });
    expect(typesOf(events)).toEqual(['PostingReversed', 'LoadPosted', 'ConsequenceReversed']);
    expect(dataOf(events, 'ConsequenceReversed')).toMatchObject({
      why: 'not_due_yet',
      duties: { opened: [{ dueAt: '2027-07-06T14:00:00.000Z' }] },
    });
    expect(typesOf(thing.settle('2027-07-06T14:00:00.001Z'))).toEqual(['DutyMissed']);
  });

  it('a start that moves and stays past is reversed and missed anew, never rewritten', () => {
    const thing = tipped();
    thing.settle('2027-07-20T00:00:00.000Z');
    const events = thing.post({ load: 'a', at: '2027-07-05T12:00:00.000Z', revision: 1 });
    expect(typesOf(events)).toEqual(['PostingReversed', 'LoadPosted', 'ConsequenceReversed', 'DutyMissed']);
    expect(dataOf(events, 'ConsequenceReversed')).toMatchObject({ why: 'judged_anew' });
    expect(missedNow(thing)).toEqual(['a 2027-07-06T00:00:00.000Z H1']);
  });

  it('another load that turns out to be bound answers for it', () => {
    const thing = new Thing();
    thing.post({ load: 'a', at: START, facts: { make: 'compost' } }, { now: '2027-07-20T00:00:00.000Z' });
    thing.post({ load: 'b', at: '2027-07-05T18:00:00.000Z', hauler: { kind: 'hauler', key: 'H2' } });
    expect(missedNow(thing)).toEqual([`b ${DUE} H2`]);
    thing.post({ load: 'a', at: START, facts: { make: 'dry' }, revision: 1 });
    expect(missedNow(thing)).toEqual([`a ${DUE} H1`]);
  });

  it('what it no longer binds is no longer missed', () => {
    const thing = tipped();
    thing.settle(after(DUE));
    const events = thing.post({ load: 'a', at: START, facts: { make: 'compost' }, revision: 1 });
    expect(dataOf(events, 'ConsequenceReversed')).toMatchObject({ why: 'no_longer_due' });
  });

  it('the carried state is that of the log', () => {
    const thing = tipped();
    thing.settle(after(DUE));
    fork(thing, '2027-07-05T20:00:00.000Z', '2027-07-08T00:00:00.000Z');
    thing.post({ load: 'a', at: '2027-07-06T02:00:00.000Z', revision: 1 });
    expect(thing.refold()).toEqual(thing.state);
  });
});
