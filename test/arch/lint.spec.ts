import { plantTree, runTool } from './planted';

interface Report {
  readonly diagnostics: readonly {
    readonly code?: string;
    readonly message: string;
    readonly filename: string;
  }[];
}

/** `typescript(no-explicit-any)` as it is written in the configuration: typescript/no-explicit-any. */
const ruleName = (code: string): string =>
  code.replace(/^([^(]+)\(([^)]+)\)$/, '$1/$2').replace(/^eslint\//, '');

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);
const longFunction = (count: number): string =>
  `export function long(): number {\n  let sum = 0;\n${lines(count - 4, '  sum += 1;')}  return sum;\n}\n`;
const longSpec = (count: number): string =>
  `describe('a long test', () => {\n  it('adds', () => {\n    let sum = 0;\n${lines(count - 4, '    sum += 1;')}    expect(sum).toBe(${count - 4});\n  });\n});\n`;

/** One violation a row: the rule, the file that breaks it, and what stands in the file. */
const PLANTED: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['typescript/no-explicit-any', 'libs/duties/src/any.ts', 'export type Loose = { readonly x: any };'],
  [
    'typescript/no-unsafe-assignment',
    'libs/duties/src/parsed.ts',
    "export const parsed: { a: 1 } = JSON.parse('{}');",
  ],
  [
    'typescript/no-unsafe-return',
    'libs/duties/src/given.ts',
    'export const given = (text: string): string => JSON.parse(text);',
  ],
  [
    'typescript/no-floating-promises',
    'libs/duties/src/float.ts',
    'export const go = (): void => {\n  Promise.resolve(1);\n};',
  ],
  [
    'typescript/no-misused-promises',
    'libs/duties/src/misused.ts',
    'export const go = (work: () => Promise<void>): void => [1].forEach(work);',
  ],
  [
    'typescript/await-thenable',
    'libs/duties/src/awaits.ts',
    'export const go = async (n: number): Promise<void> => {\n  await n;\n};',
  ],
  [
    'typescript/only-throw-error',
    'libs/duties/src/throws.ts',
    "export const go = (): never => {\n  throw { code: 'x' };\n};",
  ],
  [
    'typescript/no-non-null-assertion',
    'libs/duties/src/bang.ts',
    'export const first = (all: readonly string[]): string => all[0]!;',
  ],
  ['typescript/ban-ts-comment', 'libs/duties/src/ignore.ts', '// @ts-nocheck\nexport const one = 1;'],
  [
    'typescript/switch-exhaustiveness-check',
    'libs/duties/src/switches.ts',
    "export function go(x: 'a' | 'b'): number {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}",
  ],
  [
    'typescript/switch-exhaustiveness-check',
    'libs/duties/src/default-does-not-count.ts',
    "export function go(x: 'a' | 'b'): number {\n  switch (x) {\n    case 'a':\n      return 1;\n    default:\n      return 2;\n  }\n}",
  ],
  [
    'typescript/consistent-type-imports',
    'libs/duties/src/type-import.ts',
    "import { Thing } from './thing';\nexport const it = (thing: Thing): number => thing.n;",
  ],
  ['import/no-default-export', 'libs/duties/src/defaults.ts', 'export default 1;'],
  ['unicorn/filename-case', 'libs/duties/src/CamelCase.ts', 'export const one = 1;'],
  [
    'unicorn/prefer-node-protocol',
    'libs/wiring/src/bare.ts',
    "import { join } from 'path';\nexport const it = join;",
  ],
  ['no-console', 'libs/duties/src/prints.ts', "export const go = (): void => console.log('x');"],
  ['eqeqeq', 'libs/duties/src/loose.ts', 'export const same = (a: string, b: string): boolean => a == b;'],
  ['max-lines', 'libs/duties/src/lines.ts', lines(300, '// One line too many.') + 'export const one = 1;'],
  [
    'max-lines',
    'libs/duties/src/lines.spec.ts',
    lines(600, '// One line too many.') + 'export const one = 1;',
  ],
  ['max-lines-per-function', 'libs/duties/src/function.ts', longFunction(61)],
  ['headworks/spec-function-lines', 'libs/duties/src/function.spec.ts', longSpec(61)],

  ['headworks/no-clock', 'libs/kernel/src/now.ts', 'export const now = (): number => Date.now();'],
  ['headworks/no-clock', 'libs/domain/src/load/today.ts', 'export const today = (): Date => new Date();'],
  ['headworks/no-clock', 'libs/domain/src/called.ts', 'export const today = (): string => Date();'],
  [
    'headworks/no-clock',
    'libs/calendars/src/now.ts',
    "import { Temporal } from 'temporal-polyfill';\nexport const now = (): unknown => Temporal.Now;",
  ],
  [
    'headworks/no-clock',
    'libs/rules-engine/src/timed.ts',
    'export const now = (): number => performance.now();',
  ],
  ['headworks/no-clock', 'libs/use-cases/src/now.ts', 'export const now = (): number => Date.now();'],
  ['headworks/no-clock', 'libs/novelty/src/now.ts', "export const now = (): number => Date['now']();"],
  [
    'headworks/no-timers',
    'libs/domain/src/waits.ts',
    'export const wait = (go: () => void): unknown => setTimeout(go, 5);',
  ],
  [
    'headworks/no-randomness',
    'libs/domain/src/chance.ts',
    'export const chance = (): number => Math.random();',
  ],
  [
    'headworks/no-randomness',
    'libs/kernel/src/chance.ts',
    "import { randomUUID } from 'node:crypto';\nexport const id = (): string => randomUUID();",
  ],
  [
    'headworks/no-randomness',
    'libs/calendars/src/chance.ts',
    'export const id = (): string => crypto.randomUUID();',
  ],
  [
    'headworks/no-process',
    'libs/rules-engine/src/env.ts',
    "export const dir = (): string | undefined => process.env['RULES_DIR'];",
  ],
  ['headworks/no-process', 'libs/duties/src/env.ts', 'export const pid = process.pid;'],
  [
    'headworks/no-machine-zone',
    'libs/wiring/src/day.ts',
    'export const day = (ms: number): number => new Date(ms).getDate();',
  ],
  ['headworks/no-machine-zone', 'apps/api/src/built.ts', 'export const day = new Date(2027, 0, 1);'],
  [
    'headworks/no-machine-zone',
    'libs/domain/src/sorts.ts',
    'export const order = (a: string, b: string): number => a.localeCompare(b);',
  ],
  [
    'headworks/no-machine-zone',
    'apps/api/src/shows.ts',
    'export const show = (n: number): string => n.toLocaleString();',
  ],

  [
    'headworks/no-skipped-tests',
    'libs/duties/src/skip.spec.ts',
    "it.skip('x', () => {\n  expect(1).toBe(1);\n});",
  ],
  [
    'headworks/no-skipped-tests',
    'libs/duties/src/only.spec.ts',
    "it.only('x', () => {\n  expect(1).toBe(1);\n});",
  ],
  ['headworks/no-skipped-tests', 'libs/duties/src/todo.spec.ts', "it.todo('x');"],
  ['jest/expect-expect', 'libs/duties/src/empty.spec.ts', "it('x');"],
  [
    'headworks/no-skipped-tests',
    'libs/duties/src/fit.spec.ts',
    "fit('x', () => {\n  expect(1).toBe(1);\n});",
  ],
  [
    'headworks/no-skipped-tests',
    'test/e2e/maybe.spec.ts',
    "declare const ready: boolean;\nconst maybe = ready ? describe : describe['skip'];\nmaybe('x', () => {\n  it('y', () => {\n    expect(1).toBe(1);\n  });\n});",
  ],
  [
    'jest/expect-expect',
    'libs/duties/src/nothing.spec.ts',
    "it('claims nothing', () => {\n  Math.abs(1);\n});",
  ],
  [
    'jest/no-commented-out-tests',
    'libs/duties/src/commented.spec.ts',
    "// it('is left out', () => {});\nit('x', () => {\n  expect(1).toBe(1);\n});",
  ],
];

