// npm run bench [-- --json] [-- rules | sqlite | postgres | http]: how fast, and beside what. The packages that only
// the bench needs (other rule engines, a load generator) are installed here, at the first run.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '../..');

function installed() {
  if (existsSync(join(here, 'node_modules/.package-lock.json'))) return true;
  process.stderr.write('bench: installing its own packages (test/bench/package-lock.json)\n');
  // What npm says is no part of the result: with --json nothing but rows may stand on standard output.
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: here,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status === 0) return true;
  process.stderr.write(
    "bench: its packages could not be installed; see npm's message above and run it again.\n",
  );
  return false;
}

function bench() {
  const args = [
    '-r',
    join(root, 'test/servers/register-ts.cjs'),
    join(here, 'bench.mjs'),
    ...process.argv.slice(2),
  ];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

process.exitCode = installed() ? bench() : 1;
