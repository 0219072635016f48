import { freshDatabase } from '../../../../test/servers/fresh-database';
import type { FreshDatabase } from '../../../../test/servers/fresh-database';
import { startTransactionPooler } from '../../../../test/servers/transaction-pooler';
import { followFor, readEverything, written } from '../contract/contract-check';
import { request } from '../contract/sample-events';
import { StartRefused, StoreUnavailable } from '../port';
import type { OpenStore } from '../port';
import { verifyChain } from '../verify-chain';
import { checkServer } from './check-server';
import type { ServerFacts } from './check-server';
import { openPostgresStore } from './postgres-store';
import type { PostgresOptions } from './postgres-store';

const OPENED = '2000-01-01T00:00:00.000Z';
const databases: FreshDatabase[] = [];
const stores: OpenStore[] = [];

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await Promise.all(databases.splice(0).map((database) => database.drop()));
});

async function newDatabase(options?: string): Promise<FreshDatabase> {
  const database = await freshDatabase(options);
  databases.push(database);
  return database;
}

async function open(url: string, patch: Partial<PostgresOptions> = {}): Promise<OpenStore> {
  const store = await openPostgresStore({ url, clock: 'real', now: () => OPENED, ...patch });
  stores.push(store);
  return store;
}

/** The sentence that the start is refused with: one sentence, and it says what to do. */
async function refusal(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (raised: unknown) => raised,
  );
  expect(error).toBeInstanceOf(StartRefused);
  const { message } = error as StartRefused;
  expect(message).toMatch(/^[^\n]*[.]$/);
  return message;
}

const SOUND: ServerFacts = {
  version: 150_018,
  fsync: 'on',
  full_page_writes: 'on',
  encoding: 'UTF8',
  replica: false,
  read_only: 'off',
};

describe('the check of the server', () => {
  it.each([150_000, 160_009, 189_999])('passes a sound one of version %i', (version) => {
    expect(() => checkServer({ ...SOUND, version }, 'db:5432/log')).not.toThrow();
  });

  it.each<[Partial<ServerFacts>, string]>([
    [{ version: 149_999 }, 'has version 14 and must have 15 to 18; upgrade it or this release of Headworks'],
    [{ version: 190_000 }, 'has version 19 and must have 15 to 18; upgrade it or this release of Headworks'],
    [{ fsync: 'off' }, 'runs without fsync and would lose events in a power cut; set fsync = on'],
    [
      { full_page_writes: 'off' },
      'runs without full_page_writes and could tear pages in a power cut; set full_page_writes = on',
    ],
    [
      { encoding: 'LATIN1' },
      "stores text as LATIN1; make the database with ENCODING 'UTF8' TEMPLATE template0",
    ],
    [{ replica: true }, 'is a replica that takes no writes; name the primary in DATABASE_URL'],
    [{ read_only: 'on' }, 'is set to read only; turn off default_transaction_read_only'],
  ])('refuses %j with the fix', (facts, why) => {
    expect(() => checkServer({ ...SOUND, ...facts }, 'db:5432/log')).toThrow(
      new StartRefused(`PostgreSQL at db:5432/log ${why}.`),
    );
  });
});

