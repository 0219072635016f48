/** A timer as the alarm needs one; tests pass their own. */
export interface Timers {
  readonly after: (ms: number, run: () => void) => () => void;
}

/** Epoch ms of the earliest duty that is past and still open, and of the earliest that is not past yet. */
export interface NextDue {
  readonly past?: number | undefined;
  readonly next?: number | undefined;
}

export interface AlarmOptions {
  readonly timers: Timers;
  /** Epoch ms of the law's clock. */
  readonly now: () => number;
  readonly nextDue: () => Promise<NextDue>;
  readonly sweep: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  /** Sweeps at the latest so often, whatever is due: queues and timers only wake us. */
  readonly everyMs: number;
  /** How long what is due is left to a queue that should wake somebody first; 0 where there is none, or none answers. */
  readonly graceMs?: () => number;
}

/** What a sweep left due (a stream that can't be settled now) is tried again after so long. */
const AGAIN_MS = 5_000;
const NEVER = Number.POSITIVE_INFINITY;

/** One timer to the earliest due instant, and the sweep behind it. Losing either changes nothing: the next one finds all. */
export class Alarm {
  private cancel: (() => void) | undefined;
  /** Instant to which the timer runs, by the law's clock. */
  private until = NEVER;
  /** The earliest due instant that was told of: rows that do not show it yet must not put it off. */
  private expected = NEVER;
  private sweptAt = Number.NEGATIVE_INFINITY;
  private running: Promise<void> | undefined;
  private arming: Promise<void> | undefined;
  private lookAgain = false;
  private stopped = false;

  constructor(private readonly options: AlarmOptions) {}

  /** Sweeps now and arms for what is next. */
  start(): void {
    this.fire();
  }

  /** Something falls due then, whether or not the rows show it already. */
  expect(dueMs: number): void {
    if (this.stopped) return;
    this.expected = Math.min(this.expected, dueMs);
    const at = this.justAfter(dueMs);
    if (!this.running && at < this.until) this.arm(at);
  }

  /** Something new may be due earlier than what is armed. Those who ask while it looks are served by one more look. */
  async rearm(): Promise<void> {
    if (this.stopped || this.running) return;
    if (this.arming) this.lookAgain = true;
    else this.arming = this.look().finally(() => (this.arming = undefined));
    return this.arming;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel?.();
    await this.running;
    await this.arming;
  }

  private async look(): Promise<void> {
    do {
      this.lookAgain = false;
      let due: NextDue = {};
      try {
        due = await this.options.nextDue();
      } catch (error) {
        // Without an answer the sweep still comes: an alarm that is not armed would never wake anybody again.
        this.options.onError(error);
      }
      const coming = Math.min(due.next ?? NEVER, this.expected);
      this.arm(Math.min(this.justAfter(coming), due.past === undefined ? NEVER : this.again(due.past)));
    } while (this.lookAgain && !this.stopped);
  }

  /** Due instants are still in time: the law acts just after. */
  private justAfter(dueMs: number): number {
    return dueMs + 1 + (this.options.graceMs?.() ?? 0);
  }

  /** At once where no sweep has seen it yet; what the last one could not settle must not make it spin. */
  private again(pastMs: number): number {
    const at = this.justAfter(pastMs);
    return this.sweptAt >= at ? this.options.now() + AGAIN_MS : at;
  }

  private arm(at: number): void {
    const { now, timers, everyMs } = this.options;
    this.cancel?.();
    this.until = at;
    if (this.stopped) return;
    this.cancel = timers.after(Math.min(Math.max(1, at - now()), everyMs), () => this.fire());
  }

  private fire(): void {
    if (this.stopped || this.running) return;
    const { now, sweep, onError } = this.options;
    this.until = NEVER;
    this.sweptAt = now();
    if (this.expected < this.sweptAt) this.expected = NEVER;
    this.running = sweep()
      .then(() => undefined, onError)
      .finally(() => {
        this.running = undefined;
        void this.rearm();
      });
  }
}
