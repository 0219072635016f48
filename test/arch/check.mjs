// npm run check: all that can be said of the tree without running it, in well under a minute. Steps run side by side,
// as many as there are cores; one line a step as it ends, and what failed in full at the end.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const bin = (name) => join(ROOT, 'node_modules/.bin', name);

/**
 * Longest first, so that two cores end together. A step is a list of commands: the next runs when the last went well.
 * Limits on the length of files and functions are rules of oxlint (max-lines, max-lines-per-function).
 */
const STEPS = [
  { name: 'types', run: [[bin('tsc'), '--noEmit', '-p', 'tsconfig.json']] },
  {
    name: 'rules',
    run: [
      [bin('nest'), 'build', 'api'],
      [process.execPath, 'dist/apps/cli/src/rules/check.js'],
    ],
  },
  {
    name: 'format',
    run: [[bin('prettier'), '--check', '--cache', '--cache-location', '.cache/prettier', '.']],
  },
  { name: 'walls', run: [[bin('depcruise'), '--config', '.dependency-cruiser.cjs', 'libs', 'apps', 'test']] },
  { name: 'lint', run: [[bin('oxlint'), '--deny-warnings', '--format', 'unix']] },
  { name: 'config', run: [[process.execPath, 'test/arch/config-table.mjs']] },
];

/** Runs one command to its end and keeps what it printed, in the order it printed it. */
function execute([command, ...args]) {
  return new Promise((done) => {
    let output = '';
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => done({ ok: false, output: `${output}${error.message}\n` }));
    child.on('close', (code) => done({ ok: code === 0, output }));
  });
}

async function runStep({ name, run }) {
  const started = performance.now();
  let result = { ok: true, output: '' };
  for (const command of run) {
    result = await execute(command);
    if (!result.ok) break;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${result.ok ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${seconds.padStart(5)} s\n`);
  return { name, ...result };
}

async function main(only) {
  const unknown = only.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    process.stderr.write(
      `No step is called ${unknown.join(', ')}. Steps: ${STEPS.map(({ name }) => name).join(', ')}.\n`,
    );
    return 2;
  }
  const waiting = STEPS.filter(({ name }) => only.length === 0 || only.includes(name));
  const results = [];
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
      results.push(await runStep(step));
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));

  const failed = results.filter(({ ok }) => !ok);
  for (const { name, output } of failed) process.stdout.write(`\n--- ${name}\n${output.trimEnd()}\n`);
  process.stdout.write(
    failed.length === 0
      ? '\nAll checks passed.\n'
      : `\nFailed: ${failed.map(({ name }) => name).join(', ')}.\n`,
  );
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
