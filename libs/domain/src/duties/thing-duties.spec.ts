import { dataOf, typesOf } from '../testing/thing.testing';
import { dutiesUnder, missed, open, standing, Weir } from '../testing/weir.testing';

describe('a duty that a fact of a thing starts', () => {
  it('is opened by whatever records the fact, and ended by the act that gives the other', () => {
    const weir = new Weir();
    const [recorded] = weir.facts({ leaks_since: '2027-06-01' }, { now: '2027-06-03T15:00:00.000Z' });
    expect(recorded?.data['duties']).toMatchObject({
      opened: [{ clause: 'look', binds: 'office', who: 'warden', dueOn: '2027-06-15' }],
    });
    weir.act('look_at_weir', {}, { now: '2027-06-15T15:00:00.000Z' });
    expect(standing(weir.state, weir.now)).toEqual(['look met']);
    expect(weir.settle('2027-07-01T00:00:00.000Z')).toEqual([]);
  });

  it('moves while it runs, and begins anew once it was met or missed', () => {
    const weir = new Weir();
    weir.facts({ leaks_since: '2027-06-01' }, { now: '2027-06-03T15:00:00.000Z' });
    weir.facts({ leaks_since: '2027-06-04' }, { now: '2027-06-05T15:00:00.000Z' });
    expect(open(weir.state)).toEqual(['look 2027-06-18']);
    weir.settle('2027-06-19T05:00:00.000Z');
    expect(missed(weir.state)).toEqual(['look 2027-06-19T05:00:00.000Z']);
    weir.facts({ leaks_since: '2027-08-01' }, { now: '2027-08-03T15:00:00.000Z' });
    expect(open(weir.state)).toEqual(['look 2027-08-15']);
    // The late look at the first is one at the second too: it came after both began.
    weir.act('look_at_weir', {}, { now: '2027-08-04T15:00:00.000Z' });
    expect(standing(weir.state, weir.now)).toEqual(['look met', 'look met_late']);
    expect(dutiesUnder(weir.state, 'look').map(({ duty }) => duty)).toHaveLength(2);
    expect(weir.refold()).toEqual(weir.state);
  });

  it('that is due each year has its next cycle alone, begun by the filing that ends the one before', () => {
    const weir = new Weir();
    weir.act('file_log', {}, { now: '2027-02-01T15:00:00.000Z' });
    // The filing that begins the first log does not meet it.
    expect(open(weir.state)).toEqual(['log 2028-03-15']);
    const [second] = weir.act('file_log', {}, { now: '2028-03-15T15:00:00.000Z' });
    expect(second?.data['duties']).toMatchObject({
      opened: [{ clause: 'log', dueOn: '2029-03-15' }],
      closed: [{ how: 'met' }],
    });
    weir.settle('2029-03-16T05:00:00.000Z');
    expect(missed(weir.state)).toEqual(['log 2029-03-16T05:00:00.000Z']);
    weir.act('file_log', {}, { now: '2029-06-01T15:00:00.000Z' });
    expect(standing(weir.state, weir.now)).toEqual(['log met', 'log met_late', 'log open']);
    expect(open(weir.state)).toEqual(['log 2030-03-15']);
    expect(weir.refold()).toEqual(weir.state);
  });

  it('that was filed in time and is recorded late takes the consequence back, and begins the next log', () => {
    const weir = new Weir();
    weir.act('file_log', {}, { now: '2027-02-01T15:00:00.000Z' });
    weir.settle('2028-04-01T00:00:00.000Z');
    const events = weir.act(
      'file_log',
      {},
      { now: '2028-04-01T15:00:00.000Z', occurred: '2028-03-01T15:00:00.000Z' },
    );
    expect(typesOf(events)).toEqual(['fernhollow-weir.LogFiled', 'ConsequenceReversed']);
    expect(dataOf(events, 'ConsequenceReversed')).toMatchObject({
      why: 'met_in_time',
      duties: {
        opened: [{ dueOn: '2029-03-15' }],
        closed: [{ how: 'met', metAt: '2028-03-01T15:00:00.000Z' }],
      },
    });
  });

  it('is none where the facts are not of the kind, and none where nobody said them', () => {
    const weir = new Weir();
    expect(weir.state.openDuties.size).toBe(0);
    expect(standing(weir.state, weir.now)).toEqual([]);
  });

  it('a start that is corrected is reversed and missed anew, never rewritten', () => {
    const weir = new Weir();
    weir.facts({ leaks_since: '2027-06-01' }, { now: '2027-06-03T15:00:00.000Z' });
    weir.settle('2027-07-01T00:00:00.000Z');
    const events = weir.when({
      type: 'correct-facts',
      corrects: 'subject-weir-1@1',
      facts: { leaks_since: '2027-06-02' },
      reason: 'slip',
    });
    expect(typesOf(events)).toEqual(['FactsCorrected', 'ConsequenceReversed', 'DutyMissed']);
    expect(missed(weir.state)).toEqual(['look 2027-06-17T05:00:00.000Z']);
  });
});
