import { localDate } from '@headworks/kernel';
import type { LimitDef } from '@headworks/rules-engine';
import { campaignPlace, campaigns, cameBy, inWindow, originOf, stillCounting, windowOf } from './postings';
import { packOn, RULES, Thing } from './testing/thing.testing';

const pack = packOn('2027-07-05');
const limit = (name: string): LimitDef => {
  const found = pack.limits.get(name);
  if (!found) throw new Error(name);
  return found;
};
const year = limit('meadow_year');

function ledger(...instants: readonly string[]) {
  const thing = new Thing();
  instants.forEach((at) => thing.post({ load: at, at }, { now: '2027-12-31T23:00:00.000Z' }));
  return thing.state.postings;
}
const placeOf = (postings: ReturnType<typeof ledger>, at: string) =>
  campaignPlace(pack, year, postings, { ms: Date.parse(at), recordedAt: '~', revision: 999 });

describe('windows', () => {
  it.each([
    [{ every: 'calendar_year' }, '2027-07-05', '2027-01-01', '2027-12-31', '2027'],
    [{ every: 'week' }, '2027-01-03', '2026-12-28', '2027-01-03', 'week of 2026-12-28'],
    [{ every: 'week' }, '2027-01-04', '2027-01-04', '2027-01-10', 'week of 2027-01-04'],
    [{ rollingDays: 365 }, '2027-07-05', '2026-07-06', '2027-07-05', 'to 2027-07-05'],
    [{ rollingDays: 1 }, '2027-07-05', '2027-07-05', '2027-07-05', 'to 2027-07-05'],
  ] as const)('%j on %s', (window, day, first, last, name) => {
    expect(windowOf({ ...year, window }, localDate(day))).toEqual({ first, last, name });
  });

  it('are of local days: the evening of the last is not the first of the next', () => {
    const postings = ledger('2027-01-01T05:59:59.999Z', '2027-01-01T06:00:00.000Z');
    const loads = inWindow(pack, year, postings, localDate('2027-01-01')).map(({ data }) => data.load);
    expect(loads).toEqual(['2027-01-01T06:00:00.000Z']);
  });

  it('of rolling days let go of the day that is N days back', () => {
    const rolling: LimitDef = { ...year, window: { rollingDays: 2 } };
    const postings = ledger('2027-07-05T15:00:00Z', '2027-07-06T15:00:00Z', '2027-07-07T15:00:00Z');
    expect(inWindow(pack, rolling, postings, localDate('2027-07-07'))).toHaveLength(2);
  });
});

describe('campaigns', () => {
  it('are clocked from their first load, and start anew past the clock', () => {
    const postings = ledger('2027-07-05T00:00:00Z', '2027-07-05T13:00:00Z', '2027-07-06T01:00:00.001Z');
    expect(campaigns(pack, year, postings).map(({ start }) => start.data.load)).toEqual([
      '2027-07-05T00:00:00Z',
      '2027-07-06T01:00:00.001Z',
    ]);
  });

  it('a load that is asked about stands where it would', () => {
    const postings = ledger('2027-07-06T13:00:00Z', '2027-07-08T13:00:00Z');
    const ms = (iso: string) => Date.parse(iso);
    expect(placeOf(postings, '2027-07-06T12:00:00Z')).toEqual({
      startMs: ms('2027-07-06T12:00:00Z'),
      number: 1,
    });
    expect(placeOf(postings, '2027-07-07T01:00:00Z')).toEqual({
      startMs: ms('2027-07-06T13:00:00Z'),
      number: 1,
    });
    expect(placeOf(postings, '2027-07-07T01:00:00.001Z')).toMatchObject({ number: 2 });
    expect(placeOf(postings, '2027-07-08T14:00:00Z')).toEqual({
      startMs: ms('2027-07-08T13:00:00Z'),
      number: 2,
    });
  });

  it('over the new year is one campaign, and a use of each year that one of its loads is in', () => {
    // 22:00 local on December 31 of 2026, a Thursday, to 10:00 the next day.
    const postings = ledger('2027-01-01T04:00:00Z');
    const place = placeOf(postings, '2027-01-01T07:00:00Z');
    expect(place).toEqual({ startMs: Date.parse('2027-01-01T04:00:00Z'), number: 1 });
    expect(placeOf(postings, '2027-02-01T07:00:00Z')).toMatchObject({ number: 1 });
    const both = ledger('2027-01-01T04:00:00Z', '2027-01-01T07:00:00Z');
    expect(placeOf(both, '2027-02-01T07:00:00Z')).toMatchObject({ number: 2 });
  });

  it('a limit without them has none', () => {
    const key = { ms: 0, recordedAt: '', revision: 0 };
    expect(campaignPlace(pack, limit('meadow_week'), ledger(), key)).toBeUndefined();
  });
});

describe('what a successor takes over', () => {
  it('is what stands in a window of the day, or in a campaign that runs into it', () => {
    // July 5 of 2027 is a Monday.
    const postings = ledger('2026-12-31T18:00:00Z', '2027-01-02T18:00:00Z', '2027-07-04T18:00:00Z');
    const kept = (on: string) =>
      stillCounting(RULES, postings, localDate(on)).map(({ data }) => data.load.slice(0, 10));
    expect(kept('2027-07-05')).toEqual(['2027-01-02', '2027-07-04']);
    expect(kept('2027-01-03')).toEqual(['2026-12-31', '2027-01-02', '2027-07-04']);
    expect(kept('2028-06-01')).toEqual([]);
  });

  it('is known by the event that first posted it, and by the things that it came through', () => {
    const event = 'subject-c@4#subject-b@2#subject-a@1';
    expect(originOf(event)).toBe('subject-a@1');
    expect(originOf('subject-a@1')).toBe('subject-a@1');
    expect(['subject-a', 'subject-b', 'subject-c', 'subject'].map((stream) => cameBy(event, stream))).toEqual(
      [true, true, true, false],
    );
  });
});
