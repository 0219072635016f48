import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY, listAll, load, NOW, startProgram, type Running } from './program.testing';

const FULL = process.env['FAULTS'] === 'full';
const KILLS = FULL ? 50 : 10;
const LOADS = FULL ? 600 : 200;
const ROOT = join(__dirname, '../..');
const CLI = join(ROOT, 'dist/apps/cli/src/main.js');

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'headworks-kills-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const cli = (...args: string[]) => {
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: dir,
    HEADWORKS_CLOCK: 'virtual',
    HEADWORKS_BOOTSTRAP_KEY: KEY,
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

/** Sends loads until told to stop or the process is gone; answers which were acknowledged. */
async function sendAll(
  running: Running,
  numbers: readonly number[],
  onAcknowledged: (n: number) => void,
): Promise<void> {
  const queue = [...numbers];
  const sender = async (): Promise<void> => {
    for (let n = queue.shift(); n !== undefined; n = queue.shift()) {
      try {
        const { status, body } = await running.call('POST', '/loads', load(n, 'P-1'), `key-${n}`);
        if (status !== 201 && status !== 200) throw new Error(`load ${n}: ${status} ${JSON.stringify(body)}`);
        onAcknowledged(n);
      } catch (error) {
        // A killed process refuses or resets; anything it said with a status is a fault of ours.
        if ((error as Error).name === 'TypeError') return;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, sender));
}

/** All loads there once; each over 20,000 gal on the acre has one violation of the clause, and no other. */
async function expectRight(running: Running, acknowledged: ReadonlySet<number>): Promise<void> {
  const loads = await listAll(running, '/loads');
  const tickets = loads.map((item) => item['ticket']);
  expect(new Set(tickets).size).toBe(tickets.length);
  for (const n of acknowledged) expect(tickets).toContain(`T-P-1-${n}`);
  const over = await listAll(running, '/violations?clause=J.wet');
  const expected = loads
    .map((item) => String(item['ticket']))
    .toSorted(byNumber)
    .slice(20);
  const byLoad = new Map(loads.map((item) => [item['id'], item['ticket']]));
  expect(over.map((item) => String(byLoad.get(item['loadId']))).toSorted(byNumber)).toEqual(expected);
}

const byNumber = (a: string, b: string): number => Number(a.slice(6)) - Number(b.slice(6));

test(
  `${LOADS} loads at once on one parcel, killed (-9) in the middle again and again: each is there once, each over the limit is one violation`,
  async () => {
    const acknowledged = new Set<number>();
    const numbers = Array.from({ length: LOADS }, (_, n) => n);
    for (let kill = 0; kill < KILLS; kill++) {
      const running = await startProgram({ dir });
      await running.call('PUT', '/sandbox/clock', { now: NOW });
      // Fewer each time than there are loads in all, so that each start meets some that were never sent.
      const killAt = acknowledged.size + Math.floor(LOADS / (KILLS + 1));
      const left = numbers.filter((n) => !acknowledged.has(n));
      await sendAll(running, left, (n) => {
        acknowledged.add(n);
        if (acknowledged.size === killAt) running.child.kill('SIGKILL');
      });
      // What was on its way when it died may have been acknowledged too: then the last starts have nothing left to send.
      running.child.kill('SIGKILL');
      expect(await running.ended).toEqual({ code: 'SIGKILL', stderr: '' });
    }
    const running = await startProgram({ dir });
    await expectRight(running, acknowledged);
    const left = numbers.filter((n) => !acknowledged.has(n));
    await sendAll(running, left, (n) => acknowledged.add(n));
    expect(acknowledged.size).toBe(LOADS);
    await expectRight(running, acknowledged);
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual({ code: 0, stderr: '' });
    expect(cli('verify').stdout).toMatch(
      /(?:\w+: \d+ rows, 0 wrong\n){5}\d+ events in \d+ streams, 0 broken\.\n$/,
    );
  },
  FULL ? 900_000 : 300_000,
);

test('Ctrl-C under load: it stops cleanly, and every acknowledged load is there after the next start', async () => {
  const running = await startProgram({ dir });
  await running.call('PUT', '/sandbox/clock', { now: NOW });
  const acknowledged = new Set<number>();
  const sending = sendAll(
    running,
    Array.from({ length: 200 }, (_, n) => n),
    (n) => {
      acknowledged.add(n);
      if (acknowledged.size === 40) running.child.kill('SIGINT');
    },
  ).catch((error: unknown) => {
    // Refused while it stops: a 503 that says so.
    expect(String(error)).toContain(' 503 ');
  });
  await sending;
  expect(await running.ended).toEqual({ code: 0, stderr: '' });
  const again = await startProgram({ dir });
  await expectRight(again, acknowledged);
  again.child.kill('SIGTERM');
  expect((await again.ended).code).toBe(0);
}, 120_000);
