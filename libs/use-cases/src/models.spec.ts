import { openMemoryStore } from '@headworks/event-store';
import type { Finding } from '@headworks/kernel';
import { loads, subjects } from './models';
import { StateCache } from './state-cache';
import { StreamRunner } from './stream-runner';

describe('states that are kept', () => {
  it('count as much as their findings and events take, so that the bound is one of memory', () => {
    const load = loads.initial('load-1');
    const findings = Array<Finding>(22).fill({} as Finding);
    expect(loads.bytes?.(load)).toBe(4096);
    // Ten thousand loads under twenty-two clauses were seen to take 36 to 45 KB each.
    expect(loads.bytes?.({ ...load, findings })).toBe(37_888);
    expect(subjects.bytes?.({ ...subjects.initial('subject-1'), revision: 99 })).toBe(309_248);
  });

  it('give way to others by what their model says they take', async () => {
    const store = await openMemoryStore();
    const [opened] = await store.readStream('log');
    if (!opened) throw new Error('a log has its first event');
    await store.append({ stream: 'other', expected: 'none', events: [opened] });
    /** Streams that are read from the log, where the runner may keep 3,000 bytes of states of so many each. */
    async function readOf(bytes: number): Promise<readonly string[]> {
      const read: string[] = [];
      const readStream = (stream: string) => {
        read.push(stream);
        return store.readStream(stream);
      };
      const runner = new StreamRunner({
        store: { ...store, readStream },
        singleWriter: true,
        seal: () => Promise.reject(new Error('nothing is written')),
        monotonic: () => 0,
        cacheBytes: 3000,
      });
      for (const stream of ['log', 'other', 'log'])
        await runner.read({ ...loads, bytes: () => bytes }, stream);
      return read;
    }
    expect(await readOf(1000)).toEqual(['log', 'other']);
    expect(await readOf(2000)).toEqual(['log', 'other', 'log']);
    const cache = new StateCache<string>(3000);
    cache.set('a', 'a', 2000);
    cache.set('b', 'b', 900);
    cache.set('c', 'c', 200);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 'b', 'c']);
  });
});
