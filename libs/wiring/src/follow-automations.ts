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
  /** The log or the checkpoint can't be read or written now. */
  readonly onTrouble: (error: unknown) => void;
  /** Everything up to this sortable position has been looked at, and what follows from it is done or parked. */
  readonly onReached: (position: string) => void;
  readonly signal: AbortSignal;
}

/** Events whose automation failed, by stream: the stream is parked, the follower goes on with the others. */
type Parked = Map<string, RecordedEvent[]>;

/** Pause before a parked stream, or a log that can't be read, is tried again. */
const RETRY_MS = 2_000;

/**
 * Follows the log until the signal and finishes what processes that died between left open. What this process did
 * itself is passed over. The checkpoint never passes a parked event, so a restart tries it again.
 */
export async function followAutomations(options: FollowOptions): Promise<void> {
  const { checkpoint, signal } = options;
  const place: Place = { parked: new Map(), after: undefined };
  let known = false;
  while (!signal.aborted) {
    try {
      if (!known) place.after = await checkpoint.read();
      if (place.after !== undefined) options.onReached(place.after);
      known = true;
      await retryParked(options, place);
      await followOn(options, place);
    } catch (error) {
      // A database that was lost comes back; the place is kept.
      if (!isAborted(signal)) options.onTrouble(error);
      await pause(signal);
    }
  }
}

interface Place {
  readonly parked: Parked;
  /** Sortable position of the last event looked at. */
  after: string | undefined;
}

/** Reads on from the place; returns where parked events have to be tried again, and at the signal. */
async function followOn(options: FollowOptions, place: Place): Promise<void> {
  const { store, checkpoint, signal } = options;
  const waiting = place.parked.size > 0;
  const until = waiting ? AbortSignal.any([signal, AbortSignal.timeout(RETRY_MS)]) : signal;
  const from = place.after === undefined ? {} : { after: place.after };
  for await (const batch of store.readAll({ ...from, follow: true, batch: 200, signal: until })) {
    for (const event of batch) {
      if (isAborted(signal)) return;
      options.onEvent(event);
      await take(options, place.parked, event);
      place.after = event.position;
    }
    const last = batch.at(-1);
    if (!last) continue;
    options.onReached(last.position);
    if (place.parked.size === 0)
      await checkpoint.write(positionToken(store.storeId, last.position, last.hash));
    else if (!waiting) return;
  }
}

/** Read through a function: what a loop awaits may abort it. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, RETRY_MS);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
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

/** Parked streams are tried again, each from its oldest event; with none left, the checkpoint catches up. */
async function retryParked(options: FollowOptions, { parked, after }: Place): Promise<void> {
  if (parked.size === 0) return;
  for (const [stream, events] of [...parked]) {
    parked.delete(stream);
    for (const event of events) await take(options, parked, event);
  }
  if (parked.size === 0 && after !== undefined) {
    await options.checkpoint.write(await options.store.tokenOf(after));
  }
}

export const parkedSentence = (event: RecordedEvent, error: unknown): string =>
  `What follows from ${address(event)} (${event.type}) failed and is tried again: ${String((error as Error).message)}`;
