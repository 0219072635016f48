import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

/** The program as it is started by npm, built before the tests run. */
const MAIN = join(__dirname, '../../dist/apps/api/src/main.js');
const ROOT = join(__dirname, '../..');

export const KEY = 'hw_faults-administrator-key-0123456789abcdef';

export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  /** Resolves with exit code or signal, and what went to stderr. */
  readonly ended: Promise<{ readonly code: number | string; readonly stderr: string }>;
  call(
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
}

export interface StartOptions {
  readonly dir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Words before `node`, for limits on the process. */
  readonly before?: readonly string[];
}

/** Starts a process; it may refuse to: see `ended`. */
export function spawnProgram({ dir, env = {}, before = [] }: StartOptions): {
  readonly child: ChildProcess;
  readonly ended: Running['ended'];
  readonly up: Promise<string | undefined>;
} {
  const words = [...before, process.execPath, MAIN];
  const child = spawn(words[0] ?? process.execPath, words.slice(1), {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      DATA_DIR: dir,
      HEADWORKS_CLOCK: 'virtual',
      HEADWORKS_BOOTSTRAP_KEY: KEY,
      ...env,
    },
  });
  let stderr = '';
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
  const ended = new Promise<{ code: number | string; stderr: string }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal ?? 'unknown', stderr }));
  });
  return { child, ended, up: addressOf(child) };
}

/** The address that the banner names, or undefined where the process ended without one. */
async function addressOf(child: ChildProcess): Promise<string | undefined> {
  if (!child.stdout) return undefined;
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const url = /http:\/\/\S+(?=\/v1)/.exec(line)?.[0];
    if (url === undefined) continue;
    child.stdout.resume();
    return url;
  }
  return undefined;
}

export async function startProgram(options: StartOptions): Promise<Running> {
  const { child, ended, up } = spawnProgram(options);
  const url = await up;
  if (url === undefined) throw new Error(`It did not start: ${(await ended).stderr}`);
  return {
    url,
    child,
    ended,
    async call(method, path, body, idempotencyKey) {
      const response = await fetch(`${url}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${KEY}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

export const NOW = '2027-07-03T21:00:00.000Z';

/** A load of 1,000 gallons on one parcel: 20 acres take twenty of them at 1,000 gal/acre each, then it is over. */
export const load = (n: number, parcel: string): Record<string, unknown> => ({
  pack: 'whitewater-sludge',
  load: 'spreading',
  subject: { kind: 'site', key: parcel },
  hauler: { kind: 'hauler', key: 'H1' },
  ticket: `T-${parcel}-${n}`,
  occurredAt: new Date(Date.parse('2027-07-03T12:00:00.000Z') + n * 1000).toISOString(),
  reason: 'entered in the evening',
  evidence: 'log sheet',
  quantity: '1000 gal',
  facts: {
    waste_type: 'dairy',
    form: 'wet',
    total_solids: '3 %',
    spread_area: '1 acre',
    saturated: false,
    frost_depth: '0 in',
  },
});

/** Every item of a list, page by page. */
export async function listAll(running: Running, path: string): Promise<readonly Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let cursor = '';
  for (;;) {
    const { status, body } = await running.call(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=500${cursor}`,
    );
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    items.push(...(body['items'] as Record<string, unknown>[]));
    if (typeof body['next'] !== 'string') return items;
    cursor = `&cursor=${encodeURIComponent(body['next'])}`;
  }
}
