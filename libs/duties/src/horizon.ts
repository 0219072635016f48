import { isoInstant } from '@headworks/kernel';
import type { DueRow, SettlePort } from './settle';

/** A queue of alarms. It carries ids, decides nothing, and may lose all it holds at any moment. */
export interface AlarmQueue {
  /** Puts in what is not in it yet, to come out after the delay. Throws where the queue can't be reached. */
  readonly add: (alarms: readonly QueuedAlarm[]) => Promise<void>;
  /** Whether it still holds what was put in: one that was emptied or begun anew does not, and says so here alone. */
  readonly remembers: () => Promise<boolean>;
}

export interface QueuedAlarm {
  readonly duty: string;
  /** Epoch ms of the due instant: another instant of the same duty is another alarm. */
  readonly dueMs: number;
  readonly delayMs: number;
}

export interface HorizonOptions {
  readonly queue: AlarmQueue;
  readonly port: Pick<SettlePort, 'due'>;
  readonly now: () => number;
  /** So far ahead alarms are put in: what is due later is put in when its time comes near. */
  readonly aheadMs: number;
}

const PAGE = 500;

/**
 * Keeps the alarms of the near horizon in the queue. What it holds is compared with the rows and never trusted: a row
 * that moved gets another alarm, and the old one wakes somebody who finds nothing to do.
 */
export class Horizon {
  /** Due instant by duty, as it was put in last. */
  private readonly armed = new Map<string, string>();

  constructor(private readonly options: HorizonOptions) {}

  /** Alarms that are ahead, as far as this process put them in. */
  get size(): number {
    return this.armed.size;
  }

  /** Puts in what is due soon and not in it yet; answers how many. */
  async arm(): Promise<number> {
    const { queue, port, now, aheadMs } = this.options;
    if (!(await queue.remembers())) this.armed.clear();
    this.forgetPast();
    const [from, before] = [isoInstant(now()), isoInstant(now() + aheadMs)];
    let added = 0;
    let after: DueRow | undefined;
    do {
      const page = await port.due({ from, before, limit: PAGE, ...(after && { after }) });
      added += await this.add(page);
      after = page.length < PAGE ? undefined : page.at(-1);
    } while (after);
    return added;
  }

  /** The same for a duty that an event has just opened, before any row shows it. */
  async expect(row: Pick<DueRow, 'duty' | 'dueAt'>): Promise<void> {
    const dueMs = Date.parse(row.dueAt);
    const nowMs = this.options.now();
    if (dueMs >= nowMs && dueMs < nowMs + this.options.aheadMs) await this.add([row]);
  }

  /** After this everything is put in again, or what was armed for one duty. */
  forget(duty?: string): void {
    if (duty === undefined) this.armed.clear();
    else this.armed.delete(duty);
  }

  private async add(rows: readonly Pick<DueRow, 'duty' | 'dueAt'>[]): Promise<number> {
    const fresh = rows.filter(({ duty, dueAt }) => this.armed.get(duty) !== dueAt);
    if (fresh.length === 0) return 0;
    const nowMs = this.options.now();
    await this.options.queue.add(
      fresh.map(({ duty, dueAt }) => {
        const dueMs = Date.parse(dueAt);
        // Due instants are still in time: the law acts just after.
        return { duty, dueMs, delayMs: Math.max(0, dueMs - nowMs) + 1 };
      }),
    );
    for (const { duty, dueAt } of fresh) this.armed.set(duty, dueAt);
    return fresh.length;
  }

  private forgetPast(): void {
    const now = isoInstant(this.options.now());
    for (const [duty, dueAt] of this.armed) if (dueAt < now) this.armed.delete(duty);
  }
}
