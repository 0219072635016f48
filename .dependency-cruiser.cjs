// The walls between folders. Imports run one way:
//   apps -> wiring -> use-cases, read-models, duties -> domain, rules-engine, event-store -> calendars -> kernel
// Each wall is an allow list ("nothing but ..."), so that a new folder is inside the walls before anyone edits this
// file: a new library may import nothing and be imported by nobody until it has a place in LAYERS.
// test/arch/walls.spec.ts plants a violation of every rule below and sees exactly that rule fire.

/** What each library may import, beside itself. Types only where `types` says so. */
const LAYERS = {
  kernel: { may: [] },
  calendars: { may: ['kernel'] },
  'rules-engine': { may: ['calendars', 'kernel'] },
  'event-store': { may: ['calendars', 'kernel'] },
  // The domain speaks of packs and facts as they are handed to it; it never calls the engine's functions.
  domain: { may: ['calendars', 'kernel'], types: ['rules-engine'] },
  duties: { may: ['domain', 'rules-engine', 'event-store', 'calendars', 'kernel'] },
  'read-models': { may: ['domain', 'rules-engine', 'event-store', 'calendars', 'kernel'] },
  // Every command settles its stream first, and Settle stands in duties: the one import between neighbours.
  'use-cases': { may: ['duties', 'domain', 'rules-engine', 'event-store', 'calendars', 'kernel'] },
  wiring: {
    may: [
      'use-cases',
      'read-models',
      'duties',
      'domain',
      'rules-engine',
      'event-store',
      'calendars',
      'kernel',
    ],
  },
};

/**
 * Packages of npm and modules of Node that each library may name. Wiring, and the apps, may name any dependency.
 * `node:crypto` in the pure ones is for hashes alone: the lint rule headworks/no-randomness sees to the rest.
 */
const OUTSIDE = {
  kernel: ['uuid', 'canonicalize', 'node:crypto'],
  calendars: ['temporal-polyfill'],
  'rules-engine': ['yaml', 'ajv', 'ajv-formats', 'node:crypto'],
  'event-store': [
    'pg',
    'uuid',
    '@photostructure/sqlite',
    ...[
      'assert',
      'async_hooks',
      'buffer',
      'crypto',
      'events',
      'fs',
      'module',
      'os',
      'path',
      'sqlite',
      'timers',
      'util',
    ].map((name) => `node:${name}`),
  ],
  domain: [],
  duties: [],
  'read-models': ['kysely'],
  'use-cases': ['node:crypto', 'node:async_hooks'],
};

/** Folders of libs/event-store that belong to the port, not to one adapter. */
const PORT_FOLDERS = ['keys', 'contract'];

const TESTS = '\\.(spec|testing)\\.ts$';
/** Where adapters are named: one door for wiring (adapters.ts), or a folder of libs/event-store. */
const ADAPTERS = '^libs/event-store/src/(adapters\\.ts$|[^/]+/)';
const NEST = '(^|/)node_modules/@nestjs/';

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const folders = (names) => names.map((name) => `^libs/${name}/`);
const inPort = PORT_FOLDERS.map((name) => `^libs/event-store/src/${name}/`);

/** A package as it resolves (node_modules/x/...), or a module of Node by its name. */
const outside = (name) =>
  name.startsWith('node:')
    ? `^(node:)?${escape(name.slice(5))}(/|$)`
    : `(^|/)node_modules/(@types/)?${escape(name)}/`;

const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

const layers = Object.entries(LAYERS).flatMap(([lib, { may, types = [] }]) => [
  rule(
    `${lib}-imports`,
    `libs/${lib} may import ${may.join(', ') || 'no other library'}. Move what you need down, or pass it in.`,
    { path: `^libs/${lib}/`, pathNot: TESTS },
    { path: '^(libs|apps)/', pathNot: [...folders([lib, ...may, ...types]), TESTS] },
  ),
  ...types.map((other) =>
    rule(
      `${lib}-runs-no-${other}`,
      `libs/${lib} may name types of ${other} (import type), but not run it: have the caller pass the value in.`,
      { path: `^libs/${lib}/`, pathNot: TESTS },
      { path: `^libs/${other}/`, dependencyTypesNot: ['type-only'] },
    ),
  ),
]);

