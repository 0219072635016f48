import { localDate } from '@headworks/kernel';
import { amendRules, type RuleSet } from '@headworks/rules-engine';
import type { Law } from '../pack-at';
import { phaseNameAt } from '../permit/permit';
import { typesOf } from '../testing/thing.testing';
import { Leave, missed, open, standing, WEIR_RULES } from '../testing/weir.testing';
import { staleOf } from './stale';

const STORM = 'law-xx-fernhollow@7';

/** The law once the office was closed on a day, by an event of July 8. */
function closedOn(date: string, rules: RuleSet = WEIR_RULES, event = STORM): Law {
  const day = { date: localDate(date), name: 'Storm', event, closedFor: 'everyone' as const };
  return {
    ...amendRules(rules, [{ ...day, jurisdiction: 'xx-fernhollow', calendar: 'fern-office' }]),
    calendarsChangedBy: () => ({ event, ms: Date.parse('2027-07-08T15:00:00.000Z') }),
  };
}

class Amended extends Leave {
  override law: Law = WEIR_RULES;
}

const officer = { reason: 'the storm of the 9th', evidence: 'minute 3' };
const decideOf = ({ state }: Leave): string =>
  [...state.openDuties.values(), ...[...state.missed.values()].map(({ data }) => data)].find(
    ({ clause }) => clause === 'decide',
  )?.duty ?? '';

/** Ten working days from July 1: due on the 16th, and on Monday the 19th where the 9th was closed too. */
function filed(): Amended {
  const leave = new Amended();
  leave.apply();
  return leave;
}

describe('a day that is closed late', () => {
  it('moves what is open, and both dates and the cause are kept', () => {
    const leave = filed();
    leave.law = closedOn('2027-07-09');
    const events = leave.settle('2027-07-08T16:00:00.000Z');
    expect(typesOf(events)).toEqual(['DutyMoved']);
    expect(events[0]).toMatchObject({
      occurred: { at: '2027-07-08T15:00:00.000Z' },
      causedBy: STORM,
      data: { from: { date: '2027-07-16' }, due: { date: '2027-07-19' }, by: [STORM] },
    });
    expect(open(leave.state)).toEqual(['decide 2027-07-19']);
    expect(leave.settle('2027-07-17T05:00:00.000Z')).toEqual([]);
    expect(typesOf(leave.settle('2027-07-20T05:00:00.000Z'))).toEqual([
      'DutyMissed',
      'ApplicationDeemedApproved',
    ]);
    expect(missed(leave.state)).toEqual(['decide 2027-07-20T05:00:00.000Z']);
    expect(staleOf(leave.state, leave.law, Date.parse(leave.now))).toEqual([]);
    expect(leave.refold()).toEqual(leave.state);
  });

  it('moves nothing that lies before it', () => {
    const leave = filed();
    leave.law = closedOn('2027-07-30');
    expect(leave.settle('2027-07-08T16:00:00.000Z')).toEqual([]);
  });
});

describe('what was decided before', () => {
  const decided = (): Amended => {
    const leave = filed();
    leave.settle('2027-07-17T05:00:00.000Z');
    leave.law = closedOn('2027-07-09');
    return leave;
  };

  it('stands, whatever else is recorded, and is listed with what it would be', () => {
    const leave = decided();
    leave.act('tell_neighbours', {}, { now: '2027-07-17T15:00:00.000Z' });
    expect(missed(leave.state)).toEqual(['decide 2027-07-17T05:00:00.000Z']);
    expect(staleOf(leave.state, leave.law, Date.parse(leave.now))).toMatchObject([
      { why: 'not_due_yet', cause: STORM, duty: { clock: { due: { date: '2027-07-19' } } } },
    ]);
    expect(phaseNameAt(leave.state.file, Date.parse(leave.now))).toBe('deemed_approved');
  });

  it('is overtaken by a decision in time that is recorded late, by itself', () => {
    const leave = decided();
    const events = leave.approve({ now: '2027-07-18T15:00:00.000Z', occurred: '2027-07-16T15:00:00.000Z' });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'ConsequenceReversed',
        data: expect.objectContaining({ why: 'met_in_time', duty: decideOf(leave) }),
      }),
    );
    expect(staleOf(leave.state, leave.law, Date.parse(leave.now))).toEqual([]);
  });

  it('is taken back by an officer alone: then it is open again until the day that counts now', () => {
    const leave = decided();
    const command = { type: 'reverse-consequence', duty: decideOf(leave), ...officer } as const;
    const events = leave.when(command, { now: '2027-07-17T15:00:00.000Z' });
    expect(typesOf(events)).toEqual(['ConsequenceReversed', 'ConsequenceReversed']);
    expect(events[0]).toMatchObject({
      causedBy: STORM,
      data: { why: 'calendar_amended', now: 'not_due_yet', ...officer },
    });
    expect(open(leave.state)).toEqual(['decide 2027-07-19']);
    expect(phaseNameAt(leave.state.file, Date.parse(leave.now))).toBe('filed');
    leave.settle('2027-07-20T05:00:00.000Z');
    expect(missed(leave.state)).toEqual(['decide 2027-07-20T05:00:00.000Z']);
    expect(leave.refold()).toEqual(leave.state);
  });

  it('is missed anew at once where that day is over too', () => {
    const leave = decided();
    const command = { type: 'reverse-consequence', duty: decideOf(leave), ...officer } as const;
    leave.when(command, { now: '2027-08-01T15:00:00.000Z' });
    expect(missed(leave.state)).toEqual(['decide 2027-07-20T05:00:00.000Z']);
    expect(phaseNameAt(leave.state.file, Date.parse(leave.now))).toBe('deemed_approved');
  });

  it('leaves the list where an officer confirms it, until the calendars change again', () => {
    const leave = decided();
    leave.when(
      { type: 'confirm-consequence', duty: decideOf(leave), ...officer },
      { now: '2027-07-18T15:00:00.000Z' },
    );
    expect(staleOf(leave.state, leave.law, Date.parse(leave.now))).toEqual([]);
    expect(standing(leave.state, leave.now)).toContain('decide missed');
    leave.law = closedOn('2027-07-09', WEIR_RULES, 'law-xx-fernhollow@9');
    expect(staleOf(leave.state, leave.law, Date.parse(leave.now))).toHaveLength(1);
  });

  it('is nothing to decide on where the calendars would have it so', () => {
    const leave = filed();
    const command = { type: 'reverse-consequence', duty: decideOf(leave), ...officer } as const;
    expect(() => leave.when(command)).toThrow('No consequence of this duty stands');
    leave.settle('2027-07-17T05:00:00.000Z');
    expect(() => leave.when(command, { now: '2027-07-18T05:00:00.000Z' })).toThrow('GET /v1/stale');
  });
});
