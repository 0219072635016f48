import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { removeRulesDirs, rulesDir } from '../testing/rules-dir.testing';
import { checkRules, loadRules } from './load-rules';
import { formatProblem, RuleErrors } from '../source/problem';

const FOLDER = path.resolve(__dirname, '../../broken');
const files = readdirSync(FOLDER).sort();

/** The problems that a broken pack announces in its first comment lines, as they are printed. */
function expected(text: string): readonly string[] {
  const lines = text.split('\n');
  const header = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('#')),
  );
  return header
    .map((line) => line.slice(2))
    .join('\n')
    .split(/\n(?=\S)/);
}

afterAll(removeRulesDirs);

describe('broken packs', () => {
  it('there is one file for each message', () => {
    const seen = new Map<string, string>();
    for (const file of files) {
      for (const problem of expected(readFileSync(path.join(FOLDER, file), 'utf8'))) seen.set(problem, file);
    }
    expect(seen.size).toBeGreaterThanOrEqual(files.length);
    expect(files.every((file) => file.endsWith('.pack'))).toBe(true);
  });

  it.each(files)('%s is refused, with its place and what to do', (file) => {
    const text = readFileSync(path.join(FOLDER, file), 'utf8');
    const dir = rulesDir({ 'demo/1.yaml': text });
    const { problems } = checkRules(dir);
    const shown = problems.map((problem) => formatProblem(problem).replace('rules/demo/1.yaml:', ''));
    expect(shown).toEqual(expected(text));
    expect(() => loadRules(dir)).toThrow(RuleErrors);
  });
});
