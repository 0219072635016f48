// Jest below Node 24.9 cannot load ES modules by require: packages that are ESM only (Nest 12 among them)
// are compiled to CommonJS on the way in. The list is found, not kept by hand.
const fs = require('node:fs');
const path = require('node:path');

function esmPackages(root = path.join(__dirname, 'node_modules')) {
  const names = fs
    .readdirSync(root)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? fs.readdirSync(path.join(root, name)).map((sub) => `${name}/${sub}`) : [name],
    );
  return names.filter((name) => {
    const file = path.join(root, name, 'package.json');
    return fs.existsSync(file) && JSON.parse(fs.readFileSync(file, 'utf8')).type === 'module';
  });
}

const swc = (parser) => [
  '@swc/jest',
  {
    jsc: { parser, target: 'es2022', transform: { legacyDecorator: true, decoratorMetadata: true } },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  rootDir: __dirname,
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  moduleNameMapper: { '^@headworks/([a-z-]+)$': '<rootDir>/libs/$1/src' },
  transform: {
    '\\.ts$': swc({ syntax: 'typescript', decorators: true }),
    '\\.m?js$': swc({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages().join('|')})/)`],
  globalSetup: '<rootDir>/test/servers/global-setup.ts',
  globalTeardown: '<rootDir>/test/servers/global-teardown.ts',
  testTimeout: 120000,
  maxWorkers: 2,
};
