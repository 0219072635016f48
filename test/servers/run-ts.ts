import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** A TypeScript file of this checkout in a process of its own, talked to over its standard streams. */
export interface TsProcess {
  readonly child: ChildProcess;
  /** Lines of its output, as they come; ends with the process. */
  readonly lines: AsyncIterableIterator<string>;
  /** Resolves when it is gone: exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** What it wrote to its error stream so far. */
  errors(): string;
}

export function runTs(
  file: string,
  args: readonly string[],
  options: { readonly uid?: number; readonly gid?: number } = {},
): TsProcess {
  const child = spawn(process.execPath, ['-r', join(__dirname, 'register-ts.cjs'), file, ...args], {
    // Specs of jest hand it settings of their own through the environment.
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...options,
  });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString('utf8')));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return { child, lines: linesOf(child.stdout), ended, errors: () => errors };
}

async function* linesOf(output: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const data of output) {
    const parts = (rest + data.toString('utf8')).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  // A line without its end was cut by a kill: it says nothing.
}
