import {
  StoreUnavailable,
  type AppendRequest,
  type AppendVerdict,
  type EventStore,
  type OpenStore,
} from '@headworks/event-store';

/** What happens to an append, by its number (from 1): nothing of it, all of it but the answer, or as it should. */
export type Fault = 'not written' | 'answer lost' | 'dead' | undefined;

export interface FaultyStore extends EventStore {
  readonly appends: readonly AppendRequest[];
}

/**
 * A store in front of another that fails as told. `dead`: the process died: this append and all after it are not
 * written, and nothing is read any more.
 */
export function faultyStore(store: OpenStore, faultOf: (append: number) => Fault): FaultyStore {
  const appends: AppendRequest[] = [];
  let dead = false;
  const refuseDead = (): void => {
    if (dead) throw new StoreUnavailable('The process is dead.');
  };
  return {
    appends,
    async append(request): Promise<AppendVerdict> {
      refuseDead();
      appends.push(request);
      const fault = faultOf(appends.length);
      if (fault === 'dead') dead = true;
      refuseDead();
      if (fault === 'not written') throw new StoreUnavailable('The log is away.');
      const verdict = await store.append(request);
      if (fault === 'answer lost') throw new StoreUnavailable('The answer was lost.');
      return verdict;
    },
    async readStream(stream, options) {
      refuseDead();
      return store.readStream(stream, options);
    },
    readAll: (options) => store.readAll(options),
  };
}
