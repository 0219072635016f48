import { CodedError, isoInstant } from '@headworks/kernel';
import { isLive } from '../permit/permit';
import { dataOf, typesOf } from '../testing/thing.testing';
import { dutyUnder, Leave, missed, open, standing } from '../testing/weir.testing';

/** Ten working days from Thursday, July 1: the 5th is Weir Day, so the 16th is the last; late at its midnight. */
const DUE = '2027-07-17T05:00:00.000Z';
const by = (ms: number) => isoInstant(Date.parse(DUE) + ms);
const asked = { type: 'request-information', facts: [], reason: 'where?' } as const;
const told = { type: 'receive-information', facts: { wheels: 2 } } as const;
const denial = { type: 'deny', reason: 'no', grounds: ['toll'] } as const;

describe('a duty that the filing of an application starts', () => {
  it('is opened in the filing, for the office, and ended by the decision', () => {
    const leave = new Leave();
    const filed = leave.apply();
    expect(dataOf(filed, 'ApplicationFiled')['duties']).toEqual({
      opened: [
        expect.objectContaining({
          clause: 'decide',
          binds: 'office',
          who: 'moot',
          dueOn: '2027-07-16',
          dueAt: DUE,
          byDay: true,
          startedBy: 'permit-p1@0',
        }),
      ],
      closed: [],
    });
    const issued = leave.approve({ now: '2027-07-16T15:00:00.000Z' }).at(-1);
    expect(issued?.data['duties']).toMatchObject({
      closed: [{ how: 'met', metAt: '2027-07-16T15:00:00.000Z', metBy: 'permit-p1@1' }],
    });
    expect(leave.settle(DUE)).toEqual([]);
    expect(leave.refold()).toEqual(leave.state);
  });

  it('binds nobody where the clause does not apply, and what is not known alarms nobody', () => {
    const flood = (fact: boolean | undefined) => {
      const leave = new Leave();
      leave.apply({}, { wheels: 1, ...(fact !== undefined && { in_flood_plain: fact }) });
      return open(leave.state);
    };
    expect(flood(true)).toEqual(['decide 2027-07-16', 'tell 2027-07-04']);
    expect(flood(false)).toEqual(['decide 2027-07-16']);
    expect(flood(undefined)).toEqual(['decide 2027-07-16']);
  });

  it('is opened by the information that shows it, and missed at once where that comes late', () => {
    const leave = new Leave();
    leave.apply({}, { wheels: 1 });
    const events = leave.when(
      { type: 'receive-information', facts: { in_flood_plain: true } },
      { now: '2027-07-08T15:00:00.000Z', occurred: '2027-07-02T15:00:00.000Z' },
    );
    expect(typesOf(events)).toEqual(['InformationReceived', 'DutyMissed']);
    expect(events[1]).toMatchObject({
      occurred: { at: '2027-07-05T05:00:00.000Z' },
      causedBy: 'permit-p1@0',
      data: { clause: 'tell', binds: 'office', who: 'reeve', outcome: 'violation' },
    });
    expect(events[1]?.data['responsible']).toBeUndefined();
  });

  it('ends with the application: nobody owes a decision on what was withdrawn', () => {
    const leave = new Leave();
    leave.apply();
    const [withdrawn] = leave.when({ type: 'withdraw', reason: 'sold' }, { now: '2027-07-10T15:00:00.000Z' });
    expect(withdrawn?.data['duties']).toMatchObject({ closed: [{ how: 'void' }] });
    expect(leave.settle('2027-08-01T00:00:00.000Z')).toEqual([]);
    expect(standing(leave.state, '2027-08-01T00:00:00.000Z')).toEqual(['decide void']);
  });

  it('is not begun by what came to an end before it began', () => {
    const leave = new Leave();
    leave.apply();
    // The end of the bond's time is counted from the issue: before that there is none.
    expect(standing(leave.state, leave.now)).toEqual(['decide open']);
  });

  it('is another one for each time that it begins', () => {
    const leave = new Leave().issuedNow();
    leave.act('bring_bond');
    const stop = { type: 'suspend', reason: 'noise', grounds: ['toll'] } as const;
    leave.when(stop, { now: '2027-08-01T15:00:00.000Z' });
    expect(open(leave.state)).toEqual(['hear 2027-08-06']);
    leave.act('hear_miller', {}, { now: '2027-08-04T15:00:00.000Z' });
    leave.when({ type: 'reinstate', reason: 'quiet' });
    leave.when(stop, { now: '2027-09-01T15:00:00.000Z' });
    expect(open(leave.state)).toEqual(['hear 2027-09-06']);
    // What was heard of the first is not heard of the second.
    expect(typesOf(leave.settle('2027-09-07T05:00:00.000Z'))).toEqual(['DutyMissed']);
    expect(standing(leave.state, leave.now)).toEqual(['bond met', 'decide met', 'hear met', 'hear missed']);
    expect(leave.refold()).toEqual(leave.state);
  });

  it('ends where what began it is taken back in time', () => {
    const leave = new Leave().issuedNow();
    leave.act('bring_bond');
    leave.when({ type: 'suspend', reason: 'noise', grounds: ['toll'] });
    const [lifted] = leave.when({ type: 'reinstate', reason: 'quiet' }, { now: '2027-07-04T15:00:00.000Z' });
    expect(lifted?.data['duties']).toMatchObject({ closed: [{ how: 'void' }] });
    expect(leave.settle('2027-09-07T05:00:00.000Z')).toEqual([]);
  });
});

