import { CodedError, isoInstant } from '@headworks/kernel';
import { dataOf, typesOf } from '../testing/thing.testing';
import { dutiesUnder, dutyUnder, Leave, missed, open, standing, Weir } from '../testing/weir.testing';

const plus = (iso: string, ms: number) => isoInstant(Date.parse(iso) + ms);

/** Issued, with the bond brought: nothing is owed but what acts start. */
function bonded(): Leave {
  const leave = new Leave().issuedNow();
  leave.act('bring_bond', {}, { now: '2027-07-03T15:00:00.000Z' });
  return leave;
}

describe('a duty that an act on a permit starts', () => {
  it('is one for each act, with what that act recorded', () => {
    const leave = bonded();
    leave.act('ask_toll', { toll_month: '2027-07-31' }, { now: '2027-08-02T15:00:00.000Z' });
    leave.act('ask_toll', { toll_month: '2027-08-15' }, { now: '2027-09-02T15:00:00.000Z' });
    expect(open(leave.state)).toEqual(['toll 2027-08-30', 'toll 2027-09-30'].slice(1));
    expect(missed(leave.state)).toEqual(['toll 2027-08-31T05:00:00.000Z']);
    const [paid] = leave.act('pay_toll', { paid_month: '2027-08-01' }, { now: '2027-09-30T15:00:00.000Z' });
    expect(paid?.data['duties']).toMatchObject({
      opened: [],
      closed: [{ how: 'met', metAt: '2027-09-30T15:00:00.000Z' }],
    });
    expect(standing(leave.state, leave.now)).toEqual(['bond met', 'decide met', 'toll met', 'toll missed']);
    expect(leave.refold()).toEqual(leave.state);
  });

  it('paid for a later month in between, it stays met', () => {
    const leave = bonded();
    leave.act('ask_toll', { toll_month: '2027-07-31' }, { now: '2027-08-02T15:00:00.000Z' });
    leave.act('pay_toll', { paid_month: '2027-07-02' }, { now: '2027-08-10T15:00:00.000Z' });
    leave.act('pay_toll', { paid_month: '2027-08-02' }, { now: '2027-08-20T15:00:00.000Z' });
    expect(leave.settle('2027-10-01T00:00:00.000Z')).toEqual([]);
    expect(standing(leave.state, leave.now)).toContain('toll met');
  });

  it('done too late it stays missed, and says when it was done', () => {
    const leave = bonded();
    leave.act('ask_toll', { toll_month: '2027-07-31' }, { now: '2027-08-02T15:00:00.000Z' });
    const [gone] = leave.settle('2027-09-05T00:00:00.000Z');
    expect(gone?.data).toMatchObject({
      outcome: 'grounds_for_revocation',
      binds: 'person',
      who: 'miller',
      responsible: { kind: 'miller', key: 'M1' },
    });
    const [paid] = leave.act('pay_toll', { paid_month: '2027-07-02' }, { now: '2027-09-06T15:00:00.000Z' });
    expect(paid?.data['duties']).toMatchObject({
      closed: [{ how: 'met_late', metAt: '2027-09-06T15:00:00.000Z' }],
    });
    expect([...leave.state.missed.values()]).toMatchObject([{ metAt: '2027-09-06T15:00:00.000Z' }]);
    expect(missed(leave.state)).toHaveLength(1);
    // Said once, and taken back where it was said in error.
    expect(
      leave.act('tell_neighbours', {}, { now: '2027-09-07T15:00:00.000Z' })[0]?.data['duties'],
    ).toBeUndefined();
    const annuls = `permit-p1@${leave.state.revision - 1}`;
    const [annulled] = leave.when({ type: 'annul', annuls, reason: 'another miller' });
    expect(annulled?.data['duties']).toMatchObject({ closed: [{ how: 'missed' }] });
    expect(leave.refold()).toEqual(leave.state);
  });

  it('undone by another act it is owed no longer; annulled it never was', () => {
    const leave = bonded();
    leave.act('ask_toll', { toll_month: '2027-07-31' }, { now: '2027-08-02T15:00:00.000Z' });
    const [remitted] = leave.act('remit_toll', {}, { now: '2027-08-03T15:00:00.000Z' });
    expect(remitted?.data['duties']).toMatchObject({ closed: [{ how: 'void' }] });
    leave.act('ask_toll', { toll_month: '2027-07-31' }, { now: '2027-08-04T15:00:00.000Z' });
    leave.settle('2027-09-05T00:00:00.000Z');
    expect(missed(leave.state)).toHaveLength(1);
    const [second] = dutiesUnder(leave.state, 'toll').slice(1);
    const events = leave.when({ type: 'annul', annuls: second?.startedBy ?? '', reason: 'asked twice' });
    expect(typesOf(events)).toEqual(['RecordedInError', 'ConsequenceReversed']);
    expect(dataOf(events, 'ConsequenceReversed')).toMatchObject({ why: 'no_longer_due' });
    expect(missed(leave.state)).toEqual([]);
  });

  it('what the act recorded is corrected: the duty is the same one, due at another instant', () => {
    const leave = bonded();
    leave.act('ask_toll', { toll_month: '2027-07-31' }, { now: '2027-08-02T15:00:00.000Z' });
    const { duty } = dutyUnder(leave.state, 'toll');
    const corrects = `permit-p1@${leave.state.revision}`;
    leave.when({ type: 'correct-facts', corrects, facts: { toll_month: '2027-08-31' }, reason: 'slip' });
    expect([...leave.state.openDuties.values()]).toMatchObject([{ duty, dueOn: '2027-09-30' }]);
  });

  it('bars an appeal: after it was missed the act itself is refused', () => {
    const leave = new Leave();
    leave.apply();
    leave.when({ type: 'deny', reason: 'no', grounds: ['toll'] }, { now: '2027-07-02T15:00:00.000Z' });
    leave.act('give_notice');
    expect(open(leave.state)).toEqual(['appeal 2027-07-12']);
    const late = leave.act('appeal_it', {}, { now: '2027-07-13T05:00:00.000Z' });
    expect(late).toMatchObject([
      { type: 'DutyMissed', data: { outcome: 'appeal_barred' } },
      { type: 'ActRefused', data: { findings: [{ clause: 'appeal', status: 'violated' }] } },
    ]);
    const inTime = leave.act(
      'appeal_it',
      {},
      { now: '2027-07-14T05:00:00.000Z', occurred: '2027-07-12T15:00:00.000Z' },
    );
    expect(typesOf(inTime)).toEqual(['fernhollow-weir.AppealMade', 'ConsequenceReversed']);
    expect(standing(leave.state, leave.now)).toContain('appeal met');
  });
});