/** What stands just inside the walls. */
const CLEAN: Record<string, string> = {
  'libs/duties/src/thing.ts': 'export interface Thing {\n  readonly n: number;\n}\n',
  'libs/kernel/src/utc.ts':
    'export const day = (ms: number): string => new Date(Date.UTC(2027, 0, 1) + ms).toISOString();\n',
  'libs/kernel/src/own.ts': 'export const pick = (process: { env: string }): string => process.env;\n',
  'libs/kernel/src/hash.ts':
    "import { createHash } from 'node:crypto';\nexport const hash = (text: string): Buffer => createHash('sha256').update(text).digest();\n",
  'libs/kernel/src/clock.spec.ts':
    "it('may read the clock', () => {\n  expect(Date.now()).toBeGreaterThan(process.pid);\n});\n",
  'libs/event-store/src/lease.ts': 'export const now = (): number => Date.now();\n',
  'libs/wiring/src/clock.ts':
    "import { randomUUID } from 'node:crypto';\nexport const real = { now: (): number => Date.now(), id: randomUUID, env: process.env };\n",
  'libs/duties/src/full.ts': lines(299, '// As many as there may be.') + 'export const one = 1;\n',
  'libs/duties/src/full-function.ts': longFunction(60),
  'libs/duties/src/full.spec.ts': longSpec(60).replace('a long test', 'a full test'),
  'libs/duties/src/exhaustive.ts':
    "export function go(x: 'a' | 'b'): number {\n  switch (x) {\n    case 'a':\n      return 1;\n    case 'b':\n      return 2;\n  }\n}\n",
  'apps/api/src/thing.service.ts': 'export class ThingService {\n  readonly n = 1;\n}\n',
  'apps/api/src/thing.controller.ts':
    "import { Controller, Get } from '@nestjs/common';\nimport { ThingService } from './thing.service';\n\n@Controller()\nexport class ThingController {\n  constructor(private readonly things: ThingService) {}\n\n  @Get()\n  get(): number {\n    return this.things.n;\n  }\n}\n",
};

describe('the lint rules that are walls', () => {
  let found: Map<string, Set<string>>;

  beforeAll(async () => {
    const tree = plantTree({
      ...CLEAN,
      ...Object.fromEntries(PLANTED.map(([, file, text]) => [file, `${text}\n`])),
    });
    try {
      const report = JSON.parse(
        await runTool('oxlint', ['--format', 'json', 'libs', 'apps', 'test'], tree.root),
      ) as Report;
      found = new Map();
      for (const { filename, code, message } of report.diagnostics) {
        found.set(
          filename,
          (found.get(filename) ?? new Set()).add(code === undefined ? message : ruleName(code)),
        );
      }
    } finally {
      tree.remove();
    }
  });

  it.each(PLANTED)('%s stops %s', (rule, file) => {
    expect([...(found.get(file) ?? [])]).toEqual([rule]);
  });

  it('let pass what stands just inside', () => {
    const faults = Object.keys(CLEAN).map((file) => [file, ...(found.get(file) ?? [])]);
    expect(faults.filter(([, ...rules]) => rules.length > 0)).toEqual([]);
  });
});
