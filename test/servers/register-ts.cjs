// Lets plain Node run the TypeScript of this checkout (`node -r test/servers/register-ts.cjs file.ts`): for child
// processes of the fault tests, which are killed and so can't be jest's own, and for benches. Types are not checked.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const root = path.join(__dirname, '../..');
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  const lib = /^@headworks\/([a-z-]+)$/.exec(request);
  return resolve.call(this, lib ? path.join(root, 'libs', lib[1], 'src/index.ts') : request, ...rest);
};

// Deprecated for twelve years and the one hook that a CommonJS child process of any Node from 20 on has.
// oxlint-disable-next-line typescript/no-deprecated
require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(fs.readFileSync(filename, 'utf8'), {
    filename,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      target: 'es2022',
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  module._compile(code, filename);
};
