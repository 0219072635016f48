import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore, openSqliteStore } from '../../libs/event-store/src/adapters';
import {
  assertDenseStreams,
  readEverything,
  written,
} from '../../libs/event-store/src/contract/contract-check';
import { request } from '../../libs/event-store/src/contract/sample-events';
import { positionNumber, sortable, verifyChain } from '@headworks/event-store';
import type { OpenStore } from '@headworks/event-store';
import type { RecordedEvent } from '@headworks/kernel';
import { freshDatabase } from '../servers/fresh-database';
import { runTs } from '../servers/run-ts';

const KILLS = process.env['FAULTS'] === 'full' ? 50 : 5;
const PATIENCE = KILLS * 24_000;
const WRITER = join(__dirname, 'store-writer.testing.ts');
const OPEN = { clock: 'real', now: () => '2000-01-01T00:00:00.000Z' } as const;

/** What a writer that was killed had been told: stream, revision and hash after the append, and the ids in it. */
interface Acknowledged {
  readonly stream: string;
  readonly revision: number;
  readonly hash: string;
  readonly ids: readonly string[];
}

/**
 * Runs 32 writers and kills them with SIGKILL after so many acknowledged appends; -1 kills them while they open the
 * store. `alive` runs while they write.
 */
async function killAfter(
  count: number,
  args: readonly string[],
  alive: () => Promise<void> = async () => undefined,
): Promise<readonly Acknowledged[]> {
  const writer = runTs(WRITER, args);
  const acknowledged: Acknowledged[] = [];
  let open = false;
  for await (const line of writer.lines) {
    const [word, stream = '', revision, hash = '', ids = ''] = line.split(' ');
    if (word === 'opening' && count < 0) writer.child.kill('SIGKILL');
    if (word === 'open') {
      open = true;
      await alive();
    }
    if (word !== 'ack') continue;
    acknowledged.push({ stream, revision: Number(revision), hash, ids: ids.split(',') });
    if (acknowledged.length === count) writer.child.kill('SIGKILL');
  }
  // What came through the pipe after the kill was acknowledged before it.
  expect([await writer.ended, writer.errors()]).toEqual(['SIGKILL', '']);
  expect(open || count < 0).toBe(true);
  return acknowledged;
}

/** Every acknowledged append stands, once, where it was said to stand; positions and streams are dense. */
function expectAllThere(events: readonly RecordedEvent[], acknowledged: readonly Acknowledged[]): void {
  const byId = new Map(events.map((event) => [event.id, event]));
  expect(byId.size).toBe(events.length);
  const lost = acknowledged.filter(({ stream, revision, hash, ids }) => {
    const places = ids.map((id) => byId.get(id));
    const stands = places.every((event, index) => {
      return event?.stream === stream && event.revision === revision - ids.length + 1 + index;
    });
    return !stands || places.at(-1)?.hash !== hash;
  });
  expect(lost).toEqual([]);
  assertDenseStreams(events);
  expect(events.every(({ position }, index) => positionNumber(position) === index + 1)).toBe(true);
}

/** Reads on behind what was read before. */
async function readOn(store: OpenStore, events: RecordedEvent[]): Promise<void> {
  const after = events.at(-1)?.position;
  events.push(...(await readEverything(store, after === undefined ? {} : { after })));
}

/** At the end everything is read again from the first event on: what stood once must stand still, chains whole. */
async function expectStillThere(store: OpenStore, events: readonly RecordedEvent[]): Promise<void> {
  const again = await readEverything(store);
  expect(again.every(({ hash }, index) => hash === events[index]?.hash)).toBe(true);
  expect(verifyChain(again, store.logId)).toMatchObject({ ok: true, events: events.length });
}

/** Different moments: while it opens, at the first acknowledgement, deep in its work. */
const moments = Array.from({ length: KILLS }, (_, run) => [-1, 1, 37, 500, 2000][run % 5] as number);

it('the check of what was acknowledged fires: on a lost, a doubled, a moved and another event', () => {
  const event = (id: string, revision: number, position: number) =>
    ({ id, stream: 's', revision, hash: `h${revision}`, position: sortable(position) }) as RecordedEvent;
  const [a, b] = [event('a', 0, 1), event('b', 1, 2)];
  const told: Acknowledged[] = [{ stream: 's', revision: 1, hash: 'h1', ids: ['a', 'b'] }];
  expectAllThere([a, b], told);
  const wrong = [
    [a],
    [a, b, event('b', 2, 3)],
    [a, event('b', 2, 2)],
    [a, { ...b, hash: 'other' }],
    [a, event('c', 1, 2)],
  ];
  for (const events of wrong) expect(() => expectAllThere(events, told)).toThrow(/expect/);
});

describe(`${KILLS} kills under load`, () => {
  it(
    'lose no acknowledged append on SQLite, and the next start just works',
    async () => {
      const dir = mkdtempSync(join(tmpdir(), 'headworks-kills-'));
      const acknowledged: Acknowledged[] = [];
      const events: RecordedEvent[] = [];
      const refusedWhileAlive = async () => {
        await expect(openSqliteStore({ dir, ...OPEN })).rejects.toThrow(
          /^Headworks already runs on .* \(process \d+\)/,
        );
      };
      for (const [run, moment] of moments.entries()) {
        acknowledged.push(...(await killAfter(moment, ['sqlite', dir, String(run)], refusedWhileAlive)));
        const store = await openSqliteStore({ dir, ...OPEN });
        await readOn(store, events);
        expectAllThere(events, acknowledged);
        await store.close();
      }
      const store = await openSqliteStore({ dir, ...OPEN });
      await expectStillThere(store, events);
      await store.close();
      expect(acknowledged.length).toBeGreaterThan(KILLS * 500);
      rmSync(dir, { recursive: true });
    },
    PATIENCE,
  );

  it(
    'lose no acknowledged append on PostgreSQL',
    async () => {
      const database = await freshDatabase();
      const acknowledged: Acknowledged[] = [];
      const events: RecordedEvent[] = [];
      const store = await openPostgresStore({ url: database.url, ...OPEN });
      for (const [run, moment] of moments.entries()) {
        acknowledged.push(...(await killAfter(moment, ['postgres', database.url, String(run)])));
        // The server may still be at the killed one's last batch: an append of ours comes after it.
        await written(store.append(request(`after-${run}`, 'none', 'a')));
        await readOn(store, events);
        expectAllThere(events, acknowledged);
      }
      await expectStillThere(store, events);
      expect(acknowledged.length).toBeGreaterThan(KILLS * 500);
      await store.close();
      await database.drop();
    },
    PATIENCE,
  );
});
