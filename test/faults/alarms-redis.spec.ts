import { ownRedis, type OwnRedis } from '../servers/redis';
import { redisUrl } from '../servers/shared-redis';
import { wireTo } from '../servers/cut-off';
import {
  ALLOWED_MS,
  expectEachMissedOnce,
  LawClock,
  logOf,
  missedIn,
  orderRepairs,
  ordered,
  placeOn,
  startIn,
  times,
  until,
  untilMissed,
  type Place,
  type Started,
} from './weirs.testing';

/** Alarms on BullMQ, log and views on PostgreSQL; whatever becomes of Redis, nothing is missed and nothing doubled. */
const DUE = Date.parse('2027-07-06T20:00:00.000Z');
const HOUR = 3_600_000;

let place: Place;
let clock: LawClock;
const running: Started[] = [];

beforeEach(async () => {
  place = await placeOn('postgres');
  // Far beyond the horizon of the queue: nothing is armed before a test sets the clock.
  clock = new LawClock(DUE - 9 * HOUR);
});
afterEach(async () => {
  for (const { program } of running.splice(0)) await program.close();
  await place.remove();
});

async function start(url: string, role = 'worker'): Promise<Started> {
  const started = await startIn(place, { REDIS_URL: url, HEADWORKS_ROLE: role }, clock.now);
  running.push(started);
  return started;
}

async function stop(one: Started): Promise<number> {
  running.splice(running.indexOf(one), 1);
  const began = performance.now();
  await one.program.close();
  return performance.now() - began;
}

/** So many due instants, one a millisecond. */
const duesFrom = (first: number, count = COUNT): readonly number[] =>
  Array.from({ length: count }, (_, n) => first + n);

/** Sets the clock a little before what is due, and waits until the queue has it. */
async function armed({ program }: Started, count = COUNT): Promise<void> {
  clock.comesTo(DUE - 2_500);
  await until(() => program.alarms.figures().armed >= count);
}

const COUNT = times(200);
const OUT = expect.stringMatching(
  /^Redis at redis:\/\/127\.0\.0\.1:\d+ can't be reached; what falls due .*\.$/,
);
const BACK = expect.stringMatching(/^Redis at redis:\/\/127\.0\.0\.1:\d+ is there; .*\.$/);

describe('a Redis that stays', () => {
  it('wakes two workers beside an API, each duty once', async () => {
    const dues = duesFrom(DUE);
    const streams = await ordered(place, dues);
    const url = await redisUrl();
    const workers = await Promise.all([start(url), start(url), start(url, 'api')]);
    const [one, two, api] = workers.map(({ program }) => program);
    if (!one || !two || !api) throw new Error('they did not start');
    clock.comesTo(DUE - 2_000);
    await untilMissed(api, COUNT);
    expectEachMissedOnce(await logOf(api), streams, dues);
    const fired = [one, two, api].map((program) => program.alarms.figures());
    expect(fired.reduce((sum, { firedByQueue }) => sum + firedByQueue, 0)).toBeGreaterThan(0);
    expect(fired.map(({ failed, late }) => failed + late)).toEqual([0, 0, 0]);
    expect(api.alarms.figures().firedByQueue).toBe(0);
    expect(workers.flatMap(({ told }) => told)).toEqual([]);
  });

  it('wakes for what is ordered while it runs, in another process', async () => {
    const url = await redisUrl();
    const [worker, api] = [await start(url), await start(url, 'api')];
    const dues = duesFrom(DUE);
    const clerk = await startIn(place, { HEADWORKS_ROLE: 'api' }, () => DUE - ALLOWED_MS + 1_000);
    running.push(clerk);
    clock.comesTo(DUE - 3_000);
    const streams = await orderRepairs(clerk.program, dues);
    await untilMissed(api.program, COUNT);
    expectEachMissedOnce(await logOf(api.program), streams, dues);
    expect(worker.program.alarms.figures().firedByQueue).toBeGreaterThan(0);
  });

  it('a handler that runs twice at once, in two processes: one event', async () => {
    const dues = duesFrom(DUE, 1);
    clock.comesTo(DUE + 1_000);
    const [stream = ''] = await ordered(place, dues);
    const apis = await Promise.all([1, 2].map(() => startIn(place, { HEADWORKS_ROLE: 'api' }, clock.now)));
    running.push(...apis);
    const handlers = apis.flatMap(({ program: { headworks } }) => [headworks, headworks]);
    await Promise.all(handlers.map((headworks) => headworks.settle(stream, DUE + 1)));
    await Promise.all(handlers.map((headworks) => headworks.settle(stream)));
    const log = await logOf((apis[0] as Started).program);
    expect(missedIn(log)).toHaveLength(1);
    expectEachMissedOnce(log, [stream], dues);
  });
});

