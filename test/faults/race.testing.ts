import { openPostgresStore, openSqliteStore } from '../../libs/event-store/src/adapters';
import { nameId, type RecordedEvent } from '@headworks/kernel';
import type { Answer } from './manifest-answers.testing';
import { startProgram, type Running } from './program.testing';

/** Where a race is run: the processes have the folder, or the database, in common. */
export interface Course {
  readonly dir: string;
  readonly databaseUrl?: string;
  readonly processes: number;
}

/** Times that a request is sent again before the test gives up on it. */
const MOST_TRIES = 200;

/** Processes of the program on one log, of which the first is killed now and then and started again. */
export class Race {
  readonly answers: Answer[] = [];
  /** What killed or stopped processes wrote to their error streams. */
  readonly said: string[] = [];
  kills = 0;
  private readonly running: Promise<Running>[] = [];
  private readonly gone = new WeakSet<Running>();
  private count = 0;

  constructor(private readonly course: Course) {}

  async start(): Promise<Running> {
    for (let index = 0; index < this.course.processes; index++) {
      this.running[index] = this.startOne();
      // One after the other: the first adopts the law.
      await this.running[index];
    }
    return this.process(0);
  }

  private startOne(): Promise<Running> {
    const { dir, databaseUrl } = this.course;
    return startProgram({ dir, env: databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl } });
  }

  async process(index: number): Promise<Running> {
    const found = await this.running[index % this.course.processes];
    if (!found) throw new Error(`There is no process ${index}.`);
    return found;
  }

  /** Kills the first process (-9) and starts it again; requests wait for it meanwhile, or go to another. */
  kill(): void {
    const killed = this.running[0];
    if (!killed) return;
    this.kills++;
    this.running[0] = killed.then(async (running) => {
      this.gone.add(running);
      running.child.kill('SIGKILL');
      const { stderr } = await running.ended;
      this.said.push(stderr);
      return this.startOne();
    });
  }

  /** The next number of the caller's own count. */
  tick(): number {
    return ++this.count;
  }

  /**
   * Sends until there is an answer, always with the same key: a process that was killed answers nothing, and one that
   * says 503 asks to be asked again. Each try goes to the next process.
   */
  async send(process: number, path: string, body: unknown, key: string): Promise<Sent> {
    const sent = this.tick();
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const running = await this.process(process + attempt);
      try {
        const { status, body: answered } = await running.call('POST', path, body, key);
        if (status === 503) continue;
        return { status, body: answered, sent, answered: this.tick() };
      } catch (error) {
        // Only who was killed may leave a caller without an answer.
        if ((error as Error).name !== 'TypeError' || !this.gone.has(running)) throw error;
      }
    }
    throw new Error(`${path} (${key}) had no answer in ${MOST_TRIES} tries.`);
  }

  /** Moves the sandbox's clock, for all of them; a process that is killed meanwhile may have moved it or not. */
  async moveClock(now: string): Promise<void> {
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const running = await this.process(attempt);
      try {
        const { status, body } = await running.call('PUT', '/sandbox/clock', { now });
        if (status === 200) return;
        if (status !== 503) throw new Error(`The clock did not move: ${status} ${JSON.stringify(body)}`);
      } catch (error) {
        if ((error as Error).name !== 'TypeError' || !this.gone.has(running)) throw error;
      }
    }
    throw new Error(`The clock did not move to ${now} in ${MOST_TRIES} tries.`);
  }

  /** Stops all of them, in order, and says what they had to say. */
  async stop(): Promise<void> {
    for (let index = 0; index < this.course.processes; index++) {
      const running = await this.process(index);
      running.child.kill('SIGINT');
      const { code, stderr } = await running.ended;
      this.said.push(stderr);
      if (code !== 0) throw new Error(`It ended with ${code}: ${stderr}`);
    }
  }

  /** Whatever became of the test, no process outlives it. */
  async abandon(): Promise<void> {
    for (const one of await Promise.allSettled(this.running))
      if (one.status === 'fulfilled') one.value.child.kill('SIGKILL');
  }

  /** The whole log, read beside the program or after it. */
  async log(): Promise<readonly RecordedEvent[]> {
    const { dir, databaseUrl: url } = this.course;
    const options = { clock: 'virtual', now: () => '1970-01-01T00:00:00.000Z' } as const;
    const store = await (url === undefined
      ? openSqliteStore({ ...options, dir, readOnly: true })
      : openPostgresStore({ ...options, url }));
    const events: RecordedEvent[] = [];
    for await (const batch of store.readAll()) events.push(...batch);
    await store.close();
    return events;
  }
}

export interface Sent {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly sent: number;
  readonly answered: number;
}

/** Works a queue off with so many hands. */
export async function inHands<T>(
  hands: number,
  queue: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...queue];
  const hand = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: hands }, hand));
}

/** Dice that fall alike for the same seed, number and purpose, whatever else is thrown meanwhile. */
export const diceOf =
  (seed: number) =>
  (n: number, purpose: string, sides: number): number =>
    parseInt(nameId('dice', seed, n, purpose).slice(0, 8), 16) % sides;
