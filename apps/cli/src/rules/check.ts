import { checkRules, formatProblem, type Coverage } from '@headworks/rules-engine';
import { rulesArguments } from './arguments';

/** `check.js [--json] [dir]`: every error of the rules with its place, then how much of the law each pack holds. */
function main(): number {
  const { dir, json } = rulesArguments(process.argv.slice(2));
  const { problems, packs } = checkRules(dir);
  if (json) {
    process.stdout.write(`${JSON.stringify({ ok: problems.length === 0, problems, packs }, null, 2)}\n`);
    return problems.length === 0 ? 0 : 1;
  }
  for (const problem of problems) process.stdout.write(`${formatProblem(problem)}\n`);
  for (const pack of packs) process.stdout.write(`${coverageText(pack)}\n`);
  const errors = problems.length === 1 ? 'one error' : `${problems.length} errors`;
  process.stdout.write(problems.length === 0 ? 'The rules are in order.\n' : `The rules have ${errors}.\n`);
  return problems.length === 0 ? 0 : 1;
}

function coverageText(pack: Coverage): string {
  if (pack.version === undefined) {
    return `${pack.pack}: no file yet, ${pack.later.length} of ${pack.rowsTotal} rows marked later`;
  }
  const lines = [
    `${pack.pack} ${pack.version}: ${pack.clauses} clauses, ${pack.rowsCovered} of ${pack.rowsTotal} rows covered`,
    ...listed('not tested', pack.notTested),
    ...listed('later', pack.later),
    ...listed('readings chosen', pack.interpretations),
    ...listed('figures missing', pack.missingFigures),
  ];
  return lines.join('\n');
}

const listed = (what: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`  ${what} (${items.length}): ${items.join('; ')}`];

process.exitCode = main();
