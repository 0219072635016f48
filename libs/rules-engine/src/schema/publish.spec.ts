import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { publishedSchemas } from './file-schemas';

const FOLDER = path.resolve(__dirname, '../../../../rules/schema');

describe('published schemas', () => {
  it.each([...publishedSchemas()])('%s in rules/schema is what the loader checks by', (name, schema) => {
    const file = path.join(FOLDER, name);
    // Editors complete from these files, so a change of the vocabulary must reach them: `UPDATE_SCHEMAS=1` writes them
    // (then format them).
    if (process.env['UPDATE_SCHEMAS'] === '1') writeFileSync(file, JSON.stringify(schema));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema);
  });
});
