import { plantTree, ROOT, runTool } from './planted';

/** The parts of dependency-cruiser's JSON that the walls are judged by. */
interface Cruise {
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
    readonly totalCruised: number;
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] };
  };
}

async function cruise(root: string): Promise<Cruise['summary']> {
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'libs', 'apps', 'test'];
  return (JSON.parse(await runTool('depcruise', args, root)) as Cruise).summary;
}

const LIBS = [
  'kernel',
  'calendars',
  'rules-engine',
  'event-store',
  'domain',
  'duties',
  'read-models',
  'use-cases',
];

/** A small tree that keeps every wall: what the planted files import, and imports that must stay allowed. */
const CLEAN: Record<string, string> = {
  ...Object.fromEntries(
    [...LIBS, 'wiring'].map((lib) => [`libs/${lib}/src/index.ts`, 'export const one = 1;\n']),
  ),
  'libs/kernel/src/deep.ts': 'export const deep = 1;\n',
  'libs/domain/src/deep.ts': 'export const deep = 1;\n',
  'libs/event-store/src/keys/port.ts': 'export const keys = 1;\n',
  'libs/event-store/src/sqlite/store.ts':
    "import { keys } from '../keys/port';\nexport const sqlite = keys;\n",
  'libs/event-store/src/postgres/store.ts': "import { Pool } from 'pg';\nexport const pg = Pool;\n",
  'libs/event-store/src/adapters.ts': "export * from './sqlite/store';\n",
  'libs/wiring/src/door.ts':
    "import { sqlite } from '../../event-store/src/adapters';\nexport const ok = sqlite;\n",
  'libs/calendars/src/ok.ts': "import { one } from '@headworks/kernel';\nexport const ok = one;\n",
  'libs/domain/src/ok.ts':
    "import type { one } from '@headworks/rules-engine';\nexport type Ok = typeof one;\n",
  'libs/kernel/src/ok.ts':
    "import { v5 } from 'uuid';\nimport { createHash } from 'node:crypto';\nexport const ok = [v5, createHash];\n",
  'libs/rules-engine/src/load.ts':
    "import { readFileSync } from 'node:fs';\nexport const ok = readFileSync;\n",
  'libs/rules-engine/src/ok.ts': "import { parse } from 'yaml';\nexport const ok = parse;\n",
  'libs/use-cases/src/ok.ts':
    "import { one } from '@headworks/duties';\nimport { one as two } from '@headworks/event-store';\nexport const ok = one + two;\n",
  'libs/wiring/src/ok.ts':
    "import { Module } from '@nestjs/common';\nimport { sqlite } from '../../event-store/src/sqlite/store';\nexport const ok = [Module, sqlite];\n",
  'libs/duties/src/settle.spec.ts':
    "import fc from 'fast-check';\nimport { sqlite } from '../../event-store/src/sqlite/store';\nexport const ok = [fc, sqlite];\n",
  'apps/api/src/main.ts':
    "import { Get } from '@nestjs/common';\nimport { one } from '@headworks/wiring';\nexport const ok = [Get, one];\n",
  'apps/cli/src/main.ts': 'export const cli = 1;\n',
  'test/fixtures/help.ts': 'export const help = 1;\n',
};

const use = (path: string): string => `import * as it from '${path}';\nexport const used = it;\n`;

