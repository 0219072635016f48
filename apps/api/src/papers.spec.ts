import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessTable } from './access/access';
import { problemsTable } from './http/problems';

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
];

/** `WRITE_PAPERS=1 npx jest papers` writes them anew. */
it.each(PAPERS)('docs/%s is what the code says', (file, text) => {
  const path = join(__dirname, '../../../docs', file);
  if (process.env['WRITE_PAPERS'] === '1') writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
