import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { StartRefused } from '../port';
import { refusing } from './data-folder';
import { openSqlite, SQLITE, sqliteCode } from '../open-sqlite';
import type { SqliteDatabase } from '../open-sqlite';

const LOCK_FILE = 'lock.sqlite';
const HOLDER_FILE = 'headworks.pid';

export interface WriterLock {
  release(): void;
}

/**
 * One writer process a folder. The lock is the operating system's own, held through SQLite on a file of its own: it
 * ends with the process however that ends, so no lock is ever stale, a number that another process got since means
 * nothing, and two containers that both are process 1 see each other. The file with the process number only serves
 * the sentence.
 */
export function takeWriterLock(dir: string): WriterLock {
  const holder = join(dir, HOLDER_FILE);
  const db = refusing(dir, join(dir, LOCK_FILE), () => openSqlite(join(dir, LOCK_FILE)));
  refusing(dir, join(dir, LOCK_FILE), () => {
    try {
      // Whoever holds it holds it for long: waiting would only delay the answer.
      db.exec('PRAGMA busy_timeout = 0');
      db.exec('BEGIN EXCLUSIVE');
      writeFileSync(holder, JSON.stringify({ process: process.pid, host: hostname() }));
    } catch (error) {
      db.close();
      throw sqliteCode(error) === SQLITE.busy ? runsAlready(dir, holder) : error;
    }
  });
  return { release: () => release(db, holder) };
}

function release(db: SqliteDatabase, holder: string): void {
  rmSync(holder, { force: true });
  // The lock file itself stays: removing it would let two processes lock two files of one name.
  db.close();
}

function runsAlready(dir: string, holder: string): StartRefused {
  return new StartRefused(
    `Headworks already runs on '${dir}' (${holderName(holder)}); stop it or use another DATA_DIR.`,
  );
}

function holderName(holder: string): string {
  try {
    const { process, host } = JSON.parse(readFileSync(holder, 'utf8')) as { process: number; host: string };
    return host === hostname() ? `process ${process}` : `process ${process} on ${host}`;
  } catch {
    // It has taken the lock and not yet written its number.
    return 'a process that is just starting';
  }
}
