import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { installPackage, librariesIn, runQuietly, unpackPackages } from './debian';

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

function installed(): PostgresBinaries | undefined {
  installPackage('postgresql');
  return underUsrLib('/usr/lib/postgresql');
}

/** Without root: the packages are downloaded with lists of our own and unpacked, never installed. */
export function unpacked(cache = CACHE): PostgresBinaries | undefined {
  const root = join(cache, 'root');
  return inUnpacked(root) ?? (unpackPackages(cache, (own) => [newestServer(own)]), inUnpacked(root));
}

function inUnpacked(root: string): PostgresBinaries | undefined {
  const found = underUsrLib(join(root, 'usr/lib/postgresql'));
  return found && { ...found, env: { LD_LIBRARY_PATH: librariesIn(root) } };
}

/** The package of no version only points at the newest one. */
function newestServer(own: readonly string[]): string {
  const depends = runQuietly('apt-cache', [...own, 'depends', 'postgresql']);
  const server = /Depends: (postgresql-\d+)$/m.exec(depends)?.[1];
  if (server === undefined) throw new Error('Debian names no postgresql package');
  return server;
}
