import { formatProblem, runCases } from '@headworks/rules-engine';
import { rulesArguments } from './arguments';

/** `test.js [--json] [dir]`: runs every case beside the packs and shows where a finding differs. */
function main(): number {
  const { dir, json } = rulesArguments(process.argv.slice(2));
  const { problems, results, clausesWithoutCases } = runCases(dir);
  const failed = results.filter(({ failures }) => failures.length > 0);
  const ok = problems.length === 0 && failed.length === 0;
  if (json) {
    const counts = { cases: results.length, passed: results.length - failed.length, failed: failed.length };
    const report = { ok, problems, ...counts, clausesWithoutCases, failures: failed };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return ok ? 0 : 1;
  }
  for (const problem of problems) process.stdout.write(`${formatProblem(problem)}\n`);
  for (const { path, line, name, failures } of failed) {
    process.stdout.write(
      `${path}:${line}  ${name}\n${failures.map((failure) => `    ${failure}\n`).join('')}`,
    );
  }
  if (problems.length > 0) process.stdout.write('No case was run: correct these first.\n');
  else process.stdout.write(`${results.length - failed.length} of ${results.length} cases hold.\n`);
  if (clausesWithoutCases.length > 0) {
    process.stdout.write(
      `Without a case (${clausesWithoutCases.length}): ${clausesWithoutCases.join(', ')}\n`,
    );
  }
  return ok ? 0 : 1;
}

process.exitCode = main();
