import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, createKey, readConfig, type Config, type Program } from '@headworks/wiring';
import { loadRules, type RuleSet } from '@headworks/rules-engine';
import { createApp, type ApiApp } from '../../../apps/api/src/create-app';
import { freshDatabase, type FreshDatabase } from '../../servers/fresh-database';
import type { Answered, Json } from './answered';
import { shapesOf, type Shapes } from './shapes';

export type { Answered, Json };

export const STORES = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof STORES)[number];

export const ADMIN = 'hw_end-to-end-administrator-key-0123456789';
export const TOWN = 'wi-whitewater-town';
export const PACK = 'whitewater-sludge';

export interface CallOptions {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of the JSON of a body. */
  readonly raw?: string | Uint8Array;
}

export interface Api {
  readonly program: Program;
  readonly app: ApiApp;
  readonly base: string;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answered>;
  get(path: string, options?: CallOptions): Promise<Answered>;
  post(path: string, body: unknown, options?: CallOptions): Promise<Answered>;
  /** Moves the virtual clock. */
  at(now: string): Promise<Answered>;
  /** A key of these roles; of the town unless other jurisdictions are named, and holding H-1 where nothing else is. */
  keyOf(
    roles: readonly string[],
    jurisdictions?: readonly string[],
    holds?: readonly { readonly kind: string; readonly key: string }[],
  ): Promise<string>;
  /** Events in the log. */
  count(): Promise<number>;
  /** Stops the program and starts it again on the same data. */
  restart(): Promise<Api>;
  stop(): Promise<void>;
}

interface Place {
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

async function placeOf(store: StoreKind): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-e2e-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  if (store === 'sqlite') return { env: { DATA_DIR: dir }, remove: async () => remove() };
  const database: FreshDatabase = await freshDatabase();
  return {
    env: { DATA_DIR: dir, DATABASE_URL: database.url },
    async remove() {
      await database.drop();
      remove();
    },
  };
}

const RULES = join(__dirname, '../../../rules');
/** Read once each: a rule set never changes, and reading it takes longer than all else of a start. */
const ruleSets = new Map<string, RuleSet>();
function rulesIn(dir: string): RuleSet {
  const rules = ruleSets.get(dir) ?? loadRules(dir);
  ruleSets.set(dir, rules);
  return rules;
}

/** The whole program over real HTTP, on a free port and data of its own. Every answer is held against /openapi.json. */
export async function startApi(
  store: StoreKind,
  clock: 'virtual' | 'real' = 'virtual',
  env: Readonly<Record<string, string>> = {},
  /** Works on the empty place before the program starts there. */
  before: (config: Config) => Promise<unknown> = () => Promise.resolve(),
): Promise<Api> {
  const made = await placeOf(store);
  const place = { ...made, env: { ...made.env, ...env } };
  await before(configOf(place, clock));
  return startIn(place, clock);
}

const configOf = (place: Place, clock: 'virtual' | 'real'): Config =>
  readConfig({
    ...place.env,
    PORT: '0',
    RULES_DIR: place.env['RULES_DIR'] ?? RULES,
    HEADWORKS_CLOCK: clock,
    HEADWORKS_BOOTSTRAP_KEY: ADMIN,
  });

async function startIn(place: Place, clock: 'virtual' | 'real'): Promise<Api> {
  const config = configOf(place, clock);
  const program = await compose(config, { rules: rulesIn(config.rulesDir) });
  const app = await createApp(program);
  const base = await app.listen(0, '127.0.0.1');
  const shapes = shapesOf(app.document());
  const call = caller(base, shapes);
  const halt = async (): Promise<void> => {
    await app.close();
    await program.close();
  };
  return {
    ...{ program, app, base, call },
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    at: (now) => call('PUT', '/v1/sandbox/clock', { now }),
    async keyOf(roles, jurisdictions = [TOWN], holds = [{ kind: 'hauler', key: 'H-1' }]) {
      const made = { name: roles.join(), roles, jurisdictions, holds, createdAt: '2027-01-01T00:00:00.000Z' };
      return (await createKey(program.keys, made)).secret;
    },
    async count() {
      let events = 0;
      for await (const batch of program.services.store.readAll()) events += batch.length;
      return events;
    },
    async restart() {
      await halt();
      return startIn(place, clock);
    },
    async stop() {
      await halt();
      await place.remove();
    },
  };
}

function caller(base: string, shapes: Shapes): Api['call'] {
  return async (method, path, body, { key = ADMIN, headers = {}, raw } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    const text = await response.text();
    const answered = { status: response.status, headers: response.headers, text, body: bodyOf(text) };
    shapes.expectDocumented(method, path, answered);
    return answered;
  };
}

function bodyOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}
