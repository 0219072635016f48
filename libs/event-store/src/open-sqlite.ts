import { createRequire } from 'node:module';

export type SqliteValue = string | number | bigint | null | Uint8Array;
export type SqliteRow = Readonly<Record<string, SqliteValue>>;

export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: readonly SqliteValue[]): SqliteRow | undefined;
  all(...values: readonly SqliteValue[]): SqliteRow[];
}

/** What Headworks uses of the `node:sqlite` API. Every call is synchronous. */
export interface SqliteDatabase {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => SqliteDatabase;
}

/** Primary result codes of SQLite that are told apart here. */
export const SQLITE = {
  perm: 3,
  busy: 5,
  readonly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
} as const;

/** Node carries SQLite from 22.13 on; before that the same API comes prebuilt in a package. */
function sqliteModule(): SqliteModule {
  const builtin = process.getBuiltinModule('node:sqlite') as SqliteModule | undefined;
  return builtin ?? (createRequire(__filename)('@photostructure/sqlite') as SqliteModule);
}

/**
 * Opens a database file, made where there is none. The caller sets journal and sync modes: a file that turns out to be
 * somebody else's must not have been touched. Waits up to five seconds for another process's write.
 */
export function openSqlite(path: string, options: { readOnly?: boolean } = {}): SqliteDatabase {
  const { DatabaseSync } = sqliteModule();
  const db = new DatabaseSync(path, { readOnly: options.readOnly ?? false });
  db.exec('PRAGMA busy_timeout = 5000');
  return db;
}

/** Write-ahead log with a sync at every commit: what is acknowledged survives a power cut. */
export function makeDurable(db: SqliteDatabase): void {
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = FULL');
  db.exec('PRAGMA journal_size_limit = 67108864');
  // Streams are found by names that are spread at random, so by any page of the index: the usual 2 MB thrash.
  db.exec('PRAGMA cache_size = -65536');
}

/** Runs the work in one immediate transaction; where it throws, nothing of it stands. */
export function inTransaction<T>(db: SqliteDatabase, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has rolled back by itself after some errors (a full disk), and not after others.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** The primary result code of an error that SQLite raised, or undefined of any other error. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}
