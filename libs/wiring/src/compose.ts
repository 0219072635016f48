import { randomUUID } from 'node:crypto';
import { sweep, type Reminders, type SettlePort } from '@headworks/duties';
import { LOG_STREAM, reErase } from '@headworks/event-store';
import { CodedError, isoInstant } from '@headworks/kernel';
import { loadRules, type RuleSet } from '@headworks/rules-engine';
import { Headworks, StreamRunner, type Clock, type Services } from '@headworks/use-cases';
import { Alarms, dueBecauseOf, type AlarmPaces } from './alarms';
import { adoptLaw, checkRuleFiles, noticeAdoption, type LawFaults } from './adopt-law';
import { realClock, startInstant, VirtualClock } from './clocks';
import type { Config } from './config';
import { firstKey } from './first-key';
import { followAutomations, parkedSentence } from './follow-automations';
import { withLaw } from './law-in-force';
import { listsAt } from './lists-at';
import { moveClock } from './move-clock';
import { caughtUp, readiness, type Following } from './following';
import { Reached } from './reached';
import type { Overdue, Program } from './program';
import { RedisAlarms } from './redis-alarms';
import { openReminders } from './reminders';
import { sealer } from './sealer';
import { startViewsBeside } from './start-views-beside';
import { closeStorage, openStorage, type Storage } from './storage';
import { withinMs } from './within';
import { checkpointOf, viewQueries, viewsOf, type ViewQueries } from './views';

const REMINDERS_MS = 3_000;

export interface ComposeOptions {
  /** Where a sentence for the operator goes. */
  readonly tell?: (sentence: string) => void;
  /** What stands in `config.rulesDir`, for who starts many programs on the same files. */
  readonly rules?: RuleSet;
  /** The machine's time where it is not a sandbox's; tests pass their own. */
  readonly now?: () => number;
  /** How often alarms look; tests are more impatient. */
  readonly paces?: Partial<AlarmPaces>;
}

/** Puts the program together for a configuration: opens, adopts the law, starts the views, automations and alarms. */
export async function compose(config: Config, options: ComposeOptions = {}): Promise<Program> {
  const tell = options.tell ?? ((sentence) => void process.stderr.write(`${sentence}\n`));
  const rules = options.rules ?? loadRules(config.rulesDir);
  checkRuleFiles(rules);
  const storage = await openStorage(config);
  const { movedAside } = storage.database;
  if (movedAside !== undefined)
    tell(`The views could not be used; they are at ${movedAside}, and are built anew.`);
  try {
    return await start(config, rules, storage, { ...options, tell });
  } catch (error) {
    await closeStorage(storage);
    throw error;
  }
}

async function start(
  config: Config,
  rules: RuleSet,
  storage: Storage,
  { tell, now, paces }: ComposeOptions & { tell: (sentence: string) => void },
): Promise<Program> {
  const { store, keys, database, singleWriter } = storage;
  const logEvents = await store.readStream(LOG_STREAM);
  await reErase(keys, logEvents);
  const clock: Clock = config.clock === 'virtual' ? new VirtualClock() : realClock(now);
  if (clock instanceof VirtualClock) for (const event of logEvents) clock.take(event);
  const monotonic = (): number => performance.now();
  const runner = new StreamRunner({ store, singleWriter, seal: sealer(rules, keys), monotonic });
  const lawFaults = await adoptLaw(rules, runner, { now: startInstant(clock), monotonic });
  const parts = { store, keys, runner, clock, monotonic, newId: randomUUID, lawFaults };
  const { services, from } = await withLaw(parts, rules, database);
  const headworks = new Headworks(services);
  const stopping = new AbortController();
  const views = await startViewsBeside(config, rules, {
    store,
    database,
    views: viewsOf(rules),
    elapsedMs: monotonic,
    onError: ({ message }) => tell(message),
    signal: stopping.signal,
  });
  const first = await firstKey(keys, config.bootstrapKey, new Date().toISOString());
  const reached = config.role === 'api' ? undefined : new Reached();
  const following = { services, views, signal: stopping.signal, ...(reached && { reached }) };
  const port = settlePort(following, headworks, storage);
  const lists = viewQueries(database);
  const reminders = config.reminders && openReminders(config.reminders, { services, lists, say: tell });
  const alarms = await openAlarms(config, { services, storage, port, reminders, tell, paces });
  const beside = { rules, lawFaults, services, headworks, storage, from, stopping, tell };
  const running = runBeside(config, { ...beside, alarms: alarms.alarms, ...(reached && { reached }) });
  return {
    config,
    services,
    headworks,
    rules,
    keys,
    views: { ...viewQueries(database), ...listsAt(database, services) },
    ...(first !== undefined && { firstKey: first }),
    readiness: () => readiness(following),
    alarms: alarms.shown,
    settleDue: () => settleDue(services, alarms.alarms),
    caughtUp: (position) => caughtUp(following, position),
    moveClock: (to) => move(services, port, reminders, to),
    async close() {
      stopping.abort();
      await running.stop();
      // A message under way is given a moment; what came of it is else told as unclear.
      if (reminders) await withinMs(REMINDERS_MS, reminders.stop());
      await views.stop();
      await closeStorage(storage);
    },
  };
}

