import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../open-sqlite';
import { StartRefused } from '../port';
import { refusing } from './data-folder';
import { LOG_FILE } from './log-file';
import { KEYS_FILE } from './sqlite-keys';

/**
 * Copies a file of the data folder while the server goes on: what one reading sees, so no commit is in it by half. The
 * copy stands under its name only when all of it is on the disk.
 */
function copyFile(from: string, dir: string, name: string): string {
  const [source, target] = [join(from, name), join(dir, name)];
  if (!existsSync(source)) {
    throw new StartRefused(`There is no '${source}'; name the DATA_DIR of a server that was started once.`);
  }
  if (existsSync(target)) {
    throw new StartRefused(`'${target}' stands already; back up into another folder, one each time.`);
  }
  refusing(dir, target, () => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const part = `${target}.part`;
    rmSync(part, { force: true });
    const db = openSqlite(source, { readOnly: true });
    try {
      db.prepare('VACUUM INTO ?').run(part);
    } finally {
      db.close();
    }
    sync(part);
    renameSync(part, target);
    sync(dir);
  });
  return target;
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

/** A copy of the log of a data folder; answers where it stands. */
export const backupSqliteLog = (from: string, dir: string): string => copyFile(from, dir, LOG_FILE);

/** A copy of the keys, to be kept apart from that of the log: whoever has both reads every personal field. */
export const backupSqliteKeys = (from: string, dir: string): string => copyFile(from, dir, KEYS_FILE);