describe('a clock that stands still', () => {
  it('is due never while information is asked for, and begins anew when it comes', () => {
    const leave = new Leave();
    leave.apply();
    const [question] = leave.when(asked, { now: '2027-07-08T15:00:00.000Z' });
    expect(question?.data['duties']).toMatchObject({
      opened: [{ clause: 'decide', dueAt: null, pausedSince: expect.stringContaining('2027-07-08') }],
    });
    expect(standing(leave.state, leave.now)).toEqual(['decide paused']);
    expect(leave.settle('2027-09-01T00:00:00.000Z')).toEqual([]);
    const [answer] = leave.when(told, { now: '2027-09-01T15:00:00.000Z' });
    // Ten working days from September 1.
    expect(answer?.data['duties']).toMatchObject({ opened: [{ dueOn: '2027-09-15' }] });
    expect(typesOf(leave.settle('2027-09-16T05:00:00.000Z'))).toEqual([
      'DutyMissed',
      'ApplicationDeemedApproved',
    ]);
    expect(leave.refold()).toEqual(leave.state);
  });

  it('is not stopped by a question that comes after its end', () => {
    const leave = new Leave();
    leave.apply();
    expect(() => leave.when(asked, { now: DUE })).toThrow(CodedError);
    const late = new Leave();
    late.apply();
    const [question] = late.when(asked, { now: by(3_600_000), occurred: by(-1) });
    expect(question?.type).toBe('DutyMissed');
    expect(late.is()).toBe('awaiting_information');
    expect(standing(late.state, late.now)).toEqual(['decide paused']);
  });
});

