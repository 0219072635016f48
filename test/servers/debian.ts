import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Debian's packages, for machines that have no server of their own. */
export function runQuietly(command: string, args: readonly string[], cwd?: string): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
}

export function installPackage(name: string): void {
  runQuietly('apt-get', ['update']);
  runQuietly('apt-get', ['install', '-y', '--no-install-recommends', name]);
}

/**
 * Without root: packages and what they link to are downloaded with lists of our own and unpacked under `cache/root`,
 * never installed. `named` may look them up in those lists.
 */
export function unpackPackages(
  cache: string,
  named: (own: readonly string[]) => readonly [server: string, ...others: string[]],
): void {
  const packages = join(cache, 'packages');
  for (const folder of ['lists/partial', 'archives/partial', 'packages']) {
    mkdirSync(join(cache, folder), { recursive: true });
  }
  const own = ['-o', `Dir::State::lists=${join(cache, 'lists')}`, '-o', `Dir::Cache=${cache}`];
  runQuietly('apt-get', [...own, 'update']);
  const names = named(own);
  runQuietly('apt-get', [...own, 'download', ...names, ...missingLibraries(own, names[0])], packages);
  for (const file of readdirSync(packages)) {
    runQuietly('dpkg', ['-x', join(packages, file), join(cache, 'root')]);
  }
}

/** Where the unpacked libraries stand, for LD_LIBRARY_PATH. */
export function librariesIn(root: string): string {
  const folder = join(root, 'usr/lib');
  const triplets = existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('linux')) : [];
  return triplets.map((triplet) => join(folder, triplet)).join(':');
}

/** Libraries that the server links to and this machine does not have. */
function missingLibraries(own: readonly string[], server: string): readonly string[] {
  const skip = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
    (kind) => `--no-${kind}`,
  );
  const tree = runQuietly('apt-cache', [...own, 'depends', '--recurse', ...skip, server]);
  const libraries = new Set(tree.split('\n').filter((line) => /^lib[\w.+-]+$/.test(line)));
  const status = existsSync('/var/lib/dpkg/status') ? readFileSync('/var/lib/dpkg/status', 'utf8') : '';
  const here = new Set([...status.matchAll(/^Package: (\S+)$/gm)].map((match) => match[1]));
  return [...libraries].filter((name) => !here.has(name));
}
