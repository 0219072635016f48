import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { installPackage, librariesIn, unpackPackages } from './debian';

export interface RedisServer {
  /** Of database 0; a spec takes another, or a server of its own where it empties or kills it. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A server that a test may kill and start again on the same port. */
export interface OwnRedis extends RedisServer {
  readonly port: number;
  kill(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** A client beside whatever the test does; it goes with the server. */
  client(): Promise<Redis>;
}

interface RedisBinary {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

const CACHE = resolve(__dirname, '../../.cache/redis');

/** The server of TEST_REDIS_URL, or one of our own on a free port. */
export async function startRedis(): Promise<RedisServer> {
  const given = process.env['TEST_REDIS_URL'];
  return given ? { url: given, stop: async () => undefined } : ownRedis();
}

/** A private Redis, always: what it is for is to be emptied, killed and cut off. It ends with this process. */
export async function ownRedis(): Promise<OwnRedis> {
  const binary = redisBinary();
  const dir = mkdtempSync(join(tmpdir(), 'headworks-redis-'));
  const port = await freePort();
  let keeper: ChildProcess | undefined;
  let gone: Promise<void> = Promise.resolve();
  const start = async (): Promise<void> => {
    keeper = spawnKept(binary, dir, port);
    const started = keeper;
    gone = new Promise((done) => started.once('exit', () => done()));
    await ready(started);
    // What runs on is no reason to keep the process: whoever forgets to stop it must still be able to end.
    for (const handle of [started, started.stdin, started.stdout])
      (handle as unknown as ChildProcess).unref();
  };
  const clients: Redis[] = [];
  const stop = async (): Promise<void> => {
    for (const client of clients) client.disconnect();
    keeper?.ref();
    keeper?.stdin?.end();
    await gone;
    rmSync(dir, { recursive: true, force: true });
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    stop,
    async client() {
      clients[0] ??= new Redis(port, '127.0.0.1').on('error', () => undefined);
      return clients[0];
    },
    async kill(signal = 'SIGKILL') {
      keeper?.ref();
      keeper?.stdin?.end(signal === 'SIGKILL' ? 'KILL\n' : 'TERM\n');
      await gone;
    },
  };
}

// The keeper reads how to end the server; the end of its input, which is the end of the test process too, is enough, and
// takes the folder with it.
const KEEPER =
  '"$@" </dev/null & server=$!; read how; kill -${how:-KILL} $server; wait $server; [ -n "$how" ] || { cd /; rm -rf "$0"; }';

function spawnKept({ file, env }: RedisBinary, dir: string, port: number): ChildProcess {
  const flags = ['--port', port, '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'];
  const keeper = spawn('sh', ['-c', KEEPER, dir, file, ...flags.map(String)], {
    cwd: dir,
    env: { ...process.env, ...env, LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return keeper;
}

function ready(keeper: ChildProcess): Promise<void> {
  return new Promise((done, reject) => {
    let log = '';
    keeper.stdout?.on('data', (data: Buffer) => {
      log = (log + data.toString('utf8')).slice(-4000);
      if (log.includes('Ready to accept connections')) done();
    });
    keeper.once('error', reject);
    keeper.once('exit', () => reject(new Error(`Redis did not start: ${log}`)));
  });
}

function redisBinary(): RedisBinary {
  try {
    const found = onPath() ?? (process.getuid?.() === 0 ? installed() : unpacked());
    if (found) return found;
  } catch (error) {
    throw noRedis(error);
  }
  throw noRedis();
}

function onPath(): RedisBinary | undefined {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin']) {
    const file = join(folder, 'redis-server');
    if (folder && existsSync(file)) return { file, env: {} };
  }
  return undefined;
}

function installed(): RedisBinary | undefined {
  installPackage('redis-server');
  return onPath();
}

/** Without root; exported so that a test can watch it bring one. */
export function unpacked(cache = CACHE): RedisBinary | undefined {
  const root = join(cache, 'root');
  const file = join(root, 'usr/bin/redis-server');
  // The server is a link to a program among the tools.
  if (!existsSync(file)) unpackPackages(cache, () => ['redis-server', 'redis-tools']);
  return existsSync(file) ? { file, env: { LD_LIBRARY_PATH: librariesIn(root) } } : undefined;
}

const noRedis = (cause?: unknown): Error =>
  new Error(
    'The tests need a Redis (6.2 or later): put redis-server on the PATH or give TEST_REDIS_URL one.',
    {
      cause,
    },
  );

function freePort(): Promise<number> {
  return new Promise((done, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
