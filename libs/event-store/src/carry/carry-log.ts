import { isJsonObject, type JsonObject, type NewEvent } from '@headworks/kernel';
import { prepare } from '../encode';
import { BATCH } from '../group-commit';
import { LOG_STREAM } from '../opening';
import { StartRefused, UnstorableAppend } from '../port';
import type { AppendRequest, AppendVerdict, Expected, Head, OpenStore } from '../port';
import { damagedAt, rowsOf, type CarriedLine } from './frame';
import { LOG_FILE_FORMAT } from './log-lines';

export interface Carried {
  readonly events: number;
  /** How many of them stood there already: a carrying that was cut off goes on where it stopped. */
  readonly already: number;
}

interface Row {
  readonly line: number;
  readonly stream: string;
  readonly revision: number;
  readonly event: NewEvent;
  readonly hash: string;
}

/**
 * Carries an exported log into the store that `open` opens, or begins, with the log's first event. Ids, streams,
 * revisions, bytes and hashes stay what they were, positions are given anew in the same order. Each hash is made again
 * from what is written, so that no changed line gets in. Only at the end is the store opened to others.
 */
export async function carryLog(
  lines: AsyncIterable<string>,
  open: (opened: NewEvent) => Promise<OpenStore>,
): Promise<Carried> {
  let store: OpenStore | undefined;
  try {
    const heads = new Map<string, Head>();
    let events = 0;
    let already = 0;
    for await (const rows of batches(rowsOf(lines, LOG_FILE_FORMAT))) {
      const [first] = rows as [Row];
      if (!store) {
        if (first.stream !== LOG_STREAM || first.revision !== 0) {
          throw damagedAt(first.line, 'is not the event that a log begins with');
        }
        store = await open(first.event);
        // With the opening the first event was written: it stands there always.
        already--;
      }
      already += await write(store, heads, rows);
      events += rows.length;
    }
    if (!store) throw new StartRefused('The file holds no event; export the log again.');
    await store.carried();
    return { events, already };
  } finally {
    await store?.close();
  }
}

/** As many rows as one commit takes; the first alone, for with it the store is opened. */
async function* batches(lines: AsyncIterable<CarriedLine>): AsyncGenerator<readonly Row[]> {
  let rows: Row[] = [];
  let opened = false;
  for await (const line of lines) {
    rows.push(rowOf(line));
    if (opened && rows.length < BATCH.items) continue;
    opened = true;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

function rowOf({ number, value: { event, hash } }: CarriedLine): Row {
  if (!isJsonObject(event ?? null) || typeof hash !== 'string')
    throw damagedAt(number, 'holds no event with its hash');
  const { stream, revision, ...rest } = event as JsonObject;
  if (typeof stream !== 'string' || typeof revision !== 'number')
    throw damagedAt(number, 'holds no event of a stream');
  return { line: number, stream, revision, event: rest as unknown as NewEvent, hash };
}

/** Appends the rows in their order; answers how many stood there already. */
async function write(store: OpenStore, heads: Map<string, Head>, rows: readonly Row[]): Promise<number> {
  const appends = rows.map((row) => {
    const expected: Expected = heads.get(row.stream) ?? 'none';
    const request: AppendRequest = { stream: row.stream, expected, events: [row.event] };
    refuseChanged(store.logId, row, request);
    heads.set(row.stream, { revision: row.revision, hash: row.hash });
    return store.append(request);
  });
  const verdicts = await Promise.all(appends);
  return rows.filter((row, index) => isDuplicate(row, verdicts[index] as AppendVerdict)).length;
}

function refuseChanged(logId: string, { line, revision, hash }: Row, request: AppendRequest): void {
  const [made] = preparedFor(logId, line, request).events;
  if (made?.revision !== revision)
    throw damagedAt(line, 'does not follow on the event of its stream before it');
  if (made.hash.toString('hex') !== hash)
    throw damagedAt(line, 'is not what was exported: its hash is another one');
}

function preparedFor(logId: string, line: number, request: AppendRequest): ReturnType<typeof prepare> {
  try {
    return prepare(logId, request);
  } catch (error) {
    if (error instanceof UnstorableAppend)
      throw damagedAt(line, `can't be stored (${error.message.replace(/\.$/, '')})`);
    throw error;
  }
}

function isDuplicate({ line, stream, revision }: Row, verdict: AppendVerdict): boolean {
  if (verdict.ok) return verdict.duplicate;
  throw new StartRefused(
    `${stream}@${revision} (line ${line}) stands otherwise in the log that is there; carry this one into an empty place.`,
  );
}
