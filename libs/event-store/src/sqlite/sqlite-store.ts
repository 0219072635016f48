import type { PreparedAppend } from '../encode';
import { judge } from '../judge';
import { numberedStore } from '../numbered-store';
import { CARRYING } from '../opening';
import type { LogOptions } from '../opening';
import { StoreUnavailable } from '../port';
import type { AppendVerdict, OpenStore } from '../port';
import { newBell } from '../reading';
import { prepareFolder } from './data-folder';
import { openLogFile } from './log-file';
import type { LogFile } from './log-file';
import { sqliteReads, sqliteStreams } from './log-rows';
import { inTransaction } from '../open-sqlite';
import type { SqliteDatabase } from '../open-sqlite';
import { takeWriterLock } from './writer-lock';

export interface SqliteOptions extends LogOptions {
  /** Folder of `log.sqlite`. */
  readonly dir: string;
  /** Reads beside the process that writes: takes no lock, refuses appends. For the command line. */
  readonly readOnly?: boolean;
}

const READER_POLL_MS = 250;

/** The log in a folder, one writer process at a time; `StartRefused` says in a sentence why it can't be opened. */
export async function openSqliteStore(options: SqliteOptions): Promise<OpenStore> {
  const { dir, readOnly = false } = options;
  if (!readOnly) prepareFolder(dir);
  const lock = readOnly ? undefined : takeWriterLock(dir);
  try {
    return sqliteStoreOn(openLogFile(options), { readOnly, released: () => lock?.release() });
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** The store over an opened file, which it closes at its end. */
export function sqliteStoreOn(
  { db, identity }: LogFile,
  { readOnly = false, released }: { readonly readOnly?: boolean; readonly released?: () => void } = {},
): OpenStore {
  return numberedStore(identity, {
    ...sqliteReads(db),
    writeBatch: readOnly ? refuseWriting : batchWriter(db, identity.storeId),
    carried: () => inTransaction(db, () => void db.prepare('DELETE FROM meta WHERE key = ?').run(CARRYING)),
    bell: newBell(),
    ...(readOnly ? { pollMs: READER_POLL_MS } : {}),
    end() {
      db.close();
      released?.();
    },
  });
}

/** Writes a batch in one transaction, or nothing of it. */
export function batchWriter(
  db: SqliteDatabase,
  storeId: string,
): (appends: readonly PreparedAppend[]) => readonly AppendVerdict[] {
  const streams = sqliteStreams(db);
  return (appends) => {
    try {
      return inTransaction(db, () => appends.map((append) => judge(append, storeId, streams)));
    } catch (error) {
      streams.forgetHeads();
      throw error;
    }
  };
}

function refuseWriting(): never {
  throw new StoreUnavailable('This process only reads the log; write through the one that runs.');
}
