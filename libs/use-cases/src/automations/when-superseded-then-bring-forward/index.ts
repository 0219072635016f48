import { decideSubject, type BroughtForward, type Posting, type SubjectState } from '@headworks/domain';
import { isoInstant, subjectId, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../../context';
import { subjects, subjectStream } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';

const NAME = 'when-superseded-then-bring-forward';

/**
 * A split or merged parcel resets nothing: each successor opens with every posting of its predecessor, and gets them
 * anew when a late load or a correction changes the predecessor's ledger.
 */
export const whenSupersededThenBringForward: Automation = {
  name: NAME,
  plan: ({ type, stream, revision }) =>
    ['SubjectSuperseded', 'LoadPosted', 'PostingReversed', 'BroughtForward'].includes(type)
      ? [`${stream}:${revision}`]
      : [],
  run: async (services, work) => {
    const stream = work.key.slice(0, work.key.lastIndexOf(':'));
    const thing = await services.runner.read(subjects, stream);
    if (!thing.superseded) return [];
    const events: RecordedEvent[] = [];
    for (const { kind, key } of thing.superseded.data.successors) {
      events.push(
        ...(await carry(services, work, thing, subjectStream(subjectId(work.jurisdiction, kind, key)))),
      );
    }
    return events;
  },
};

async function carry(
  services: Services,
  work: Work,
  thing: SubjectState,
  stream: string,
): Promise<readonly RecordedEvent[]> {
  const data: BroughtForward = {
    from: thing.stream,
    fromRevision: thing.revision,
    postings: thing.postings.map(carried),
  };
  const { events } = await services.runner.run(
    subjects,
    stream,
    automaticJob(services, NAME, work, stream, (state, envelope) =>
      decideSubject({ type: 'bring-forward', data }, state, {
        law: services.rules,
        nowMs: services.clock.now(),
        envelope,
      }),
    ),
  );
  return events;
}

const carried = (posting: Posting): BroughtForward['postings'][number] => ({
  ...posting.data,
  posting: posting.event,
  occurredAt: isoInstant(posting.key.ms),
});
