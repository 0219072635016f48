import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Horizon } from '@headworks/duties';
import { allViews, dueRows, openSqliteViews, tableOf, type View } from '@headworks/read-models';
import { openSqlite } from '@headworks/event-store';
import { isoInstant, nameId } from '@headworks/kernel';
import { prepareTables } from '../../libs/read-models/src/database/view-tables';
import { median, row, type Row } from './measure';

export interface DutiesOptions {
  /** Open duties in the view. */
  readonly open?: number;
  readonly rounds?: number;
}

const START = Date.parse('2027-07-06T20:00:00.000Z');
const HOUR = 3_600_000;
const SOON = 10_000;

/**
 * One million open duties: what the sweep asks ("due before T", a page), and a look over the horizon that finds all
 * armed, each against the bare indexed query for the same rows.
 */
export async function benchDuties({ open = 1_000_000, rounds = 7 }: DutiesOptions = {}): Promise<
  readonly Row[]
> {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-duties-'));
  const file = join(dir, 'views.sqlite');
  const fs = { existsSync, renameSync };
  const database = openSqliteViews({ file, open: (name) => openSqlite(name), fs });
  try {
    const views = allViews(new Map());
    await prepareTables(database, views);
    const view = views.find(({ name }) => name === 'duties') ?? never();
    const table = tableOf(view);
    const raw = openSqlite(file);
    fill(raw, table, view, open);
    const before = isoInstant(START + HOUR);
    const page = raw.prepare(
      `SELECT stream, id, due_at FROM ${table} WHERE status = 'open' AND due_at < ? ORDER BY due_at, id LIMIT 500`,
    );
    const ahead = raw.prepare(
      `SELECT stream, id, due_at FROM ${table} WHERE status = 'open' AND due_at >= ? AND due_at < ? ORDER BY due_at, id`,
    );
    const queue = { add: async () => undefined, remembers: async () => true };
    const port = { due: (asked: Parameters<typeof dueRows>[1]) => dueRows(database, asked) };
    const horizon = new Horizon({ queue, port, now: () => START, aheadMs: HOUR });
    const armed = await horizon.arm();
    const due = await timed(
      rounds,
      50,
      () => dueRows(database, { before, limit: 500 }),
      () => page.all(before),
    );
    const from = isoInstant(START);
    const arming = await timed(
      rounds,
      1,
      () => horizon.arm(),
      () => ahead.all(from, before),
    );
    raw.close();
    return [
      row(`duties: due before T, of ${open} open / raw indexed query`, 'pages/s', ...due, 0.333),
      row(`duties: horizon of ${armed}, all armed / raw indexed query`, 'looks/s', ...arming, 0.333),
    ];
  } finally {
    await database.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

function never(): never {
  throw new Error('There is no view of duties; see allViews.');
}

/** Most are due later; so many within the hour, several at each instant. */
function fill(raw: ReturnType<typeof openSqlite>, table: string, view: View, open: number): void {
  const columns = ['id', 'part', 'jurisdiction', ...Object.keys(view.columns), 'doc'];
  const marks = columns.map(() => '?').join(', ');
  const insert = raw.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
  // As long as a row of a real law is.
  const doc = JSON.stringify({ version: '1', due: null, startedBy: 'subject-x@0', filler: 'x'.repeat(300) });
  const soon = Math.min(SOON, open / 10);
  raw.exec('BEGIN');
  for (let n = 0; n < open; n++) {
    const id = nameId('bench', String(n));
    const second = Math.floor((n / soon) * 3_600);
    const due = n < soon ? START + second * 1_000 : START + HOUR * (1 + (n % 9_000));
    const values: Readonly<Record<string, string>> = {
      ...{ id, part: id, stream: `subject-${id}`, status: 'open', due_at: isoInstant(due), doc },
    };
    insert.run(...columns.map((column) => values[column] ?? ''));
  }
  raw.exec('COMMIT');
}

/** In turn, so that what else the machine does falls on both. */
async function timed(
  rounds: number,
  times: number,
  ours: () => Promise<unknown>,
  bare: () => unknown,
): Promise<readonly [value: number, ceiling: number]> {
  const [values, ceilings]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    let began = performance.now();
    for (let n = 0; n < times; n++) await ours();
    const value = times / ((performance.now() - began) / 1_000);
    began = performance.now();
    for (let n = 0; n < times; n++) bare();
    const ceiling = times / ((performance.now() - began) / 1_000);
    // The first warms up.
    if (round === 0) continue;
    values.push(value);
    ceilings.push(ceiling);
  }
  return [median(values), median(ceilings)];
}
