import { randomUUID } from 'node:crypto';
import { Alarm, sweep, type SettlePort } from '@headworks/duties';
import { LOG_STREAM, checkPositionToken, reErase } from '@headworks/event-store';
import { CodedError, isoInstant, type RecordedEvent } from '@headworks/kernel';
import type { RunningViews } from '@headworks/read-models';
import { loadRules, type RuleSet } from '@headworks/rules-engine';
import { Headworks, StreamRunner, type Clock, type Services } from '@headworks/use-cases';
import { adoptLaw, checkRuleFiles, noticeAdoption, type LawFaults } from './adopt-law';
import { realClock, startInstant, VirtualClock } from './clocks';
import type { Config } from './config';
import { firstKey } from './first-key';
import { followAutomations, parkedSentence } from './follow-automations';
import { listsAt } from './lists-at';
import { moveClock } from './move-clock';
import { Reached } from './reached';
import type { Program } from './program';
import { sealer } from './sealer';
import { startViewsBeside } from './start-views-beside';
import { closeStorage, openStorage, type Storage } from './storage';
import { checkpointOf, viewQueries, viewsOf } from './views';

const SWEEP_EVERY_MS = 60_000;
const READ_YOUR_WRITES_MS = 5_000;
const AUTOMATIONS_MS = 20_000;

export interface ComposeOptions {
  /** Where a sentence for the operator goes. */
  readonly tell?: (sentence: string) => void;
}

/** Puts the program together for a configuration: opens, adopts the law, starts the views, automations and alarms. */
export async function compose(config: Config, options: ComposeOptions = {}): Promise<Program> {
  const tell = options.tell ?? ((sentence) => void process.stderr.write(`${sentence}\n`));
  const rules = loadRules(config.rulesDir);
  checkRuleFiles(rules);
  const storage = await openStorage(config);
  const { movedAside } = storage.database;
  if (movedAside !== undefined)
    tell(`The views could not be used; they are at ${movedAside}, and are built anew.`);
  try {
    return await start(config, rules, storage, tell);
  } catch (error) {
    await closeStorage(storage);
    throw error;
  }
}

async function start(
  config: Config,
  rules: RuleSet,
  storage: Storage,
  tell: (sentence: string) => void,
): Promise<Program> {
  const { store, keys, database, singleWriter } = storage;
  const logEvents = await store.readStream(LOG_STREAM);
  await reErase(keys, logEvents);
  const clock: Clock = config.clock === 'virtual' ? new VirtualClock() : realClock();
  if (clock instanceof VirtualClock) for (const event of logEvents) clock.take(event);
  const monotonic = (): number => performance.now();
  const runner = new StreamRunner({ store, singleWriter, seal: sealer(rules, keys), monotonic });
  const lawFaults = await adoptLaw(rules, runner, { now: startInstant(clock), monotonic });
  const services: Services = { store, keys, rules, runner, clock, monotonic, newId: randomUUID, lawFaults };
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
  const following = { services, views, ...(reached && { reached }) };
  const port = settlePort(following, headworks, storage);
  const beside = { rules, lawFaults, services, headworks, storage, port, stopping, tell };
  const running = runBeside(config, { ...beside, ...(reached && { reached }) });
  return {
    config,
    services,
    headworks,
    rules,
    keys,
    views: { ...viewQueries(database), ...listsAt(database, services) },
    ...(first !== undefined && { firstKey: first }),
    readiness: () => readiness(following),
    settleDue: () => settleDue(services, port),
    caughtUp: (position) => caughtUp(following, position),
    moveClock: (to) => move(services, port, to),
    async close() {
      stopping.abort();
      await running.stop();
      await views.stop();
      await closeStorage(storage);
    },
  };
}

/** What reads the log behind the requests. `reached`: how far the automations are, where this process runs them. */
interface Following {
  readonly services: Services;
  readonly views: RunningViews;
  readonly reached?: Reached;
}

interface Beside {
  readonly reached?: Reached;
  readonly rules: RuleSet;
  readonly lawFaults: LawFaults;
  readonly services: Services;
  readonly headworks: Headworks;
  readonly storage: Storage;
  readonly port: SettlePort;
  readonly stopping: AbortController;
  readonly tell: (sentence: string) => void;
}

