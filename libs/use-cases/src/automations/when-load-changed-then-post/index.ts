import {
  decideSubject,
  packAt,
  sameThing,
  type LoadPosted,
  type LoadState,
  type SubjectCommand,
  type SubjectState,
  type ThingRef,
} from '@headworks/domain';
import { parseAddress, subjectId, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../../context';
import { loads, loadStream, idOf, subjects, subjectStream } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';

const NAME = 'when-load-changed-then-post';

/**
 * A load counts in the stream of each thing its limits are keyed on; corrected or moved, its posting follows it. A
 * posting is looked at once more after it was made: the load may have changed between its reading and the append.
 */
export const whenLoadChangedThenPost: Automation = {
  name: NAME,
  plan: ({ type, stream, data }) => {
    switch (type) {
      case 'LoadDischarged':
      case 'LoadCorrected':
        return [`post:${idOf(stream)}`];
      case 'LoadPosted':
        return [`check:${(data as LoadPosted).load}`];
      default:
        return [];
    }
  },
  run: async (services, work) => {
    const [ask, id = ''] = work.key.split(':');
    const load = await services.runner.read(loads, loadStream(id));
    if (ask === 'check' && (await standsAsItIs(services, work, load))) return [];
    const events: RecordedEvent[] = [];
    for (const thing of load.subjects) events.push(...(await post(services, work, load, thing)));
    return events;
  },
};

/** Whether the posting that asks is the load as it is now. */
async function standsAsItIs(services: Services, work: Work, load: LoadState): Promise<boolean> {
  const { current, voided, contentRevision } = load;
  const { stream = '' } = parseAddress(work.cause) ?? {};
  if (!current || voided || streamOf(work, current.subject) !== stream) return false;
  const thing = await services.runner.read(subjects, stream);
  return postingOn(thing, idOf(load.stream))?.data.loadRevision === contentRevision;
}

const streamOf = (work: Work, { kind, key }: ThingRef): string =>
  subjectStream(subjectId(work.jurisdiction, kind, key));

const postingOn = ({ postings }: SubjectState, load: string) =>
  postings.find(({ data, broughtFrom }) => data.load === load && broughtFrom === undefined);

async function post(
  services: Services,
  work: Work,
  { stream: loadAt }: LoadState,
  thing: ThingRef,
): Promise<readonly RecordedEvent[]> {
  const stream = streamOf(work, thing);
  const job = automaticJob<SubjectState>(services, NAME, work, stream, async (state, envelope, nowMs) => {
    // Read after the thing's own head: whoever corrects the load later posts it later.
    const command = postingOf(services, await services.runner.read(loads, loadAt), thing);
    return decideSubject(command, state, { law: services.rules, nowMs, envelope });
  });
  return (await services.runner.run(subjects, stream, job)).events;
}

/** What the load now asks of the thing's stream: to stand there as it is, or to leave it. */
function postingOf(services: Services, load: LoadState, thing: ThingRef): SubjectCommand {
  const { current, voided, contentRevision, contentEvent, stream } = load;
  const common = { type: 'post-load', load: idOf(stream), loadRevision: contentRevision } as const;
  if (!current || voided || !sameThing(current.subject, thing)) return common;
  const pack = packAt(services.rules, current.pack, current.occurredMs);
  const def = pack?.loads.get(current.load);
  if (!pack || !def) return common;
  const limits = def.countsIn.filter((name) => pack.limits.get(name)?.key === def.on);
  const { quantity, hauler, vehicle, finishedMs, occurredMs, facts } = current;
  return {
    ...common,
    posting: {
      pack: current.pack,
      loadType: current.load,
      limits,
      quantity,
      hauler,
      occurredMs,
      facts,
      event: contentEvent,
      ...(vehicle && { vehicle }),
      ...(finishedMs !== undefined && { finishedMs }),
    },
  };
}
