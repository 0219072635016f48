import {
  decideLoad,
  isAct,
  judgeLoad,
  packAt,
  type ActDone,
  type LimitExceeded,
  type LoadPosted,
  type PostingReversed,
  type SubjectState,
} from '@headworks/domain';
import { occurredMs } from '@headworks/calendars';
import { parseAddress, subjectId, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../../context';
import { loads, loadStream, subjects, subjectStream } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';

const NAME = 'when-thing-changed-then-judge-loads';

/**
 * A load's findings stand on the facts and the ledger of the thing it is on. When one of them changes, late or by
 * correction, every load from that instant on is judged again, and LoadJudged says what came out otherwise.
 */
export const whenThingChangedThenJudgeLoads: Automation = {
  name: NAME,
  plan: (event) => {
    switch (event.type) {
      case 'LoadPosted':
      case 'LimitExceeded':
      case 'LimitExceededWithdrawn':
        return [`load:${(event.data as LoadPosted | LimitExceeded).load}`];
      case 'PostingReversed':
        return [`load:${(event.data as PostingReversed).load}`];
      case 'SubjectRegistered':
      case 'FactsRecorded':
      case 'FactsCorrected':
      case 'RecordedInError':
        return event.stream.startsWith('subject-')
          ? [`since:${event.stream}:${occurredMs(event.metadata.occurred)}`]
          : [];
      default:
        return isAct(event.type) && Object.keys((event.data as ActDone).facts).length > 0
          ? [`since:${event.stream}:${occurredMs(event.metadata.occurred)}`]
          : [];
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
  const { events } = await services.runner.run(
    loads,
    stream,
    automaticJob(services, NAME, work, stream, async (load) => {
      const { current, voided } = load;
      if (!current || voided) return { events: [], ignored: 'nothing to judge' };
      const pack = packAt(services.rules, current.pack, current.occurredMs);
      const def = pack?.loads.get(current.load);
      if (!pack || !def) return { events: [], ignored: 'no version of the pack was in force' };
      const { kind, key } = current.subject;
      // The load's head was read before the thing's: whoever moves the thing afterwards judges the load again.
      const thing = await services.runner.read(
        subjects,
        subjectStream(subjectId(work.jurisdiction, kind, key)),
      );
      const facts = { ...current, event: load.contentEvent };
      return decideLoad(
        { type: 'judge', findings: judgeLoad(pack, def, facts, id, thing), cause: work.cause },
        load,
      );
    }),
  );
  return events;
}

export const streamOf = (cause: string): string => parseAddress(cause)?.stream ?? '';
