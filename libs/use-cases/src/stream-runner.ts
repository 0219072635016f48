import { CodedError, type NewEvent, type RecordedEvent } from '@headworks/kernel';
import { toNewEvent } from '@headworks/domain';
import {
  LIMITS,
  StoreUnavailable,
  type AppendVerdict,
  type EventStore,
  type Head,
} from '@headworks/event-store';
import { decideBatch, type Batch, type Decided } from './decide-batch';
import {
  envelopeOf,
  provisional,
  type Folded,
  type Held,
  type Job,
  type Model,
  type Outcome,
  type Waiting,
} from './job';
import { StateCache } from './state-cache';

interface Queue {
  readonly waiting: Waiting<Folded>[];
  running: boolean;
}

export interface RunnerOptions {
  readonly store: EventStore;
  /** Only this process appends to the log: a cached state is the stream's state. */
  readonly singleWriter: boolean;
  /** Seals personal fields; the key is durable before it resolves. */
  readonly seal: (event: NewEvent) => Promise<NewEvent>;
  readonly cacheBytes?: number;
  /** Monotonic machine clock, ms. */
  readonly monotonic: () => number;
}

/**
 * Runs commands on streams: those waiting on one stream are decided in turn on the carried state and appended
 * together under the expected head. A conflict decides all of them again on the new state; an unclear outcome is
 * answered from the stream itself.
 */
export class StreamRunner {
  private readonly queues = new Map<string, Queue>();
  private readonly cache: StateCache<Held<Folded>>;
  private newest: string | undefined;

  constructor(private readonly options: RunnerOptions) {
    this.cache = new StateCache(options.cacheBytes ?? 128 * 1024 * 1024);
  }

  run<S extends Folded>(model: Model<S>, stream: string, job: Job<S>): Promise<Outcome<S>> {
    return new Promise<Outcome<S>>((resolve, reject) => {
      let queue = this.queues.get(stream);
      if (!queue) this.queues.set(stream, (queue = { waiting: [], running: false }));
      queue.waiting.push({ job, resolve, reject } as unknown as Waiting<Folded>);
      if (!queue.running) void this.drain(model as unknown as Model<Folded>, stream, queue);
    });
  }

  /** Token of the newest event that this process appended: at or after everything a finished request wrote. */
  get position(): string | undefined {
    return this.newest;
  }

  /** The stream's state now; with `atLeast`, what this process holds of it will do where that revision is in it. */
  async read<S extends Folded>(model: Model<S>, stream: string, atLeast?: number): Promise<S> {
    return (await this.current(model, stream, atLeast)).state;
  }

  /** What a command that stands in the stream did, or undefined where it does not. */
  async replay<S extends Folded>(
    model: Model<S>,
    stream: string,
    commandId: string,
  ): Promise<Outcome<S> | undefined> {
    const { state } = await this.current(model, stream);
    if (!state.commands.has(commandId)) return undefined;
    return { state, events: await this.eventsOf(state, commandId), replayed: true };
  }

  /** Decides as `run` would, on the stream's tail, and writes nothing. */
  async preview<S extends Folded>(model: Model<S>, stream: string, job: Job<S>): Promise<Outcome<S>> {
    const { state } = await this.current(model, stream);
    const envelope = envelopeOf(job, state);
    const decision = await job.decide(state, envelope);
    const made = decision.events.map((event, index) => toNewEvent(stream, index, event, envelope));
    const events = made.map((event, index) => provisional(stream, state.revision + 1 + index, event));
    const after = events.reduce(model.evolve, state);
    return {
      state: after,
      events,
      replayed: false,
      ...('ignored' in decision && { ignored: decision.ignored }),
    };
  }

  private async drain(model: Model<Folded>, stream: string, queue: Queue): Promise<void> {
    queue.running = true;
    while (queue.waiting.length > 0) {
      const batch = queue.waiting.splice(0, LIMITS.appendEvents);
      try {
        const back = await this.batch(model, stream, batch);
        queue.waiting.unshift(...back);
      } catch (error) {
        this.cache.delete(stream);
        for (const { reject } of batch) reject(asCoded(error));
      }
    }
    queue.running = false;
    this.queues.delete(stream);
  }

  /** Decides a batch and appends it; returns the jobs that must run again. */
  private async batch(
    model: Model<Folded>,
    stream: string,
    batch: readonly Waiting<Folded>[],
  ): Promise<readonly Waiting<Folded>[]> {
    const live = batch.filter((waiting) => !this.expired(waiting));
    if (live.length === 0) return [];
    const held = this.cache.get(stream) ?? (await this.current(model, stream));
    const made = await decideBatch(model, held.state, live, this.options.seal);
    if (made.events.length === 0) {
      // Whatever is refused or ignored is refused on the tail of the stream, not on what this process remembers.
      const fresh = await this.current(model, stream);
      if (fresh.state.revision !== held.state.revision) return live;
      await this.settle(model, stream, made.decided);
      return made.back;
    }
    let verdict: AppendVerdict;
    try {
      verdict = await this.options.store.append({ stream, expected: held.head, events: made.events });
    } catch (error) {
      return this.notAppended(model, stream, { live, made, error });
    }
    if (!verdict.ok || verdict.duplicate) {
      // A duplicate is the answer to an append that we know nothing of: its first write is in the stream.
      this.cache.delete(stream);
      return live;
    }
    this.hold(model, stream, { state: made.state, head: verdict.head });
    if (this.newest === undefined || verdict.position > this.newest) this.newest = verdict.position;
    await this.settle(model, stream, made.decided, verdict.position);
    return made.back;
  }

