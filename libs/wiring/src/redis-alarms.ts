import { randomUUID } from 'node:crypto';
import type { AlarmQueue, QueuedAlarm } from '@headworks/duties';
import type { Job, Queue, Worker } from 'bullmq';
import type { Redis, RedisOptions } from 'ioredis';
import { withinMs } from './within';

export interface RedisAlarmsOptions {
  readonly url: string;
  readonly logId: string;
  readonly tell: (sentence: string) => void;
  /** Redis can be reached, for the first time or again: whatever it held may be gone. */
  readonly onUp: () => void;
}

/** Jobs that run at once in a worker: enough to fill a batch of the log. */
const AT_ONCE = 64;
/** A command without an answer for so long is lost, and so is its socket: one that was cut in silence says nothing. */
const COMMAND_MS = 3_000;
/** Longer than a worker's longest wait for a job (10 s), which is silence too. */
const SILENCE_MS = 15_000;
const AGAIN_MS = 1_000;
/** What Redis is asked for at the start and at the stop, in all: the program goes on without it. */
const PATIENCE_MS = 1_500;
const PONG_MS = 1_000;
/** The mark outlives a week-end without a worker; when it is gone, everything is put in again, which changes nothing. */
const MARK_SECONDS = 7 * 24 * 3600;

type Wake = (duty: string) => Promise<void>;

/**
 * BullMQ on Redis: alarms come out of it when they are due, on one of the workers. A job is the duty's id, and its own id
 * has the instant too, so that one which moved is another job. Ids of jobs guard nothing: who is woken asks the log.
 */
export class RedisAlarms implements AlarmQueue {
  readonly queue: Queue;
  private readonly connection: Redis;
  private readonly shown: string;
  private readonly prefix: string;
  private readonly mark: string;
  private worker: Worker | undefined;
  private working: Redis | undefined;
  private wake: Wake | undefined;
  private closing = false;
  private isDown = false;
  /** Also of the connections that BullMQ makes of ours. */
  private readonly common = {
    connectTimeout: COMMAND_MS,
    socketTimeout: SILENCE_MS,
    // After a stop nobody comes back, whoever still waits for an answer.
    retryStrategy: (times: number) => (this.closing ? null : Math.min(times * 100, AGAIN_MS)),
  } satisfies RedisOptions;
  private readonly handling = new Set<Promise<void>>();

