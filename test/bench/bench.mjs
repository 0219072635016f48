// The bench itself, in a process of its own (run.mjs starts it): measures, then prints a table, or with --json the rows
// alone. What is timed is TypeScript of this checkout, compiled as it is loaded; peers are packages of test/bench.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { isMet } = require('./measure.ts');
const { tableOf } = require('./table.ts');

const ROOT = join(import.meta.dirname, '../..');
const PEERS = ['cel', 'json-rules-engine', 'feelin', 'zen-engine', 'json-logic', 'jsonata'];

const PARTS = {
  async rules() {
    const peers = await Promise.all(PEERS.map((peer) => import(`./peers/${peer}.mjs`)));
    return require('./rules.bench.ts').benchRules(peers, { rulesDir: join(ROOT, 'rules') });
  },
  sqlite: () => require('./store.bench.ts').benchStore('sqlite'),
  postgres: () => require('./store.bench.ts').benchStore('postgres'),
  http: () => require('./http.bench.ts').benchHttp(ROOT),
  duties: async () => [
    ...(await require('./duties.bench.ts').benchDuties()),
    ...(await require('./alarms.bench.ts').benchAlarms()),
  ],
};

async function main(args) {
  const json = args.includes('--json');
  const only = args.filter((arg) => arg !== '--json');
  const unknown = only.filter((arg) => !(arg in PARTS));
  if (unknown.length > 0) {
    process.stderr.write(
      `The bench has no part ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}; --json prints rows alone.\n`,
    );
    return 2;
  }
  const rows = [];
  for (const [name, part] of Object.entries(PARTS)) {
    if (only.length > 0 && !only.includes(name)) continue;
    process.stderr.write(`bench: ${name}\n`);
    rows.push(...(await part()));
  }
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : tableOf(rows));
  return rows.every(isMet) ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
