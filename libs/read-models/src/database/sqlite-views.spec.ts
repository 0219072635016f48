import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite, StartRefused } from '@headworks/event-store';
import { sql } from 'kysely';
import { allViews } from '../all-views';
import { fs } from '../testing/databases.testing';
import { ZONES } from '../testing/events.testing';
import { openSqliteViews } from './view-database';
import { prepareTables } from './view-tables';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'headworks-views-file-'));
  file = join(dir, 'views.sqlite');
});
afterEach(() => rmSync(dir, { recursive: true }));

const open = () => openSqliteViews({ file, open: openSqlite, fs });

/** A file as a run leaves it. A copy: the driver of Node 20 holds a closed one open until its statements are collected. */
async function used(): Promise<void> {
  const first = join(dir, 'first.sqlite');
  const database = openSqliteViews({ file: first, open: openSqlite, fs });
  await prepareTables(database, allViews(ZONES));
  await sql`pragma wal_checkpoint(truncate)`.execute(database.kysely);
  await database.close();
  copyFileSync(first, file);
}

/** Puts a text where the file was, with nothing left of that. */
function overwrite(text: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
  writeFileSync(file, text);
}

async function tables(): Promise<{ names: readonly string[]; movedAside: string | undefined }> {
  const database = open();
  const found = await database.kysely.introspection.getTables();
  await database.close();
  return { names: found.map(({ name }) => name), movedAside: database.movedAside };
}

it('finds what was there, with a write-ahead log', async () => {
  await used();
  expect((await tables()).names).toContain('subjects_v1');
  expect((await tables()).movedAside).toBeUndefined();
  const db = openSqlite(file);
  expect(Object.values(db.prepare('PRAGMA journal_mode').get() ?? {})).toEqual(['wal']);
  db.close();
});

describe('a file that is of no use', () => {
  it.each<[string, () => void | Promise<void>]>([
    ['text', () => writeFileSync(file, 'these are my notes, not a database at all; leave them alone')],
    [
      "another program's database",
      () => {
        const db = openSqlite(file);
        db.exec('create table theirs (x)');
        db.close();
      },
    ],
    [
      'one that calls itself something else',
      () => {
        const db = openSqlite(file);
        db.exec('PRAGMA application_id = 7');
        db.close();
      },
    ],
    [
      'one of another layout',
      async () => {
        await used();
        const db = openSqlite(file);
        db.exec('PRAGMA user_version = 99');
        db.close();
      },
    ],
    [
      'one that was cut short',
      async () => {
        await used();
        truncateSync(file, readFileSync(file).length - 8192);
      },
    ],
    [
      'one that was scribbled on',
      async () => {
        await used();
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0xa5, 4096, 16384));
      },
    ],
  ])('is moved aside as it is, and begun anew: %s', async (_, make) => {
    await make();
    const before = readFileSync(file);
    expect(await tables()).toEqual({ names: [], movedAside: `${file}.aside-1` });
    expect(readFileSync(`${file}.aside-1`).equals(before)).toBe(true);
    // What was begun anew is sound, and another unusable file finds a name of its own.
    expect((await tables()).movedAside).toBeUndefined();
    overwrite('again, at some length');
    expect((await tables()).movedAside).toBe(`${file}.aside-2`);
  });

  it('takes its write-ahead log with it', async () => {
    const first = join(dir, 'first.sqlite');
    const database = openSqliteViews({ file: first, open: openSqlite, fs });
    await prepareTables(database, allViews(ZONES));
    await sql`pragma user_version = 99`.execute(database.kysely);
    // All of it stands in the write-ahead log still, as after a kill.
    for (const part of ['', '-wal']) copyFileSync(`${first}${part}`, `${file}${part}`);
    await database.close();
    expect(await tables()).toEqual({ names: [], movedAside: `${file}.aside-1` });
    const aside = openSqlite(`${file}.aside-1`);
    expect(
      aside.prepare('select count(*) as n from sqlite_master where name = ?').get('subjects_v1'),
    ).toEqual({
      n: 1,
    });
    aside.close();
  });
});

it('says in a sentence why a file could not be opened', () => {
  expect(() => openSqliteViews({ file: join(dir, 'no', 'such', 'folder'), open: openSqlite, fs })).toThrow(
    StartRefused,
  );
});

describe('the connection', () => {
  it('is held by one transaction at a time, in the order asked', async () => {
    const database = open();
    const { kysely } = database;
    await sql`create table steps (n integer)`.execute(kysely);
    const steps: string[] = [];
    const transaction = (name: string) =>
      kysely.transaction().execute(async (trx) => {
        steps.push(`${name} begins`);
        await sql`insert into steps values (1)`.execute(trx);
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${name} ends`);
      });
    const read = async () => (await kysely.selectFrom('steps').selectAll().execute()).length;
    const [, one, , two] = await Promise.all([transaction('a'), read(), transaction('b'), read()]);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect([one, two]).toEqual([1, 2]);
    await database.close();
  });

  it('is free again after a failure, and nothing of it stands', async () => {
    const database = open();
    const { kysely } = database;
    await sql`create table steps (n integer primary key)`.execute(kysely);
    const failing = kysely.transaction().execute(async (trx) => {
      await sql`insert into steps values (1)`.execute(trx);
      await sql`insert into steps values (1)`.execute(trx);
    });
    await expect(failing).rejects.toThrow('UNIQUE');
    expect(await kysely.selectFrom('steps').selectAll().execute()).toEqual([]);
    await database.close();
  });

  it('counts what a statement changed', async () => {
    const database = open();
    await sql`create table steps (n integer)`.execute(database.kysely);
    await database.kysely
      .insertInto('steps')
      .values([{ n: 1 }, { n: 2 }])
      .execute();
    const changed = await database.kysely.updateTable('steps').set({ n: 3 }).executeTakeFirst();
    expect(changed.numUpdatedRows).toBe(2n);
    await database.close();
  });
});
