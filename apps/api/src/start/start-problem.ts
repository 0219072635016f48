import { StartRefused } from '@headworks/event-store';
import { RuleErrors } from '@headworks/rules-engine';

/** What to tell of a start that failed: sentences for what an operator can put right, a stack for what is our fault. */
export function startProblem(error: unknown): string {
  if (error instanceof StartRefused || error instanceof RuleErrors) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A port that can't be had is the operator's to give. */
export function listenProblem(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const said = code === undefined ? undefined : TAKEN[code];
  return said === undefined ? error : new StartRefused(said(host, port));
}

const noAddress = (host: string): string =>
  `${host} is no address of this machine; set HOST to one, or leave it out.`;

const TAKEN: Readonly<Record<string, ((host: string, port: number) => string) | undefined>> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is taken; stop what listens there, or set PORT to another.`,
  EACCES: (host, port) => `Port ${port} of ${host} may not be used by this user; set PORT to 1024 or more.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
};