/** One violation a row: the wall, the file that breaks it, and what stands in the file. */
const PLANTED: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['kernel-imports', 'libs/kernel/src/bad.ts', use('@headworks/calendars')],
  ['calendars-imports', 'libs/calendars/src/bad.ts', use('@headworks/event-store')],
  ['rules-engine-imports', 'libs/rules-engine/src/bad.ts', use('@headworks/domain')],
  ['rules-engine-imports', 'libs/rules-engine/src/deeper/bad.ts', use('@headworks/event-store')],
  ['event-store-imports', 'libs/event-store/src/bad.ts', use('@headworks/domain')],
  ['event-store-imports', 'libs/event-store/src/sqlite/bad.ts', use('@headworks/rules-engine')],
  ['domain-imports', 'libs/domain/src/bad.ts', use('@headworks/event-store')],
  ['domain-imports', 'libs/domain/src/appeal/bad.ts', use('@headworks/use-cases')],
  [
    'domain-imports',
    'libs/domain/src/bad-type.ts',
    "import type { one } from '@headworks/event-store';\nexport type T = typeof one;\n",
  ],
  ['domain-runs-no-rules-engine', 'libs/domain/src/runs.ts', use('@headworks/rules-engine')],
  ['duties-imports', 'libs/duties/src/bad.ts', use('@headworks/use-cases')],
  ['read-models-imports', 'libs/read-models/src/loads/bad.ts', use('@headworks/use-cases')],
  ['use-cases-imports', 'libs/use-cases/src/commands/bad.ts', use('@headworks/read-models')],
  ['use-cases-imports', 'libs/use-cases/src/bad.ts', use('@headworks/wiring')],
  ['wiring-imports', 'libs/wiring/src/bad.ts', use('../../../apps/cli/src/main')],
  ['library-without-a-place', 'libs/novelty/src/bad.ts', use('@headworks/kernel')],
  ['use-cases-imports', 'libs/use-cases/src/novel.ts', use('../../novelty/src/index')],
  ['through-the-index', 'libs/use-cases/src/past.ts', use('../../domain/src/deep')],
  ['through-the-index', 'apps/api/src/past.ts', use('../../../libs/kernel/src/deep')],
  ['adapters-in-wiring', 'libs/use-cases/src/adapter.ts', use('../../event-store/src/sqlite/store')],
  ['adapters-in-wiring', 'libs/read-models/src/adapter.ts', use('../../event-store/src/keys/port')],
  ['adapters-in-wiring', 'apps/cli/src/adapter.ts', use('../../../libs/event-store/src/postgres/store')],
  ['adapters-in-wiring', 'libs/duties/src/door.ts', use('../../event-store/src/adapters')],
  ['port-without-adapters', 'libs/event-store/src/door.ts', use('./adapters')],
  ['port-without-adapters', 'libs/event-store/src/barrel.ts', use('./sqlite/store')],
  ['port-without-adapters', 'libs/event-store/src/keys/bad.ts', use('../postgres/store')],
  ['adapters-apart', 'libs/event-store/src/postgres/bad.ts', use('../sqlite/store')],
  ['nest-in-wiring-and-apps', 'libs/use-cases/src/nest.ts', use('@nestjs/common')],
  ['nest-in-wiring-and-apps', 'libs/domain/src/nest.ts', use('@nestjs/core')],
  ['kernel-packages', 'libs/kernel/src/fs.ts', use('node:fs')],
  ['kernel-packages', 'libs/kernel/src/yaml.ts', use('yaml')],
  ['calendars-packages', 'libs/calendars/src/fs.ts', use('fs')],
  ['rules-engine-packages', 'libs/rules-engine/src/fs.ts', use('node:fs')],
  ['event-store-packages', 'libs/event-store/src/sqlite/http.ts', use('node:http')],
  ['domain-packages', 'libs/domain/src/crypto.ts', use('node:crypto')],
  ['domain-packages', 'libs/domain/src/uuid.ts', use('uuid')],
  ['duties-packages', 'libs/duties/src/pg.ts', use('pg')],
  ['read-models-packages', 'libs/read-models/src/fs.ts', use('node:fs/promises')],
  ['use-cases-packages', 'libs/use-cases/src/kysely.ts', use('kysely')],
  ['apps-apart', 'apps/api/src/cli.ts', use('../../cli/src/main')],
  ['no-test-code', 'apps/api/src/help.ts', use('../../../test/fixtures/help')],
  ['no-test-code', 'libs/duties/src/helped.ts', use('./settle.spec')],
  ['no-dev-dependency', 'apps/api/src/check.ts', use('fast-check')],
  ['no-dev-dependency', 'libs/wiring/src/check.ts', use('dependency-cruiser')],
  ['declared-and-found', 'apps/api/src/lost.ts', use('./nowhere')],
  ['declared-and-found', 'apps/api/src/undeclared.ts', use('@babel/core')],
];
const CIRCLE = {
  'libs/domain/src/chicken.ts': "import { egg } from './egg';\nexport const chicken = (): unknown => egg;\n",
  'libs/domain/src/egg.ts':
    "import { chicken } from './chicken';\nexport const egg = (): unknown => chicken;\n",
};

describe('the walls between folders', () => {
  let found: Map<string, string[]>;
  let walls: readonly string[];

  beforeAll(async () => {
    const planted = Object.fromEntries(PLANTED.map(([, file, text]) => [file, text]));
    const tree = plantTree({
      ...CLEAN,
      'libs/novelty/src/index.ts': 'export const one = 1;\n',
      ...CIRCLE,
      ...planted,
    });
    try {
      const summary = await cruise(tree.root);
      walls = summary.ruleSetUsed.forbidden.map(({ name }) => name);
      found = new Map();
      for (const { from, rule } of summary.violations)
        found.set(from, [...(found.get(from) ?? []), rule.name]);
    } finally {
      tree.remove();
    }
  });

  it.each(PLANTED)('%s stops %s', (rule, file) => {
    expect(found.get(file)).toEqual([rule]);
  });

  it('no-circle stops two files that import each other', () => {
    // One report a circle, at the file it was entered by.
    expect(Object.keys(CIRCLE).flatMap((file) => found.get(file) ?? [])).toEqual(['no-circle']);
  });

  it('lets pass what the layers allow', () => {
    expect(Object.keys(CLEAN).filter((file) => found.has(file))).toEqual([]);
  });

  it('has a planted violation for every wall', () => {
    const proven = new Set(PLANTED.map(([rule]) => rule)).add('no-circle');
    expect(walls.filter((wall) => !proven.has(wall))).toEqual([]);
  });

  it('finds none in this repository', async () => {
    const summary = await cruise(ROOT);
    expect(summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
    expect(summary.totalCruised).toBeGreaterThan(20);
  });
});
