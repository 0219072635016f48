import assert from 'node:assert/strict';
import type { RecordedEvent } from '@headworks/kernel';
import type { AppendRequest, AppendVerdict, Expected, Head, OpenStore, ReadAllOptions } from '../port';

/** A store of its own for one check, and the way under its lid. */
export interface StoreUnderTest {
  /** Opened with a real clock at an instant before `instant(0)`; holds LogOpened alone. */
  readonly store: OpenStore;
  /** Another opening of the same log, where the store takes several writers. */
  readonly second?: OpenStore;
  /** The store's positions are no running numbers; they only grow. */
  readonly sparse?: true;
  /** Bytes and hash as they stand at a sortable position. */
  stored(position: string): Promise<{ readonly bytes: Uint8Array; readonly hash: Uint8Array }>;
  /** Overwrites the bytes that stand there, as somebody with access to the disk might. */
  tamper(position: string, bytes: Uint8Array): Promise<void>;
  dispose(): Promise<void>;
}

/** One demand of the port. `run` throws where the store does not meet it. */
export interface ContractCheck {
  readonly name: string;
  readonly run: (test: StoreUnderTest) => Promise<void>;
}

export type Written = Extract<AppendVerdict, { ok: true }>;

export async function written(verdict: AppendVerdict | Promise<AppendVerdict>): Promise<Written> {
  const answer = await verdict;
  assert.ok(answer.ok, `the append was refused: ${JSON.stringify(answer)}`);
  return answer;
}

/** Asserts that the append is refused with this head as the actual one. */
export async function assertConflict(
  store: OpenStore,
  request: AppendRequest,
  actual: Expected,
): Promise<void> {
  assert.deepEqual(await store.append(request), { ok: false, actual });
}

export async function readEverything(
  store: OpenStore,
  options: Omit<ReadAllOptions, 'follow'> = {},
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of store.readAll(options)) {
    assert.ok(
      batch.length > 0 && batch.length <= (options.batch ?? 500),
      `a batch of ${batch.length} events`,
    );
    events.push(...batch);
  }
  return events;
}

/** Follows until so many events of the log were seen. */
export async function followFor(store: OpenStore, count: number, batch = 50): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  const stop = new AbortController();
  for await (const page of store.readAll({ follow: true, batch, signal: stop.signal })) {
    events.push(...page);
    if (events.length >= count) stop.abort();
  }
  return events;
}

/** Appends again on the head that it is told, until it is written: how a writer in a race behaves. */
export async function appendInRace(
  store: OpenStore,
  stream: string,
  events: AppendRequest['events'],
): Promise<Written> {
  let expected: Expected = 'none';
  for (;;) {
    const verdict: AppendVerdict = await store.append({ stream, expected, events });
    if (verdict.ok) return verdict;
    assert.notDeepEqual(verdict.actual, expected, 'a conflict names the head that was expected');
    expected = verdict.actual;
  }
}

export const positionOf = (verdict: Written): string => verdict.position.split('.')[1] ?? '';

export const head = (verdict: Written): Head => verdict.head;

/** Asserts that each stream's revisions run from 0 without a gap, in the order of the events. */
export function assertDenseStreams(events: readonly RecordedEvent[]): void {
  const next = new Map<string, number>();
  for (const { stream, revision } of events) {
    assert.equal(revision, next.get(stream) ?? 0, `revision of '${stream}' out of order`);
    next.set(stream, revision + 1);
  }
}

export function assertGrowingPositions(events: readonly RecordedEvent[]): void {
  for (const [index, { position }] of events.entries()) {
    const before = events[index - 1]?.position;
    assert.ok(before === undefined || before < position, `${position} does not sort behind ${before}`);
  }
}

export const names = (events: readonly RecordedEvent[]): string[] =>
  events.map(({ stream, revision }) => `${stream}@${revision}`);

/** Asserts that the promise rejects with an error of that class and words. */
export async function assertRejects(
  promise: Promise<unknown>,
  kind: abstract new (...args: never[]) => Error,
  words: RegExp,
): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof kind, `${String(error)} is no ${kind.name}`);
    assert.match(error.message, words);
    return true;
  });
}
