import { BATCH, groupCommit } from './group-commit';
import { StoreUnavailable } from './port';

describe('group commit', () => {
  it('writes what waits as one batch, and answers each item', async () => {
    const batches: number[][] = [];
    const commits = groupCommit((items: readonly number[]) => {
      batches.push([...items]);
      return items.map((item) => item * 2);
    });
    expect(await Promise.all([1, 2, 3].map((item) => commits.submit(item, 10)))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('gathers what comes while a batch is written into the next', async () => {
    const batches: number[][] = [];
    let go: () => void = () => undefined;
    const commits = groupCommit(async (items: readonly number[]) => {
      batches.push([...items]);
      if (batches.length === 1) await new Promise<void>((resolve) => (go = resolve));
      return items;
    });
    const first = commits.submit(1, 0);
    while (batches.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const later = [2, 3].map((item) => commits.submit(item, 0));
    go();
    expect(await Promise.all([first, ...later])).toEqual([1, 2, 3]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('cuts a batch at its number of items and at its bytes', async () => {
    const sizes: number[] = [];
    const commits = groupCommit((items: readonly number[]) => {
      sizes.push(items.length);
      return items;
    });
    await Promise.all(Array.from({ length: 600 }, (_, item) => commits.submit(item, 1)));
    expect(sizes).toEqual([BATCH.items, BATCH.items, 88]);
    sizes.length = 0;
    await Promise.all(Array.from({ length: 5 }, (_, item) => commits.submit(item, BATCH.bytes / 2)));
    expect(sizes).toEqual([2, 2, 1]);
    sizes.length = 0;
    await Promise.all([1, 2].map((item) => commits.submit(item, BATCH.bytes * 2)));
    expect(sizes).toEqual([1, 1]);
  });

  it('runs each item alone where the batch raises, so that a bad one harms no other', async () => {
    const commits = groupCommit((items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('no good');
      return items;
    });
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map((item) => commits.submit(item, 0)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const [, bad] = outcomes;
    expect(bad?.status === 'rejected' && bad.reason).toEqual(
      new StoreUnavailable('The log could not be written: no good.'),
    );
    expect(await commits.submit('c', 0)).toBe('c');
  });

  it('tries nothing alone where the store is away', async () => {
    let runs = 0;
    const commits = groupCommit((): readonly string[] => {
      runs++;
      throw new StoreUnavailable('away');
    });
    const outcomes = await Promise.allSettled(['a', 'b'].map((item) => commits.submit(item, 0)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(1);
  });

  it('shares out what waits among its lanes, and gives all of it to the one that is free', async () => {
    const running = new Map<string, () => void>();
    const commits = groupCommit(async (items: readonly number[]) => {
      await new Promise<void>((resolve) => running.set(items.join(), resolve));
      return items;
    }, 2);
    const until = async (batches: number): Promise<void> => {
      while (running.size < batches) await new Promise((resolve) => setImmediate(resolve));
    };
    const submitted = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => commits.submit(from + index, 0));
    const first = submitted(0, 20);
    await until(2);
    const sizes = () => [...running.keys()].map((batch) => batch.split(',').length);
    expect(sizes()).toEqual([10, 10]);
    const later = submitted(20, 12);
    const [one] = [...running.keys()] as [string];
    running.get(one)?.();
    await until(3);
    expect(sizes()).toEqual([10, 10, 12]);
    for (const go of running.values()) go();
    expect(await Promise.all([...first, ...later])).toEqual(Array.from({ length: 32 }, (_, index) => index));
    // A few go together: two small batches cost more than one.
    running.clear();
    const few = submitted(40, 3);
    await until(1);
    expect(sizes()).toEqual([3]);
    const closed = commits.close();
    for (const go of running.values()) go();
    await closed;
    expect(await Promise.all(few)).toEqual([40, 41, 42]);
  });

  it('closes when what waits is done', async () => {
    const done: number[] = [];
    const commits = groupCommit(async (items: readonly number[]) => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push(...items);
      return items;
    });
    const waiting = [1, 2].map((item) => commits.submit(item, 0));
    await commits.close();
    expect(done).toEqual([1, 2]);
    await expect(commits.submit(3, 0)).rejects.toThrow('The log is closed; start the process again.');
    await Promise.all(waiting);
  });
});
