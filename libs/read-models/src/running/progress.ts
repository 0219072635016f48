import { CodedError } from '@headworks/kernel';
import { delay } from './delay';

/** Where a view stands: `token` as the checkpoint holds it, `position` its sortable part; both empty at the beginning. */
export interface Checkpoint {
  readonly token: string;
  readonly position: string;
}

export const BEGINNING: Checkpoint = { token: '', position: '' };

interface Waiter {
  readonly position: string;
  readonly views: readonly string[];
  settle(error?: CodedError): void;
}

/** Where each view of this process stands, and who waits for it to come further. */
export interface Progress {
  at(view: string): Checkpoint | undefined;
  stopped(view: string): string | undefined;
  moved(view: string, to: Checkpoint): void;
  /** The view goes no further; whoever waits for it is told why. */
  stop(view: string, why: string): void;
  resume(view: string): void;
  /**
   * Resolves when somebody waits for the view to come further, at the latest after so many milliseconds: what comes in
   * between is taken in together, which costs a fraction of doing it one by one.
   */
  wanted(view: string, atMostMs: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the views are at or past the position; rejects at the timeout, or where one of them is stopped. */
  reached(position: string, views: readonly string[], timeoutMs: number): Promise<void>;
}

export function newProgress(): Progress {
  const places = new Map<string, Checkpoint>();
  const stops = new Map<string, string>();
  const waiters = new Set<Waiter>();
  const lingering = new Map<string, () => void>();
  const behind = ({ position, views }: Pick<Waiter, 'position' | 'views'>): string | undefined =>
    views.find((view) => (places.get(view)?.position ?? '') < position);
  const isStopped = (views: readonly string[]): CodedError | undefined => {
    const view = views.find((name) => stops.has(name));
    return view === undefined ? undefined : notReached(`The view '${view}' is stopped: ${stops.get(view)}`);
  };
  const look = (): void => {
    for (const waiter of waiters) {
      if (behind(waiter) === undefined) waiter.settle();
      else if (isStopped(waiter.views)) waiter.settle(isStopped(waiter.views));
    }
  };
  return {
    at: (view) => places.get(view),
    stopped: (view) => stops.get(view),
    moved(view, to) {
      places.set(view, to);
      look();
    },
    stop(view, why) {
      stops.set(view, why);
      look();
    },
    resume: (view) => void stops.delete(view),
    wanted(view, atMostMs, signal) {
      if ([...waiters].some(({ views }) => views.includes(view))) return Promise.resolve();
      const woken = new AbortController();
      lingering.set(view, () => woken.abort());
      return delay(atMostMs, AbortSignal.any([woken.signal, signal]));
    },
    reached(position, views, timeoutMs) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const late = behind(waiter) ?? '';
          waiter.settle(notReached(`The view '${late}' has not come so far yet; ask again in a moment.`));
        }, timeoutMs);
        const waiter: Waiter = {
          position,
          views,
          settle(error) {
            clearTimeout(timer);
            waiters.delete(waiter);
            if (error) reject(error);
            else resolve();
          },
        };
        waiters.add(waiter);
        look();
        if (waiters.has(waiter)) for (const view of views) lingering.get(view)?.();
      });
    },
  };
}

const notReached = (message: string): CodedError => new CodedError('position-not-reached', message);
