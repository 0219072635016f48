// A Headworks of its own for the demo: a free port, a temporary folder, a virtual clock. All talk to it is HTTP.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const built = createRequire(join(ROOT, 'dist/'));
const { wallToInstant } = built('./libs/calendars/src/index.js');
const { readMapping } = built('./apps/cli/src/import/mapping.js');
const { runImport } = built('./apps/cli/src/import/run-import.js');
const { httpServer } = built('./apps/cli/src/import/server.js');

export { readMapping, runImport };
export const ZONE = 'America/Chicago';

/** `2027-07-03 15:00` of the wall clock in Wisconsin, as an instant. */
export function instant(wall) {
  const [date, time] = wall.split(' ');
  const found = wallToInstant(ZONE, date, time);
  if (!('ms' in found)) throw new Error(found.why);
  return new Date(found.ms).toISOString();
}

export async function startSandbox() {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-demo-'));
  const key = `hw_${randomBytes(24).toString('hex')}`;
  const env = {
    ...{ PATH: process.env.PATH, DATA_DIR: dir, HEADWORKS_CLOCK: 'virtual', HEADWORKS_BOOTSTRAP_KEY: key },
    ...(process.env.TZ && { TZ: process.env.TZ }),
  };
  const child = spawn(process.execPath, [join(ROOT, 'dist/apps/api/src/main.js')], {
    cwd: ROOT,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((done) => child.once('close', done));
  const url = await listening(child);
  const server = httpServer(url, key);
  return {
    ...{ url, server, call: caller(url, key) },
    cli: (...args) =>
      run([join(ROOT, 'dist/apps/cli/src/main.js'), ...args], {
        ...env,
        HEADWORKS_KEY: key,
        HEADWORKS_URL: url,
      }),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    forget: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function listening(child) {
  let [said, errors] = ['', ''];
  child.stderr.on('data', (data) => (errors += data));
  return new Promise((done, fail) => {
    child.stdout.on('data', (data) => {
      said += data;
      const url = /http:\/\/[\d.]+:\d+(?=\/v1)/.exec(said)?.[0];
      if (url) done(url);
    });
    child.once('close', (code) =>
      fail(new Error(`The server ended (${code}) before it listened: ${errors || said}`)),
    );
  });
}

const run = (args, env) =>
  new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: ROOT, env }, (error, out, err) =>
      error ? fail(new Error(`${args.slice(1).join(' ')}: ${err || error.message}`)) : done(out.trim()),
    );
  });

/** One call; any answer but those that are `expected` ends the demo with what was answered. */
const caller =
  (url, key) =>
  async (method, path, body, expected = [200, 201]) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!expected.includes(response.status))
      throw new Error(`${method} ${path} -> ${response.status}: ${text.slice(0, 2000)}`);
    return (response.headers.get('content-type') ?? '').includes('json') ? JSON.parse(text) : text;
  };

/** All rows of a list, page after page. */
export async function list(call, path) {
  const items = [];
  for (let cursor = ''; ;) {
    const page = await call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=500${cursor}`);
    items.push(...page.items);
    if (!page.next) return items;
    cursor = `&cursor=${encodeURIComponent(page.next)}`;
  }
}