describe('a Redis that fails', () => {
  let redis: OwnRedis;
  beforeEach(async () => {
    redis = await ownRedis();
  });
  afterEach(() => redis.stop());

  it('emptied (FLUSHALL): it is noticed, and all is put in again', async () => {
    const dues = duesFrom(DUE);
    const streams = await ordered(place, dues);
    const worker = await start(redis.url);
    const { program, told } = worker;
    await armed(worker);
    for (let n = 0; n < times(20); n++) await (await redis.client()).flushall();
    await untilMissed(program, COUNT);
    expectEachMissedOnce(await logOf(program), streams, dues);
    expect(program.alarms.figures().firedByQueue).toBeGreaterThan(0);
    expect(told).toEqual([]);
  });

  it('emptied when it is too late to put anything in again: the sweep has it', async () => {
    const dues = duesFrom(DUE);
    const streams = await ordered(place, dues);
    const worker = await start(redis.url);
    const { program } = worker;
    const client = await redis.client();
    await armed(worker);
    const emptying = setInterval(() => void client.flushall().catch(() => undefined), 5);
    await untilMissed(program, COUNT);
    clearInterval(emptying);
    expectEachMissedOnce(await logOf(program), streams, dues);
    expect(program.alarms.figures().firedBySweep).toBeGreaterThan(0);
  });

  it('killed and started again, empty: the timer wakes meanwhile, and the queue afterwards; killed, it stops within 5 s', async () => {
    const [before, after] = [duesFrom(DUE), duesFrom(DUE + 2 * HOUR)];
    const streams = await ordered(place, [...before, ...after]);
    const worker = await start(redis.url);
    const { program, told } = worker;
    await armed(worker);
    await redis.kill();
    await untilMissed(program, COUNT);
    await redis.start();
    await until(() => told.length > 1);
    clock.comesTo(DUE + 2 * HOUR - 2_000);
    await untilMissed(program, 2 * COUNT);
    expectEachMissedOnce(await logOf(program), streams, [...before, ...after]);
    expect(program.alarms.figures().firedByQueue).toBeGreaterThan(0);
    expect(told).toEqual([OUT, BACK]);
    await redis.kill();
    expect(await stop(worker)).toBeLessThan(5_000);
  });

  it('not there at the start: one sentence, the sweep alone, and taken up when it comes; it stops within 5 s', async () => {
    await redis.kill();
    const [before, after] = [duesFrom(DUE), duesFrom(DUE + 2 * HOUR)];
    const streams = await ordered(place, [...before, ...after]);
    expect(await stop(await start(redis.url))).toBeLessThan(5_000);
    const { program, told } = await start(redis.url);
    expect(told).toEqual([OUT]);
    clock.comesTo(DUE - 500);
    await untilMissed(program, COUNT);
    await redis.start();
    await until(() => told.length > 1);
    clock.comesTo(DUE + 2 * HOUR - 2_000);
    await untilMissed(program, 2 * COUNT);
    expectEachMissedOnce(await logOf(program), streams, [...before, ...after]);
    expect(program.alarms.figures().firedByQueue).toBeGreaterThan(0);
    expect(told).toEqual([OUT, BACK]);
  });

  it('cut off in silence: the sweep has what falls due, and Redis is taken up again; cut off, it stops within 5 s', async () => {
    const wire = await wireTo(redis.port);
    const [before, after] = [duesFrom(DUE), duesFrom(DUE + 2 * HOUR)];
    const streams = await ordered(place, [...before, ...after]);
    const worker = await start(`redis://127.0.0.1:${wire.port}`);
    const { program, told } = worker;
    await armed(worker);
    wire.cut();
    await untilMissed(program, COUNT);
    wire.mend();
    await until(() => told.length > 1);
    clock.comesTo(DUE + 2 * HOUR - 2_000);
    await untilMissed(program, 2 * COUNT);
    expectEachMissedOnce(await logOf(program), streams, [...before, ...after]);
    expect(told).toEqual([OUT, BACK]);
    wire.cut();
    expect(await stop(worker)).toBeLessThan(5_000);
    await wire.close();
  });
});