/** The worker's part: automations follow the log, the alarm wakes what is due. An API alone leaves them to others. */
function runBeside(config: Config, beside: Beside): { stop(): Promise<void> } {
  const { rules, lawFaults, services, headworks, storage, port, reached, stopping, tell } = beside;
  const { clock } = services;
  const alarm = new Alarm({
    timers: { after: (ms, run) => after(ms, run) },
    now: () => clock.now(),
    nextDue: async () => {
      const next = await port.nextDue();
      return next === undefined ? undefined : Date.parse(next);
    },
    sweep: () => settleDue(services, port),
    onError: (error) => tell(`The sweep failed and is tried again: ${(error as Error).message}`),
    everyMs: SWEEP_EVERY_MS,
  });
  const works = config.role !== 'api';
  const checkpoint = works ? checkpointOf(storage, services.monotonic) : undefined;
  const following = followAutomations({
    store: storage.store,
    reconciler: works ? headworks.reconciler : { isFinished: () => true, follow: () => Promise.resolve([]) },
    checkpoint: checkpoint ?? { read: () => storage.store.lastPosition(), write: () => Promise.resolve() },
    signal: stopping.signal,
    onReached: (position) => reached?.moved(position),
    onEvent: (event) => {
      noticeAdoption(rules, lawFaults, event);
      if (clock instanceof VirtualClock) clock.take(event);
      if (works && clock.kind === 'real' && fallsDue(event)) {
        void alarm.rearm().catch((error: unknown) => tell(String(error)));
      }
    },
    onError: (event, error) => tell(parkedSentence(event, error)),
    onTrouble: (error) => tell(`The automations wait to go on: ${(error as Error).message}`),
  });
  // A sandbox clock moves only when it is told to, and settles as it moves.
  if (works && clock.kind === 'real') alarm.start();
  return {
    async stop() {
      await alarm.stop();
      await following;
      // A place that can not be kept costs another look at what is done.
      await checkpoint?.flush().catch(() => undefined);
    },
  };
}

/** Whether something falls due by it: a duty opened or closed, or a permit began or went on. */
const fallsDue = ({ type, data }: RecordedEvent): boolean =>
  data['duties'] !== undefined ||
  ['PermitIssued', 'PermitReinstated', 'ApplicationDeemedApproved'].includes(type);

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

function settlePort(following: Following, headworks: Headworks, storage: Storage): SettlePort {
  const lists = viewQueries(storage.database);
  return {
    dueBefore: (instant, limit) => lists.dueBefore(instant, limit),
    nextDue: () => lists.nextDue(),
    settle: (stream) => headworks.settle(stream),
    caughtUp: () => caughtUp(following, undefined),
  };
}

/** Nothing is due on a sandbox whose clock was never set. */
async function settleDue(services: Services, port: SettlePort): Promise<void> {
  if (services.clock instanceof VirtualClock && services.clock.set === undefined) return;
  const now = services.clock.now();
  const next = await port.nextDue();
  if (next !== undefined && Date.parse(next) < now) await sweep(port, now);
}

/** First what follows from the events (a process may have died before it), then the lists that show it. */
async function caughtUp({ services, views, reached }: Following, token: string | undefined): Promise<void> {
  const { store } = services;
  const position = token === undefined ? await store.lastPosition() : await checkPositionToken(store, token);
  if (position === undefined) return;
  if (reached && !(await reached.wait(position, AUTOMATIONS_MS))) {
    throw new CodedError(
      'position-not-reached',
      'What follows from the newest events is not done yet; try again.',
    );
  }
  const last = await store.lastPosition();
  if (last !== undefined) await views.reached(await store.tokenOf(last), READ_YOUR_WRITES_MS);
}

async function move(services: Services, port: SettlePort, to: number) {
  const { clock, runner, monotonic } = services;
  if (!(clock instanceof VirtualClock)) throw new CodedError('not-found', 'There is no sandbox clock here.');
  const settle = () => sweep(port, clock.now());
  await port.caughtUp();
  const fell = await moveClock({ clock, runner, monotonic, nextDue: port.nextDue, sweep: settle }, to);
  return { now: isoInstant(clock.now()), fell: fell.map(({ duty, dueAt }) => ({ duty, dueAt })) };
}

async function readiness({ services, views, reached }: Following) {
  const faults = [...services.lawFaults.values()];
  const lag: Record<string, number> = {};
  for (const { view, behind, stopped } of await views.lag()) {
    if (behind !== undefined) lag[view] = behind;
    if (stopped !== undefined) faults.push(stopped);
  }
  const last = await services.store.lastPosition();
  if (reached && last !== undefined && !(await reached.wait(last, 0))) lag['automations'] = 1;
  return { ready: faults.length === 0, faults, lag };
}
