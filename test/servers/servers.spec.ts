import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as turn } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { freshDatabase } from './fresh-database';
import { removeStale } from './postgres';
import { ownRedis } from './redis';
import { runTs } from './run-ts';

it('each spec has a database of its own on one server that syncs to the disk', async () => {
  const [one, two] = [await freshDatabase(), await freshDatabase()];
  await one.query('CREATE TABLE t (a int)');
  await expect(two.query('SELECT * FROM t')).rejects.toThrow('relation "t" does not exist');
  expect(await one.query('SHOW fsync')).toEqual([{ fsync: 'on' }]);
  await one.drop();
  await expect(one.query('SELECT 1')).rejects.toThrow('does not exist');
  await two.drop();
});

it('a server ends with its process and leaves nothing, also when that is killed', async () => {
  const own = { ...process.env };
  delete process.env['TEST_DATABASE_URL'];
  const owner = runTs(join(__dirname, 'postgres-owner.testing.ts'), []);
  process.env = own;
  const url = String((await owner.lines.next()).value);
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ dir: string }>("SELECT current_setting('data_directory') AS dir");
  const lost = new Promise((resolve) => client.on('error', resolve));
  const dir = join(rows[0]?.dir ?? '', '..');
  expect(existsSync(dir)).toBe(true);
  owner.child.kill('SIGKILL');
  await lost;
  await owner.ended;
  while (existsSync(dir)) await turn(10);
  expect(existsSync(dir)).toBe(false);
});

it('a Redis may be killed and started again on its port, and ends with its process, also when that is killed', async () => {
  const redis = await ownRedis();
  const client = await redis.client();
  await client.set('a', '1');
  await redis.kill();
  await redis.start();
  while ((await client.get('a').catch(() => '1')) !== null) await turn(10);
  expect(await client.ping()).toBe('PONG');
  await redis.stop();
  const owner = runTs(join(__dirname, 'redis-owner.testing.ts'), []);
  const other = new Redis(String((await owner.lines.next()).value)).on('error', () => undefined);
  expect(await other.ping()).toBe('PONG');
  const lost = new Promise((resolve) => other.once('close', resolve));
  owner.child.kill('SIGKILL');
  await lost;
  other.disconnect();
});

it('whoever stops a server is still there when it has stopped', async () => {
  const own = { ...process.env };
  delete process.env['TEST_DATABASE_URL'];
  const stopper = runTs(join(__dirname, 'postgres-stopper.testing.ts'), []);
  process.env = own;
  expect((await stopper.lines.next()).value).toBe('stopped');
});

it('folders whose owner runs no more are removed, others are not', () => {
  const root = mkdtempSync(join(tmpdir(), 'headworks-stale-'));
  for (const [name, owner] of [
    ['dead', '4194399'],
    ['alive', String(process.pid)],
    ['starting', undefined],
  ] as const) {
    mkdirSync(join(root, `headworks-postgres-${name}`));
    if (owner !== undefined) writeFileSync(join(root, `headworks-postgres-${name}`, 'owner'), owner);
  }
  removeStale(root);
  expect(readdirSync(root).toSorted()).toEqual(['headworks-postgres-alive', 'headworks-postgres-starting']);
  rmSync(root, { recursive: true });
});
