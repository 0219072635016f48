import { parseArgs } from 'node:util';
import { readConfig, StartRefused } from '@headworks/wiring';
import { CodedError } from '@headworks/kernel';
import { RuleErrors } from '@headworks/rules-engine';
import { backUp, exportLog, importLog } from './commands/carry';
import { erasePerson } from './commands/erase';
import { explainClause } from './commands/explain';
import { importLoads, importSubjects } from './commands/import';
import { createApiKey, listApiKeys, revokeApiKey } from './commands/keys';
import { rebuildOne, verifyAll, verifyEverything, verifyLog } from './commands/views';
import type { Command, Flags } from './command';

/** Every command: its words, what it does, what it needs. `npm run cli` alone prints this list. */
const COMMANDS: readonly Command[] = [
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rebuildOne,
  verifyAll,
  verifyLog,
  verifyEverything,
  explainClause,
  backUp,
  exportLog,
  importLog,
  erasePerson,
  importLoads,
  importSubjects,
];

const usage = (): string =>
  [
    'npm run cli -- COMMAND',
    '',
    ...COMMANDS.map(({ words, args, about }) => `  ${`${words} ${args}`.padEnd(62)} ${about}`),
  ].join('\n');

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      role: { type: 'string', multiple: true },
      jurisdiction: { type: 'string', multiple: true },
      holder: { type: 'string', multiple: true },
      reason: { type: 'string' },
      json: { type: 'boolean' },
      url: { type: 'string' },
      key: { type: 'string' },
      keys: { type: 'string' },
      mapping: { type: 'string' },
      from: { type: 'string' },
      until: { type: 'string' },
      evidence: { type: 'string' },
      'dry-run': { type: 'boolean' },
    },
  });
  const line = positionals.join(' ');
  const command = COMMANDS.find(({ words }) => line === words || line.startsWith(`${words} `));
  if (!command) {
    process.stderr.write(
      `${line === '' ? 'Say what to do.' : `There is no command '${line}'.`}\n\n${usage()}\n`,
    );
    return 2;
  }
  const rest = positionals.slice(command.words.split(' ').length);
  const flags: Flags = values;
  return command.run(readConfig(process.env), rest, flags);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const plain = error instanceof StartRefused || error instanceof CodedError || error instanceof RuleErrors;
    const usageFault = error instanceof TypeError && 'code' in error;
    process.stderr.write(
      `${plain || usageFault ? (error as Error).message : String((error as Error).stack)}\n`,
    );
    process.exitCode = 1;
  },
);
