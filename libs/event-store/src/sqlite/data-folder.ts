import { accessSync, constants, mkdirSync, statfsSync, statSync } from 'node:fs';
import { StartRefused } from '../port';
import { SQLITE, sqliteCode } from '../open-sqlite';

/** Makes the folder where there is none; refuses the start in one sentence where it can't hold a log. */
export function prepareFolder(dir: string): void {
  refusing(dir, dir, () => {
    mkdirSync(dir, { recursive: true });
    if (!statSync(dir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  });
}

/** Runs a step of the start; an error of the file system or of SQLite becomes a sentence that says what to do. */
export function refusing<T>(dir: string, file: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    throw new StartRefused(sentence(dir, file, error), { cause: error });
  }
}

function sentence(dir: string, file: string, error: unknown): string {
  switch (trouble(dir, error)) {
    case 'not-a-folder':
      return `DATA_DIR '${dir}' is not a folder; name one that Headworks may write to.`;
    case 'not-writable':
      return `The folder '${dir}' can't be written by this user; let it write there or use another DATA_DIR.`;
    case 'full':
      return `The disk that holds '${dir}' is full; free some space and start again.`;
    case 'foreign':
      return `'${file}' is no Headworks file; move it away or use another DATA_DIR.`;
    case 'damaged':
      return `'${file}' is damaged; restore the folder from a backup.`;
    case 'busy':
      return `Another program holds '${file}' locked; close it and start again.`;
    case 'unknown':
      return `'${file}' can't be opened (${(error as Error).message}); repair that or use another DATA_DIR.`;
  }
}

type Trouble = 'not-a-folder' | 'not-writable' | 'full' | 'foreign' | 'damaged' | 'busy' | 'unknown';

const BY_SYSTEM_CODE: Readonly<Record<string, Trouble>> = {
  ENOTDIR: 'not-a-folder',
  EEXIST: 'not-a-folder',
  EACCES: 'not-writable',
  EPERM: 'not-writable',
  EROFS: 'not-writable',
  ENOSPC: 'full',
  EDQUOT: 'full',
};

const BY_SQLITE_CODE: Readonly<Record<number, Trouble>> = {
  [SQLITE.perm]: 'not-writable',
  [SQLITE.readonly]: 'not-writable',
  [SQLITE.cantOpen]: 'not-writable',
  [SQLITE.full]: 'full',
  [SQLITE.notADatabase]: 'foreign',
  [SQLITE.corrupt]: 'damaged',
  [SQLITE.busy]: 'busy',
};

function trouble(dir: string, error: unknown): Trouble {
  const code = sqliteCode(error);
  // A full disk also shows as a failed write of the shared index or of the first page, without saying so.
  if ((code === SQLITE.io || code === SQLITE.cantOpen) && isFull(dir)) return 'full';
  if (code !== undefined) return BY_SQLITE_CODE[code] ?? 'unknown';
  return BY_SYSTEM_CODE[String((error as NodeJS.ErrnoException).code)] ?? 'unknown';
}

function isFull(dir: string): boolean {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize < 128 * 1024;
}
