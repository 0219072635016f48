import type { Config } from '@headworks/wiring';

export interface Flags {
  readonly name?: string | undefined;
  readonly role?: readonly string[] | undefined;
  readonly jurisdiction?: readonly string[] | undefined;
  readonly holder?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  readonly json?: boolean | undefined;
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly keys?: string | undefined;
  readonly mapping?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly evidence?: string | undefined;
  readonly 'dry-run'?: boolean | undefined;
}

/** A command of the command line. It answers with its exit code. */
export interface Command {
  readonly words: string;
  readonly args: string;
  readonly about: string;
  readonly run: (config: Config, args: readonly string[], flags: Flags) => Promise<number>;
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`);
export const complain = (line: string): 2 => {
  process.stderr.write(`${line}\n`);
  return 2;
};
