import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite, type KeyStore, type OpenStore } from '@headworks/event-store';
import { openPostgresViews, openSqliteViews, type ViewDatabase } from '@headworks/read-models';
import { Pool } from 'pg';
import {
  openPostgresKeyStore,
  openPostgresStore,
  openSqliteKeyStore,
  openSqliteStore,
} from '../../event-store/src/adapters';
import { VIRTUAL_FLOOR } from './clocks';
import type { Config } from './config';

/** The three stores of a mode: log, keys, views. The one place that chooses adapters. */
export interface Storage {
  readonly store: OpenStore;
  readonly keys: KeyStore;
  readonly database: ViewDatabase;
  /** Only this process appends: embedded mode holds the folder's lock. */
  readonly singleWriter: boolean;
  /** Where it is, for people. */
  readonly where: string;
}

/** `readOnly`: beside a running server, for the command line. */
export async function openStorage(config: Config, readOnly = false): Promise<Storage> {
  return config.databaseUrl === undefined
    ? openEmbedded(config, readOnly)
    : openCounty(config, config.databaseUrl);
}

export const nowOf = (config: Config) => (): string =>
  config.clock === 'virtual' ? VIRTUAL_FLOOR : new Date().toISOString();

/** The log alone, to be read beside whoever writes it. */
export function openLogBeside(config: Config): Promise<OpenStore> {
  const { databaseUrl: url, dataDir: dir, clock } = config;
  const options = { clock, now: nowOf(config) };
  return url === undefined
    ? openSqliteStore({ dir, ...options, readOnly: true })
    : openPostgresStore({ url, ...options });
}

/** Log and views of embedded mode for the thread that folds: the log to read, the views to write. */
export async function openViewsReader(config: Config): Promise<Pick<Storage, 'store' | 'database'>> {
  const { dataDir: dir, clock } = config;
  const store = await openSqliteStore({ dir, clock, now: nowOf(config), readOnly: true });
  return { store, database: viewsIn(dir) };
}

const viewsIn = (dir: string): ViewDatabase =>
  openSqliteViews({
    file: join(dir, 'views.sqlite'),
    open: (file) => openSqlite(file),
    fs: { existsSync, renameSync },
  });

async function openEmbedded(config: Config, readOnly: boolean): Promise<Storage> {
  const dir = config.dataDir;
  const store = await openSqliteStore({ dir, clock: config.clock, now: nowOf(config), readOnly });
  const keys = await openSqliteKeyStore({ dir });
  return { store, keys, database: viewsIn(dir), singleWriter: true, where: dir };
}

async function openCounty(config: Config, url: string): Promise<Storage> {
  const store = await openPostgresStore({ url, clock: config.clock, now: nowOf(config) });
  const keys = await openPostgresKeyStore({ url });
  const pool = new Pool({ connectionString: url, max: 8 });
  // An idle connection that breaks is replaced at the next query; unheard, its error would end the process.
  pool.on('error', () => undefined);
  const database = openPostgresViews({ pool });
  return { store, keys, database, singleWriter: false, where: withoutPassword(url) };
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  return shown.toString();
}

/** In the order in which they may go: views first, the log last. */
export async function closeStorage({ store, keys, database }: Storage): Promise<void> {
  await database.close();
  await keys.close();
  await store.close();
}
