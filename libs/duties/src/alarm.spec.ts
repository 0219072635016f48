import { Alarm, type NextDue } from './alarm';

const EVERY = 60_000;

/** A clock and timers that stand still until they are told to move. */
class World {
  now = 1_000_000;
  due: number[] = [];
  sweeps: number[] = [];
  grace = 0;
  broken = false;
  readonly errors: unknown[] = [];
  private timers: { at: number; run: () => void }[] = [];
  private elapsed = 0;

  readonly alarm = new Alarm({
    timers: {
      after: (ms, run) => {
        const timer = { at: this.elapsed + ms, run };
        this.timers.push(timer);
        return () => (this.timers = this.timers.filter((one) => one !== timer));
      },
    },
    now: () => this.now,
    nextDue: () => (this.broken ? Promise.reject(new Error('away')) : Promise.resolve(this.next())),
    sweep: async () => {
      if (this.broken) throw new Error('away');
      this.sweeps.push(this.now);
      this.due = this.due.filter((due) => due >= this.now || due < 0);
    },
    onError: (error) => this.errors.push(error),
    everyMs: EVERY,
    graceMs: () => this.grace,
  });

  /** The machine runs on for so long, and its clock with it, but for a step of the clock. */
  async runs(ms: number, step = 0): Promise<void> {
    this.now += step;
    const end = this.elapsed + ms;
    for (;;) {
      await turn();
      const timer = this.timers.toSorted((a, b) => a.at - b.at)[0];
      if (!timer || timer.at > end) break;
      this.timers = this.timers.filter((one) => one !== timer);
      this.now += timer.at - this.elapsed;
      this.elapsed = timer.at;
      timer.run();
    }
    this.now += end - this.elapsed;
    this.elapsed = end;
  }

  private next(): NextDue {
    const past = this.due.filter((due) => due < this.now);
    const coming = this.due.filter((due) => due >= this.now).toSorted((a, b) => a - b);
    return { past: past[0], next: coming[0] };
  }
}

const turn = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

let world: World;
let start: number;
beforeEach(() => {
  world = new World();
  start = world.now;
});

it('sweeps at once, just after each due instant, and after a minute at the latest', async () => {
  world.due = [start + 5_000, start + 20_000];
  world.alarm.start();
  await world.runs(100_000);
  expect(world.sweeps).toEqual([start, start + 5_001, start + 20_001, start + 80_001]);
});

it('is armed by what it is told of, whatever the rows show meanwhile', async () => {
  world.alarm.start();
  await world.runs(1_000);
  world.alarm.expect(start + 3_000);
  await world.alarm.rearm();
  await world.runs(5_000);
  expect(world.sweeps).toEqual([start, start + 3_001]);
});

it('leaves what is due to a queue for a while, and then takes it itself', async () => {
  world.grace = 10_000;
  world.due = [start + 5_000];
  world.alarm.start();
  await world.runs(20_000);
  expect(world.sweeps).toEqual([start, start + 15_001]);
});

it('does not spin on what a sweep leaves, and nobody due later waits for it', async () => {
  world.due = [-1, start + 7_000];
  world.alarm.start();
  await world.runs(11_000);
  expect(world.sweeps).toEqual([start, start + 5_000, start + 7_001]);
});

it('lives on where neither rows nor sweep answer, and says so', async () => {
  world.broken = true;
  world.alarm.start();
  await world.runs(1_000);
  expect(world.errors).toHaveLength(2);
  world.broken = false;
  await world.runs(EVERY);
  expect(world.sweeps).toEqual([start + EVERY]);
});

it.each([
  ['forward', 3_600_000, 0],
  ['back', -3_600_000, 3_600_000],
])(
  'a clock that is set %s by an hour is noticed by the next sweep, and nothing is lost',
  async (_, step, more) => {
    const due = start + 3_000_000;
    world.due = [due];
    world.alarm.start();
    await world.runs(1_000);
    await world.runs(EVERY, step);
    if (more > 0) {
      expect(world.due).toEqual([due]);
      await world.runs(3_000_000 + more);
    }
    expect(world.due).toEqual([]);
    expect(world.sweeps.find((at) => at > due)).toBeLessThan(due + Math.max(step, 0) + EVERY);
  },
);

it('stops with what it does, and is never woken again', async () => {
  world.due = [start + 5_000];
  world.alarm.start();
  await world.runs(1_000);
  await world.alarm.stop();
  world.alarm.expect(start + 2_000);
  await world.alarm.rearm();
  await world.runs(100_000);
  expect(world.sweeps).toEqual([start]);
});
