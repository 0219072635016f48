import {
  Alarm,
  Horizon,
  sweep,
  Tried,
  Waker,
  type DueRow,
  type NextDue,
  type SettlePort,
} from '@headworks/duties';
import type { DutyChanges } from '@headworks/domain';
import { isoInstant, type RecordedEvent } from '@headworks/kernel';
import type { Clock } from '@headworks/use-cases';
import type { RedisAlarms } from './redis-alarms';
import type { ViewQueries } from './views';

/** How often it looks, in ms. Nothing of the law hangs on any of these: they only say how late a loss is noticed. */
export interface AlarmPaces {
  readonly sweepEveryMs: number;
  /** Alarms are put into the queue so far ahead: far more than the time between two sweeps, which put in the next ones. */
  readonly aheadMs: number;
  /** What is due is left to the queue for so long; then the sweep takes it, whatever became of the queue. */
  readonly graceMs: number;
  /** So often the queue is asked whether it still holds what it was given: one that was emptied says nothing. */
  readonly askMs: number;
}

const PACES: AlarmPaces = { sweepEveryMs: 60_000, aheadMs: 3_600_000, graceMs: 10_000, askMs: 5_000 };

/** What alarms did since the start, and have before them: for metrics. */
export interface AlarmFigures {
  /** In the queue, or 1 where the timer runs to something. */
  readonly armed: number;
  readonly firedByQueue: number;
  readonly firedBySweep: number;
  /** Settles sent later than the operator allows after the due instant. */
  readonly late: number;
  readonly failed: number;
}

export interface AlarmsOptions {
  readonly port: SettlePort;
  readonly lists: Pick<ViewQueries, 'dueOf'>;
  readonly clock: Clock;
  readonly redis?: RedisAlarms;
  /** Reminds of what is due soon, after each sweep. */
  readonly remind?: () => Promise<void>;
  readonly lateMs: number;
  readonly monotonic: () => number;
  readonly tell: (sentence: string) => void;
  readonly paces?: Partial<AlarmPaces>;
}

/**
 * Everything that wakes this process: one timer, the sweep behind it, and BullMQ where there is a Redis. All of them end
 * in `settle` of a row, and none is needed for what is due to be found: each may be lost, early, late or doubled.
 */
export class Alarms {
  private readonly alarm: Alarm;
  private readonly horizon: Horizon | undefined;
  private readonly tried: Tried;
  private readonly paces: AlarmPaces;
  private asking: NodeJS.Timeout | undefined;
  private running: Promise<readonly DueRow[]> | undefined;
  private next: Promise<readonly DueRow[]> | undefined;
  private firedByQueue = 0;
  private firedBySweep = 0;
  private late = 0;
  private failed = 0;
  private started = false;
  private stopping = false;

  constructor(private readonly options: AlarmsOptions) {
    const { port, clock, redis, tell } = options;
    const now = (): number => clock.now();
    this.tried = new Tried(options.monotonic);
    this.paces = { ...PACES, ...options.paces };
    const { aheadMs, graceMs, sweepEveryMs } = this.paces;
    this.horizon = redis && new Horizon({ queue: redis, port, now, aheadMs });
    this.alarm = new Alarm({
      timers: { after },
      now,
      nextDue: () => this.nextDue(),
      sweep: async () => {
        await this.settleDue();
        await this.arm();
        // Beside the sweep: a mail server that does not answer holds up nothing of the law.
        void this.options.remind?.().catch((error: unknown) => tell(`Reminders wait: ${messageOf(error)}`));
      },
      onError: (error) => {
        if (!this.stopping) tell(`The sweep failed and is tried again: ${messageOf(error)}`);
      },
      everyMs: sweepEveryMs,
      graceMs: () => (redis?.isUp === true ? graceMs : 0),
    });
  }

  /** The sweep comes first: what a silence left undone is recorded in the order of the law before a queue wakes for it. */
  async start(): Promise<void> {
    const { redis, port, lists, clock } = this.options;
    this.started = true;
    this.alarm.start();
    if (!redis) return;
    const waker = new Waker({
      dueOf: (duties) => lists.dueOf(duties),
      settle: (row) => {
        this.firedByQueue++;
        return this.counted(row, () => port.settle(row));
      },
      now: () => clock.now(),
      early: ({ duty }) => this.horizon?.forget(duty),
      lateMs: this.paces.sweepEveryMs,
      late: () => void this.settleDue().catch(() => undefined),
    });
    await this.running?.catch(() => undefined);
    if (!this.started) return;
    redis.work((duty) => waker.wake(duty));
    this.asking = setInterval(() => void this.askQueue(redis), this.paces.askMs);
    this.asking.unref();
  }

  /** Redis is there, or there again: whatever it held may be gone, and the timer may leave to it what is due. */
  redisIsUp(): void {
    if (!this.started) return;
    this.horizon?.forget();
    void this.arm();
  }