describe('a duty that an act on a thing starts', () => {
  const ORDERED = '2027-07-06T15:00:00.000Z';
  const DUE = '2027-07-09T15:00:00.000Z';

  it('binds whoever has the thing, is cured, and follows the hours', () => {
    const weir = new Weir();
    const [ordered] = weir.act('order_repair', {}, { now: ORDERED });
    expect(ordered?.data['duties']).toMatchObject({
      opened: [
        {
          clause: 'repair',
          dueAt: DUE,
          subject: { kind: 'weir', key: 'W1' },
          responsible: { kind: 'weir', key: 'W1' },
          startedBy: 'subject-weir-1@1',
        },
      ],
    });
    expect(weir.settle(DUE)).toEqual([]);
    expect(typesOf(weir.settle(plus(DUE, 1)))).toEqual(['DutyMissed']);
    weir.act('repair_weir', {}, { now: '2027-07-20T15:00:00.000Z' });
    expect(standing(weir.state, weir.now)).toEqual(['repair met_late']);
    expect(weir.refold()).toEqual(weir.state);
  });

  it('the warden gives another day, twice at once, and lets it go', () => {
    const weir = new Weir();
    weir.act('order_repair', {}, { now: ORDERED });
    const { duty } = dutyUnder(weir.state, 'repair');
    weir.when({ type: 'extend-duty', duty, times: 2, reason: 'flood' }, { now: '2027-07-07T15:00:00.000Z' });
    expect([...weir.state.openDuties.values()]).toMatchObject([{ dueAt: '2027-07-11T15:00:00.000Z' }]);
    weir.when({ type: 'waive-duty', duty, reason: 'it fell' }, { now: '2027-07-11T15:00:00.000Z' });
    expect(weir.state.openDuties.size).toBe(0);
    expect(() => weir.when({ type: 'waive-duty', duty, reason: 'again' })).toThrow(CodedError);
    // An order later is another duty, to which nobody gave more time.
    weir.act('order_repair', {}, { now: '2027-08-02T15:00:00.000Z' });
    expect([...weir.state.openDuties.values()]).toMatchObject([{ dueAt: '2027-08-05T15:00:00.000Z' }]);
  });

  it('repaired before the second order, it is to be repaired again', () => {
    const weir = new Weir();
    weir.act('order_repair', {}, { now: ORDERED });
    weir.act('repair_weir', {}, { now: '2027-07-07T15:00:00.000Z' });
    weir.act('order_repair', {}, { now: '2027-07-08T15:00:00.000Z' });
    expect(standing(weir.state, weir.now)).toEqual(['repair met', 'repair open']);
  });

  it('there is no such duty, or it is not of this thing', () => {
    const weir = new Weir();
    expect(() => weir.when({ type: 'waive-duty', duty: 'x', reason: 'why' })).toThrow(
      /There is no such duty here/,
    );
  });
});
