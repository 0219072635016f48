import {
  decideLoad,
  isAct,
  judgeLoad,
  packAt,
  sameVerdicts,
  type ActDone,
  type LimitExceeded,
  type LoadState,
  type SubjectState,
} from '@headworks/domain';
import { occurredMs } from '@headworks/calendars';
import { nameId, subjectId, type Finding, type LawRef, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../../context';
import { rememberJudged, standsAsJudged } from '../../judged-on';
import { idOf, loads, loadStream, subjects, subjectStream } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';

const NAME = 'when-thing-changed-then-judge-loads';

/**
 * A load's findings stand on the facts and the ledger of the thing it is on. When one of them changes, late or by
 * correction, every load from that instant on is judged again, and LoadJudged says what came out otherwise.
 */
export const whenThingChangedThenJudgeLoads: Automation = {
  name: NAME,
  plan: (event) => {
    const { type, stream, metadata, data } = event;
    const since = `since:${stream}:${occurredMs(metadata.occurred)}`;
    switch (type) {
      case 'LimitExceeded':
      case 'LimitExceededWithdrawn':
        return [`load:${(data as LimitExceeded).load}`];
      case 'SubjectRegistered':
      case 'FactsRecorded':
      case 'FactsCorrected':
      case 'LoadPosted':
      case 'PostingReversed':
        return [since];
      case 'BroughtForward':
        return [`since:${stream}:${Number.NEGATIVE_INFINITY}`];
      case 'RecordedInError':
        return stream.startsWith('subject-') ? [since] : [];
      default:
        return isAct(type) && Object.keys((data as ActDone).facts).length > 0 ? [since] : [];
    }
  },
  run: async (services, work) => {
    const [kind = '', ...rest] = work.key.split(':');
    if (kind === 'load') return judge(services, work, rest[0] ?? '');
    const [stream = '', from = ''] = rest;
    const thing = await services.runner.read(subjects, stream);
    const events: RecordedEvent[] = [];
    for (const load of loadsSince(thing, Number(from))) events.push(...(await judge(services, work, load)));
    return events;
  },
};

/** Loads that stood on the thing at or after the instant: earlier ones did not see the fact. */
const loadsSince = (thing: SubjectState, ms: number): readonly string[] =>
  thing.postings.filter((p) => p.broughtFrom === undefined && p.key.ms >= ms).map((p) => p.data.load);

async function judge(services: Services, work: Work, id: string): Promise<readonly RecordedEvent[]> {
  const stream = loadStream(id);
  // Most loads are found as they were: they are looked at without a place in their stream's queue.
  const before = await services.runner.read(loads, stream);
  if (await isAsItWas(services, work, before)) {
    const earlier = await services.runner.replay(loads, stream, nameId(NAME, work.cause, stream));
    return earlier?.events ?? [];
  }
  const job = automaticJob<LoadState>(services, NAME, work, stream, async (load) => {
    // The load's head was read before the thing's: whoever moves the thing afterwards judges the load again.
    const thing = await thingOf(services, work, load);
    const found = judged(services, load, thing);
    if (!found || !thing) return { events: [], ignored: 'nothing to judge' };
    const { findings, law } = found;
    const decision = decideLoad({ type: 'judge', findings, cause: work.cause }, load);
    const basis = [{ stream: thing.stream, revision: thing.revision }];
    return { ...decision, events: decision.events.map((event) => ({ ...event, law, basis })) };
  });
  return (await services.runner.run(loads, stream, job)).events;
}

async function isAsItWas(services: Services, work: Work, load: LoadState): Promise<boolean> {
  const thing = await thingOf(services, work, load);
  if (!thing || standsAsJudged(load, thing)) return true;
  const found = judged(services, load, thing);
  if (found && !sameVerdicts(found.findings, load.findings)) return false;
  rememberJudged(load, thing);
  return true;
}

async function thingOf(
  services: Services,
  work: Work,
  { current, voided }: LoadState,
): Promise<SubjectState | undefined> {
  if (!current || voided) return undefined;
  const { kind, key } = current.subject;
  return services.runner.read(subjects, subjectStream(subjectId(work.jurisdiction, kind, key)));
}

function judged(
  services: Services,
  load: LoadState,
  thing: SubjectState | undefined,
): { readonly findings: readonly Finding[]; readonly law: LawRef } | undefined {
  const { current, contentEvent, stream } = load;
  if (!current || !thing) return undefined;
  const pack = packAt(services.rules, current.pack, current.occurredMs);
  const def = pack?.loads.get(current.load);
  if (!pack || !def) return undefined;
  const facts = { ...current, event: contentEvent };
  return { findings: judgeLoad(pack, def, facts, idOf(stream), { thing }), law: pack.ref };
}
