import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessTable } from './access/access';
import { problemsTable } from './http/problems';
import { decisionsTable, phasesTable } from './permits/permits-table';

const PAPERS: readonly (readonly [file: string, text: string])[] = [
  [
    'access.md',
    `# Who may call what

Made from \`apps/api/src/access/access.ts\`, the table that guards the routes. Beside it stands the tenant: whatever the role, another agency's object is not found.

${accessTable()}
`,
  ],
  [
    'problems.md',
    `# Kinds of problem

Made from \`apps/api/src/http/problems.ts\`. Errors are \`application/problem+json\` (RFC 9457); \`type\` is \`https://headworks.invalid/problems/\` and the word below. \`errors\` lists every place at fault, \`requestId\` is what the log calls the request.

${problemsTable()}
`,
  ],
  [
    'permits.md',
    `# What may follow what in a permit's file

Made from \`libs/domain/src/permit/transitions.ts\`, the table by which decisions are taken and files are folded. Who decides is the pack's: the last column names the rule of the permit type. A decision recorded late takes its place in legal order; one that does not fit there is refused, a revocation or voidance overtakes what came after it.

${decisionsTable()}

Where the pack names who reviews (\`reviewed_by\`), nothing is approved that was not called complete. An expiry is written as \`PermitVoided\` where the pack says so (\`then: void\`).

${phasesTable()}
`,
  ],
];

/** `WRITE_PAPERS=1 npx jest papers` writes them anew. */
it.each(PAPERS)('docs/%s is what the code says', (file, text) => {
  const path = join(__dirname, '../../../docs', file);
  if (process.env['WRITE_PAPERS'] === '1') writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
