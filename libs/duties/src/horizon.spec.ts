import { isoInstant } from '@headworks/kernel';
import { Horizon, type QueuedAlarm } from './horizon';
import type { DueAsked, DueRow } from './settle';
import { Waker } from './waker';

const HOUR = 3_600_000;
const START = 500 * HOUR;
const row = (duty: string, dueMs: number): DueRow => ({
  stream: `s-${duty}`,
  duty,
  dueAt: isoInstant(dueMs),
});

let now: number;
let rows: DueRow[];
let put: QueuedAlarm[];
let remembers: boolean;
let away: boolean;
let horizon: Horizon;
beforeEach(() => {
  now = START;
  [rows, put] = [[], []];
  [remembers, away] = [true, false];
  horizon = new Horizon({
    queue: {
      add: async (alarms) => {
        if (away) throw new Error('away');
        put.push(...alarms);
      },
      remembers: async () => remembers,
    },
    port: { due: async (asked) => dueIn(asked) },
    now: () => now,
    aheadMs: HOUR,
  });
});

const dueIn = ({ from = '', before = '~', after, limit }: DueAsked): readonly DueRow[] =>
  rows
    .filter(({ dueAt }) => dueAt >= from && dueAt < before)
    .toSorted((a, b) => (a.dueAt + a.duty < b.dueAt + b.duty ? -1 : 1))
    .filter((one) => !after || one.dueAt + one.duty > after.dueAt + after.duty)
    .slice(0, limit);

describe('the horizon', () => {
  it('puts in what is due soon, once, and later what has come near', async () => {
    rows = [row('past', START - 1), row('a', START), row('b', START + 10), row('c', START + HOUR)];
    expect(await horizon.arm()).toBe(2);
    expect(put).toEqual([
      { duty: 'a', dueMs: START, delayMs: 1 },
      { duty: 'b', dueMs: START + 10, delayMs: 11 },
    ]);
    expect([await horizon.arm(), horizon.size]).toEqual([0, 2]);
    now += 20;
    expect([await horizon.arm(), horizon.size]).toEqual([1, 1]);
  });

  it('puts in all pages', async () => {
    rows = Array.from({ length: 1_201 }, (_, n) => row(`d${n}`, START + 5));
    expect(await horizon.arm()).toBe(1_201);
    expect(new Set(put.map(({ duty }) => duty)).size).toBe(1_201);
  });

  it('puts in a duty that moved under its new instant', async () => {
    rows = [row('a', START + 10)];
    await horizon.arm();
    rows = [row('a', START + 5)];
    await horizon.arm();
    expect(put.map(({ dueMs }) => dueMs)).toEqual([START + 10, START + 5]);
  });

  it('puts all in again where the queue was emptied, or was away, or woke too early', async () => {
    rows = [row('a', START + 10)];
    await horizon.arm();
    remembers = false;
    expect(await horizon.arm()).toBe(1);
    remembers = true;
    horizon.forget();
    away = true;
    await expect(horizon.arm()).rejects.toThrow('away');
    away = false;
    expect(await horizon.arm()).toBe(1);
    horizon.forget('a');
    expect(await horizon.arm()).toBe(1);
  });

  it('takes from an event what no row shows yet, where it is near', async () => {
    await horizon.expect(row('a', START + 10));
    await horizon.expect(row('far', START + HOUR));
    await horizon.expect(row('past', START - 1));
    rows = [row('a', START + 10)];
    expect([await horizon.arm(), put.map(({ duty }) => duty)]).toEqual([0, ['a']]);
  });
});

describe('the waker', () => {
  const woken = () => {
    const told: string[] = [];
    const lookUps: (readonly string[])[] = [];
    const waker = new Waker({
      dueOf: async (duties) => {
        lookUps.push(duties);
        await new Promise((resolve) => setImmediate(resolve));
        return rows.filter(({ duty }) => duties.includes(duty));
      },
      settle: async ({ stream }) => {
        told.push(`settle ${stream}`);
        return undefined;
      },
      now: () => now,
      early: ({ duty }) => told.push(`early ${duty}`),
      lateMs: 60_000,
      late: () => told.push('late'),
    });
    return { waker, told, lookUps };
  };

  it('sends Settle to the home of what is due, and nothing for what is done', async () => {
    const { waker, told } = woken();
    rows = [row('a', START - 1)];
    await waker.wake('a');
    await waker.wake('done');
    expect(told).toEqual(['settle s-a']);
  });

  it('does nothing before the time is over, and leaves the order after a silence to the sweep', async () => {
    const { waker, told } = woken();
    rows = [row('a', START), row('b', START - 60_001)];
    await waker.wake('a');
    await waker.wake('b');
    expect(told).toEqual(['early a', 'late']);
  });

  it('looks up together those who come while it looks', async () => {
    const { waker, told, lookUps } = woken();
    rows = ['a', 'b', 'c', 'd'].map((duty) => row(duty, START - 1));
    const first = waker.wake('a');
    await new Promise((resolve) => process.nextTick(resolve));
    await Promise.all([first, ...['b', 'c', 'd', 'b'].map((duty) => waker.wake(duty))]);
    expect(lookUps).toEqual([['a'], ['b', 'c', 'd']]);
    expect(told).toHaveLength(5);
  });

  it('fails with the look-up, and looks again for the next', async () => {
    let broken = true;
    const waker = new Waker({
      dueOf: async () => {
        if (broken) throw new Error('away');
        return [];
      },
      settle: async () => undefined,
      now: () => now,
      early: () => undefined,
      lateMs: 1,
      late: () => undefined,
    });
    await expect(waker.wake('a')).rejects.toThrow('away');
    broken = false;
    await expect(waker.wake('a')).resolves.toBeUndefined();
  });
});
