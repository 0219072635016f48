import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@headworks/event-store';
import type { PostgresPool } from 'kysely';
import { Pool, type PoolClient } from 'pg';
import { freshDatabase } from '../../../../test/servers/fresh-database';
import type { SqliteDatabase } from '../database/sqlite-dialect';
import { openPostgresViews, openSqliteViews, type ViewDatabase } from '../database/view-database';

export const fs = { existsSync, renameSync };

/** A database for one test, that several processes may have open. */
export interface Place {
  readonly kind: ViewDatabase['kind'];
  /** File or URL, for a process of its own. */
  readonly where: string;
  /** As one more process would. Where `dies` says so, that process ends with the rows written and no checkpoint. */
  open(dies?: () => boolean): ViewDatabase;
  dispose(): Promise<void>;
}

export const placeKinds = ['sqlite', 'postgres'] as const;

export const newPlace = (kind: ViewDatabase['kind']): Promise<Place> =>
  kind === 'sqlite' ? Promise.resolve(sqlitePlace()) : postgresPlace();

/** For a child process: the database, and what happens as a checkpoint is about to be written. */
export function openAt(kind: ViewDatabase['kind'], where: string, atCheckpoint: () => void): ViewDatabase {
  if (kind === 'postgres') {
    const pool = new Pool({ connectionString: where });
    return openPostgresViews({ pool: watchedPool(pool, () => Promise.resolve(atCheckpoint())) });
  }
  return openSqliteViews({ file: where, open: (file) => watched(openSqlite(file), atCheckpoint), fs });
}

const isCheckpoint = (sql: string): boolean => sql.startsWith('update "view_checkpoints" set "token"');

function sqlitePlace(): Place {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-views-'));
  const where = join(dir, 'views.sqlite');
  const opened: ViewDatabase[] = [];
  return {
    kind: 'sqlite',
    where,
    open(dies = () => false) {
      const open = (file: string) => {
        const db = openSqlite(file);
        // Both of the test's processes are this one: whoever waited here would keep the other from going on.
        db.exec('PRAGMA busy_timeout = 0');
        return watched(db, () => {
          if (dies()) throw new Error('killed');
        });
      };
      const database = openSqliteViews({ file: where, open, fs });
      opened.push(database);
      return database;
    },
    async dispose() {
      for (const database of opened) await database.close();
      rmSync(dir, { recursive: true });
    },
  };
}

function watched(db: SqliteDatabase, atCheckpoint: () => void): SqliteDatabase {
  return {
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
    prepare(sql) {
      const statement = db.prepare(sql);
      if (!isCheckpoint(sql)) return statement;
      return {
        all: (...values) => statement.all(...values),
        run(...values) {
          atCheckpoint();
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
    where: fresh.url,
    open(dies = () => false) {
      const pool = new Pool({ connectionString: fresh.url, max: 8 });
      // A connection that the test ends is no fault of the pool's.
      pool.on('error', () => undefined);
      const database = openPostgresViews({
        pool: watchedPool(pool, async (client) => {
          if (!dies()) return;
          const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
          await fresh.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        }),
      });
      opened.push(database);
      return database;
    },
    async dispose() {
      for (const database of opened) await database.close();
      await fresh.drop();
    },
  };
}

function watchedPool(pool: Pool, atCheckpoint: (client: PoolClient) => Promise<void>): PostgresPool {
  // Kysely knows a connection by its object: the same one must be handed out for it each time.
  const known = new WeakMap<PoolClient, PoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const shown = known.get(client) ?? watchedClient(client, atCheckpoint);
      known.set(client, shown);
      return shown;
    },
    end: () => pool.end(),
  };
}

function watchedClient(client: PoolClient, atCheckpoint: (client: PoolClient) => Promise<void>): PoolClient {
  client.on('error', () => undefined);
  return new Proxy(client, {
    get(target, name) {
      if (name === 'query') {
        return async (sql: string, values: unknown[]) => {
          if (isCheckpoint(sql)) await atCheckpoint(target);
          return target.query(sql, values);
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
