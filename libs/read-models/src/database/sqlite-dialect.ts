import {
  CompiledQuery,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';

type Value = string | number | bigint | null | Uint8Array;

interface Statement {
  run(...values: readonly Value[]): { changes: number | bigint };
  all(...values: readonly Value[]): Readonly<Record<string, Value>>[];
}

/** What is used of the `node:sqlite` API; wiring hands in the opener, so that this library names no driver. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** Kysely over the `node:sqlite` API: one connection, which its users hold in turn. */
export const sqliteDialect = (db: SqliteDatabase): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => sqliteDriver(db),
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

function sqliteDriver(db: SqliteDatabase): Driver {
  const connection = sqliteConnection(db);
  const execute = async (sql: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  // The last in the queue for the connection; whoever comes waits for it to be done.
  let last: Promise<void> = Promise.resolve();
  let release: () => void = () => undefined;
  return {
    init: async () => undefined,
    async acquireConnection() {
      const before = last;
      let done: () => void = () => undefined;
      last = new Promise((resolve) => (done = resolve));
      await before;
      release = done;
      return connection;
    },
    releaseConnection: async () => release(),
    // A writer takes its lock at once: one that only asks for it at its first write can be refused half-way.
    beginTransaction: (_, { accessMode }: TransactionSettings) =>
      execute(accessMode === 'read only' ? 'begin' : 'begin immediate'),
    commitTransaction: () => execute('commit'),
    rollbackTransaction: () => execute('rollback'),
    destroy: async () => db.close(),
  };
}

/** More texts than the views have: only the number of rows of an insert varies. */
const STATEMENTS = 500;

function sqliteConnection(db: SqliteDatabase): DatabaseConnection {
  const prepared = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= STATEMENTS) prepared.clear();
    const statement = db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  return {
    async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
      const statement = prepare(sql);
      const values = parameters as readonly Value[];
      if (SelectQueryNode.is(query) || query.kind === 'RawNode') {
        return { rows: statement.all(...values) as R[] };
      }
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    },
    streamQuery() {
      throw new Error('The views are read in pages; ask for a page instead of a stream.');
    },
  };
}
