import type { Fault } from '@headworks/kernel';
import { contentHash, mustSee, timing, type Caller, type Request } from './context';

const NOW = Date.parse('2027-07-05T15:00:00.000Z');
const request = (roles: readonly string[]): Request => ({
  caller: { id: 'x', roles, jurisdictions: '*' },
  receivedMs: NOW,
  correlationId: 'c',
  dryRun: false,
  deadline: 0,
});
function timed(body: Parameters<typeof timing>[1], roles: readonly string[] = ['clerk']) {
  const faults: Fault[] = [];
  const time = timing(request(roles), body, faults);
  return { time, faults: faults.map(({ pointer, code }) => `${pointer} ${code}`) };
}
const why = { reason: 'was away', evidence: 'book 3' };

describe('when something happened', () => {
  it('is now where nothing is said, and never later than now', () => {
    expect(timed({})).toEqual({ time: { ms: NOW }, faults: [] });
    expect(timed({ occurredAt: '2027-07-05T15:00:00.001Z' }).faults).toEqual(['/occurredAt in-the-future']);
  });

  it('needs an offset and a day that there is', () => {
    expect(timed({ occurredAt: '2027-07-05T15:00:00' }).faults).toEqual(['/occurredAt no-instant']);
    expect(timed({ occurredAt: '2027-02-30T15:00:00Z' }).faults).toEqual(['/occurredAt no-instant']);
    expect(timed({ occurredAt: '2027-07-05T10:00:00-05:00' }).time).toEqual({ ms: NOW });
  });

  it('ten minutes before receipt is in time, and a millisecond more is late', () => {
    expect(timed({ occurredAt: '2027-07-05T14:50:00Z' })).toEqual({
      time: { ms: NOW - 600_000 },
      faults: [],
    });
    expect(timed({ occurredAt: '2027-07-05T14:49:59.999Z' }).faults).toEqual([
      '/reason late-needs',
      '/evidence late-needs',
    ]);
  });

  it('late, has a reason and evidence, and is said by a role that may', () => {
    const late = { occurredAt: '2027-07-01T15:00:00Z', ...why };
    expect(timed(late)).toEqual({ time: { ms: Date.parse(late.occurredAt), late: why }, faults: [] });
    expect(timed(late, ['hauler']).faults).toEqual(['/occurredAt too-late-for-role']);
  });
});

it('another agency is told that there is nothing, in the words of nothing', () => {
  const caller: Caller = { id: 'x', roles: [], jurisdictions: ['a'] };
  expect(() => mustSee(caller, 'a')).not.toThrow();
  const message = (jurisdiction: string | undefined) => {
    try {
      mustSee(caller, jurisdiction, 'There is no such thing here.');
    } catch (error) {
      return (error as Error).message;
    }
    return 'seen';
  };
  expect(message('b')).toBe(message(undefined));
});

it('content is the same in whatever order it is written', () => {
  expect(contentHash({ a: 1, b: { c: [1, 2], d: undefined } })).toBe(contentHash({ b: { c: [1, 2] }, a: 1 }));
  expect(contentHash({ a: [1, 2] })).not.toBe(contentHash({ a: [2, 1] }));
});
