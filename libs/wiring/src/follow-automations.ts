import { positionToken, type OpenStore } from '@headworks/event-store';
import { address, type RecordedEvent } from '@headworks/kernel';
import type { Reconciler } from '@headworks/use-cases';

export interface AutomationCheckpoint {
  /** Sortable position after which to go on, or undefined to begin at the first event. */
  readonly read: () => Promise<string | undefined>;
  readonly write: (token: string) => Promise<void>;
}

export interface FollowOptions {
  readonly store: OpenStore;
  readonly reconciler: Pick<Reconciler, 'isFinished' | 'follow'>;
  readonly checkpoint: AutomationCheckpoint;
  readonly onEvent: (event: RecordedEvent) => void;
  readonly onError: (event: RecordedEvent, error: unknown) => void;
  /** Everything up to this sortable position has been looked at, and what follows from it is done or parked. */
  readonly onReached: (position: string) => void;
  readonly signal: AbortSignal;
}

/** Events whose automation failed, by stream: the stream is parked, the follower goes on with the others. */
type Parked = Map<string, RecordedEvent[]>;

/**
 * Follows the log and finishes what processes that died between left open. What this process did itself is passed
 * over. The checkpoint never passes a parked event, so a restart tries it again.
 */
export async function followAutomations(options: FollowOptions): Promise<void> {
  const { store, checkpoint, signal } = options;
  const parked: Parked = new Map();
  const after = await checkpoint.read();
  if (after !== undefined) options.onReached(after);
  const from = after === undefined ? {} : { after };
  for await (const batch of store.readAll({ ...from, follow: true, batch: 200, signal })) {
    await retry(options, parked);
    for (const event of batch) {
      if (signal.aborted) return;
      options.onEvent(event);
      await take(options, parked, event);
    }
    const last = batch.at(-1);
    if (last) options.onReached(last.position);
    if (last && parked.size === 0)
      await checkpoint.write(positionToken(store.storeId, last.position, last.hash));
  }
}

async function take(options: FollowOptions, parked: Parked, event: RecordedEvent): Promise<void> {
  if (options.reconciler.isFinished(event)) return;
  const waiting = parked.get(event.stream);
  if (waiting) {
    waiting.push(event);
    return;
  }
  try {
    await options.reconciler.follow([event]);
  } catch (error) {
    options.onError(event, error);
    parked.set(event.stream, [event]);
  }
}

/** Parked streams are tried again with each batch, oldest event first. */
async function retry(options: FollowOptions, parked: Parked): Promise<void> {
  for (const [stream, events] of [...parked]) {
    parked.delete(stream);
    for (const event of events) await take(options, parked, event);
  }
}

export const parkedSentence = (event: RecordedEvent, error: unknown): string =>
  `What follows from ${address(event)} (${event.type}) failed and is tried again: ${String((error as Error).message)}`;
