import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresBinaries } from './postgres-binaries';
import type { PostgresBinaries } from './postgres-binaries';

export interface PostgresServer {
  /** Of a superuser, on the maintenance database. */
  readonly url: string;
  stop(): Promise<void>;
}

const PREFIX = 'headworks-postgres-';

/**
 * A PostgreSQL of our own on a free port and in a folder that goes with it, or the one of TEST_DATABASE_URL. It syncs
 * to the disk like a real one. It ends with this process, however that ends: its keeper reads a pipe that closes then.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, stop: async () => undefined };
  const binaries = postgresBinaries();
  const user = unprivilegedUser();
  removeStale();
  const dir = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(join(dir, 'owner'), String(process.pid));
  if (user) chownSync(dir, user.uid, user.gid);
  initialise(binaries, dir, user);
  return serve(binaries, dir, user, settings);
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL does not run as root: another user of the machine runs it then. */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = ['postgres', 'nobody'].flatMap((name) => users.filter(([user]) => user === name)).at(0);
  if (!found)
    throw new Error("PostgreSQL can't run as root: add a user 'nobody', or give TEST_DATABASE_URL a server.");
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

function initialise({ bin, env }: PostgresBinaries, dir: string, user: User | undefined): void {
  const args = ['-D', join(dir, 'data'), '-U', 'headworks', '-A', 'trust', '-E', 'UTF8', '--no-locale'];
  const { status, stderr } = spawnSync(join(bin, 'initdb'), args, {
    cwd: dir,
    env: { ...process.env, ...env, LC_ALL: 'C' },
    encoding: 'utf8',
    ...user,
  });
  if (status !== 0)
    throw new Error(`initdb failed; free space in '${dir}' or give TEST_DATABASE_URL a server. ${stderr}`);
}

// The keeper waits for the end of its input, which is the end of the test process too, and takes the server with it.
const KEEPER =
  '"$@" </dev/null & server=$!; cat >/dev/null; kill -INT $server; wait $server; cd /; rm -rf "$0"';

async function serve(
  { bin, env }: PostgresBinaries,
  dir: string,
  user: User | undefined,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresServer> {
  const port = await freePort();
  const config = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: dir,
    ...settings,
  };
  const flags = Object.entries(config).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(bin, 'postgres'), '-D', join(dir, 'data'), ...flags];
  const keeper = spawn('sh', ['-c', KEEPER, dir, ...command], {
    cwd: dir,
    env: { ...process.env, ...env, LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
    ...user,
  });
  const gone = new Promise<void>((resolve) => keeper.once('exit', () => resolve()));
  const stop = async () => {
    // Waited for, it keeps the process again: a run that ended here, half-way, left no result.
    keeper.ref();
    keeper.stdin?.end();
    await gone;
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await ready(keeper);
  } catch (error) {
    await stop();
    throw error;
  }
  // What runs on is no reason to keep the process: whoever forgets to stop it must still be able to end.
  for (const handle of [keeper, keeper.stderr as unknown as ChildProcess]) handle.unref();
  return { url: `postgres://headworks@127.0.0.1:${port}/postgres`, stop };
}

function ready(keeper: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    keeper.stderr?.on('data', (data: Buffer) => {
      log = (log + data.toString('utf8')).slice(-4000);
      if (log.includes('is ready to accept connections')) resolve();
      if (log.includes('FATAL:')) reject(new Error(`PostgreSQL did not start: ${log}`));
    });
    keeper.once('error', reject);
    keeper.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Folders that a machine which went down left behind: their owners run no more. */
export function removeStale(root = tmpdir()): void {
  for (const name of readdirSync(root).filter((entry) => entry.startsWith(PREFIX))) {
    const dir = join(root, name);
    const file = join(dir, 'owner');
    // Without an owner it is being made right now.
    if (!existsSync(file) || runs(Number(readFileSync(file, 'utf8')))) continue;
    endPostmaster(dir);
    rmSync(dir, { recursive: true, force: true });
  }
}

function runs(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Only the server of that very folder is ended: the number in a stale file may be anybody's by now. */
function endPostmaster(dir: string): void {
  const file = join(dir, 'data', 'postmaster.pid');
  if (!existsSync(file)) return;
  const server = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const command = `/proc/${server}/cmdline`;
  if (existsSync(command) && readFileSync(command, 'utf8').includes(join(dir, 'data')))
    process.kill(server, 'SIGQUIT');
}
