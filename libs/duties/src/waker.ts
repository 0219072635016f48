import type { DueRow, SettlePort } from './settle';

export interface WakerOptions {
  /** Open rows of the duties named. */
  readonly dueOf: (duties: readonly string[]) => Promise<readonly DueRow[]>;
  readonly settle: SettlePort['settle'];
  readonly now: () => number;
  /** An alarm came before its time: the clock was set back, or the duty moved. */
  readonly early: (row: DueRow) => void;
  /** Alarms come this late only after a silence, and then the sweep keeps the order of the law. */
  readonly lateMs: number;
  readonly late: () => void;
}

/**
 * What a queue wakes: it knows the duty's id and nothing else, asks the rows where that is at home, and sends Settle
 * there. Woken twice, for nothing, or never, it changes nothing. Those who ask while it looks up rows are looked up
 * together.
 */
export class Waker {
  private asked = new Map<string, Promise<DueRow | undefined>>();
  private looking: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: WakerOptions) {}

  async wake(duty: string): Promise<void> {
    const { now, lateMs, late, early, settle } = this.options;
    const row = await this.rowOf(duty);
    // Done, or not in the rows yet: then the sweep finds it.
    if (!row) return;
    const sinceMs = now() - Date.parse(row.dueAt);
    if (sinceMs <= 0) early(row);
    else if (sinceMs > lateMs) late();
    else await settle(row);
  }

  private rowOf(duty: string): Promise<DueRow | undefined> {
    if (this.asked.size === 0) this.looking = this.lookAfter(this.looking);
    const before = this.asked.get(duty);
    if (before) return before;
    const batch = this.looking as Promise<ReadonlyMap<string, DueRow>>;
    const found = batch.then((rows) => rows.get(duty));
    this.asked.set(duty, found);
    return found;
  }

  /** Begins when the look-up before it has ended: meanwhile more come and go along. */
  private async lookAfter(before: Promise<unknown>): Promise<ReadonlyMap<string, DueRow>> {
    await before.catch(() => undefined);
    const duties = [...this.asked.keys()];
    this.asked = new Map();
    const rows = await this.options.dueOf(duties);
    return new Map(rows.map((row) => [row.duty, row]));
  }
}
