import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

/** Where PostgreSQL's programs stand, and what they need in their environment. */
export interface PostgresBinaries {
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
}

const CACHE = resolve(__dirname, '../../.cache/postgresql');

/** Finds the programs, or brings them; one sentence where neither works. */
export function postgresBinaries(): PostgresBinaries {
  return onPath() ?? underUsrLib('/usr/lib/postgresql') ?? fromDebian();
}

const isComplete = (bin: string): boolean =>
  existsSync(join(bin, 'postgres')) && existsSync(join(bin, 'initdb'));

function onPath(): PostgresBinaries | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (!folder || !existsSync(join(folder, 'initdb'))) continue;
    // A link on the PATH leads to the folder where the other programs and the libraries stand.
    const bin = dirname(realpathSync(join(folder, 'initdb')));
    if (isComplete(bin)) return { bin, env: {} };
  }
  return undefined;
}

function underUsrLib(root: string): PostgresBinaries | undefined {
  if (!existsSync(root)) return undefined;
  const newestFirst = readdirSync(root).toSorted((a, b) => Number(b) - Number(a));
  const bin = newestFirst.map((version) => join(root, version, 'bin')).find(isComplete);
  return bin === undefined ? undefined : { bin, env: {} };
}

function fromDebian(): PostgresBinaries {
  try {
    const found = process.getuid?.() === 0 ? installed() : unpacked();
    if (found) return found;
  } catch (error) {
    throw noPostgres(error);
  }
  throw noPostgres();
}

function noPostgres(cause?: unknown): Error {
  return new Error(
    'The tests need a PostgreSQL (15 to 18): put its programs on the PATH or give TEST_DATABASE_URL a server.',
    { cause },
  );
}

const run = (command: string, args: readonly string[], cwd?: string): string =>
  execFileSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });

function installed(): PostgresBinaries | undefined {
  run('apt-get', ['update']);
  run('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql']);
  return underUsrLib('/usr/lib/postgresql');
}

/** Without root: the packages are downloaded with lists of our own and unpacked, never installed. */
export function unpacked(cache = CACHE): PostgresBinaries | undefined {
  const root = join(cache, 'root');
  return inUnpacked(root) ?? (unpack(cache, root), inUnpacked(root));
}

function inUnpacked(root: string): PostgresBinaries | undefined {
  const found = underUsrLib(join(root, 'usr/lib/postgresql'));
  const triplets = existsSync(join(root, 'usr/lib'))
    ? readdirSync(join(root, 'usr/lib')).filter((name) => name.includes('linux'))
    : [];
  const libraries = triplets.map((triplet) => join(root, 'usr/lib', triplet)).join(':');
  return found && { ...found, env: { LD_LIBRARY_PATH: libraries } };
}

function unpack(cache: string, root: string): void {
  const packages = join(cache, 'packages');
  for (const folder of ['lists/partial', 'archives/partial', 'packages']) {
    mkdirSync(join(cache, folder), { recursive: true });
  }
  const own = ['-o', `Dir::State::lists=${join(cache, 'lists')}`, '-o', `Dir::Cache=${cache}`];
  run('apt-get', [...own, 'update']);
  const server = /Depends: (postgresql-\d+)$/m.exec(run('apt-cache', [...own, 'depends', 'postgresql']))?.[1];
  if (server === undefined) throw new Error('Debian names no postgresql package');
  run('apt-get', [...own, 'download', server, ...missingLibraries(own, server)], packages);
  for (const file of readdirSync(packages)) run('dpkg', ['-x', join(packages, file), root]);
}

/** Libraries that the server links to and this machine does not have. */
function missingLibraries(own: readonly string[], server: string): readonly string[] {
  const skip = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
    (kind) => `--no-${kind}`,
  );
  const tree = run('apt-cache', [...own, 'depends', '--recurse', ...skip, server]);
  const libraries = new Set(tree.split('\n').filter((line) => /^lib[\w.+-]+$/.test(line)));
  const status = existsSync('/var/lib/dpkg/status') ? readFileSync('/var/lib/dpkg/status', 'utf8') : '';
  const here = new Set([...status.matchAll(/^Package: (\S+)$/gm)].map((match) => match[1]));
  return [...libraries].filter((name) => !here.has(name));
}
