import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as turn } from 'node:timers/promises';
import type { Program } from '@headworks/wiring';
import { Queue } from 'bullmq';
import { spawnProgram } from '../faults/program.testing';
import { ALLOWED_MS, orderRepairs, placeOn, startIn } from '../faults/weirs.testing';
import { startRedis } from '../servers/redis';
import { runTs } from '../servers/run-ts';
import { row, type Row } from './measure';

const WORKERS = 2;

export interface AlarmsOptions {
  /** Duties that are due at one instant. */
  readonly due?: number;
}

/**
 * Duties that are due at one instant, woken by BullMQ and recorded on PostgreSQL by two workers as they are built (each
 * with its violation), against as many jobs of BullMQ with nothing to do, by two workers too.
 */
export async function benchAlarms({ due = 10_000 }: AlarmsOptions = {}): Promise<readonly Row[]> {
  const redis = await startRedis();
  try {
    const ceiling = due / (await emptyJobs(redis.url, due));
    const value = due / (await recorded(redis.url, due));
    return [
      row(
        `duties: ${due} due at once, recorded by two workers / empty jobs`,
        'duties/s',
        value,
        ceiling,
        0.333,
      ),
    ];
  } finally {
    await redis.stop();
  }
}

/** Seconds from the instant to the last job. */
async function emptyJobs(url: string, count: number): Promise<number> {
  const prefix = `bench-${randomUUID()}`;
  const { hostname, port } = new URL(url);
  const queue = new Queue('empty', { connection: { host: hostname, port: Number(port) }, prefix });
  const file = join(__dirname, 'empty-worker.ts');
  const workers = Array.from({ length: WORKERS }, () => runTs(file, [url, prefix]));
  for (const worker of workers) await worker.lines.next();
  const at = Date.now() + 2_000 + count;
  for (let first = 0; first < count; first += 500) {
    const jobs = Array.from({ length: Math.min(500, count - first) }, (_, n) => ({
      name: 'empty',
      data: { duty: String(first + n) },
      opts: { jobId: `job-${first + n}`, delay: Math.max(0, at - Date.now()), removeOnComplete: true },
    }));
    await queue.addBulk(jobs);
  }
  const left = async (): Promise<number> => {
    const counts = await queue.getJobCounts('delayed', 'waiting', 'active');
    return Object.values(counts).reduce((sum, one) => sum + one, 0);
  };
  if (Date.now() >= at)
    throw new Error('Adding the jobs took longer than was left for it; run it on a quiet machine.');
  while ((await left()) > 0) await turn(10);
  const seconds = (Date.now() - at) / 1_000;
  for (const worker of workers) worker.child.stdin?.end();
  await Promise.all(workers.map((worker) => worker.ended));
  await queue.close();
  return seconds;
}

async function recorded(url: string, count: number): Promise<number> {
  const place = await placeOn('postgres');
  // Time to order all of it, and for the workers to come so far in the log.
  const at = Date.now() + 15_000 + count * 15;
  const { program } = await startIn(place, { HEADWORKS_ROLE: 'api' }, () => at - ALLOWED_MS + 1_000);
  await orderRepairs(
    program,
    Array.from({ length: count }, () => at),
  );
  const env = { ...place.env, HEADWORKS_ROLE: 'worker', REDIS_URL: url };
  const workers = Array.from({ length: WORKERS }, () =>
    spawnProgram({ dir: place.env['DATA_DIR'] ?? '', env }),
  );
  const seconds = await untilRecorded(program, count, at);
  for (const { child } of workers) child.kill('SIGTERM');
  await Promise.all(workers.map(({ ended }) => ended));
  await program.close();
  await place.remove();
  return seconds;
}

/** Reads on behind what it has read; the last one is dated by when it is seen. */
async function untilRecorded({ services }: Program, count: number, at: number): Promise<number> {
  let after = await services.store.lastPosition();
  for (let missed = 0; missed < count; await turn(25)) {
    for await (const batch of services.store.readAll(after === undefined ? {} : { after })) {
      missed += batch.filter(({ type }) => type === 'DutyMissed').length;
      after = batch.at(-1)?.position ?? after;
    }
    if (missed > 0 && Date.now() < at)
      throw new Error('It was due before all was ready; run it on a quiet machine.');
  }
  return (Date.now() - at) / 1_000;
}
