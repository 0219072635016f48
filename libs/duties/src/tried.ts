import type { DueRow } from './settle';

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
const MOST = 100_000;

/**
 * Rows that stayed open after a Settle: a stream that can't be written now, or a fact that is missing, so that nobody can
 * say yet whether it was missed. Each is tried again, less and less often, and holds up nobody who reads a list.
 */
export class Tried {
  private readonly rows = new Map<string, { readonly again: number; readonly waitMs: number }>();

  constructor(private readonly monotonic: () => number) {}

  /** Whether it is the row's turn. */
  begin({ stream, duty, dueAt }: DueRow): boolean {
    const now = this.monotonic();
    const name = `${stream}|${duty}|${dueAt}`;
    const before = this.rows.get(name);
    if (before && now < before.again) return false;
    const waitMs = before ? Math.min(before.waitMs * 2, LONGEST_MS) : FIRST_MS;
    // What was settled is never asked again, so what is kept may go when there is much of it.
    if (this.rows.size >= MOST) this.rows.clear();
    this.rows.set(name, { again: now + waitMs, waitMs });
    return true;
  }
}
