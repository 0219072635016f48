import {
  decideSubject,
  packAt,
  sameThing,
  type LoadState,
  type SubjectCommand,
  type ThingRef,
} from '@headworks/domain';
import { subjectId, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../../context';
import { loads, loadStream, idOf, subjects, subjectStream } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';

const NAME = 'when-load-changed-then-post';

/** A load counts in the stream of each thing its limits are keyed on; corrected or moved, its posting follows it. */
export const whenLoadChangedThenPost: Automation = {
  name: NAME,
  plan: ({ type, stream }) => (type === 'LoadDischarged' || type === 'LoadCorrected' ? [idOf(stream)] : []),
  run: async (services, work) => {
    const load = await services.runner.read(loads, loadStream(work.key));
    const events: RecordedEvent[] = [];
    for (const thing of load.subjects) events.push(...(await post(services, work, load, thing)));
    return events;
  },
};

async function post(
  services: Services,
  work: Work,
  load: LoadState,
  thing: ThingRef,
): Promise<readonly RecordedEvent[]> {
  const stream = subjectStream(subjectId(work.jurisdiction, thing.kind, thing.key));
  const command = postingOf(services, load, thing);
  const { events } = await services.runner.run(
    subjects,
    stream,
    automaticJob(services, NAME, work, stream, (state, envelope) =>
      decideSubject(command, state, { law: services.rules, nowMs: services.clock.now(), envelope }),
    ),
  );
  return events;
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