describe('more time, and none at all', () => {
  const extend = (leave: Leave, occurred: string, now = occurred, times = 1) => {
    const { duty } = dutyUnder(leave.state, 'decide');
    const command = { type: 'extend-duty', duty, times, reason: 'many wheels' } as const;
    return leave.when(command, { now, occurred, by: { body: 'moot', person: 'bo' } });
  };

  it('the body that may gives it while the duty runs', () => {
    const leave = new Leave();
    leave.apply();
    const [extended] = extend(leave, '2027-07-15T15:00:00.000Z');
    expect(extended).toMatchObject({
      type: 'DutyExtended',
      data: { clause: 'decide', times: 1, duties: { opened: [{ dueOn: '2027-07-23' }] } },
    });
    extend(leave, '2027-07-22T15:00:00.000Z', undefined, 2);
    expect(open(leave.state)).toEqual(['decide 2027-08-06']);
    const due = dutyUnder(leave.state, 'decide').clock.due;
    expect(due?.derivation?.some(({ event }) => event === 'permit-p1@2')).toBe(true);
    expect(leave.refold()).toEqual(leave.state);
  });

  it('not once it is due, nor for what was done', () => {
    const late = new Leave();
    late.apply();
    expect(() => extend(late, DUE)).toThrow(/extension of decide \(par\. 1\) .* not owed then/);
    const done = new Leave();
    done.apply();
    const { duty } = dutyUnder(done.state, 'decide');
    done.approve({ now: '2027-07-02T15:00:00.000Z' });
    const command = { type: 'extend-duty', duty, times: 1, reason: 'x' } as const;
    expect(() => done.when(command)).toThrow(CodedError);
  });

  it('recorded late it takes the consequence back, where it was given in time', () => {
    const leave = new Leave();
    leave.apply();
    leave.settle(DUE);
    expect(leave.is()).toBe('deemed_approved');
    const events = extend(leave, by(-1), by(60_000));
    expect(typesOf(events)).toEqual(['DutyExtended', 'ConsequenceReversed', 'ConsequenceReversed']);
    expect(events[1]).toMatchObject({ occurred: { at: DUE }, data: { why: 'not_due_yet' } });
    expect(leave.is()).toBe('filed');
    expect(open(leave.state)).toEqual(['decide 2027-07-23']);
    expect(leave.refold()).toEqual(leave.state);
  });

  it('an extension given in error was never given', () => {
    const leave = new Leave();
    leave.apply();
    extend(leave, '2027-07-15T15:00:00.000Z');
    leave.when({ type: 'annul', annuls: 'permit-p1@1', reason: 'another leave' });
    expect(open(leave.state)).toEqual(['decide 2027-07-16']);
    expect(leave.refold()).toEqual(leave.state);
  });

  const waive = (leave: Leave, clause: string, occurred: string, now = occurred) => {
    const { duty } = dutyUnder(leave.state, clause);
    return leave.when({ type: 'waive-duty', duty, reason: 'no neighbours' }, { now, occurred });
  };

  it('a duty is let go by the body that may, and by none where the law names none', () => {
    const leave = new Leave();
    leave.apply({}, { wheels: 1, in_flood_plain: true });
    const [waived] = waive(leave, 'tell', '2027-07-02T15:00:00.000Z');
    expect(waived).toMatchObject({ type: 'DutyWaived', data: { duties: { closed: [{ how: 'waived' }] } } });
    expect(leave.settle('2027-07-10T00:00:00.000Z')).toEqual([]);
    expect(standing(leave.state, leave.now)).toEqual(['decide open', 'tell waived']);
    expect(() => waive(leave, 'decide', leave.now)).toThrow(
      /waiver of decide \(par\. 1\) .* names nobody who may give it/,
    );
  });

  it('recorded late it takes the consequence back; after it was missed it comes too late', () => {
    const leave = new Leave();
    leave.apply({}, { wheels: 1, in_flood_plain: true });
    leave.settle('2027-07-05T05:00:00.000Z');
    expect(() => waive(leave, 'tell', '2027-07-05T05:00:00.000Z')).toThrow(CodedError);
    const events = waive(leave, 'tell', '2027-07-05T04:59:59.999Z', '2027-07-06T15:00:00.000Z');
    expect(typesOf(events)).toEqual(['DutyWaived', 'ConsequenceReversed']);
    expect(dataOf(events, 'ConsequenceReversed')).toMatchObject({ why: 'waived' });
    expect(missed(leave.state)).toEqual([]);
  });
});