  /** Events are seen before the rows show them: what they open is armed from what they say themselves. */
  onEvent(event: RecordedEvent): void {
    if (!this.started) return;
    for (const { duty, dueAt } of openedBy(event)) {
      this.alarm.expect(Date.parse(dueAt));
      if (this.options.redis?.isUp === true)
        void this.horizon?.expect({ duty, dueAt }).catch(() => undefined);
    }
    if (PERMIT_BEGINS.has(event.type)) void this.afterRows();
  }

  /** Settles all that is due by now. Who asks while it runs is served by the one that begins after it. */
  async settleDue(): Promise<readonly DueRow[]> {
    if (!this.running) return this.begin();
    this.next ??= this.running.catch(() => []).then(() => this.begin());
    return this.next;
  }

  figures(): AlarmFigures {
    const { firedByQueue, firedBySweep, late, failed } = this;
    const armed = this.horizon?.size ?? (this.started ? 1 : 0);
    return { armed, firedByQueue, firedBySweep, late, failed };
  }

  async stop(): Promise<void> {
    this.started = false;
    this.stopping = true;
    clearInterval(this.asking);
    await this.alarm.stop();
    await this.options.redis?.close();
    await Promise.allSettled([this.running, this.next]);
  }

  private async nextDue(): Promise<NextDue> {
    const { port, clock } = this.options;
    const first = await port.nextDue();
    const now = clock.now();
    if (first === undefined || Date.parse(first) >= now) return { next: inMs(first) };
    const [coming] = await port.due({ from: isoInstant(now), limit: 1 });
    return { past: inMs(first), next: inMs(coming?.dueAt) };
  }

  private begin(): Promise<readonly DueRow[]> {
    this.next = undefined;
    const running = this.sweepOnce().finally(() => {
      if (this.running === running) this.running = undefined;
    });
    this.running = running;
    return running;
  }

  private async sweepOnce(): Promise<readonly DueRow[]> {
    const { port, clock, tell } = this.options;
    const now = clock.now();
    const next = await port.nextDue();
    if (next === undefined || Date.parse(next) >= now) return [];
    const settle = async (row: DueRow): Promise<string | undefined> => {
      // What is left at a stop is found at the next start.
      if (this.stopping || !this.tried.begin(row)) return undefined;
      this.firedBySweep++;
      return this.counted(row, () => port.settle(row));
    };
    return sweep({ ...port, settle }, now, ({ stream, dueAt }, error) => {
      this.failed++;
      tell(
        `What fell due on ${stream} at ${dueAt} is not recorded yet, and tried again: ${messageOf(error)}`,
      );
    });
  }

  private async counted<T>({ dueAt }: DueRow, settle: () => Promise<T>): Promise<T> {
    const { clock, lateMs } = this.options;
    if (clock.now() - Date.parse(dueAt) > lateMs) this.late++;
    return settle();
  }

  private async arm(): Promise<void> {
    const { redis } = this.options;
    if (redis?.isUp !== true) return;
    // What can't be put in now is put in by the next sweep, or when Redis is there again; until then the timer wakes.
    await this.horizon?.arm().catch(() => undefined);
  }

  private async askQueue(redis: RedisAlarms): Promise<void> {
    const remembers = redis.isUp ? await redis.remembers().catch(() => true) : true;
    if (remembers) return;
    this.horizon?.forget();
    await this.arm();
  }

  private async afterRows(): Promise<void> {
    try {
      await this.options.port.caughtUp();
      await this.alarm.rearm();
    } catch {
      // The next sweep looks again.
    }
  }
}

/** The law gives these an end that no duty tells of; the rows have it. */
const PERMIT_BEGINS = new Set(['PermitIssued', 'PermitReinstated', 'ApplicationDeemedApproved']);

/** Duties that the event opened, each with its instant in UTC; one whose clock stands still has none. */
export const openedBy = ({ data }: RecordedEvent): readonly { duty: string; dueAt: string }[] =>
  ((data['duties'] as DutyChanges | undefined)?.opened ?? []).flatMap(({ duty, dueAt }) =>
    dueAt === null ? [] : [{ duty, dueAt: isoInstant(Date.parse(dueAt)) }],
  );

/** The earliest instant, past by now, at which something new is due because of the events. */
export function dueBecauseOf(
  events: readonly RecordedEvent[],
  row: DueRow,
  nowMs: number,
): string | undefined {
  const now = isoInstant(nowMs);
  const opened = events.flatMap((event) => openedBy(event).map(({ dueAt }) => dueAt));
  // A permit that began may have ended since: the rows know.
  if (events.some(({ type }) => PERMIT_BEGINS.has(type))) opened.push(row.dueAt);
  return opened.filter((dueAt) => dueAt < now).toSorted()[0];
}

const inMs = (instant: string | undefined): number | undefined =>
  instant === undefined ? undefined : Date.parse(instant);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
}
