import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from './port';

export const BATCH = { items: 256, bytes: 1024 * 1024 } as const;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly size: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommit<Item, Answer> {
  submit(item: Item, size: number): Promise<Answer>;
  /** Resolves when what waits is done; later items are refused. */
  close(): Promise<void>;
}

/** Fewer than that are not shared out: a batch costs more than what it would gain to be written beside another. */
const WORTH_A_LANE = 8;

/**
 * What waits in the process is written as one batch, so that many writers share one fsync. `run` answers each item in
 * its turn, atomically for the whole batch. If it raises, each item runs alone, so that one bad item harms no other; a
 * `StoreUnavailable` says that the store itself is away, and trying one by one would only wait longer.
 *
 * With more lanes than one, so many batches are under way at once: while the store writes one, this process makes the
 * next. Each is judged by the store when its turn comes, so which goes first is nobody's promise.
 */
export function groupCommit<Item, Answer>(
  run: (items: readonly Item[]) => readonly Answer[] | Promise<readonly Answer[]>,
  lanes = 1,
): GroupCommit<Item, Answer> {
  const waiting: Waiting<Item, Answer>[] = [];
  const working = new Set<Promise<void>>();
  let writing = 0;
  let closed = false;

  async function work(): Promise<void> {
    // One turn of the loop lets every writer that is ready join the batch.
    for (await nextTurn(); waiting.length > 0; await nextTurn()) {
      const most = Math.max(WORTH_A_LANE, Math.ceil(waiting.length / (lanes - writing)));
      writing++;
      await settle(run, takeBatch(waiting, Math.min(most, BATCH.items)));
      writing--;
    }
  }

  function startLane(): void {
    const lane = work().finally(() => working.delete(lane));
    working.add(lane);
  }

  return {
    submit(item, size) {
      if (closed) return Promise.reject(new StoreUnavailable('The log is closed; start the process again.'));
      return new Promise<Answer>((resolve, reject) => {
        waiting.push({ item, size, resolve, reject });
        if (working.size < lanes) startLane();
      });
    },
    async close() {
      closed = true;
      await Promise.all(working);
    },
  };
}

function takeBatch<Item, Answer>(
  waiting: Waiting<Item, Answer>[],
  most: number,
): readonly Waiting<Item, Answer>[] {
  let bytes = 0;
  let count = 0;
  for (const { size } of waiting) {
    if (count === most || (count > 0 && bytes + size > BATCH.bytes)) break;
    bytes += size;
    count++;
  }
  return waiting.splice(0, count);
}

async function settle<Item, Answer>(
  run: (items: readonly Item[]) => readonly Answer[] | Promise<readonly Answer[]>,
  batch: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await run(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
  } catch (error) {
    if (batch.length === 1 || error instanceof StoreUnavailable) {
      for (const { reject } of batch) reject(asUnavailable(error));
    } else {
      for (const one of batch) await settle(run, [one]);
    }
  }
}

const asUnavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable
    ? error
    : new StoreUnavailable(`The log could not be written: ${(error as Error).message}.`, { cause: error });
