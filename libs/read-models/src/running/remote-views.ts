import { checkPositionToken, type OpenStore } from '@headworks/event-store';
import { viewNamed, type View } from '../view';
import type { ViewNotice } from './follow';
import { newProgress, type Checkpoint, type Progress } from './progress';
import { lagOf, startViews, type RunningViews, type StartViewsOptions } from './start-views';
import type { ViewVerdict } from './verify';

/** What is asked of the thread that folds the views. */
export type ToViews =
  | {
      readonly ask: 'reach';
      readonly token: string;
      readonly views: readonly string[];
      readonly timeoutMs: number;
    }
  | { readonly ask: 'rebuild'; readonly id: number; readonly view: string }
  | { readonly ask: 'verify'; readonly id: number }
  | { readonly ask: 'stop' };

/** What it says. Errors go as their words: a class does not cross a thread. */
export type FromViews =
  | { readonly say: 'ready' }
  | { readonly say: 'moved'; readonly view: string; readonly to: Checkpoint }
  | { readonly say: 'stopped'; readonly view: string; readonly why: string }
  | { readonly say: 'resumed'; readonly view: string }
  | { readonly say: 'notice'; readonly notice: Omit<ViewNotice, 'error'> }
  | {
      readonly say: 'answer';
      readonly id: number;
      readonly verdicts?: readonly ViewVerdict[];
      readonly error?: string;
    };

/** One end of a channel between two threads. */
export interface Channel<Out, In> {
  send(message: Out): void;
  onMessage(take: (message: In) => void): void;
}

/** The side that folds: the views as anywhere, and each of their moves told. Resolves at `stop`, when nothing works any more. */
export async function serveViews(
  channel: Channel<FromViews, ToViews>,
  options: Omit<StartViewsOptions, 'onError' | 'progress'>,
): Promise<void> {
  const running = await startViews({
    ...options,
    progress: toldTo(channel),
    onError: ({ view, message, stopped }) =>
      channel.send({ say: 'notice', notice: { view, message, stopped } }),
  });
  await new Promise<void>((over) => {
    let stopped = false;
    channel.onMessage((message) => {
      if (stopped) return;
      switch (message.ask) {
        case 'reach':
          // The log grew in another thread, whose bell is not heard here.
          options.store.wake();
          // Whether it comes so far is what the other side waits for; here it only ends the waiting for company.
          void running.reached(message.token, message.timeoutMs, message.views).catch(() => undefined);
          break;
        case 'rebuild':
          void answer(channel, message.id, () => running.rebuildView(message.view));
          break;
        case 'verify':
          void answer(channel, message.id, () => running.verifyViews());
          break;
        case 'stop':
          stopped = true;
          over();
      }
    });
    channel.send({ say: 'ready' });
  });
  await running.stop();
}

function toldTo(channel: Channel<FromViews, ToViews>): Progress {
  const progress = newProgress();
  return {
    ...progress,
    moved(view, to) {
      progress.moved(view, to);
      channel.send({ say: 'moved', view, to });
    },
    stop(view, why) {
      progress.stop(view, why);
      channel.send({ say: 'stopped', view, why });
    },
    resume(view) {
      progress.resume(view);
      channel.send({ say: 'resumed', view });
    },
  };
}

async function answer(
  channel: Channel<FromViews, ToViews>,
  id: number,
  work: () => Promise<void | readonly ViewVerdict[]>,
): Promise<void> {
  try {
    const verdicts = await work();
    channel.send({ say: 'answer', id, ...(verdicts && { verdicts }) });
  } catch (error) {
    channel.send({ say: 'answer', id, error: (error as Error).message });
  }
}

export interface RemoteOptions {
  readonly store: OpenStore;
  readonly views: readonly View[];
  readonly onError: (notice: ViewNotice) => void;
  /** Resolves when the other side is gone, after a stop or by itself. */
  readonly gone: Promise<void>;
}

export interface RemoteViews extends RunningViews {
  /** Resolves when the other side follows the log. */
  readonly ready: Promise<void>;
}

/** What waits for an answer of the other side, by the number of the question. */
type Asked = Map<number, (said: Extract<FromViews, { say: 'answer' }>) => void>;

/** The side that asks: the views as if they ran here. */
export function remoteViews(channel: Channel<ToViews, FromViews>, options: RemoteOptions): RemoteViews {
  const { store, views, gone } = options;
  const progress = newProgress();
  const asked: Asked = new Map();
  let [last, stopping] = [0, false];
  const ready = new Promise<void>((isReady) => hear(channel, { options, progress, asked, isReady }));
  void gone.then(() => {
    if (!stopping) endedByItself(options, progress, asked);
  });
  const ask = (message: (id: number) => ToViews): Promise<readonly ViewVerdict[]> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      asked.set(id, ({ error, verdicts = [] }) =>
        error === undefined ? resolve(verdicts) : reject(new Error(error)),
      );
      channel.send(message(id));
    });
  return {
    ready,
    viewPosition: (name) => progress.at(viewNamed(views, name).name)?.token,
    async reached(token, timeoutMs, names = views.map(({ name }) => name)) {
      for (const name of names) viewNamed(views, name);
      const position = await checkPositionToken(store, token);
      if (names.some((name) => (progress.at(name)?.position ?? '') < position))
        channel.send({ ask: 'reach', token, views: names, timeoutMs });
      await progress.reached(position, names, timeoutMs);
    },
    lag: () => lagOf(store, views, progress),
    async rebuildView(name) {
      const { name: view } = viewNamed(views, name);
      await ask((id) => ({ ask: 'rebuild', id, view }));
    },
    verifyViews: () => ask((id) => ({ ask: 'verify', id })),
    async stop() {
      stopping = true;
      channel.send({ ask: 'stop' });
      await gone;
    },
  };
}

interface Hearing {
  readonly options: RemoteOptions;
  readonly progress: Progress;
  readonly asked: Asked;
  readonly isReady: () => void;
}

function hear(channel: Channel<ToViews, FromViews>, { options, progress, asked, isReady }: Hearing): void {
  channel.onMessage((message) => {
    switch (message.say) {
      case 'ready':
        return isReady();
      case 'moved':
        return progress.moved(message.view, message.to);
      case 'stopped':
        return progress.stop(message.view, message.why);
      case 'resumed':
        return progress.resume(message.view);
      case 'notice':
        return options.onError({ ...message.notice, error: new Error(message.notice.message) });
      case 'answer':
        asked.get(message.id)?.(message);
        return void asked.delete(message.id);
    }
  });
}

function endedByItself({ views, onError }: RemoteOptions, progress: Progress, asked: Asked): void {
  const message = 'The thread of the views has ended; start again, and they go on from where they are.';
  for (const { name } of views) progress.stop(name, message);
  onError({ view: '*', message, stopped: true, error: new Error(message) });
  for (const [id, take] of asked) take({ say: 'answer', id, error: message });
}
