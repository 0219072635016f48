import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { StartRefused, type OpenStore } from '@headworks/event-store';
import type { NewEvent } from '@headworks/kernel';
import {
  backupSqliteKeys,
  backupSqliteLog,
  carryKeys,
  carryLog,
  keyLines,
  logLines,
  openPostgresKeyStore,
  openPostgresStore,
  openSqliteKeyStore,
  openSqliteStore,
  type Carried,
} from '../../event-store/src/adapters';
import type { Config } from './config';
import { openKeys, verifyChainIn } from './maintenance';
import { nowOf, openLogBeside } from './storage';

/** Writes lines to a new file that only this user reads. It has its name when all of it is on the disk. */
async function writeFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  if (existsSync(path)) throw new StartRefused(`'${path}' stands already; name a file that does not.`);
  const part = `${path}.part`;
  try {
    const file = await open(part, 'w', 0o600);
    try {
      let text = '';
      for await (const line of lines) {
        text += line;
        if (text.length < 64 * 1024) continue;
        await file.write(text);
        text = '';
      }
      await file.write(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw fileRefusal(path, error);
  }
}

function linesOf(path: string): AsyncIterable<string> {
  if (!existsSync(path)) throw new StartRefused(`There is no file '${path}'.`);
  return createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

function fileRefusal(path: string, error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  return new StartRefused(
    `'${path}' can't be written (${code}); name a place with room that this user may write to.`,
    {
      cause: error,
    },
  );
}

/** Writes the log to a file, and the keys to another where one is named. A running server goes on meanwhile. */
export async function exportLogIn(config: Config, file: string, keysFile?: string): Promise<void> {
  const store = await openLogBeside(config);
  try {
    await writeFile(file, logLines(store));
  } finally {
    await store.close();
  }
  if (keysFile === undefined) return;
  const keys = await openKeys(config);
  try {
    await writeFile(keysFile, keyLines(keys));
  } finally {
    await keys.close();
  }
}

/** Carries exported files into the empty store that the configuration names. */
export async function importLogIn(
  config: Config,
  file: string,
  keysFile?: string,
): Promise<Carried & { readonly keys?: number }> {
  let keys: number | undefined;
  const carried = await carryLog(linesOf(file), async (first) => {
    const store = await openFor(config, first);
    // Only where the log may be carried are the keys, and before all of it is here: it is never opened without them.
    if (keysFile === undefined) return store;
    try {
      keys = await importKeys(config, keysFile);
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  });
  return { ...carried, ...(keys !== undefined && { keys }) };
}

function openFor(config: Config, carriedFrom: NewEvent): Promise<OpenStore> {
  const { clock, dataDir: dir, databaseUrl: url } = config;
  const options = { clock, now: nowOf(config), carriedFrom };
  return url === undefined ? openSqliteStore({ dir, ...options }) : openPostgresStore({ url, ...options });
}

async function importKeys({ dataDir: dir, databaseUrl: url }: Config, file: string): Promise<number> {
  const keys = url === undefined ? await openSqliteKeyStore({ dir }) : await openPostgresKeyStore({ url });
  try {
    return await carryKeys(linesOf(file), keys);
  } finally {
    await keys.close();
  }
}

/** Copies the log of an embedded server that may run, and reads the copy back; answers what is in it. */
export async function backupIn(
  config: Config,
  to: string,
): Promise<{ readonly line: string; readonly right: boolean }> {
  const file = backupSqliteLog(folderOf(config), to);
  const { streams, events, faults } = await verifyChainIn({ ...config, dataDir: to });
  const verdict = faults.length === 0 ? 'every hash is right' : faults.join(' ');
  return { line: `${file}: ${events} events in ${streams} streams, ${verdict}.`, right: faults.length === 0 };
}

export const backupKeysIn = (config: Config, to: string): string => backupSqliteKeys(folderOf(config), to);

function folderOf({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl === undefined) return dataDir;
  throw new StartRefused('The log is in PostgreSQL: back it up with pg_dump, or carry it with export-log.');
}
