import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAll, load, NOW, spawnProgram, startProgram } from './program.testing';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'headworks-starts-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A start that is refused: exit code 1 and its one sentence. */
async function refusal(
  env: Readonly<Record<string, string>>,
  before: readonly string[] = [],
): Promise<string> {
  const { ended } = spawnProgram({ dir, env, before });
  const { code, stderr } = await ended;
  expect(code).toBe(1);
  expect(stderr).not.toContain('    at ');
  return stderr.trim();
}

test('a second start on one folder is refused in one sentence, and the first one does not notice', async () => {
  const running = await startProgram({ dir });
  expect(await refusal({})).toBe(
    `Headworks already runs on '${dir}' (process ${running.child.pid}); stop it or use another DATA_DIR.`,
  );
  expect((await running.call('GET', '/packs')).status).toBe(200);
  running.child.kill('SIGINT');
  expect(await running.ended).toEqual({ code: 0, stderr: '' });
});

test('a log of a sandbox is not opened with the real clock', async () => {
  const running = await startProgram({ dir });
  running.child.kill('SIGINT');
  await running.ended;
  expect(await refusal({ HEADWORKS_CLOCK: 'real' })).toMatch(/virtual clock.*HEADWORKS_CLOCK=virtual.*\.$/);
});

test('every wrong setting is named at once', async () => {
  const said = await refusal({
    PORT: '70000',
    HEADWORKS_ROLE: 'all-of-it',
    EVENTSTORE_URL: 'esdb://x',
    REDIS_URL: 'http://x',
  });
  expect(said.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'PORT',
    'HEADWORKS_ROLE',
    'EVENTSTORE_URL',
    'REDIS_URL',
  ]);
});

test('a rules folder that is not there, or not right, is one message', async () => {
  expect(await refusal({ RULES_DIR: join(dir, 'none') })).toContain('none');
  expect(readdirSync(dir)).toEqual([]);
});

test('a folder that can not be written is refused in one sentence', async () => {
  // Root writes everywhere: it is run without that one right, and may still read the checkout wherever it stands.
  const bound =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override'] : [];
  chmodSync(dir, 0o555);
  try {
    expect(await refusal({}, bound)).toMatch(new RegExp(`^'?.*${dir}.*\\.$`));
  } finally {
    chmodSync(dir, 0o755);
  }
});

test('a full disk: 503, nothing half-written; with room again it goes on', async () => {
  // A limit on the size of files is a disk that fills up, for root and for anybody, and it can be lifted again.
  const running = await startProgram({ dir, before: ['bash', '-c', 'ulimit -S -f 1200; exec "$@"', 'bash'] });
  await running.call('PUT', '/sandbox/clock', { now: NOW });
  let n = 0;
  let refused: { status: number; body: Record<string, unknown> } | undefined;
  for (; n < 2_000 && !refused; n++) {
    const answer = await running.call('POST', '/loads', load(n, `P-${n}`), `key-${n}`);
    if (answer.status !== 201) refused = answer;
  }
  expect(refused?.status).toBe(503);
  expect(refused?.body).toMatchObject({ status: 503, title: expect.any(String) as string });
  expect(spawnSync('prlimit', ['--pid', String(running.child.pid), '--fsize=unlimited']).status).toBe(0);
  const again = await running.call('POST', '/loads', load(n - 1, `P-${n - 1}`), `key-${n - 1}`);
  expect([200, 201]).toContain(again.status);
  const tickets = (await listAll(running, '/loads')).map((item) => item['ticket']);
  expect(new Set(tickets).size).toBe(n);
  expect(tickets.length).toBe(n);
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(0);
}, 120_000);
