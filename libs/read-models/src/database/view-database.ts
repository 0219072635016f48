import { StartRefused } from '@headworks/event-store';
import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import { sqliteDialect, type SqliteDatabase } from './sqlite-dialect';

export type StoredValue = string | number | null;
export type StoredRow = { [column: string]: StoredValue };
/** Tables are named by view and version, so no type can list them: each view's own types stand above this. */
export type ViewTables = { [table: string]: StoredRow };

export type Queries = Kysely<ViewTables> | Transaction<ViewTables>;

export interface ViewDatabase {
  readonly kysely: Kysely<ViewTables>;
  readonly kind: 'sqlite' | 'postgres';
  /** Where an unusable file was moved to before this one was begun: worth telling the operator. */
  readonly movedAside?: string;
  close(): Promise<void>;
}

/** What is used of `node:fs`. */
interface Files {
  existsSync(path: string): boolean;
  renameSync(from: string, to: string): void;
}

export interface SqliteViewsOptions {
  /** `views.sqlite` in DATA_DIR; whoever opens it holds that folder's lock. */
  readonly file: string;
  readonly open: (file: string) => SqliteDatabase;
  readonly fs: Files;
}

/** Marks the file as ours ("HWVW"), so that another program's database is never written to. */
const APPLICATION_ID = 0x48575657;
/** Version of the table of checkpoints. A file with another one is built again. */
const LAYOUT = 1;

/**
 * The views of embedded mode. The file can always be built again from the log, so it needs no sync at every commit, and
 * one that is damaged or not ours is moved aside rather than repaired.
 */
export function openSqliteViews({ file, open, fs }: SqliteViewsOptions): ViewDatabase {
  const usable = openUsable(file, open);
  if (usable) return sqliteViews(usable);
  const movedAside = moveAside(file, fs);
  const fresh = openUsable(file, open);
  if (!fresh) throw new StartRefused(`'${file}' can't be made; look at the disk or use another DATA_DIR.`);
  return { ...sqliteViews(fresh), movedAside };
}

function sqliteViews(db: SqliteDatabase): ViewDatabase {
  const kysely = new Kysely<ViewTables>({ dialect: sqliteDialect(db) });
  return { kysely, kind: 'sqlite', close: () => kysely.destroy() };
}

/** The pool is the views' own from here on: closing them ends it. */
export function openPostgresViews({ pool }: { readonly pool: PostgresPool }): ViewDatabase {
  const kysely = new Kysely<ViewTables>({ dialect: new PostgresDialect({ pool }) });
  return { kysely, kind: 'postgres', close: () => kysely.destroy() };
}

function openUsable(file: string, open: SqliteViewsOptions['open']): SqliteDatabase | undefined {
  let db: SqliteDatabase | undefined;
  try {
    db = open(file);
    const contents = contentsOf(db);
    if (contents === 'unusable') {
      db.close();
      return undefined;
    }
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = NORMAL');
    db.exec('PRAGMA journal_size_limit = 67108864');
    // A batch of loads changes hundreds of pages, the same ones again and again: they go to the file once in 32 MB.
    db.exec('PRAGMA wal_autocheckpoint = 8000');
    // Ids are spread at random over every index: 2 MB of pages, which is usual, would be read again and again.
    db.exec('PRAGMA cache_size = -65536');
    // Not said again on a file of ours: that would be a write, which waits for whoever writes to it now.
    if (contents === 'none') {
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      db.exec(`PRAGMA user_version = ${LAYOUT}`);
    }
    return db;
  } catch (error) {
    db?.close();
    if (isDamage(error)) return undefined;
    throw new StartRefused(
      `'${file}' can't be opened (${(error as Error).message}); repair that or use another DATA_DIR.`,
      { cause: error },
    );
  }
}

/** Asked before anything is written. */
function contentsOf(db: SqliteDatabase): 'none' | 'ours' | 'unusable' {
  const value = (sql: string): unknown => Object.values(db.prepare(sql).all()[0] ?? {})[0];
  const id = value('PRAGMA application_id');
  if (id === 0 && value('SELECT count(*) FROM sqlite_master') === 0) return 'none';
  const ours = id === APPLICATION_ID && value('PRAGMA user_version') === LAYOUT;
  return ours && value('PRAGMA quick_check(1)') === 'ok' ? 'ours' : 'unusable';
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE = new Set([11, 26]);

const DAMAGE_WORDS = /^(database disk image is malformed|file is not a database)$/;

export function isDamage(error: unknown): boolean {
  const { errcode, message } = error as { errcode?: unknown; message?: unknown };
  if (typeof errcode === 'number') return DAMAGE.has(errcode & 0xff);
  // The driver of Node 20 gives the errors of `all` no code.
  return typeof message === 'string' && DAMAGE_WORDS.test(message);
}

/** Its write-ahead files go with it: the next file of this name must not find them. */
function moveAside(file: string, fs: Files): string {
  let n = 1;
  while (fs.existsSync(`${file}.aside-${n}`)) n++;
  const aside = `${file}.aside-${n}`;
  for (const part of ['-wal', '-shm', '']) {
    if (fs.existsSync(`${file}${part}`)) fs.renameSync(`${file}${part}`, `${aside}${part}`);
  }
  return aside;
}
