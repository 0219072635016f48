import {
  CodedError,
  type Decision,
  type EventMetadata,
  type NewEvent,
  type RecordedEvent,
} from '@headworks/kernel';
import { toNewEvent, type Envelope } from '@headworks/domain';
import { LIMITS, StoreUnavailable, type EventStore, type Expected, type Head } from '@headworks/event-store';
import { StateCache } from './state-cache';

/** What every folded state says of itself. */
export interface Folded {
  readonly stream: string;
  readonly revision: number;
  readonly lastRecordedAt: string;
  readonly commands: { has(commandId: string): boolean };
}

/** How a stream is folded. One model a kind of stream. */
export interface Model<S extends Folded> {
  readonly initial: (stream: string) => S;
  readonly evolve: (state: S, event: RecordedEvent) => S;
}

export interface Job<S extends Folded> {
  readonly commandId: string;
  /** Metadata of the command without `recordedAt`, which never falls within a stream. */
  readonly envelope: Omit<EventMetadata, 'schema' | 'recordedAt'>;
  /** Receipt, ISO: fixed for all attempts. */
  readonly receivedAt: string;
  /** Runs again on the new state after a conflict. */
  readonly decide: (state: S, envelope: Envelope) => Decision | Promise<Decision>;
  /** Machine-clock instant (ms of `performance.now()`) after which nothing more is tried. */
  readonly deadline: number;
}

export interface Outcome<S extends Folded> {
  /** The stream's state after the command. */
  readonly state: S;
  /** What the command appended now; empty where it was ignored or answered before. */
  readonly events: readonly RecordedEvent[];
  /** Token of the last event, where something was appended. */
  readonly position?: string;
  /** The command stood in the stream already. */
  readonly replayed: boolean;
  readonly ignored?: string;
}

interface Waiting<S extends Folded> {
  readonly job: Job<S>;
  readonly resolve: (outcome: Outcome<S>) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  readonly waiting: Waiting<Folded>[];
  running: boolean;
}

interface Held<S> {
  readonly state: S;
  readonly head: Expected;
}

