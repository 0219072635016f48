import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './planted';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly resolved?: string; readonly hasInstallScript?: boolean }>
  >;
}

/** Runs a script of ours on a tree of its own: exit code and what it printed. */
function runScript(
  script: string,
  ...args: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [join(ROOT, script), ...args], (error, out, err) => {
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err });
    });
  });
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headworks-repository-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

describe('what is installed', () => {
  const manifest = JSON.parse(read('package.json')) as Manifest;

  it('is pinned exactly', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('runs no script of this package when it is installed', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
    expect(hooks.filter((hook) => hook in manifest.scripts)).toEqual([]);
  });

  it('is asked of no registry in particular', () => {
    const lock = JSON.parse(read('package-lock.json')) as Lock;
    expect(Object.entries(lock.packages).filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
  });
});

describe('.ci/run', () => {
  it('can be run', () => {
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111);
  });

  it.each([
    ['all passed', { numPassedTests: 3, numFailedTests: 0, success: true }, 0, '3 passed, 0 failed'],
    ['one failed', { numPassedTests: 3, numFailedTests: 1, success: false }, 1, '3 passed, 1 failed'],
    [
      'a suite did not load',
      { numPassedTests: 3, numRuntimeErrorTestSuites: 1, success: false },
      1,
      '3 passed, 1 failed',
    ],
    ['none ran', { numPassedTests: 0, numFailedTests: 0, success: true }, 1, '0 passed, 0 failed'],
    ['one was left out', { numPassedTests: 3, numPendingTests: 1, success: true }, 1, '3 passed, 0 failed'],
    ['jest failed for another reason', { numPassedTests: 3, success: false }, 1, '3 passed, 0 failed'],
  ])('counts where %s', async (_, result, code, line) => {
    write({ 'result.json': JSON.stringify(result) });
    const ran = await runScript('test/arch/summary.mjs', join(folder, 'result.json'));
    expect({ code: ran.code, line: ran.out.trimEnd().split('\n').at(-1) }).toEqual({ code, line });
  });

  it('fails where jest left no result', async () => {
    const ran = await runScript('test/arch/summary.mjs', join(folder, 'nothing.json'));
    expect(ran).toEqual({
      code: 1,
      out: '0 passed, 0 failed\n',
      err: expect.stringContaining('left no result') as string,
    });
  });
});

describe('the table of settings in the README', () => {
  const table = (...names: readonly string[]): string =>
    `# X\n\n## Configuration\n\n| variable | default |\n|---|---|\n${names.map((name) => `| \`${name}\` | - |\n`).join('')}\n## Roles\n\n| \`ELSEWHERE\` | - |\n`;
  const code = {
    'apps/api/src/main.ts': "const port = process.env['PORT'];\n",
    'libs/wiring/src/config.ts': 'export const settings = {\n  DATA_DIR: "./data",\n};\n',
    'libs/wiring/src/other.spec.ts': "process.env['ONLY_IN_A_TEST'];\n",
  };

  it.each([
    ['the same names', ['PORT', 'DATA_DIR'], 0, ''],
    ['a variable that is in no row', ['PORT'], 1, 'libs/wiring/src/config.ts reads DATA_DIR: add a row'],
    [
      'a row that no code reads',
      ['PORT', 'DATA_DIR', 'GONE'],
      1,
      'README.md lists GONE, which no code reads',
    ],
    ['no table', [], 1, 'README.md has no table of settings'],
  ])('is compared with the code: %s', async (_, names, status, says) => {
    write({ ...code, 'README.md': table(...names) });
    const ran = await runScript('test/arch/config-table.mjs', folder);
    expect(ran.code).toBe(status);
    expect(ran.out).toContain(says);
  });
});

describe('the papers', () => {
  it('number the decisions without a gap, each with its rejected options', () => {
    const records = readdirSync(join(ROOT, 'docs/adr')).sort();
    expect(records.map((file) => Number(file.slice(0, 4)))).toEqual(records.map((_, index) => index + 1));
    expect(records.filter((file) => !read(`docs/adr/${file}`).includes('\n## Rejected\n'))).toEqual([]);
  });

  it('name each fragment of the changelog by what it is', () => {
    const fragments = readdirSync(join(ROOT, 'docs/changes')).filter((file) => file !== 'README.md');
    expect(
      fragments.filter((file) => !/^[a-z0-9-]+\.(added|changed|fixed|removed|security)\.md$/.test(file)),
    ).toEqual([]);
  });

  const papers = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'docs/README.md',
    'docs/changes/README.md',
  ];

  it.each(papers)('%s links to what is there', (paper) => {
    const links = [...read(paper).matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)].map((match) => match[1] ?? '');
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(paper), link)))).toEqual([]);
  });

  it.each(papers)('%s names commands that npm knows', (paper) => {
    const { scripts } = JSON.parse(read('package.json')) as Manifest;
    const named = [...read(paper).matchAll(/npm (?:run )?([a-z][a-z:0-9]*)/g)].map((match) => match[1] ?? '');
    const builtIn = new Set(['ci', 'install', 'run']);
    expect(named.filter((name) => !builtIn.has(name) && !(name in scripts))).toEqual([]);
  });
});
