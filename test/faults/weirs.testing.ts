import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as turn } from 'node:timers/promises';
import { isoInstant, type RecordedEvent } from '@headworks/kernel';
import { compose, readConfig, type ComposeOptions, type Config, type Program } from '@headworks/wiring';
import type { Request } from '@headworks/use-cases';
import { freshDatabase } from '../servers/fresh-database';

/** The whole counts with FAULTS=full, a tenth of them otherwise. */
export const times = (full: number): number =>
  process.env['FAULTS'] === 'full' ? full : Math.max(1, Math.round(full / 10));

export const PACK = 'fernhollow-weir';
const VILLAGE = 'xx-fernhollow';
/** A weir is repaired within 72 hours after the order (par. 8 of the invented law). */
export const ALLOWED_MS = 72 * 3_600_000;

/** A log, its views, and what programs on it are told: on PostgreSQL, or in a folder. */
export interface Place {
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export async function placeOn(store: 'sqlite' | 'postgres'): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-alarms-'));
  const base = { DATA_DIR: dir, RULES_DIR: join(__dirname, '../fixtures/duties'), HEADWORKS_CLOCK: 'real' };
  const database = store === 'postgres' ? await freshDatabase() : undefined;
  return {
    env: { ...base, ...(database && { DATABASE_URL: database.url }) },
    async remove() {
      await database?.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export interface Started {
  readonly program: Program;
  readonly told: readonly string[];
}

/** Losses are noticed within a second or two instead of a minute: the same code, looking more often. */
const IMPATIENT = { sweepEveryMs: 1_000, graceMs: 1_500, askMs: 300 };

/**
 * The law's clock of programs in this process: it runs as the machine's does, some time away from it. What is due is due
 * soon after a test sets the clock there, however long it took to get ready.
 */
export class LawClock {
  private offsetMs = 0;

  constructor(at: number) {
    this.comesTo(at);
  }

  readonly now = (): number => Date.now() + this.offsetMs;

  comesTo(at: number): void {
    this.offsetMs = at - Date.now();
  }
}

/** A program in this process, by its own clock; what it tells its operator is kept. */
export async function startIn(
  { env }: Place,
  more: Readonly<Record<string, string>> = {},
  now?: () => number,
  paces: ComposeOptions['paces'] = IMPATIENT,
): Promise<Started> {
  const told: string[] = [];
  const config: Config = readConfig({ ...env, ...more });
  const program = await compose(config, { tell: (said) => told.push(said), ...(now && { now }), paces });
  return { program, told };
}

const requestAt = (receivedMs: number): Request => ({
  caller: { id: 'the-warden', roles: ['officer'], jurisdictions: '*' },
  receivedMs,
  correlationId: 'faults',
  dryRun: false,
  deadline: Number.POSITIVE_INFINITY,
});

/** Orders the repair of so many weirs, so that each is due at its instant; answers the weirs' streams. */
export async function orderRepairs(
  { headworks }: Program,
  dues: readonly number[],
  name = 'W',
): Promise<readonly string[]> {
  const order = async (dueMs: number, n: number): Promise<string> => {
    const request = requestAt(dueMs - ALLOWED_MS);
    const weir = await headworks.registerSubject(request, 'weir', {
      jurisdiction: VILLAGE,
      key: `${name}-${n}`,
    });
    const id = weir.body['id'] as string;
    const target = { kind: 'weir', id, act: 'order_repair' };
    await headworks.doAct(request, target, { pack: PACK, occurredAt: isoInstant(dueMs - ALLOWED_MS) });
    return `subject-${id}`;
  };
  const streams: string[] = [];
  for (let first = 0; first < dues.length; first += 50) {
    const some = dues.slice(first, first + 50).map((due, index) => order(due, first + index));
    streams.push(...(await Promise.all(some)));
  }
  return streams;
}

/** Orders by a program of its own, whose clock stands at the first order, before those under test are there. */
export async function ordered(place: Place, dues: readonly number[]): Promise<readonly string[]> {
  const first = Math.min(...dues) - ALLOWED_MS;
  const { program } = await startIn(place, { HEADWORKS_ROLE: 'api' }, () => first + 1_000);
  try {
    return await orderRepairs(program, dues);
  } finally {
    await program.close();
  }
}

export async function logOf({ services }: Program): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of services.store.readAll()) events.push(...batch);
  return events;
}

export const missedIn = (log: readonly RecordedEvent[]): readonly RecordedEvent[] =>
  log.filter(({ type }) => type === 'DutyMissed');

export const occurredMs = ({ metadata: { occurred } }: RecordedEvent): number =>
  Date.parse('at' in occurred ? String(occurred.at) : '');

/** Each was missed once, dated when it fell due, with one violation, and nobody else was. */
export function expectEachMissedOnce(
  log: readonly RecordedEvent[],
  streams: readonly string[],
  dues: readonly number[],
): void {
  const missed = missedIn(log);
  const dated = new Map(missed.map((event) => [event.stream, occurredMs(event)]));
  expect(missed).toHaveLength(streams.length);
  expect(streams.map((stream) => dated.get(stream))).toEqual([...dues]);
  const violations = log.filter(({ type }) => type === 'ViolationDetected');
  expect(violations).toHaveLength(streams.length);
  expect(new Set(violations.map(({ stream }) => stream)).size).toBe(streams.length);
}

/** Waits until the look sees it; the patience is long, for a machine under load, and never slept through. */
export async function until(look: () => Promise<boolean> | boolean, patienceMs = 60_000): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await look())) {
    if (performance.now() > end)
      throw new Error(`It did not happen within ${patienceMs} ms: ${String(look)}`);
    await turn(100);
  }
}

/** Until so many are recorded as missed, with what follows from it. */
export const untilMissed = (program: Program, count: number): Promise<void> =>
  until(
    async () => (await logOf(program)).filter(({ type }) => type === 'ViolationDetected').length >= count,
  );
