import type { AppendRequest, AppendVerdict, OpenStore, ReadStreamOptions } from '@headworks/event-store';
import type { RecordedEvent } from '@headworks/kernel';
import type { Request, Services } from './context';
import { provisional } from './job';
import { StreamRunner } from './stream-runner';

export interface Rehearsed<T> {
  readonly result: T;
  /** Everything that would have been written, in any stream, in the order of writing. */
  readonly events: readonly RecordedEvent[];
}

/**
 * Does for once what a request asks, with all that follows, on a log in memory above the real one: what a dry run
 * shows is what would be done, by the same code, and nothing of it is written.
 */
export async function rehearse<T>(
  services: Services,
  request: Request,
  work: (services: Services, request: Request) => Promise<T>,
): Promise<Rehearsed<T>> {
  const events: RecordedEvent[] = [];
  const store = above(services.store, events);
  const runner = new StreamRunner({
    store,
    // Nobody else writes above the log, and what others write below it meanwhile is not looked at.
    singleWriter: true,
    seal: (event) => Promise.resolve(event),
    monotonic: services.monotonic,
  });
  const { idempotency: _claimed, ...rest } = request;
  const result = await work({ ...services, store, runner }, { ...rest, dryRun: false });
  return { result, events };
}

/** A store that reads the real one and what was appended above it, and appends there alone. */
function above(store: OpenStore, added: RecordedEvent[]): OpenStore {
  const of = (stream: string) => added.filter((event) => event.stream === stream);
  return {
    ...store,
    readAll: (options) => store.readAll(options),
    async readStream(stream: string, options: ReadStreamOptions = {}) {
      const { from = 0, limit = Number.POSITIVE_INFINITY } = options;
      const below = await store.readStream(stream, options);
      // Read later than the first append above it, the log below may have grown: that is not looked at.
      const own = of(stream);
      const first = own[0]?.revision ?? Number.POSITIVE_INFINITY;
      const all = [...below.filter(({ revision }) => revision < first), ...own];
      return all.filter(({ revision }) => revision >= from).slice(0, limit);
    },
    append({ stream, expected, events }: AppendRequest): Promise<AppendVerdict> {
      const last = of(stream).at(-1);
      const revision = expected === 'none' ? -1 : expected.revision;
      if (last && last.revision !== revision)
        return Promise.resolve({ ok: false, actual: { revision: last.revision, hash: last.hash } });
      events.forEach((event, index) => added.push(provisional(stream, revision + 1 + index, event)));
      const head = { revision: revision + events.length, hash: '' };
      return Promise.resolve({ ok: true, head, position: '', duplicate: false });
    },
  };
}
