import { once } from 'node:events';
import { Redis } from 'ioredis';
import { redisUrl } from '../servers/shared-redis';
import { spawnProgram } from './program.testing';
import {
  ALLOWED_MS,
  expectEachMissedOnce,
  logOf,
  missedIn,
  orderRepairs,
  placeOn,
  startIn,
  times,
  until,
  untilMissed,
  type Place,
} from './weirs.testing';

/** The program as it is built, in processes of its own, by the machine's clock. */
let place: Place;
const spawned: ReturnType<typeof spawnProgram>[] = [];
beforeEach(async () => {
  place = await placeOn('postgres');
});
afterEach(async () => {
  for (const { child, ended } of spawned.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  await place.remove();
});

async function startWorker(url?: string): Promise<ReturnType<typeof spawnProgram>> {
  const env = { ...place.env, HEADWORKS_ROLE: 'worker', ...(url !== undefined && { REDIS_URL: url }) };
  const worker = spawnProgram({ dir: place.env['DATA_DIR'] ?? '', env });
  spawned.push(worker);
  return worker;
}

/** Its first line: it follows the log. */
const isUp = async ({ child }: ReturnType<typeof spawnProgram>): Promise<void> => {
  await once(child.stdout as NodeJS.ReadableStream, 'data');
};

it('a worker that freezes while it holds jobs, and thaws when others have done them: each once', async () => {
  const url = await redisUrl();
  const count = times(500);
  const first = await startWorker(url);
  await isUp(first);
  const due = Date.now() + 3_000 + count * 20;
  const dues = Array.from({ length: count }, () => due);
  const { program } = await startIn(place, { HEADWORKS_ROLE: 'api' }, () => due - ALLOWED_MS + 1_000);
  const streams = await orderRepairs(program, dues);
  const redis = new Redis(url);
  const active = `{headworks-${program.services.store.logId}}:alarms:active`;
  while ((await redis.llen(active)) === 0) if (missedIn(await logOf(program)).length === count) break;
  first.child.kill('SIGSTOP');
  const second = await startWorker(url);
  await untilMissed(program, count);
  first.child.kill('SIGCONT');
  await until(async () => (await redis.llen(active)) === 0);
  expectEachMissedOnce(await logOf(program), streams, dues);
  for (const { child, ended } of [first, second]) {
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, stderr: '' });
  }
  expectEachMissedOnce(await logOf(program), streams, dues);
  redis.disconnect();
  await program.close();
});

it.each(['BullMQ', 'the timer alone'])(
  'restarts one after another, killed each time, with %s: each once',
  async (how) => {
    const restarts = times(20);
    const url = how === 'BullMQ' ? await redisUrl() : undefined;
    const from = Date.now() + 2_000;
    const dues = Array.from({ length: restarts * 10 }, (_, n) => from + n * 100);
    const { program } = await startIn(place, { HEADWORKS_ROLE: 'api' }, () => from - ALLOWED_MS + 60_000);
    const streams = await orderRepairs(program, dues);
    for (let n = 1; n <= restarts; n++) {
      const worker = await startWorker(url);
      await isUp(worker);
      // Killed in the middle of its work, as soon as it has done some.
      await until(async () => missedIn(await logOf(program)).length >= Math.min(n * 8, dues.length));
      worker.child.kill('SIGKILL');
      await worker.ended;
    }
    await startWorker(url);
    await untilMissed(program, dues.length);
    expectEachMissedOnce(await logOf(program), streams, dues);
    await program.close();
  },
);