describe('silence', () => {
  it('approves at the instant that is too late, as of it, whoever looks and whenever', () => {
    const leave = new Leave();
    leave.apply();
    expect(leave.settle(by(-1))).toEqual([]);
    const events = leave.settle('2027-09-30T00:00:00.000Z');
    expect(events).toMatchObject([
      { type: 'DutyMissed', occurred: { at: DUE }, data: { outcome: 'deemed_approved' } },
      {
        type: 'ApplicationDeemedApproved',
        occurred: { at: DUE },
        causedBy: 'permit-p1@1',
        data: {
          clause: 'decide',
          sets: { wheels: 1 },
          leave: { valid: { from: '2027-07-17', until: '2029-07-16' } },
          // What silence approved is surveyed: that was missed by then as well.
          duties: { opened: [{ clause: 'survey', dueOn: '2027-08-10' }] },
        },
      },
      { type: 'DutyMissed', occurred: { at: '2027-08-11T05:00:00.000Z' }, data: { clause: 'survey' } },
    ]);
    expect(events[0]?.data['due']).toMatchObject({ derivation: expect.any(Array) });
    expect(isLive(leave.state.file, Date.parse(DUE) - 1)).toBe(false);
    expect(isLive(leave.state.file, Date.parse(DUE))).toBe(true);
    expect(leave.settle('2027-10-30T00:00:00.000Z')).toEqual([]);
    // Nobody decided, so nobody did it.
    expect(leave.log[2]?.metadata.by).toBeUndefined();
    // It gives leave to its last day, and then it ends like any other.
    expect(typesOf(leave.settle('2029-07-17T05:00:00.000Z'))).toEqual(['PermitExpired']);
    expect(leave.refold()).toEqual(leave.state);
  });

  it.each([
    [-1, ['ApplicationApproved', 'PermitIssued'], 'issued', 'met'],
    [0, 'refused', 'deemed_approved', 'missed'],
    [1, 'refused', 'deemed_approved', 'missed'],
  ] as const)('a decision at %i ms of it', (ms, types, phase, status) => {
    const leave = new Leave();
    leave.apply();
    leave.now = by(ms);
    if (types === 'refused') {
      expect(() => leave.approve()).toThrow(/deemed approved/);
      leave.settle(by(ms));
    } else expect(typesOf(leave.approve())).toEqual(types);
    expect([leave.is(), standing(leave.state, by(ms)).find((one) => one.startsWith('decide'))]).toEqual([
      phase,
      `decide ${status}`,
    ]);
  });

  it('a denial that came in time and is recorded late takes it back, with what rests on it', () => {
    const leave = new Leave();
    leave.apply();
    leave.settle(DUE);
    leave.when({ type: 'issue' }, { now: by(1000), by: { body: 'moot', person: 'bo' } });
    expect(leave.is()).toBe('issued');
    const events = leave.when(denial, {
      now: by(60_000),
      occurred: by(-1),
      by: { body: 'moot', person: 'bo' },
    });
    expect(typesOf(events)).toEqual(['ApplicationDenied', 'ConsequenceReversed', 'ConsequenceReversed']);
    expect(events[1]?.data).toEqual({
      event: 'permit-p1@2',
      why: 'decided_in_time',
      reliance: ['permit-p1@3'],
    });
    expect(events[2]?.data).toMatchObject({
      event: 'permit-p1@1',
      why: 'met_in_time',
      finding: { status: 'satisfied' },
    });
    expect([leave.is(), isLive(leave.state.file, Date.parse(by(2000)))]).toEqual(['denied', false]);
    expect(missed(leave.state)).toEqual([]);
    expect(leave.refold()).toEqual(leave.state);
  });

  it('manifests that were accepted on the strength of it end with it, and are named', () => {
    const leave = new Leave();
    leave.apply();
    leave.settle(DUE);
    leave.now = by(1000);
    leave.given({ type: 'ManifestAccepted', data: { manifest: 'm', until: by(9_000_000) } });
    const told = { now: by(60_000), occurred: by(-1), by: { body: 'moot', person: 'bo' } };
    expect(leave.when(denial, told)[1]?.data).toMatchObject({
      reliance: ['permit-p1@3'],
      ends: [{ manifest: 'm', was: 'accepted' }],
    });
    expect(leave.state.manifests.get('m')).toMatchObject({ is: 'withdrawn', why: 'ConsequenceReversed' });
  });

  it('an approval that came in time leaves standing what was issued since', () => {
    const leave = new Leave();
    leave.apply();
    leave.settle(DUE);
    leave.when({ type: 'issue' }, { now: by(1000), by: { body: 'moot', person: 'bo' } });
    leave.approve({ now: by(60_000), occurred: by(-1) }, { issue: false });
    expect(leave.is()).toBe('issued');
    expect(missed(leave.state)).toEqual([]);
  });

  it('what is withdrawn in time and recorded late was never approved', () => {
    const leave = new Leave();
    leave.apply();
    leave.settle(DUE);
    const events = leave.when({ type: 'withdraw', reason: 'sold' }, { now: by(60_000), occurred: by(-1) });
    expect(typesOf(events)).toEqual(['ApplicationWithdrawn', 'ConsequenceReversed', 'ConsequenceReversed']);
    expect(leave.is()).toBe('withdrawn');
    expect(events[2]?.data).toMatchObject({ why: 'no_longer_due' });
  });

  it('follows from the law and is annulled by nobody', () => {
    const leave = new Leave();
    leave.apply();
    leave.settle(DUE);
    const annul = { type: 'annul', annuls: 'permit-p1@2', reason: 'x' } as const;
    expect(() => leave.when(annul)).toThrow(/it follows from a duty that was missed/);
  });

  it('a correction flags the permit that an officer issued since, and does not end it', () => {
    const leave = new Leave();
    leave.apply();
    leave.settle(DUE);
    leave.when({ type: 'issue' }, { now: by(1000), by: { body: 'moot', person: 'bo' } });
    const { duty } = dutyUnder(leave.state, 'decide');
    const events = leave.when(
      { type: 'extend-duty', duty, times: 1, reason: 'on paper' },
      { now: by(60_000), occurred: by(-1) },
    );
    expect(typesOf(events)).toEqual(['DutyExtended', 'ConsequenceReversed']);
    expect(leave.is()).toBe('issued');
  });

  it('denies where the law says so, at the last moment of its hours', () => {
    const leave = new Leave();
    leave.apply({}, { wheels: 1 }, 'netting');
    const due = '2027-07-03T15:00:00.000Z';
    expect(leave.settle(due)).toEqual([]);
    const events = leave.settle('2027-07-03T15:00:00.001Z');
    expect(events).toMatchObject([
      { type: 'DutyMissed', occurred: { at: due } },
      {
        type: 'ApplicationDenied',
        occurred: { at: due },
        data: { reason: 'not_decided_in_time', grounds: ['nets'] },
      },
    ]);
    expect(leave.is()).toBe('denied');
    const seen = leave.act('see_nets', {}, { now: '2027-07-05T15:00:00.000Z', occurred: due });
    expect(typesOf(seen)).toEqual(['fernhollow-weir.NetsSeen', 'ConsequenceReversed', 'ConsequenceReversed']);
    expect(leave.is()).toBe('filed');
    expect(leave.refold()).toEqual(leave.state);
  });

  it('makes void what was given, where the law says so, and ends it once', () => {
    const leave = new Leave().issuedNow();
    // Thirty days from July 2.
    const due = '2027-08-02T05:00:00.000Z';
    const events = leave.settle('2030-01-01T00:00:00.000Z');
    expect(events).toMatchObject([
      { type: 'DutyMissed', occurred: { at: due }, data: { responsible: { kind: 'miller', key: 'M1' } } },
      { type: 'PermitVoided', occurred: { at: due }, data: { reason: 'duty_missed', clause: 'bond' } },
    ]);
    expect(leave.is()).toBe('voided');
    const brought = leave.act(
      'bring_bond',
      {},
      { now: '2030-01-02T00:00:00.000Z', occurred: '2027-08-01T15:00:00.000Z' },
    );
    // Brought in time after all: the leave was good, and has ended by its own days since.
    expect(typesOf(brought)).toEqual([
      'fernhollow-weir.BondBrought',
      'ConsequenceReversed',
      'ConsequenceReversed',
      'PermitExpired',
    ]);
    expect(leave.refold()).toEqual(leave.state);
  });
});
