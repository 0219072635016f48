import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from '../encode';
import { beginLog, identityRows, LOG_STREAM, readIdentity } from '../opening';
import type { LogIdentity, LogOptions } from '../opening';
import { StartRefused } from '../port';
import { refusing } from './data-folder';
import { sqliteStreams } from './log-rows';
import { inTransaction, makeDurable, openSqlite } from '../open-sqlite';
import type { SqliteDatabase } from '../open-sqlite';

export const LOG_FILE = 'log.sqlite';

/** Marks the file as ours ("HWLG"), so that another program's database is never written to. */
const APPLICATION_ID = 0x48574c47;

/** The rows of the log can be added and read, and by no statement changed. */
const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    bytes BLOB NOT NULL,
    hash BLOB NOT NULL,
    recorded_max TEXT NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT;
  CREATE TRIGGER events_never_change BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'an event is never changed; append a correction'); END;
  CREATE TRIGGER events_never_go BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'an event is never removed; append a correction'); END;
`;

export interface LogFile {
  readonly db: SqliteDatabase;
  readonly identity: LogIdentity;
}

export interface OpenLogFile extends LogOptions {
  readonly dir: string;
  readonly readOnly?: boolean;
}

/**
 * Opens the log of the folder, or begins one: tables and first event are one transaction, so a process killed in
 * between leaves an empty file, which the next start takes as new.
 */
export function openLogFile(options: OpenLogFile): LogFile {
  const { dir, readOnly = false } = options;
  const file = join(dir, LOG_FILE);
  if (readOnly && !existsSync(file)) {
    throw new StartRefused(
      `There is no log in '${dir}'; start Headworks on it once, or name another DATA_DIR.`,
    );
  }
  return refusing(dir, file, () => {
    const db = openSqlite(file, { readOnly });
    try {
      return { db, identity: readOnly ? identityOf(db, options) : readOrBegin(db, options) };
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function readOrBegin(db: SqliteDatabase, options: OpenLogFile): LogIdentity {
  // Looked at before the first write: setting the journal mode would already change another program's file.
  const empty = count(db, 'SELECT count(*) AS n FROM sqlite_master') === 0;
  if (!empty) {
    const identity = identityOf(db, options);
    makeDurable(db);
    inTransaction(db, () => db.exec(`PRAGMA application_id = ${APPLICATION_ID}`));
    return identity;
  }
  const { identity, event } = beginLog(options);
  makeDurable(db);
  inTransaction(db, () => {
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(TABLES);
    const insert = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
    for (const row of identityRows(identity)) insert.run(...row);
    sqliteStreams(db).write(
      prepare(identity.logId, { stream: LOG_STREAM, expected: 'none', events: [event] }),
    );
  });
  return identity;
}

function identityOf(db: SqliteDatabase, options: OpenLogFile): LogIdentity {
  const ours = Number(db.prepare('PRAGMA application_id').get()?.['application_id']) === APPLICATION_ID;
  const rows = ours ? db.prepare('SELECT key, value FROM meta').all() : [];
  return readIdentity(
    new Map(rows.map(({ key, value }) => [String(key), String(value)])),
    options,
    `'${join(options.dir, LOG_FILE)}'`,
  );
}

const count = (db: SqliteDatabase, sql: string): number => Number(db.prepare(sql).get()?.['n']);
