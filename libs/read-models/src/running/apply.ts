import { address, type JsonObject, type RecordedEvent } from '@headworks/kernel';
import type { Queries, ViewDatabase } from '../database/view-database';
import { CHECKPOINTS, deleteRows, readParts, writeRows } from '../database/view-tables';
import type { View, ViewRow } from '../view';
import { withoutSealed } from './without-sealed';
import type { Pace } from '../database/pace';

/** A view and the table it is folded into: its own, or one that is built beside it. */
export interface Target {
  readonly view: View;
  readonly table: string;
}

/** The view can't take an event in: a bug, or data of a later release. Trying again would fail again. */
export class ViewFault extends Error {
  override readonly name = 'ViewFault';
}

/** `held`: another process is at it. `moved`: the checkpoint is not where this process thought; read it again. */
export type Applied = 'applied' | 'held' | 'moved';

export interface Step {
  /** Token of the checkpoint that the events follow on; empty before the first. */
  readonly from: string;
  /** Token of the last of them. */
  readonly to: string;
  readonly events: readonly RecordedEvent[];
}

/** Tells the transaction to roll back; no fault. */
class CheckpointMoved extends Error {}

/**
 * Takes a batch in: rows and checkpoint move in one transaction or not at all. On PostgreSQL the checkpoint's row is
 * the lock of the view, so that processes share the work without a leader.
 */
export async function applyStep(
  { kysely, kind }: ViewDatabase,
  target: Target,
  step: Step,
  pace: Pace,
): Promise<Applied> {
  try {
    return await kysely.transaction().execute(async (trx) => {
      const token =
        kind === 'postgres' ? await lockToken(trx, target.table) : await readToken(trx, target.table);
      if (token === undefined && kind === 'postgres') return 'held';
      // Asked before the work as well as at its end: a fold on the wrong rows could fail, or be long and for nothing.
      if (token !== step.from) return 'moved';
      await foldEvents(trx, target, step.events, pace);
      if (!(await moveToken(trx, target.table, step))) throw new CheckpointMoved();
      return 'applied';
    });
  } catch (error) {
    if (error instanceof CheckpointMoved) return 'moved';
    throw error;
  }
}

/** The token, with the view's lock until the transaction ends; undefined where another process has it. */
async function lockToken(queries: Queries, table: string): Promise<string | undefined> {
  const row = await queries
    .selectFrom(CHECKPOINTS)
    .select('token')
    .where('view_table', '=', table)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row && String(row['token']);
}

/** The checkpoint's token, or undefined where the table has none (a rebuild that another one swept away). */
export async function readToken(queries: Queries, table: string): Promise<string | undefined> {
  const row = await queries
    .selectFrom(CHECKPOINTS)
    .select('token')
    .where('view_table', '=', table)
    .executeTakeFirst();
  return row && String(row['token']);
}

/** Compares and sets. False: no row was changed, and what was written with it must not stand. */
export async function moveToken(
  queries: Queries,
  table: string,
  { from, to }: Pick<Step, 'from' | 'to'>,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable(CHECKPOINTS)
    .set({ token: to })
    .where('view_table', '=', table)
    .where('token', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Folds events into the rows of the parts that they touch, and writes what became different. */
export async function foldEvents(
  queries: Queries,
  { view, table }: Target,
  events: readonly RecordedEvent[],
  pace: Pace,
): Promise<void> {
  const touched = new Set(events.flatMap((event) => partsOf(view, event)));
  if (touched.size === 0) return;
  const stored = await readParts(queries, table, [...touched]);
  const after = byPart(stored);
  for (const event of events) {
    evolveInto(view, after, event);
    await pace();
  }
  const kept = new Set([...after.values()].flat());
  const ids = new Set([...kept].map(({ id }) => id));
  const known = new Set(stored);
  await deleteRows(
    queries,
    table,
    stored.map(({ id }) => id).filter((id) => !ids.has(id)),
  );
  await pace();
  await writeRows(
    queries,
    view,
    table,
    [...kept].filter((row) => !known.has(row)),
    pace,
  );
}

function byPart(rows: readonly ViewRow[]): Map<string, readonly ViewRow[]> {
  const grouped = new Map<string, ViewRow[]>();
  for (const row of rows) {
    const group = grouped.get(row.part);
    if (group) group.push(row);
    else grouped.set(row.part, [row]);
  }
  return grouped;
}

/** One event, on the rows of every part that it touches. */
export function evolveInto(view: View, rows: Map<string, readonly ViewRow[]>, event: RecordedEvent): void {
  const parts = partsOf(view, event);
  if (parts.length === 0) return;
  const shown = { ...event, data: withoutSealed(event.data) as JsonObject };
  for (const part of parts) {
    rows.set(
      part,
      guarded(view, event, () => view.evolve(rows.get(part) ?? [], shown, part)),
    );
  }
}

const partsOf = (view: View, event: RecordedEvent): readonly string[] =>
  guarded(view, event, () => view.partsOf(event));

function guarded<T>(view: View, event: RecordedEvent, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ViewFault(
      `The view '${view.name}' can't take in ${address(event)} (${(error as Error).message}).`,
      { cause: error },
    );
  }
}
