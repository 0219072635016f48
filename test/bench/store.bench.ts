import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { eventId, nameId } from '@headworks/kernel';
import type { NewEvent } from '@headworks/kernel';
import { makeDurable, openSqlite, prepare } from '@headworks/event-store';
import type { AppendVerdict, Expected, OpenStore } from '@headworks/event-store';
import { openPostgresStore, openSqliteStore } from '../../libs/event-store/src/adapters';
import type { PreparedAppend } from '../../libs/event-store/src/encode';
import { appendBatch } from '../../libs/event-store/src/postgres/append-batch';
import { openLogFile } from '../../libs/event-store/src/sqlite/log-file';
import { batchWriter } from '../../libs/event-store/src/sqlite/sqlite-store';
import { freshDatabase } from '../servers/fresh-database';
import { contest, rateOf, row } from './measure';
import type { Contender, Row } from './measure';

export type StoreKind = 'sqlite' | 'postgres';

const WRITERS = 32;
const OPEN = { clock: 'real', now: () => '2000-01-01T00:00:00.000Z' } as const;
const AT = '2027-07-03T20:00:00.000Z';

/** An event of the size that a recorded load has. */
function loadEvent(name: string): NewEvent {
  const commandId = nameId('bench', name);
  return {
    id: eventId(commandId, name, 0),
    type: 'LoadDischarged',
    data: {
      ticket: name,
      quantity: { value: '2500', unit: 'gal' },
      facts: { form: 'wet', total_solids: '3 %', spread_area: '5 acre', distance: '640 ft', depth: '0 in' },
      findings: ['A', 'F', 'G', 'H', 'K'].map((clause) => ({ clause, status: 'satisfied', margin: '12 ft' })),
    },
    metadata: {
      occurred: { at: AT },
      recordedAt: AT,
      actor: { id: 'bench', roles: ['clerk'] },
      jurisdiction: 'bench',
      law: { pack: 'bench', version: '1', sha256: 'a'.repeat(64) },
      correlationId: commandId,
      commandId,
      schema: 1,
    },
  };
}

/** Made before the clock runs: the store's work is timed, not the making of events. Ids mean nothing across streams. */
const EVENTS = Array.from({ length: 1024 }, (_, index) => loadEvent(`load-${index}`));
const eventAt = (turn: number): NewEvent => EVENTS[turn % EVENTS.length] as NewEvent;

let streams = 0;

