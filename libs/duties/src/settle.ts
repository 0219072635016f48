import { isoInstant } from '@headworks/kernel';

/** A row of the view of duties: something is due on a stream. It wakes; what is due is decided from the stream. */
export interface DueRow {
  readonly stream: string;
  readonly duty: string;
  readonly dueAt: string;
}

/** Where the sweep looks, and what it sends. The row may be stale: `settle` decides again. */
export interface SettlePort {
  /** Open duties due before the instant, earliest first, at most so many. */
  readonly dueBefore: (instant: string, limit: number) => Promise<readonly DueRow[]>;
  /** Instant of the earliest open duty, or undefined. */
  readonly nextDue: () => Promise<string | undefined>;
  /** Sends Settle to the stream: appends what fell due there by now, and does what follows. */
  readonly settle: (stream: string) => Promise<void>;
  /** Waits until the rows show what is in the log now. */
  readonly caughtUp: () => Promise<void>;
}

const PAGE = 500;

/**
 * Sends Settle to every stream with a duty that is past at the instant, until none is left. A stream is asked once a
 * sweep: a row that stays open after its Settle (another process is at it, or a bug) must not spin.
 */
export async function sweep(port: SettlePort, nowMs: number): Promise<readonly DueRow[]> {
  const asked = new Set<string>();
  const fell: DueRow[] = [];
  const now = isoInstant(nowMs);
  for (;;) {
    await port.caughtUp();
    const due = await port.dueBefore(now, PAGE);
    const fresh = due.filter(({ stream, duty }) => !asked.has(`${stream}|${duty}`));
    if (fresh.length === 0) return fell;
    for (const row of fresh) asked.add(`${row.stream}|${row.duty}`);
    for (const stream of new Set(fresh.map((row) => row.stream))) await port.settle(stream);
    fell.push(...fresh);
  }
}
