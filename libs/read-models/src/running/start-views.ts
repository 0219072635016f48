import { checkPositionToken, type OpenStore } from '@headworks/event-store';
import { paceBy } from '../database/pace';
import type { ViewDatabase } from '../database/view-database';
import { prepareTables } from '../database/view-tables';
import { tableOf, viewNamed, viewRegistry, type View } from '../view';
import { followView, type Following, type ViewNotice } from './follow';
import { sharedReader } from './log-reader';
import { newProgress, type Progress } from './progress';
import { rebuild } from './rebuild';
import { verify, type ViewVerdict } from './verify';

export interface ViewsOptions {
  readonly store: OpenStore;
  readonly database: ViewDatabase;
  readonly views: readonly View[];
  /** Milliseconds that only grow (the machine's, also under a virtual clock). */
  readonly elapsedMs: () => number;
  /** Events a transaction at most. Default 1000. */
  readonly batch?: number;
}

export interface StartViewsOptions extends ViewsOptions {
  readonly onError: (notice: ViewNotice) => void;
  /** Ends the following, as `stop` does. */
  readonly signal?: AbortSignal;
  /** Default 25. */
  readonly heldMs?: number;
  /** Default 100. */
  readonly retryMs?: number;
  /** How long a view nobody waits for lets events gather. Default 200. */
  readonly lingerMs?: number;
  /** Where the views' places are kept, where somebody else is to hear of them. */
  readonly progress?: Progress;
}

export interface ViewLag {
  readonly view: string;
  /** Token; empty before the first event, absent until the checkpoint was read. */
  readonly position?: string;
  readonly upToDate: boolean;
  /** Events behind the head, where the store numbers them without gaps. */
  readonly behind?: number;
  /** Why the view goes no further. */
  readonly stopped?: string;
}

export interface RunningViews {
  /** Token of the last event in the view, as far as this process knows. */
  viewPosition(view: string): string | undefined;
  /**
   * Resolves when the views (all, or those named) are at or past the token; else `position-not-reached`. A token of
   * another log rejects with `ForeignPosition`.
   */
  reached(token: string, timeoutMs: number, views?: readonly string[]): Promise<void>;
  lag(): Promise<readonly ViewLag[]>;
  /** Builds the view anew beside the one that is read, swaps them, and follows on; a stopped one goes on too. */
  rebuildView(view: string): Promise<void>;
  verifyViews(): Promise<readonly ViewVerdict[]>;
  /** Resolves when no view works any more. The database stays open. */
  stop(): Promise<void>;
}

const BATCH = 1000;

/** Makes the tables where they are missing, and follows the log into each view until stopped. */
export async function startViews(options: StartViewsOptions): Promise<RunningViews> {
  const { store, views, signal, onError, heldMs = 25, retryMs = 100, lingerMs = 200 } = options;
  viewRegistry(views);
  const working = workOf(options);
  await prepareTables(options.database, views);
  const ending = new AbortController();
  const stopping = AbortSignal.any(signal ? [ending.signal, signal] : [ending.signal]);
  const { progress = newProgress() } = options;
  const following: Following = {
    ...working,
    progress,
    reader: sharedReader(store, working.batch, stopping),
    signal: stopping,
    onError,
    heldMs,
    retryMs,
    lingerMs,
  };
  const running = new Map<string, Promise<void>>();
  const follow = (view: View): void => {
    progress.resume(view.name);
    running.set(view.name, followView(following, { view, table: tableOf(view) }));
  };
  views.forEach(follow);
  return {
    viewPosition: (name) => progress.at(viewNamed(views, name).name)?.token,
    async reached(token, timeoutMs, names = views.map(({ name }) => name)) {
      for (const name of names) viewNamed(views, name);
      await progress.reached(await checkPositionToken(store, token), names, timeoutMs);
    },
    lag: () => lagOf(store, views, progress),
    async rebuildView(name) {
      const view = viewNamed(views, name);
      const reached = await rebuild(working, view);
      // The follower may have gone on from there already.
      if ((progress.at(name)?.position ?? '') < reached.position) progress.moved(name, reached);
      if (progress.stopped(name) === undefined) return;
      await running.get(name);
      follow(view);
    },
    verifyViews: () => verifyEach(options),
    async stop() {
      ending.abort();
      await Promise.all(running.values());
    },
  };
}

const workOf = ({ store, database, elapsedMs, batch = BATCH }: ViewsOptions) => ({
  store,
  database,
  batch,
  pace: paceBy(elapsedMs),
});

/** For the command line, beside a running server or without one. */
export async function rebuildView(options: ViewsOptions, name: string): Promise<void> {
  const view = viewNamed(options.views, name);
  await prepareTables(options.database, options.views);
  await rebuild(workOf(options), view);
}

/** For the command line: each view against a fresh fold of the log. */
export async function verifyViews(options: ViewsOptions): Promise<readonly ViewVerdict[]> {
  await prepareTables(options.database, options.views);
  return verifyEach(options);
}

async function verifyEach(options: ViewsOptions): Promise<readonly ViewVerdict[]> {
  const verdicts: ViewVerdict[] = [];
  // One after another: each holds its whole view in memory.
  for (const view of options.views) verdicts.push(await verify(workOf(options), view));
  return verdicts;
}

export async function lagOf(
  store: OpenStore,
  views: readonly View[],
  progress: Progress,
): Promise<readonly ViewLag[]> {
  const head = (await store.lastPosition()) ?? '';
  return views.map(({ name }) => {
    const at = progress.at(name);
    const stopped = progress.stopped(name);
    const behind = at && eventsBetween(at.position, head);
    return {
      view: name,
      upToDate: at !== undefined && at.position >= head,
      ...(at && { position: at.token }),
      ...(behind !== undefined && { behind }),
      ...(stopped !== undefined && { stopped }),
    };
  });
}

function eventsBetween(from: string, to: string): number | undefined {
  const number = (position: string): number => (position === '' ? 0 : Number(position));
  const gap = number(to) - number(from);
  return Number.isSafeInteger(gap) ? Math.max(0, gap) : undefined;
}
