import { ForeignPosition, type OpenStore } from '@headworks/event-store';
import type { Pace } from '../database/pace';
import type { Queries, ViewDatabase } from '../database/view-database';
import { addCheckpoint, CHECKPOINTS, createTable, dropTable, lockMaking } from '../database/view-tables';
import { tableOf, type View } from '../view';
import { applyStep, foldEvents, moveToken, readToken, type Target } from './apply';
import { delay } from './delay';
import { checkpointAt } from './follow';
import { BEGINNING, type Checkpoint } from './progress';

export interface Rebuilding {
  readonly store: OpenStore;
  readonly database: ViewDatabase;
  readonly pace: Pace;
  readonly batch: number;
}

const HELD_MS = 5;
const SWEPT = 'Another rebuild of this view took over; let that one end.';

/**
 * Builds the view from the first event on, beside the table that is read meanwhile, and swaps tables and checkpoints in
 * one transaction. A follower finds the checkpoint moved and goes on from there.
 */
export async function rebuild(rebuilding: Rebuilding, view: View): Promise<Checkpoint> {
  const { database } = rebuilding;
  const live = tableOf(view);
  const generation = (await generationOf(database.kysely, live)) + 1;
  const beside: Target = { view, table: `${live}_b${generation}` };
  await database.kysely.transaction().execute(async (trx) => {
    await lockMaking(trx, database.kind);
    await dropTable(trx, beside.table);
    await createTable(trx, database.kind, view, beside.table);
    await addCheckpoint(trx, beside.table);
  });
  const at = await catchUp(rebuilding, beside);
  return swap(rebuilding, beside, { live, generation, at });
}

/** Up to the head as it is now: what comes meanwhile is little, and is taken in while the view is held. */
async function catchUp({ store, database, pace, batch }: Rebuilding, target: Target): Promise<Checkpoint> {
  let at = BEGINNING;
  const upTo = await store.lastPosition();
  if (upTo === undefined) return at;
  for await (const events of store.readAll({ upTo, batch })) {
    const last = events.at(-1);
    if (!last) continue;
    const to = checkpointAt(store, last);
    const step = { from: at.token, to: to.token, events };
    let applied = await applyStep(database, target, step, pace);
    // Held by another rebuild that is about to find out, or has just begun in place of this one.
    for (; applied === 'held'; applied = await applyStep(database, target, step, pace)) await delay(HELD_MS);
    if (applied === 'moved') throw new Error(SWEPT);
    at = to;
  }
  return at;
}

interface Swap {
  readonly live: string;
  readonly generation: number;
  readonly at: Checkpoint;
}

function swap(
  { store, database, pace, batch }: Rebuilding,
  beside: Target,
  { live, generation, at }: Swap,
): Promise<Checkpoint> {
  return database.kysely.transaction().execute(async (trx) => {
    await holdView(trx, database.kind, live);
    const standing = await readToken(trx, beside.table);
    if (standing !== at.token || (await generationOf(trx, live)) !== generation - 1) throw new Error(SWEPT);
    // While the view is held its checkpoint stands, so the head is at or past it: no reader sees it go back.
    let reached = at;
    const upTo = await store.lastPosition();
    if (upTo !== undefined && upTo > at.position) {
      const after = at === BEGINNING ? {} : { after: at.position };
      for await (const events of store.readAll({ ...after, upTo, batch })) {
        await foldEvents(trx, beside, events, pace);
        const last = events.at(-1);
        if (last) reached = checkpointAt(store, last);
      }
    }
    const from = (await readToken(trx, live)) ?? '';
    await trx.schema.dropTable(live).execute();
    await trx.schema.alterTable(beside.table).renameTo(live).execute();
    await trx.deleteFrom(CHECKPOINTS).where('view_table', '=', beside.table).execute();
    await trx.updateTable(CHECKPOINTS).set({ generation }).where('view_table', '=', live).execute();
    if (!(await moveToken(trx, live, { from, to: reached.token }))) throw new Error(SWEPT);
    return reached;
  });
}

/** Waits for whoever is at the view; SQLite's transaction has the whole file already. */
async function holdView(queries: Queries, kind: ViewDatabase['kind'], table: string): Promise<void> {
  if (kind === 'sqlite') return;
  await queries
    .selectFrom(CHECKPOINTS)
    .select('view_table')
    .where('view_table', '=', table)
    .forUpdate()
    .execute();
}

async function generationOf(queries: Queries, table: string): Promise<number> {
  const row = await queries
    .selectFrom(CHECKPOINTS)
    .select('generation')
    .where('view_table', '=', table)
    .executeTakeFirst();
  if (!row) throw new ForeignPosition(`There is no table '${table}' yet; start Headworks once.`);
  return Number(row['generation']);
}