describe('a start is refused in one sentence', () => {
  it('on a database of another encoding', async () => {
    const { url } = await newDatabase("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
    expect(await refusal(open(url))).toMatch(/stores text as LATIN1; make the database with/);
  });

  it('on a database that is set to read only', async () => {
    const database = await newDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    expect(await refusal(open(database.url))).toMatch(
      /is set to read only; turn off default_transaction_read_only/,
    );
  });

  it('through a pooler that changes the session between transactions', async () => {
    const { url } = await newDatabase();
    const pooler = await startTransactionPooler(url);
    expect(await refusal(open(pooler.url))).toMatch(
      /^The pooler at 127\.0\.0\.1:\d+\/\w+ gives each transaction another session; set pool_mode = session/,
    );
    await pooler.stop();
  });

  it('on a log of another clock, or of a later release', async () => {
    const database = await newDatabase();
    await open(database.url, { clock: 'virtual' });
    expect(await refusal(open(database.url))).toMatch(
      /was opened with a virtual clock and can't go on with a real one; start with HEADWORKS_CLOCK=virtual/,
    );
    await database.query("UPDATE headworks_log.meta SET value = '2' WHERE key = 'schema'");
    expect(await refusal(open(database.url))).toMatch(/has schema 2 and this release knows 1/);
  });

  it('on a schema of our name that is no log', async () => {
    const database = await newDatabase();
    await database.query('CREATE SCHEMA headworks_log');
    expect(await refusal(open(database.url))).toMatch(
      /The schema headworks_log at .* is no Headworks log; rename it/,
    );
    await database.query('CREATE TABLE headworks_log.meta (key text, value text)');
    expect(await refusal(open(database.url))).toMatch(/is no Headworks log; move it away/);
  });

  it('for a user who may not make tables, an unknown user, and no such database', async () => {
    const database = await newDatabase();
    const name = `plain_${new URL(database.url).pathname.slice(-8)}`;
    await database.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
    const as = (user: string) =>
      Object.assign(new URL(database.url), { username: user, password: 'secret' }).href;
    expect(await refusal(open(as(name)))).toMatch(/may not make tables at .*; run GRANT CREATE ON DATABASE/);
    const unknown = await refusal(open(as('nobody_at_all')));
    expect(unknown).toMatch(/refuses the user; correct user and password in DATABASE_URL/);
    expect(unknown).not.toContain('secret');
    const missing = Object.assign(new URL(database.url), { pathname: '/missing' }).href;
    expect(await refusal(open(missing))).toMatch(/has no such database; create it or correct DATABASE_URL/);
    await database.query(`DROP ROLE ${name}`);
  });

  it('without a server, and for what is no URL', async () => {
    const away = await refusal(open('postgres://u:secret@127.0.0.1:1/log'));
    expect(away).toMatch(
      /^PostgreSQL at 127\.0\.0\.1:1\/log does not answer \(.*\); start it or correct DATABASE_URL\.$/,
    );
    expect(away).not.toContain('secret');
    for (const url of ['nonsense', 'mysql://host/db', '']) {
      expect(await refusal(open(url))).toMatch(/^DATABASE_URL can not be read; write it as postgres:/);
    }
  });
});

describe('a log in a database', () => {
  it('is begun once by two processes that start at once, and found again', async () => {
    const { url } = await newDatabase();
    const [one, two] = await Promise.all([open(url), open(url)]);
    expect(one.storeId).toBe(two.storeId);
    expect(await readEverything(one)).toHaveLength(1);
    const { head } = await written(one.append(request('s', 'none', 'a')));
    await written(two.append(request('s', head, 'b')));
    const again = await open(url);
    expect(again).toMatchObject({ storeId: one.storeId, logId: one.logId, clock: 'real' });
    expect(verifyChain(await readEverything(again), again.logId)).toMatchObject({ ok: true, events: 3 });
  });

  it('never lets a row be changed, removed or emptied', async () => {
    const database = await newDatabase();
    await open(database.url);
    for (const sql of [
      "UPDATE headworks_log.events SET type = 'x'",
      'DELETE FROM headworks_log.events',
      'TRUNCATE headworks_log.events',
    ]) {
      await expect(database.query(sql)).rejects.toThrow('an event is never changed or removed');
    }
  });

  it('is written with a sync to the disk, whatever the database says', async () => {
    const database = await newDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    const store = await open(database.url);
    // Seen from inside the transaction of the append itself.
    await database.query('CREATE TABLE seen (setting text)');
    await database.query(`CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$`);
    await database.query(
      'CREATE TRIGGER see AFTER INSERT ON headworks_log.events FOR EACH ROW EXECUTE FUNCTION see()',
    );
    await written(store.append(request('s', 'none', 'a')));
    expect(await database.query('SELECT setting FROM seen')).toEqual([{ setting: 'on' }]);
  });

  it('is not written under an isolation that would read an old head', async () => {
    const database = await newDatabase();
    await open(database.url);
    const call = `BEGIN ISOLATION LEVEL REPEATABLE READ;
      SELECT * FROM headworks_log.append_batch('{}', '{}', '', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '', '')`;
    await expect(database.query(call)).rejects.toThrow(
      'append_batch needs the isolation level read committed',
    );
  });

  it('wakes followers of other processes by notice, long before they would poll', async () => {
    const { url } = await newDatabase();
    const never = 3_600_000;
    const [one, two] = [await open(url, { pollMs: never }), await open(url, { pollMs: never })];
    const following = followFor(two, 3);
    await written(one.append(request('s', 'none', 'a')));
    await written(one.append(request('t', 'none', 'a')));
    expect((await following).map(({ stream }) => stream)).toEqual(['log', 's', 't']);
  });
});

describe('a database that is lost', () => {
  const endSessions = (database: FreshDatabase) =>
    database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );

  it('is found again by appends, reads and followers', async () => {
    const database = await newDatabase();
    const store = await open(database.url, { pollMs: 50 });
    const { head } = await written(store.append(request('s', 'none', 'a')));
    const following = followFor(store, 3);
    await endSessions(database);
    // The first calls may meet the lost connection; each says so with the one error that callers know.
    let last: unknown;
    for (let tries = 0; tries < 5; tries++) {
      last = await store.append(request('s', head, 'b')).catch((error: unknown) => error);
      if (!(last instanceof Error)) break;
      expect(last).toBeInstanceOf(StoreUnavailable);
    }
    expect(last).toMatchObject({ ok: true, head: { revision: 1 } });
    const seen = await following.catch((error: unknown) => error);
    expect(seen instanceof StoreUnavailable || (seen as unknown[]).length === 3).toBe(true);
    expect((await store.readStream('s')).length).toBe(2);
  });

  it('in the middle of an append leaves nothing half-written, and the retry is written once', async () => {
    const database = await newDatabase();
    const store = await open(database.url);
    // Somebody holds the head: the append waits inside its transaction, and is cut off there.
    await database.query(
      'CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$',
    );
    await database.query(
      'CREATE TRIGGER cut AFTER INSERT ON headworks_log.events FOR EACH ROW EXECUTE FUNCTION cut()',
    );
    const append = () => store.append(request('s', 'none', 'a', 'b'));
    await expect(append()).rejects.toThrow(StoreUnavailable);
    expect(await store.readStream('s')).toEqual([]);
    await database.query('DROP TRIGGER cut ON headworks_log.events');
    expect(await append()).toMatchObject({ ok: true, duplicate: false });
    expect(await append()).toMatchObject({ ok: true, duplicate: true });
    expect((await readEverything(store)).map(({ position }) => Number(position))).toEqual([1, 2, 3]);
  });

  it('gives up on a statement that takes too long, and goes on afterwards', async () => {
    const database = await newDatabase();
    const store = await open(database.url, { timeoutMs: 300 });
    await database.query(
      'CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$',
    );
    await database.query(
      'CREATE TRIGGER wait AFTER INSERT ON headworks_log.events FOR EACH ROW EXECUTE FUNCTION wait()',
    );
    await expect(store.append(request('s', 'none', 'a'))).rejects.toThrow(StoreUnavailable);
    await database.query('DROP TRIGGER wait ON headworks_log.events');
    await written(store.append(request('s', 'none', 'a')));
    expect(await store.readStream('s')).toHaveLength(1);
  });
});