  private async notAppended(
    model: Model<Folded>,
    stream: string,
    failure: {
      readonly live: readonly Waiting<Folded>[];
      readonly made: Batch<Folded>;
      readonly error: unknown;
    },
  ): Promise<readonly Waiting<Folded>[]> {
    const { live, made, error } = failure;
    this.cache.delete(stream);
    if (error instanceof StoreUnavailable) {
      await this.unclear(model, stream, made.decided, error);
      return made.back;
    }
    // One job's event that no store could take must not take those beside it down.
    const [only] = live;
    if (live.length === 1) only?.reject(error);
    else for (const one of live) await this.drainOne(model, stream, one);
    return [];
  }

  private async drainOne(model: Model<Folded>, stream: string, one: Waiting<Folded>): Promise<void> {
    let again: readonly Waiting<Folded>[] = [one];
    while (again.length > 0) again = await this.batch(model, stream, again);
  }

  /** The answer was lost: what stands in the stream is the answer, never what we tried to write. */
  private async unclear(
    model: Model<Folded>,
    stream: string,
    decided: readonly Decided<Folded>[],
    error: StoreUnavailable,
  ): Promise<void> {
    for (const { waiting } of decided) {
      try {
        const outcome = await this.replay(model, stream, waiting.job.commandId);
        if (outcome) waiting.resolve(outcome);
        else waiting.reject(asCoded(error));
      } catch {
        waiting.reject(asCoded(error));
      }
    }
  }

  private async settle(
    model: Model<Folded>,
    stream: string,
    decided: readonly Decided<Folded>[],
    position?: string,
  ): Promise<void> {
    for (const one of decided) {
      const { waiting } = one;
      switch (one.is) {
        case 'made':
          waiting.resolve(outcomeOf(one, position));
          break;
        case 'failed':
          waiting.reject(one.error);
          break;
        case 'known':
          try {
            const outcome = await this.replay(model, stream, waiting.job.commandId);
            if (outcome) waiting.resolve(outcome);
            else waiting.reject(new Error(`The command ${waiting.job.commandId} left ${stream} again.`));
          } catch (error) {
            waiting.reject(asCoded(error));
          }
          break;
      }
    }
  }

  /** Events of a command stand together: at most one append of them, ending where the fold saw its last one. */
  private async eventsOf(state: Folded, commandId: string): Promise<readonly RecordedEvent[]> {
    const last = state.commands.get?.(commandId);
    const from = last === undefined ? 0 : Math.max(0, last - LIMITS.appendEvents + 1);
    const events = await this.options.store.readStream(state.stream, {
      from,
      ...(last !== undefined && { limit: last - from + 1 }),
    });
    return events.filter(({ metadata }) => metadata.commandId === commandId);
  }

  private expired(waiting: Waiting<Folded>): boolean {
    if (this.options.monotonic() <= waiting.job.deadline) return false;
    waiting.reject(
      new CodedError('deadline', 'The time for this request ran out; nothing was written. Try again.'),
    );
    return true;
  }

  private async current<S extends Folded>(
    model: Model<S>,
    stream: string,
    atLeast = Number.POSITIVE_INFINITY,
  ): Promise<Held<S>> {
    const cached = this.cache.get(stream) as Held<S> | undefined;
    if (cached && (this.options.singleWriter || cached.state.revision >= atLeast)) return cached;
    const from = cached ? cached.state.revision + 1 : 0;
    const events = await this.options.store.readStream(stream, { from });
    const last = events.at(-1);
    if (!last) {
      if (cached) return cached;
      const none: Held<S> = { state: model.initial(stream), head: 'none' };
      // A new load asks for its stream three times before it is there.
      if (this.options.singleWriter) this.hold(model, stream, none);
      return none;
    }
    const state = events.reduce(model.evolve, cached?.state ?? model.initial(stream));
    const held: Held<S> = { state, head: { revision: last.revision, hash: last.hash } };
    const standing = this.cache.get(stream);
    if (!standing || standing.state.revision < state.revision) this.hold(model, stream, held);
    return held;
  }

  private hold<S extends Folded>({ bytes }: Model<S>, stream: string, held: Held<S>): void {
    this.cache.set(stream, held, bytes?.(held.state) ?? 512 + (held.state.revision + 1) * 768);
  }
}

const outcomeOf = (
  { state, events, ignored }: Extract<Decided<Folded>, { is: 'made' }>,
  position: string | undefined,
): Outcome<Folded> => ({
  state,
  events,
  replayed: false,
  ...(ignored !== undefined && { ignored }),
  ...(position !== undefined && events.length > 0 && { position }),
});

/** What the store can't do now is said as a code; the command may or may not have been written. */
const asCoded = (error: unknown): unknown =>
  error instanceof StoreUnavailable
    ? new CodedError('store-unavailable', `${error.message} Try again with the same Idempotency-Key.`)
    : error;

export type { Head };
export type { Folded, Job, Model, Outcome } from './job';
