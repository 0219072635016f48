import { isoInstant } from '@headworks/kernel';

/** A row of the view of duties: something is due on a stream. It wakes; what is due is decided from the stream. */
export interface DueRow {
  readonly stream: string;
  readonly duty: string;
  readonly dueAt: string;
}

/** Open duties, the earliest first: `from` itself is asked for, `before` is not; `after` goes on behind that one. */
export interface DueAsked {
  readonly from?: string;
  readonly before?: string;
  readonly after?: DueRow;
  readonly limit: number;
}

/** Where the sweep looks, and what it sends. The row may be stale: `settle` decides again. */
export interface SettlePort {
  readonly due: (asked: DueAsked) => Promise<readonly DueRow[]>;
  /** Instant of the earliest open duty, or undefined. */
  readonly nextDue: () => Promise<string | undefined>;
  /**
   * Sends Settle to the row's stream as of just after its instant: appends what fell due there by then, and does what
   * follows. Answers the earliest instant at which something new is due because of it.
   */
  readonly settle: (row: DueRow) => Promise<string | undefined>;
  /** Waits until the rows show what is in the log now. */
  readonly caughtUp: () => Promise<void>;
}

export type OnFailed = (row: DueRow, error: unknown) => void;

const PAGE = 500;
/** Streams that are settled at once: enough to fill a batch of the store, and no more than it holds. */
const AT_ONCE = 64;

/** A row that stays open after its Settle (another process is at it, or a bug) must not spin. */
const nameOf = ({ stream, duty, dueAt }: DueRow): string => `${stream}|${duty}|${dueAt}`;

/**
 * Sends Settle for every duty that is past at the instant, until none is left: from due instant to due instant, so that
 * the log has what a week of silence left undone in the order of the law; what is due at one instant, together. A row is
 * asked once a sweep, and one that fails is told of and holds nobody up.
 */
export async function sweep(
  port: SettlePort,
  nowMs: number,
  onFailed: OnFailed = rethrow,
): Promise<readonly DueRow[]> {
  const before = isoInstant(nowMs);
  const run: Run = { port, onFailed, asked: new Set(), fell: [] };
  for (;;) {
    const count = run.asked.size;
    let after: DueRow | undefined;
    do {
      await port.caughtUp();
      const page = await port.due({ before, limit: PAGE, ...(after && { after }) });
      after = await settlePage(run, page);
    } while (after);
    if (run.asked.size === count) return run.fell;
  }
}

function rethrow(_row: DueRow, error: unknown): never {
  throw error;
}

interface Run {
  readonly port: SettlePort;
  readonly onFailed: OnFailed;
  readonly asked: Set<string>;
  readonly fell: DueRow[];
}

/** Answers the row behind which to go on: none where the page was the last, or where something new is due before that. */
async function settlePage(run: Run, page: readonly DueRow[]): Promise<DueRow | undefined> {
  let opened: string | undefined;
  for (const together of byInstant(page)) {
    // What an earlier instant brought about comes first.
    const [first] = together;
    if (first && opened !== undefined && opened < first.dueAt) return undefined;
    opened = earliest(opened, await settleTogether(run, together));
  }
  return page.length < PAGE || opened !== undefined ? undefined : page.at(-1);
}

function byInstant(rows: readonly DueRow[]): readonly (readonly DueRow[])[] {
  const groups: DueRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.dueAt === row.dueAt) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

async function settleTogether(run: Run, rows: readonly DueRow[]): Promise<string | undefined> {
  const fresh = rows.filter((row) => !run.asked.has(nameOf(row)));
  for (const row of fresh) run.asked.add(nameOf(row));
  // One Settle a stream has all that is due on it then.
  const streams = [...new Map(fresh.map((row) => [row.stream, row])).values()];
  let opened: string | undefined;
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let row = streams[next++]; row; row = streams[next++]) {
      try {
        opened = earliest(opened, await run.port.settle(row));
      } catch (error) {
        run.onFailed(row, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, streams.length) }, worker));
  run.fell.push(...fresh);
  return opened;
}

const earliest = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;
