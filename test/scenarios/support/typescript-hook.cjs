// Lets a child process of a test run the TypeScript of this workspace as it stands, without a build.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const LIBS = path.resolve(__dirname, '../../../libs');
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  const lib = /^@headworks\/([a-z-]+)$/.exec(request);
  return resolve.call(this, lib ? path.join(LIBS, lib[1], 'src/index.ts') : request, ...rest);
};
Module._extensions['.ts'] = (module, file) => {
  const { code } = transformSync(fs.readFileSync(file, 'utf8'), {
    filename: file,
    jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  module._compile(code, file);
};