/** Appends so many events in all, by so many writers, each to a stream of its own and one after another. */
async function appendBy(
  writers: number,
  times: number,
  append: (stream: string, expected: Expected, event: NewEvent, writer: number) => Promise<AppendVerdict>,
): Promise<void> {
  const write = async (writer: number) => {
    const stream = `bench-${streams++}`;
    let expected: Expected = 'none';
    for (let turn = writer; turn < times; turn += writers) {
      const verdict: AppendVerdict = await append(stream, expected, eventAt(turn), writer);
      if (!verdict.ok) throw new Error('A bench writes alone to its streams; this one met a conflict.');
      expected = verdict.head;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
}

const throughStore = (store: OpenStore) => (stream: string, expected: Expected, event: NewEvent) =>
  store.append({ stream, expected, events: [event] });

/** A row of the raw table: the columns and the bytes of an event of the log. */
type RawRow = readonly [number, string, number, string, string, Buffer, Buffer, string];

let rawPosition = 0;

/** Rows that were made before the clock ran: the ceiling is the database's alone. */
function rawRows(): (count: number) => readonly RawRow[] {
  const events = EVENTS.map((event) => {
    const append = { stream: `raw-${event.id}`, expected: 'none', events: [event] } as const;
    return prepare('bench', append).events[0] as PreparedAppend['events'][number];
  });
  return (count) =>
    Array.from({ length: count }, () => {
      const position = ++rawPosition;
      const { id, type, bytes, hash } = events[position % events.length] as (typeof events)[number];
      return [
        position,
        `raw-${position % WRITERS}`,
        Math.floor(position / WRITERS),
        id,
        type,
        bytes,
        hash,
        AT,
      ];
    });
}

interface Bench {
  readonly contenders: readonly Contender[];
  close(): Promise<void>;
}

const COLUMNS = ['position', 'stream', 'revision', 'id', 'type', 'bytes', 'hash', 'recorded_max'];

async function sqliteBench(): Promise<Bench> {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-bench-'));
  const store = await openSqliteStore({ dir: join(dir, 'store'), ...OPEN });
  mkdirSync(join(dir, 'each'));
  const { db, identity } = openLogFile({ dir: join(dir, 'each'), ...OPEN });
  const write = batchWriter(db, identity.storeId);
  const raw = openSqlite(join(dir, 'raw.sqlite'));
  makeDurable(raw);
  raw.exec(`CREATE TABLE raw (position INTEGER PRIMARY KEY, stream TEXT, revision INTEGER, id TEXT, type TEXT,
    bytes BLOB, hash BLOB, recorded_max TEXT, UNIQUE (stream, revision)) STRICT`);
  const insert = (rows: number) =>
    raw.prepare(`INSERT INTO raw VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?, ?)').join()}`);
  const [one, many] = [insert(1), insert(WRITERS)];
  const rows = rawRows();
  const each = async (stream: string, expected: Expected, event: NewEvent) => {
    await nextTurn();
    return write([prepare(identity.logId, { stream, expected, events: [event] })])[0] as AppendVerdict;
  };
  return {
    contenders: [
      { name: 'alone', work: (times) => appendBy(1, times, throughStore(store)) },
      { name: 'each', work: (times) => appendBy(WRITERS, times, each) },
      { name: 'group', work: (times) => appendBy(WRITERS, times, throughStore(store)) },
      {
        name: 'raw one',
        work(times) {
          for (let done = 0; done < times; done++) one.run(...rows(1).flat());
        },
      },
      {
        name: 'raw many',
        work(times) {
          for (let done = 0; done < times; done += WRITERS) many.run(...rows(WRITERS).flat());
        },
      },
    ],
    async close() {
      raw.close();
      db.close();
      await store.close();
      rmSync(dir, { recursive: true });
    },
  };
}

async function postgresBench(): Promise<Bench> {
  const database = await freshDatabase();
  const store = await openPostgresStore({ url: database.url, ...OPEN });
  const clients = Array.from({ length: WRITERS }, () => new Client({ connectionString: database.url }));
  await Promise.all(clients.map((client) => client.connect()));
  const [client] = clients as [Client];
  await client.query(`CREATE TABLE raw (position bigint PRIMARY KEY, stream text COLLATE "C", revision int, id uuid,
    type text, bytes bytea, hash bytea, recorded_max text COLLATE "C", UNIQUE (stream, revision))`);
  const rows = rawRows();
  const insert = (count: number) => {
    const places = Array.from({ length: count }, (_, line) =>
      COLUMNS.map((__, column) => `$${line * COLUMNS.length + column + 1}`).join(),
    );
    const text = `INSERT INTO raw VALUES ${places.map((place) => `(${place})`).join()}`;
    return () => client.query({ name: `raw_${count}`, text, values: rows(count).flat() });
  };
  const [one, many] = [insert(1), insert(WRITERS)];
  const each = async (stream: string, expected: Expected, event: NewEvent, writer: number) => {
    const append = prepare(store.logId, { stream, expected, events: [event] });
    return (await appendBatch(clients[writer] as Client, store.storeId, [append]))[0] as AppendVerdict;
  };
  return {
    contenders: [
      { name: 'alone', work: (times) => appendBy(1, times, throughStore(store)) },
      { name: 'each', work: (times) => appendBy(WRITERS, times, each) },
      { name: 'group', work: (times) => appendBy(WRITERS, times, throughStore(store)) },
      {
        name: 'raw one',
        async work(times) {
          for (let done = 0; done < times; done++) await one();
        },
      },
      {
        name: 'raw many',
        async work(times) {
          for (let done = 0; done < times; done += WRITERS) await many();
        },
      },
    ],
    async close() {
      await Promise.all(clients.map((each_) => each_.end()));
      await store.close();
      await database.drop();
    },
  };
}

/**
 * Durable appends a second: one at a time, and by 32 writers whose appends are committed in groups. The ceilings: the
 * same writers with a transaction each, and a raw INSERT of the same bytes, as many rows at once as writers wait.
 */
export async function benchStore(
  kind: StoreKind,
  { rounds = 5, turnMs = 1000 }: { readonly rounds?: number; readonly turnMs?: number } = {},
): Promise<readonly Row[]> {
  const bench = await (kind === 'sqlite' ? sqliteBench() : postgresBench());
  try {
    const rates = await contest(bench.contenders, { rounds, turnMs });
    const rate = (name: string) => rateOf(rates, name);
    const name = `store ${kind}`;
    return [
      row(
        `${name}: durable append alone / raw INSERT of one row`,
        'appends/s',
        rate('alone'),
        rate('raw one'),
        0,
      ),
      row(
        `${name}: group commit, 32 writers / one transaction each`,
        'appends/s',
        rate('group'),
        rate('each'),
        3,
      ),
      row(
        `${name}: group commit, 32 writers / raw multi-row INSERT`,
        'appends/s',
        rate('group'),
        rate('raw many'),
        0.5,
      ),
    ];
  } finally {
    await bench.close();
  }
}
