import { checkPositionToken, ForeignPosition, positionToken, type OpenStore } from '@headworks/event-store';
import type { RecordedEvent } from '@headworks/kernel';
import type { Pace } from '../database/pace';
import { isDamage, type ViewDatabase } from '../database/view-database';
import { clearTable } from '../database/view-tables';
import { applyStep, readToken, ViewFault, type Target } from './apply';
import { delay } from './delay';
import type { LogReader } from './log-reader';
import { BEGINNING, type Checkpoint, type Progress } from './progress';

/** Something the operator should know of a view: a sentence that says what to do. */
export interface ViewNotice {
  readonly view: string;
  readonly message: string;
  /** The view goes no further until it is rebuilt or the process started again. */
  readonly stopped: boolean;
  readonly error: unknown;
}

export interface Following {
  readonly store: OpenStore;
  readonly database: ViewDatabase;
  readonly pace: Pace;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly onError: (notice: ViewNotice) => void;
  readonly reader: LogReader;
  /** Events a transaction at most. */
  readonly batch: number;
  /** How long a view waits for more to take in together, where nobody asks for it. */
  readonly lingerMs: number;
  /** Pause before looking again at a view that another process holds. */
  readonly heldMs: number;
  /** First pause after a failure of store or database; it doubles up to `MOST_RETRY_MS`. */
  readonly retryMs: number;
}

const MOST_RETRY_MS = 5000;

/** Follows the log until the signal, or until the view can't go on. Failures of store and database are waited out. */
export async function followView(following: Following, target: Target): Promise<void> {
  const { signal, progress, retryMs } = following;
  let pause = retryMs;
  while (!signal.aborted) {
    const before = progress.at(target.view.name)?.position;
    try {
      const start = await checkpointOf(following, target);
      progress.moved(target.view.name, start);
      await takeBatches(following, target, start);
    } catch (error) {
      if (signal.aborted || (await isOver(following, target, error))) return;
      if (progress.at(target.view.name)?.position !== before) pause = retryMs;
      await delay(pause, signal);
      pause = Math.min(pause * 2, MOST_RETRY_MS);
    }
  }
}

export async function checkpointOf(
  { store, database }: Pick<Following, 'store' | 'database'>,
  { view, table }: Target,
): Promise<Checkpoint> {
  const token = await readToken(database.kysely, table);
  if (token === undefined) throw new Error(`The view '${view.name}' has no checkpoint; start again`);
  return token === '' ? BEGINNING : { token, position: await checkPositionToken(store, token) };
}

export const checkpointAt = (store: OpenStore, { position, hash }: RecordedEvent): Checkpoint => ({
  token: positionToken(store.storeId, position, hash),
  position,
});

async function takeBatches(following: Following, target: Target, start: Checkpoint): Promise<void> {
  const { reader, signal, progress, batch, lingerMs } = following;
  let at = start;
  while (!signal.aborted) {
    const events = await reader.next(at.position);
    if (events.length > 0) at = await takeBatch(following, target, at, events);
    // A full batch says that there is more already; else the next one is awaited in company.
    if (events.length < batch) await progress.wanted(target.view.name, lingerMs, signal);
  }
}

/** Takes in what comes after the checkpoint; answers where the view stands then, by whoever's work. */
async function takeBatch(
  following: Following,
  target: Target,
  at: Checkpoint,
  events: readonly RecordedEvent[],
): Promise<Checkpoint> {
  const { store, database, pace, progress, signal, heldMs } = following;
  const to = checkpointAt(store, events[events.length - 1] as RecordedEvent);
  const applied = await applyStep(database, target, { from: at.token, to: to.token, events }, pace);
  if (applied === 'held') await delay(heldMs, signal);
  // Another process may have gone on, or begun again from the start.
  const now = applied === 'applied' ? to : await checkpointOf(following, target);
  progress.moved(target.view.name, now);
  return now;
}

/** What an error means for the view: over, begun again, or tried again. */
async function isOver(following: Following, target: Target, error: unknown): Promise<boolean> {
  const { database, progress, onError } = following;
  const { name } = target.view;
  const tell = (message: string, stopped: boolean): boolean => {
    if (stopped) progress.stop(name, message);
    onError({ view: name, message, stopped, error });
    return stopped;
  };
  const rebuild = `run 'npm run cli -- rebuild ${name}'`;
  if (error instanceof ViewFault) {
    return tell(`${error.message} It is stopped; start a release that can, then ${rebuild}.`, true);
  }
  if (isDamage(error)) {
    return tell(`The file of the views is damaged; start again, and it is built anew.`, true);
  }
  if (!(error instanceof ForeignPosition)) {
    return tell(`The view '${name}' waits to go on: ${messageOf(error)}.`, false);
  }
  if (database.kind === 'postgres') {
    return tell(`The view '${name}' was built from another log and is stopped; ${rebuild}.`, true);
  }
  // Embedded: one process, one folder. A log that was restored or replaced is simply what the views are built from.
  await clearTable(database, target.table);
  return tell(`The view '${name}' was built from another log; it is built again from this one.`, false);
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