  private constructor(
    private readonly options: RedisAlarmsOptions,
    private readonly drivers: Drivers,
  ) {
    this.shown = withoutCredentials(options.url);
    // In braces: a cluster keeps all keys of the queue in one place.
    this.prefix = `{headworks-${options.logId}}`;
    this.mark = `${this.prefix}:alarms-of:${randomUUID()}`;
    this.connection = new drivers.Redis(options.url, {
      ...this.common,
      maxRetriesPerRequest: 1,
      enableOfflineQueue: false,
      commandTimeout: COMMAND_MS,
    });
    this.connection.on('error', () => undefined);
    this.connection.on('close', () => this.lost());
    this.connection.on('ready', () => void this.ready());
    this.queue = new drivers.Queue('alarms', {
      connection: this.connection,
      prefix: this.prefix,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: { age: 24 * 3600, count: 1000 } },
    });
    // What goes wrong with the connection is told by the connection, once.
    this.queue.on('error', () => undefined);
  }

  static async open(options: RedisAlarmsOptions): Promise<RedisAlarms> {
    return new RedisAlarms(options, await loadDrivers());
  }

  get isUp(): boolean {
    return !this.closing && this.connection.status === 'ready';
  }

  async add(alarms: readonly QueuedAlarm[]): Promise<void> {
    const jobs = alarms.map(({ duty, dueMs, delayMs }) => ({
      name: 'settle',
      data: { duty },
      opts: { jobId: `${duty}-${dueMs}`, delay: delayMs },
    }));
    await this.reached(() => this.queue.addBulk(jobs));
  }

  async remembers(): Promise<boolean> {
    const before = await this.reached(() => this.connection.set(this.mark, '1', 'EX', MARK_SECONDS, 'GET'));
    return before !== null;
  }

  /** Jobs that wait in it, whoever put them in. */
  async waiting(): Promise<number> {
    const counts = await this.reached(() => this.queue.getJobCounts('delayed', 'waiting', 'active'));
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  /** From now on (or from when Redis comes) this process is woken. */
  work(wake: Wake): void {
    this.wake = wake;
    if (this.isUp) this.startWorker();
  }

  /** Says so once where Redis is not there in time; it is taken up when it comes. */
  async opened(): Promise<void> {
    if (this.isUp) return;
    await withinMs(
      PATIENCE_MS,
      new Promise<void>((resolve) => this.connection.once('ready', () => resolve())),
    );
    if (!this.isUp && !this.closing) this.lost();
  }

  /** What is being done is done; then the connections go, whether or not anybody is at their other end. */
  async close(): Promise<void> {
    const answers =
      this.isUp &&
      (await withinMs(
        PONG_MS,
        this.connection.ping().catch(() => 'none'),
      )) === 'PONG';
    this.closing = true;
    // Without an answer a worker that is closed with patience waits for ever, and keeps the process.
    await withinMs(PATIENCE_MS, this.worker?.close(!answers) ?? Promise.resolve());
    await Promise.allSettled(this.handling);
    await withinMs(PATIENCE_MS, this.queue.close());
    void this.worker?.disconnect().catch(() => undefined);
    this.working?.disconnect();
    this.connection.disconnect();
  }

  private async ready(): Promise<void> {
    if (this.isDown) this.options.tell(`Redis at ${this.shown} is there; alarms are put into it again.`);
    this.isDown = false;
    this.startWorker();
    this.options.onUp();
  }

  private lost(): void {
    if (this.isDown || this.closing) return;
    this.isDown = true;
    this.options.tell(
      `Redis at ${this.shown} can't be reached; what falls due is recorded by the timer and the sweep until it is there again.`,
    );
  }

  private startWorker(): void {
    if (this.worker || !this.wake || this.closing) return;
    const { wake } = this;
    const handle = (job: Job<{ duty: string }>): Promise<void> => {
      const handled = wake(job.data.duty).finally(() => this.handling.delete(handled));
      this.handling.add(handled);
      return handled;
    };
    // A worker waits for Redis as long as it takes: it may not give up on a command.
    this.working = new this.drivers.Redis(this.options.url, { ...this.common, maxRetriesPerRequest: null });
    this.working.on('error', () => undefined);
    this.worker = new this.drivers.Worker('alarms', handle, {
      connection: this.working,
      prefix: this.prefix,
      concurrency: AT_ONCE,
      runRetryDelay: AGAIN_MS,
    });
    this.worker.on('error', () => undefined);
  }

  /** A queue that is away answers nothing at all: who asks it is told so at once. */
  private async reached<T>(ask: () => Promise<T>): Promise<T> {
    if (!this.isUp) throw new Error(`Redis at ${this.shown} can't be reached.`);
    const asked = ask().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const answer = await withinMs(COMMAND_MS, asked);
    if (answer && 'value' in answer) return answer.value;
    // It is there and says no (it is full, or takes no writes): coming back at once would only be told so again.
    if (answer && isReply(answer.error)) {
      throw new Error(`Redis at ${this.shown} refuses: ${answer.error.message}`, { cause: answer.error });
    }
    // Begun anew: the socket may have been cut without either end having heard of it.
    if (!this.closing) this.connection.disconnect(true);
    throw new Error(`Redis at ${this.shown} does not answer.`);
  }
}

const isReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError';

type Drivers = Awaited<ReturnType<typeof loadDrivers>>;

/** Only where they are needed: they take a tenth of a second of every start. */
async function loadDrivers() {
  const [{ Queue: TheQueue, Worker: TheWorker }, { Redis: TheRedis }] = await Promise.all([
    import('bullmq'),
    import('ioredis'),
  ]);
  return { Queue: TheQueue, Worker: TheWorker, Redis: TheRedis };
}

/** As an operator may read it: user and password are nobody's to see. */
export function withoutCredentials(url: string): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.toString();
}
