import { parentPort, workerData } from 'node:worker_threads';
import { allViews, serveViews, type FromViews, type ToViews } from '@headworks/read-models';
import { openViewsReader } from './storage';
import type { Config } from './config';

/** What the thread is told at its start: where the log and the views are, and the zones of the jurisdictions. */
export interface ViewsThreadData {
  readonly config: Config;
  readonly zones: readonly (readonly [jurisdiction: string, zone: string])[];
}

/** A thread of its own for the views of embedded mode: it reads the log and writes `views.sqlite`, and nothing else. */
async function main(port: NonNullable<typeof parentPort>, { config, zones }: ViewsThreadData): Promise<void> {
  const { store, database } = await openViewsReader(config);
  try {
    await serveViews(
      {
        send: (message: FromViews) => port.postMessage(message),
        onMessage: (take) => port.on('message', (message: ToViews) => take(message)),
      },
      { store, database, views: allViews(new Map(zones)), elapsedMs: () => performance.now() },
    );
  } finally {
    await database.close();
    await store.close();
    port.close();
  }
}

// Loaded by anyone else it does nothing.
if (parentPort) void main(parentPort, workerData as ViewsThreadData);
