// Reads jest's JSON result, says what a count alone would hide, and ends with the line `N passed, N failed`. A suite
// that did not even load counts as one failure; a test left out, or no test at all, fails the run.
import { readFileSync } from 'node:fs';

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const result = read(process.argv[2] ?? '');
const passed = result?.numPassedTests ?? 0;
const failed = (result?.numFailedTests ?? 0) + (result?.numRuntimeErrorTestSuites ?? 0);
const leftOut = (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0);

const faults = [
  ...(result === undefined ? ['Jest left no result: it did not run to its end.'] : []),
  ...(result !== undefined && passed + failed === 0 ? ['No test ran.'] : []),
  ...(leftOut > 0 ? [`${leftOut} tests were left out; every test runs, or is taken out.`] : []),
  ...(result?.success === false && failed === 0
    ? ['Jest counts no failure and yet did not succeed; see its output.']
    : []),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && faults.length === 0 ? 0 : 1;
