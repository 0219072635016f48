// Compares the table of settings in README.md with the environment variables that the code reads, both ways. A name is
// read where it is taken from an `env` (env.PORT, process.env['PORT']), or is a key or literal in a file of
// configuration (config*.ts, environment*.ts, settings*.ts). The argument is the tree to look at, this one by default.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'));

const TAKEN =
  /\benv(?:ironment)?(?:\?\.|\.)([A-Z][A-Z0-9_]+)\b|\benv(?:ironment)?(?:\?\.)?\[\s*['"`]([A-Z][A-Z0-9_]+)['"`]/g;
const DECLARED =
  /^\s*(?:readonly\s+)?['"]?([A-Z][A-Z0-9_]*[A-Z0-9])['"]?[?!]?\s*:|['"`]([A-Z][A-Z0-9]*_[A-Z0-9_]+|PORT|HOST)['"`]/gm;
/** Read by tools around the program, not settings of it. */
const NOT_OURS = new Set(['NODE_ENV', 'TZ', 'PATH', 'HOME', 'TMPDIR']);

function sources(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(spec|testing)\.ts$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Each variable with the first file that reads it. */
function variablesInCode() {
  const found = new Map();
  for (const file of [...sources('apps'), ...sources('libs')]) {
    const text = readFileSync(file, 'utf8');
    const patterns = /^(config|environment|settings)\b/.test(basename(file)) ? [TAKEN, DECLARED] : [TAKEN];
    for (const match of patterns.flatMap((pattern) => [...text.matchAll(pattern)])) {
      const name = match[1] ?? match[2];
      if (!NOT_OURS.has(name) && !found.has(name)) found.set(name, relative(root, file));
    }
  }
  return found;
}

/** First cells of the rows below the heading "Configuration". */
function variablesInReadme() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = /^## Configuration\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(readme)?.[1] ?? '';
  return new Set([...section.matchAll(/^\|\s*`([A-Z][A-Z0-9_]*)`\s*\|/gm)].map((match) => match[1]));
}

const code = variablesInCode();
const readme = variablesInReadme();
const faults = [
  ...[...code]
    .filter(([name]) => !readme.has(name))
    .map(
      ([name, file]) =>
        `${file} reads ${name}: add a row for it to the table under "Configuration" in README.md.`,
    ),
  ...[...readme]
    .filter((name) => !code.has(name))
    .map(
      (name) => `README.md lists ${name}, which no code reads: take the row out, or read it in libs/wiring.`,
    ),
];
if (readme.size === 0)
  faults.push('README.md has no table of settings under the heading "## Configuration".');
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