interface Beside {
  readonly reached?: Reached;
  /** Where the log ended before the law was read. */
  readonly from: string | undefined;
  readonly rules: RuleSet;
  readonly lawFaults: LawFaults;
  readonly services: Services;
  readonly headworks: Headworks;
  readonly storage: Storage;
  readonly alarms: Alarms;
  readonly stopping: AbortController;
  readonly tell: (sentence: string) => void;
}

/** The worker's part: automations follow the log, alarms wake what is due. An API alone leaves them to others. */
function runBeside(config: Config, beside: Beside): { stop(): Promise<void> } {
  const { rules, lawFaults, services, headworks, storage, alarms, reached, stopping, tell, from } = beside;
  const { clock } = services;
  const works = config.role !== 'api';
  const checkpoint = works ? checkpointOf(storage, services.monotonic) : undefined;
  const following = followAutomations({
    store: storage.store,
    reconciler: works ? headworks.reconciler : { isFinished: () => true, follow: () => Promise.resolve([]) },
    checkpoint: checkpoint ?? { read: () => Promise.resolve(from), write: () => Promise.resolve() },
    signal: stopping.signal,
    onReached: (position) => reached?.moved(position),
    onEvent: (event) => {
      noticeAdoption(rules, lawFaults, event);
      services.book?.take(event);
      if (clock instanceof VirtualClock) clock.take(event);
      alarms.onEvent(event);
    },
    onError: (event, error) => tell(parkedSentence(event, error)),
    onTrouble: (error) => tell(`The automations wait to go on: ${(error as Error).message}`),
  });
  // A sandbox clock moves only when it is told to, and settles as it moves.
  if (works && clock.kind === 'real') void alarms.start();
  return {
    async stop() {
      await alarms.stop();
      await following;
      // A place that can not be kept costs another look at what is done.
      await checkpoint?.flush().catch(() => undefined);
    },
  };
}

interface ForAlarms {
  readonly services: Services;
  readonly storage: Storage;
  readonly port: SettlePort;
  readonly reminders: Reminders | undefined;
  readonly tell: (sentence: string) => void;
  readonly paces: Partial<AlarmPaces> | undefined;
}

/** With Redis where one is named; a start waits a moment for it and then goes on without. */
async function openAlarms(config: Config, { services, storage, port, reminders, tell, paces }: ForAlarms) {
  const { clock, monotonic } = services;
  const lists = viewQueries(storage.database);
  const lateMs = config.lateMinutes * 60_000;
  const redis =
    config.redisUrl === undefined
      ? undefined
      : await RedisAlarms.open({
          url: config.redisUrl,
          logId: storage.store.logId,
          tell,
          onUp: () => alarms.redisIsUp(),
        });
  const alarms = new Alarms({
    port,
    lists,
    clock,
    monotonic,
    lateMs,
    tell,
    ...(redis && { redis }),
    ...(reminders && { remind: () => reminders.remind() }),
    ...(paces && { paces }),
  });
  await redis?.opened();
  return {
    alarms,
    shown: {
      ...(redis && { queue: redis.queue }),
      figures: () => alarms.figures(),
      overdue: async () => overdue(lists, clock instanceof VirtualClock ? clock.set : clock.now(), lateMs),
    },
  };
}

/** What is due and not recorded: how many for longer than is allowed, and since when the oldest is. */
async function overdue(lists: ViewQueries, nowMs: number | undefined, lateMs: number): Promise<Overdue> {
  const first = await lists.nextDue();
  if (nowMs === undefined || first === undefined || Date.parse(first) >= nowMs) return { due: 0, late: 0 };
  const due = await lists.countDue(isoInstant(nowMs));
  return { due, late: await lists.countDue(isoInstant(nowMs - lateMs)), since: first };
}

function settlePort(following: Following, headworks: Headworks, storage: Storage): SettlePort {
  const lists = viewQueries(storage.database);
  const { clock } = following.services;
  return {
    due: (asked) => lists.due(asked),
    nextDue: () => lists.nextDue(),
    // As of just after it was due, as a sandbox's clock would stop there: what falls due later is recorded later.
    settle: async (row) => {
      const events = await headworks.settle(row.stream, Date.parse(row.dueAt) + 1);
      return dueBecauseOf(events, row, clock.now());
    },
    caughtUp: () => caughtUp(following, undefined),
  };
}

/** Nothing is due on a sandbox whose clock was never set. */
async function settleDue({ clock }: Services, alarms: Alarms): Promise<void> {
  if (clock instanceof VirtualClock && clock.set === undefined) return;
  await alarms.settleDue();
}

async function move(services: Services, port: SettlePort, reminders: Reminders | undefined, to: number) {
  const { clock, runner, monotonic } = services;
  if (!(clock instanceof VirtualClock)) throw new CodedError('not-found', 'There is no sandbox clock here.');
  const settle = async () => {
    const fell = await sweep(port, clock.now());
    await reminders?.remind();
    return fell;
  };
  const nextDue = async () => {
    const [due, moment] = [
      await port.nextDue(),
      clock.set === undefined ? undefined : await reminders?.next(),
    ];
    return due === undefined || (moment !== undefined && moment < due) ? moment : due;
  };
  await port.caughtUp();
  const fell = await moveClock({ clock, runner, monotonic, nextDue, sweep: settle }, to);
  return { now: isoInstant(clock.now()), fell: fell.map(({ duty, dueAt }) => ({ duty, dueAt })) };
}
