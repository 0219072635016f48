import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  remoteViews,
  startViews,
  type FromViews,
  type RunningViews,
  type StartViewsOptions,
} from '@headworks/read-models';
import type { RuleSet } from '@headworks/rules-engine';
import type { Config } from './config';
import type { ViewsThreadData } from './views-thread';

/** The thread's program as it is built. Where the sources run as they are (tests), the views are folded in this thread. */
const THREAD = join(__dirname, 'views-thread.js');

/**
 * Follows the log into the views: in embedded mode in a thread of their own, since SQLite works inside the turn that
 * asks it and what a view costs would be taken from the requests. PostgreSQL does that work elsewhere already.
 */
export async function startViewsBeside(
  config: Config,
  rules: RuleSet,
  options: StartViewsOptions,
): Promise<RunningViews> {
  if (config.databaseUrl !== undefined || !existsSync(THREAD)) return startViews(options);
  const data: ViewsThreadData = {
    config,
    zones: [...rules.jurisdictions].map(([id, { zone }]) => [id, zone] as const),
  };
  const thread = new Worker(THREAD, { workerData: data });
  const gone = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  const failed = new Promise<Error>((resolve) => thread.once('error', resolve));
  const views = remoteViews(
    {
      send: (message) => thread.postMessage(message),
      onMessage: (take) => thread.on('message', (message: FromViews) => take(message)),
    },
    { ...options, gone },
  );
  const refused = await Promise.race([views.ready.then(() => undefined), failed]);
  if (refused) throw refused;
  return views;
}
