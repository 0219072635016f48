import {
  decideLoad,
  headsOf,
  isAct,
  isNoted,
  isStep,
  sameVerdicts,
  loadsOfDuty,
  type ActDone,
  type DutyChanges,
  type LimitExceeded,
  type LoadState,
  type SubjectState,
} from '@headworks/domain';
import { occurredMs } from '@headworks/calendars';
import { nameId, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../../context';
import { findingsOn, readRecorded, type Recorded } from '../../judge-recorded';
import { rememberJudged, standsAsJudged } from '../../judged-on';
import { loads, loadStream, thingModel } from '../../models';
import { automaticJob, readFor, type Automation, type Work } from '../automation';

const NAME = 'when-thing-changed-then-judge-loads';

/**
 * A load's findings stand on the facts and the ledgers of the thing it is on and of its permit, and on the facts of its
 * hauler, vehicle and places. When one of them changes, late or by correction, every load from that instant on that was
 * posted there is judged again, and LoadJudged says what came out otherwise.
 */
export const whenThingChangedThenJudgeLoads: Automation = {
  name: NAME,
  plan: (event) => [...loadsTouched(event), ...dutiesEnded(event)],
  run: async (services, work) => {
    const [kind = '', ...rest] = work.key.split(':');
    if (kind === 'load') return judge(services, work, rest[0] ?? '');
    const [stream = '', from = ''] = rest;
    const thing = await readFor(services, work, thingModel(stream), stream);
    const ids = kind === 'duty' ? loadsOf(services, thing, from) : loadsSince(thing, Number(from));
    const events: RecordedEvent[] = [];
    for (const load of ids) events.push(...(await judge(services, work, load)));
    return events;
  },
};

function loadsTouched(event: RecordedEvent): readonly string[] {
  const { type, stream, metadata, data } = event;
  const since = `since:${stream}:${occurredMs(metadata.occurred)}`;
  switch (type) {
    case 'LimitExceeded':
    case 'LimitExceededWithdrawn':
      return [`load:${(data as LimitExceeded).load}`];
    case 'SubjectRegistered':
    case 'FactsRecorded':
    case 'FactsCorrected':
      return [since];
    case 'LoadPosted':
    case 'PostingReversed':
      // With its hauler, vehicle and places it is only noted: that changes nothing of what others are judged by.
      return isNoted(data) ? [] : [since];
    case 'BroughtForward':
      return [`since:${stream}:${Number.NEGATIVE_INFINITY}`];
    case 'RecordedInError':
      return isOfThing(stream) ? [since] : [];
    case 'ConsequenceReversed':
      return stream.startsWith('permit-') ? [since] : [];
    default:
      if (isStep(type)) return [since];
      return isAct(type) && Object.keys((data as ActDone).facts).length > 0 ? [since] : [];
  }
}

/** A planned thing done, or not done in time, may change what hangs on it: duties that the event ended or took back. */
function dutiesEnded({ type, stream, data }: RecordedEvent): readonly string[] {
  if (!stream.startsWith('subject-')) return [];
  const { duty, duties } = data as { readonly duty?: string; readonly duties?: DutyChanges };
  const ended = (duties?.closed ?? []).map((one) => one.duty);
  const missed =
    (type === 'DutyMissed' || type === 'ConsequenceReversed') && duty !== undefined ? [duty] : [];
  return [...new Set([...ended, ...missed])].map((one) => `duty:${stream}:${one}`);
}

/** Loads of the campaign that began the duty, under the pack of the thing's jurisdiction that knows it. */
const loadsOf = (services: Services, thing: SubjectState, duty: string): readonly string[] =>
  [...services.rules.packs.values()]
    .flatMap((versions) => versions.filter(({ jurisdiction }) => jurisdiction === thing.jurisdiction))
    .flatMap((pack) => loadsOfDuty(pack, thing, duty))
    .filter((load, index, all) => all.indexOf(load) === index);

const isOfThing = (stream: string): boolean => stream.startsWith('subject-') || stream.startsWith('permit-');

/** Loads that stood on the thing at or after the instant: earlier ones did not see the fact. */
const loadsSince = (thing: SubjectState, ms: number): readonly string[] =>
  thing.postings.filter((p) => p.broughtFrom === undefined && p.key.ms >= ms).map((p) => p.data.load);

async function judge(services: Services, work: Work, id: string): Promise<readonly RecordedEvent[]> {
  const stream = loadStream(id);
  // Most loads are found as they were: they are looked at without a place in their stream's queue.
  const before = await services.runner.read(loads, stream);
  if (await isAsItWas(services, before)) {
    const earlier = await services.runner.replay(loads, stream, nameId(NAME, work.cause, stream));
    return earlier?.events ?? [];
  }
  const job = automaticJob<LoadState>(services, NAME, work, stream, async (load) => {
    // The load's head was read before the others': whoever changes one afterwards judges the load again.
    const recorded = await recordedIn(services, load);
    if (!recorded) return { events: [], ignored: 'nothing to judge' };
    const decision = decideLoad({ type: 'judge', findings: findingsOn(recorded), cause: work.cause }, load);
    const told = { law: recorded.pack.ref, basis: headsOf(recorded.world) };
    return { ...decision, events: decision.events.map((event) => ({ ...event, ...told })) };
  });
  return (await services.runner.run(loads, stream, job)).events;
}

async function isAsItWas(services: Services, load: LoadState): Promise<boolean> {
  const recorded = await recordedIn(services, load);
  if (!recorded || standsAsJudged(load, recorded.world)) return true;
  if (!sameVerdicts(findingsOn(recorded), load.findings)) return false;
  rememberJudged(load, recorded.world);
  return true;
}

const recordedIn = (services: Services, load: LoadState): Promise<Recorded | undefined> =>
  load.voided ? Promise.resolve(undefined) : readRecorded(services, load);