// The loader is the one place of a pure library that reads files.
const loader = { 'rules-engine': ['^libs/rules-engine/src/load'] };
const packages = Object.entries(OUTSIDE).map(([lib, names]) =>
  rule(
    `${lib}-packages`,
    `libs/${lib} may name ${names.join(', ') || 'no package'}. A new one is a decision: add it to OUTSIDE and say why.`,
    { path: `^libs/${lib}/`, pathNot: [TESTS, ...(loader[lib] ?? [])] },
    { dependencyTypes: ['npm', 'core'], pathNot: [...names.map(outside), NEST] },
  ),
);

const placed = folders(Object.keys(LAYERS));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layers,
    ...packages,
    rule(
      'library-without-a-place',
      'A new library imports nothing until it has a place in LAYERS.',
      { path: '^libs/([^/]+)/', pathNot: placed },
      { pathNot: '^libs/$1/' },
    ),
    rule(
      'through-the-index',
      "A library is imported by its name ('@headworks/<lib>', its index.ts), never by a file inside it.",
      { path: '^((?:libs|apps)/[^/]+)/', pathNot: TESTS },
      {
        path: '^libs/',
        pathNot: ['^$1/', '^libs/[^/]+/src/index\\.ts$', ADAPTERS, TESTS],
      },
    ),
    rule(
      'adapters-in-wiring',
      'Which store, database or queue runs is chosen in libs/wiring alone: depend on the port of event-store.',
      { path: '^(libs|apps)/', pathNot: ['^libs/(event-store|wiring)/', TESTS] },
      { path: ADAPTERS, pathNot: TESTS },
    ),
    rule(
      'port-without-adapters',
      'Whoever imports the port would load every driver: export adapters from src/adapters.ts, the door for wiring.',
      { path: ['^libs/event-store/src/[^/]+\\.ts$', ...inPort], pathNot: ['/src/adapters\\.ts$', TESTS] },
      { path: ADAPTERS, pathNot: [...inPort, TESTS] },
    ),
    rule(
      'adapters-apart',
      'One adapter of event-store imports no other: what they share stands beside the port.',
      { path: '^libs/event-store/src/([^/]+)/', pathNot: [...inPort, TESTS] },
      { path: '^libs/event-store/src/[^/]+/', pathNot: ['^libs/event-store/src/$1/', ...inPort, TESTS] },
    ),
    rule(
      'nest-in-wiring-and-apps',
      'Libraries are functions and records; Nest is named in libs/wiring and in apps alone.',
      { path: '^libs/', pathNot: ['^libs/wiring/', TESTS] },
      { path: NEST },
    ),
    rule(
      'apps-apart',
      'An app imports no other app: what they share is wiring.',
      { path: '^apps/([^/]+)/' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    rule(
      'no-circle',
      'Files that import each other in a circle load in an order that nobody chose: move the shared part down.',
      {},
      { circular: true },
    ),
    rule(
      'no-test-code',
      'Production code imports nothing of test/, no spec and no *.testing.ts.',
      { path: '^(libs|apps)/', pathNot: TESTS },
      { path: ['^test/', TESTS] },
    ),
    rule(
      'no-dev-dependency',
      'A devDependency is missing where the program runs: move the package to dependencies, pinned exactly.',
      { path: '^(libs|apps)/', pathNot: TESTS },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'declared-and-found',
      'The import does not resolve, or package.json does not declare the package: install it with npm install -E.',
      // The bench is a package of its own: its peers are installed only where it is run.
      { pathNot: '^test/bench/' },
      { dependencyTypes: ['unknown', 'npm-no-pkg', 'npm-unknown', 'undetermined'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|coverage|\\.cache)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Types count: an import that the compiler takes out is still knowledge of the other side.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'import', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
