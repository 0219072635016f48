import { spawnSync } from 'node:child_process';
import path from 'node:path';
import {
  clause,
  packText,
  removeRulesDirs,
  ROWS,
  rulesDir,
} from '../../libs/rules-engine/src/testing/rules-dir.testing';

afterAll(removeRulesDirs);

const PACK = packText(
  '  gap: { type: length, unit: ft, label: Gap }',
  clause('C', 'require: { fact: gap, more_than: 6 ft }'),
);
const CASE = '- { name: Wide enough, assessment: visit, facts: { gap: 7 ft }, expect: { C: satisfied } }\n';
const good = () => rulesDir({ 'demo/1.yaml': PACK, 'demo/cases/one.yaml': CASE });
const bad = () => rulesDir({ 'demo/1.yaml': PACK.replace('6 ft', '6 gal') });

/** Runs a command as it stands in the source, and gives its exit code and what it printed. */
function run(
  command: 'check' | 'test' | 'read',
  ...args: readonly string[]
): { code: number | null; out: string } {
  const hook = path.join(__dirname, 'support/typescript-hook.cjs');
  const file = path.resolve(__dirname, `../../apps/cli/src/rules/${command}.ts`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', hook, file, ...args], {
    encoding: 'utf8',
  });
  return { code: status, out: `${stdout}${stderr}` };
}

describe('the commands on rules', () => {
  it('check: in order, with the coverage of each pack', () => {
    const { code, out } = run('check', good());
    expect(code).toBe(0);
    expect(out).toBe('demo 1: 1 clauses, 1 of 2 rows covered\n  later (1): DM-02\nThe rules are in order.\n');
  });

  it('check: errors with their places, and a gap is one', () => {
    const wrong = run('check', bad());
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain("clause C\n    'gap' is a length (ft), but '6 gal' is a volume (gal)\n");
    expect(wrong.out).toContain('The rules have one error.\n');
    const gap = run(
      'check',
      rulesDir({ 'demo/1.yaml': PACK, 'rows.yaml': ROWS.replace(', later: yes', '') }),
    );
    expect(gap.code).toBe(1);
    expect(gap.out).toContain("the row 'DM-02' is forgotten");
  });

  it('check --json: the same as data', () => {
    const { code, out } = run('check', '--json', bad());
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      problems: [{ path: 'rules/demo/1.yaml', line: 15, where: 'clause C' }],
      packs: [{ pack: 'demo', version: '1', rowsCovered: 1, rowsTotal: 2 }],
    });
  });

  it('test: cases that hold, and one that does not', () => {
    expect(run('test', good())).toEqual({ code: 0, out: '1 of 1 cases hold.\n' });
    const dir = rulesDir({
      'demo/1.yaml': PACK,
      'demo/cases/one.yaml': CASE.replace('satisfied', 'violated'),
    });
    expect(run('test', dir)).toEqual({
      code: 1,
      out: [
        'rules/demo/cases/one.yaml:1  Wide enough',
        '    C: expected status violated, found satisfied (7 ft, more than 6 ft: 1 ft to spare)',
        '0 of 1 cases hold.\n',
      ].join('\n'),
    });
    expect(run('test', bad()).out).toContain('No case was run: correct these first.');
    expect(JSON.parse(run('test', dir, '--json').out)).toMatchObject({
      ok: false,
      ...{ cases: 1, passed: 0, failed: 1, clausesWithoutCases: [] },
      failures: [{ line: 1 }],
    });
    const other = rulesDir({
      'demo/1.yaml': PACK,
      'demo/cases/one.yaml': CASE.replace('{ C: satisfied }', '{}'),
    });
    expect(run('test', other)).toEqual({
      code: 0,
      out: '1 of 1 cases hold.\nWithout a case (1): demo/C\n',
    });
  });

  it('read: the view of an officer, or one sentence', () => {
    const { code, out } = run('read', good());
    expect(code).toBe(0);
    expect(out).toContain('- **MUST** gap is more than 6 ft.');
    expect(run('read', good(), 'dema')).toEqual({
      code: 1,
      out: "There is no pack 'dema': name one of demo.\n",
    });
    expect(run('read', bad()).out).toContain("The rules can't be used: one error.");
  });
});
