/** A timer as the alarm needs one; tests pass their own. */
export interface Timers {
  readonly after: (ms: number, run: () => void) => () => void;
}

export interface AlarmOptions {
  readonly timers: Timers;
  /** Epoch ms of the law's clock. */
  readonly now: () => number;
  /** Epoch ms of the earliest open duty, or undefined. */
  readonly nextDue: () => Promise<number | undefined>;
  readonly sweep: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  /** Sweeps at the latest so often, whatever is due: queues and timers only wake us. */
  readonly everyMs: number;
}

/** One timer to the earliest due instant, and the sweep behind it. Losing either changes nothing: the next one finds all. */
export class Alarm {
  private cancel: (() => void) | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: AlarmOptions) {}

  /** Sweeps now and arms for what is next. */
  start(): void {
    this.fire();
  }

  /** Something new may be due earlier than what is armed. */
  async rearm(): Promise<void> {
    if (this.stopped || this.running) return;
    const { options } = this;
    const next = await options.nextDue();
    this.cancel?.();
    // Due instants are still in time: the law acts just after.
    const wait = next === undefined ? options.everyMs : Math.max(1, next - options.now() + 1);
    if (!this.stopped) this.cancel = options.timers.after(Math.min(wait, options.everyMs), () => this.fire());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel?.();
    await this.running;
  }

  private fire(): void {
    if (this.stopped || this.running) return;
    this.running = this.options
      .sweep()
      .then(
        () => undefined,
        (error: unknown) => this.options.onError(error),
      )
      .finally(() => {
        this.running = undefined;
        void this.rearm().catch(this.options.onError);
      });
  }
}
