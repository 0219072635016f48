import { checkPositionToken } from '@headworks/event-store';
import { CodedError } from '@headworks/kernel';
import type { RunningViews } from '@headworks/read-models';
import type { Services } from '@headworks/use-cases';
import type { Reached } from './reached';

const READ_YOUR_WRITES_MS = 5_000;
const AUTOMATIONS_MS = 20_000;

/** What reads the log behind the requests. `reached`: how far the automations are, where this process runs them. */
export interface Following {
  readonly services: Services;
  readonly views: RunningViews;
  readonly reached?: Reached;
  /** Nobody follows the log after it. */
  readonly signal: AbortSignal;
}

/** First what follows from the events (a process may have died before it), then the lists that show it. */
export async function caughtUp(
  { services, views, reached, signal }: Following,
  token: string | undefined,
): Promise<void> {
  const { store } = services;
  const position = token === undefined ? await store.lastPosition() : await checkPositionToken(store, token);
  if (position === undefined) return;
  const stopped = whenAborted(signal);
  if (reached && !(await Promise.race([reached.wait(position, AUTOMATIONS_MS), stopped]))) {
    throw new CodedError(
      'position-not-reached',
      'What follows from the newest events is not done yet; try again.',
    );
  }
  const last = await store.lastPosition();
  if (last === undefined) return;
  await Promise.race([views.reached(await store.tokenOf(last), READ_YOUR_WRITES_MS), stopped]);
}

/** One for all who wait on a signal: a listener for each of them would stay as long as the program runs. */
const stopping = new WeakMap<AbortSignal, Promise<never>>();

/** A stop ends the waiting for those who stopped, too. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  const known = stopping.get(signal);
  if (known) return known;
  const stops = new CodedError(
    'position-not-reached',
    'The program is stopping; what was asked for goes on at the next start.',
  );
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(stops);
    else signal.addEventListener('abort', () => reject(stops), { once: true });
  });
  aborted.catch(() => undefined);
  stopping.set(signal, aborted);
  return aborted;
}

export async function readiness({ services, views, reached }: Following) {
  const faults = [...services.lawFaults.values()];
  const lag: Record<string, number> = {};
  for (const { view, behind, stopped } of await views.lag()) {
    if (behind !== undefined) lag[view] = behind;
    if (stopped !== undefined) faults.push(stopped);
  }
  const last = await services.store.lastPosition();
  if (reached && last !== undefined && !(await reached.wait(last, 0))) lag['automations'] = 1;
  return { ready: faults.length === 0, faults, lag };
}