/** One decided job of a batch, settled once its append is. */
type Decided<S extends Folded> = {
  readonly waiting: Waiting<S>;
  readonly settle: (position: string | undefined) => void;
};

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
    this.cache = new StateCache(options.cacheBytes ?? 256 * 1024 * 1024);
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

  /** The stream's state now. */
  async read<S extends Folded>(model: Model<S>, stream: string): Promise<S> {
    return (await this.current(model, stream)).state;
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
        for (const { reject } of batch) reject(error);
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
    const held = this.cache.get(stream) ?? (await this.current(model, stream));
    const { decided, events, state, back } = await this.decideAll(model, held, live);
    if (events.length === 0) {
      const fresh = await this.current(model, stream);
      if (fresh.state.revision !== held.state.revision) return live;
      for (const { settle } of decided) settle(undefined);
      return back;
    }
    try {
      const verdict = await this.options.store.append({ stream, expected: held.head, events });
      if (!verdict.ok) {
        this.cache.delete(stream);
        return live;
      }
      if (verdict.duplicate) this.cache.delete(stream);
      else this.hold(stream, { state, head: verdict.head });
      if (this.newest === undefined || verdict.position > this.newest) this.newest = verdict.position;
      for (const { settle } of decided) settle(verdict.position);
      return back;
    } catch (error) {
      await this.unclear(model, stream, decided, error);
      return back;
    }
  }

  private async decideAll(model: Model<Folded>, held: Held<Folded>, jobs: readonly Waiting<Folded>[]) {
    let { state } = held;
    const events: NewEvent[] = [];
    const decided: Decided<Folded>[] = [];
    let bytes = 0;
    for (const [index, waiting] of jobs.entries()) {
      const { job, resolve, reject } = waiting;
      const before = state;
      if (state.commands.has(job.commandId)) {
        decided.push({ waiting, settle: () => resolve({ state: before, events: [], replayed: true }) });
        continue;
      }
      try {
        const envelope = envelopeOf(job, state);
        const decision = await job.decide(state, envelope);
        const made: NewEvent[] = [];
        for (const [at, event] of decision.events.entries()) {
          made.push(await this.options.seal(toNewEvent(state.stream, at, event, envelope)));
        }
        const size = made.reduce((sum, event) => sum + JSON.stringify(event).length + 256, 0);
        const full =
          events.length + made.length > LIMITS.appendEvents || bytes + size > LIMITS.appendBytes * 0.9;
        if (full && events.length > 0) return { decided, events, state, back: jobs.slice(index) };
        const recorded = made.map((event, at) => provisional(state.stream, before.revision + 1 + at, event));
        state = recorded.reduce(model.evolve, state);
        events.push(...made);
        bytes += size;
        const after = state;
        const ignored = 'ignored' in decision ? { ignored: decision.ignored } : {};
        decided.push({
          waiting,
          settle: (position) =>
            resolve({
              state: after,
              events: recorded,
              replayed: false,
              ...ignored,
              ...(position !== undefined && recorded.length > 0 && { position }),
            }),
        });
      } catch (error) {
        decided.push({ waiting, settle: () => reject(error) });
      }
    }
    return { decided, events, state, back: [] as readonly Waiting<Folded>[] };
  }

  /** The answer was lost: what stands in the stream is the answer, never what we tried to write. */
  private async unclear(
    model: Model<Folded>,
    stream: string,
    decided: readonly Decided<Folded>[],
    error: unknown,
  ): Promise<void> {
    this.cache.delete(stream);
    if (!(error instanceof StoreUnavailable)) {
      for (const { waiting } of decided) waiting.reject(error);
      return;
    }
    const unavailable = new CodedError(
      'store-unavailable',
      `${error.message} Try again with the same Idempotency-Key.`,
    );
    try {
      const { state } = await this.current(model, stream);
      for (const { waiting } of decided) {
        if (state.commands.has(waiting.job.commandId)) waiting.resolve({ state, events: [], replayed: true });
        else waiting.reject(unavailable);
      }
    } catch {
      for (const { waiting } of decided) waiting.reject(unavailable);
    }
  }

  private expired(waiting: Waiting<Folded>): boolean {
    if (this.options.monotonic() <= waiting.job.deadline) return false;
    waiting.reject(
      new CodedError('deadline', 'The time for this request ran out; nothing was written. Try again.'),
    );
    return true;
  }

  private async current<S extends Folded>(model: Model<S>, stream: string): Promise<Held<S>> {
    const cached = this.cache.get(stream) as Held<S> | undefined;
    if (cached && this.options.singleWriter) return cached;
    const from = cached ? cached.state.revision + 1 : 0;
    const events = await this.options.store.readStream(stream, { from });
    const last = events.at(-1);
    if (!last) return cached ?? { state: model.initial(stream), head: 'none' };
    const state = events.reduce(model.evolve, cached?.state ?? model.initial(stream));
    const held: Held<S> = { state, head: { revision: last.revision, hash: last.hash } };
    const standing = this.cache.get(stream);
    if (!standing || standing.state.revision < state.revision)
      this.hold(stream, held as unknown as Held<Folded>);
    return held;
  }

  private hold(stream: string, held: Held<Folded>): void {
    this.cache.set(stream, held, 512 + (held.state.revision + 1) * 768);
  }
}

function envelopeOf<S extends Folded>(job: Job<S>, state: S): Envelope {
  const recordedAt = job.receivedAt > state.lastRecordedAt ? job.receivedAt : state.lastRecordedAt;
  return { ...job.envelope, recordedAt };
}

const provisional = (stream: string, revision: number, event: NewEvent): RecordedEvent => ({
  ...event,
  stream,
  revision,
  position: '',
  hash: '',
});

export type { Head };
