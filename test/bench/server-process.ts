import { spawn } from 'node:child_process';

export interface ServerProcess {
  /** Ends in /v1. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server in a process of its own, and waits until it says on standard output where it is. */
export function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return new Promise((resolve, reject) => {
    let [output, errors] = ['', ''];
    child.stderr.on('data', (data: Buffer) => (errors += data.toString('utf8')));
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString('utf8');
      const url = /http:\/\/[\d.]+:\d+\/v1/.exec(output)?.[0];
      if (url !== undefined) resolve({ url, stop });
    });
    child.once('error', reject);
    child.once('close', (code) =>
      reject(
        new Error(`The server '${args.join(' ')}' ended (${code}) before it listened: ${errors || output}`),
      ),
    );
  });
}
