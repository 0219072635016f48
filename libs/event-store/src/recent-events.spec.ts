import type { RecordedEvent } from '@headworks/kernel';
import { request } from './contract/sample-events';
import { openMemoryStore } from './memory-store';
import { recentEvents } from './recent-events';

const event = (position: number) => ({ position: String(position) }) as RecordedEvent;
const numbers = (events: readonly RecordedEvent[] | undefined) =>
  events?.map(({ position }) => Number(position));

function filled(positions: readonly number[], limit?: number, bytes = 10) {
  const recent = recentEvents(limit);
  for (const position of positions) recent.add(position, event(position), bytes);
  return recent;
}

describe('the newest events', () => {
  it('are handed out from any position that they follow, at most so many', () => {
    const recent = filled([4, 5, 6, 7]);
    expect(numbers(recent.after(3, 10))).toEqual([4, 5, 6, 7]);
    expect(numbers(recent.after(5, 10))).toEqual([6, 7]);
    expect(numbers(recent.after(3, 2))).toEqual([4, 5]);
  });

  it('say nothing of what stands before them, nor of what comes after', () => {
    const recent = filled([4, 5]);
    expect(recent.after(2, 10)).toBeUndefined();
    expect(recent.after(5, 10)).toBeUndefined();
    expect(recentEvents().after(0, 10)).toBeUndefined();
  });

  it('begin anew behind a gap: another process wrote what is missing', () => {
    const recent = filled([4, 5, 8, 9]);
    expect(recent.after(4, 10)).toBeUndefined();
    expect(recent.after(5, 10)).toBeUndefined();
    expect(numbers(recent.after(7, 10))).toEqual([8, 9]);
  });

  it('leave out an earlier batch that is heard of after a later one', () => {
    const recent = filled([1, 2, 5, 6, 3, 4]);
    expect(recent.after(2, 10)).toBeUndefined();
    expect(numbers(recent.after(4, 10))).toEqual([5, 6]);
    recent.add(7, event(7), 10);
    expect(numbers(recent.after(4, 10))).toEqual([5, 6, 7]);
  });

  it('stay the newest, each at its place, however many went before', () => {
    const recent = recentEvents(50);
    for (let position = 1; position <= 100; position++) {
      recent.add(position, event(position), 10);
      const first = Math.max(1, position - 4);
      const held = Array.from({ length: position - first + 1 }, (_, i) => first + i);
      expect(numbers(recent.after(first - 1, 10))).toEqual(held);
      if (first > 1) expect(recent.after(first - 2, 10)).toBeUndefined();
    }
  });

  it('are forgotten from the oldest on beyond their bound', () => {
    const recent = filled([1, 2, 3, 4], 20);
    expect(recent.after(1, 10)).toBeUndefined();
    expect(numbers(recent.after(2, 10))).toEqual([3, 4]);
    expect(filled([1], 5).after(0, 10)).toBeUndefined();
  });
});

describe('a follower', () => {
  it('is handed what the process wrote, and nothing else reads from memory', async () => {
    const store = await openMemoryStore();
    const first = await store.append(request('s', 'none', 'a', 'b'));
    if (!first.ok) throw new Error('refused');
    const forged = store.rows[1];
    if (!forged) throw new Error('no row');
    // Whoever verifies the log must see the store as it is, and not as this process remembers it.
    forged.bytes = Buffer.from(forged.bytes.toString('utf8').replace('tester', 'forger'));
    const actors = async (follow: boolean) => {
      const seen: string[] = [];
      const stop = new AbortController();
      for await (const batch of store.readAll({ follow, signal: stop.signal, after: '0'.repeat(15) + '1' })) {
        seen.push(...batch.map(({ metadata }) => metadata.actor.id));
        if (seen.length === 2) stop.abort();
      }
      return seen;
    };
    expect(await actors(true)).toEqual(['tester', 'tester']);
    expect(await actors(false)).toEqual(['forger', 'tester']);
    await store.close();
    await expect(actors(true)).rejects.toThrow('The log is closed');
  });
});
