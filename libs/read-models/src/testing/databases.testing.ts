import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@headworks/event-store';
import type { PostgresPool } from 'kysely';
import { Pool } from 'pg';
import { freshDatabase } from '../../../../test/servers/fresh-database';
import type { SqliteDatabase } from '../database/sqlite-dialect';
import { openPostgresViews, openSqliteViews, type ViewDatabase } from '../database/view-database';

export const fs = { existsSync, renameSync };

/** A database for one test, that several processes may have open. */
export interface Place {
  readonly kind: ViewDatabase['kind'];
  /** As one more process would; `onCommit` runs before the checkpoint is written, in the transaction that has the rows. */
  open(onCheckpoint?: () => void | Promise<void>): ViewDatabase;
  dispose(): Promise<void>;
}

export const placeKinds = ['sqlite', 'postgres'] as const;

export const newPlace = (kind: ViewDatabase['kind']): Promise<Place> =>
  kind === 'sqlite' ? Promise.resolve(sqlitePlace()) : postgresPlace();

const isCheckpoint = (sql: string): boolean => sql.startsWith('update "view_checkpoints" set "token"');

function sqlitePlace(): Place {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-views-'));
  const opened: ViewDatabase[] = [];
  return {
    kind: 'sqlite',
    open(onCheckpoint) {
      const open = (file: string) => watched(openSqlite(file), onCheckpoint);
      const database = openSqliteViews({ file: join(dir, 'views.sqlite'), open, fs });
      opened.push(database);
      return database;
    },
    async dispose() {
      for (const database of opened) await database.close();
      rmSync(dir, { recursive: true });
    },
  };
}

function watched(db: SqliteDatabase, onCheckpoint?: () => void | Promise<void>): SqliteDatabase {
  if (!onCheckpoint) return db;
  return {
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
    prepare(sql) {
      const statement = db.prepare(sql);
      if (!isCheckpoint(sql)) return statement;
      return {
        all: (...values) => statement.all(...values),
        run(...values) {
          void onCheckpoint();
          return statement.run(...values);
        },
      };
    },
  };
}

async function postgresPlace(): Promise<Place> {
  const fresh = await freshDatabase();
  const opened: ViewDatabase[] = [];
  return {
    kind: 'postgres',
    open(onCheckpoint) {
      const pool = new Pool({ connectionString: fresh.url, max: 8 });
      // A connection that the test ends is no fault of the pool's.
      pool.on('error', () => undefined);
      const database = openPostgresViews({ pool: watchedPool(pool, onCheckpoint) });
      opened.push(database);
      return database;
    },
    async dispose() {
      for (const database of opened) await database.close();
      await fresh.drop();
    },
  };
}

function watchedPool(pool: Pool, onCheckpoint?: () => void | Promise<void>): PostgresPool {
  if (!onCheckpoint) return pool;
  return {
    async connect() {
      const client = await pool.connect();
      client.on('error', () => undefined);
      return new Proxy(client, {
        get(target, name) {
          if (name !== 'query') {
            const member: unknown = Reflect.get(target, name);
            return typeof member === 'function' ? (member.bind(target) as unknown) : member;
          }
          return async (sql: string, values: unknown[]) => {
            if (isCheckpoint(sql)) await onCheckpoint();
            return target.query(sql, values);
          };
        },
      });
    },
    end: () => pool.end(),
  };
}
