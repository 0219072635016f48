import {
  cameBy,
  decideSubject,
  stillCounting,
  type BroughtForward,
  type Posting,
  type SubjectState,
} from '@headworks/domain';
import { isoInstant, localDate, subjectId, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../../context';
import { subjects, subjectStream } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';

const NAME = 'when-superseded-then-bring-forward';
/** A permit is followed by another, and takes nothing over: only things are split and merged. */
const CARRIED = ['SubjectSuperseded', 'LoadPosted', 'PostingReversed', 'BroughtForward'];

/**
 * A split or merged parcel resets nothing: each successor opens with the postings of its predecessor that still stand
 * in a window, and gets them anew when a late load or a correction changes the predecessor's ledger.
 */
export const whenSupersededThenBringForward: Automation = {
  name: NAME,
  plan: ({ type, stream, revision }) =>
    stream.startsWith('subject-') && CARRIED.includes(type) ? [`${stream}:${revision}`] : [],
  run: async (services, work) => {
    const stream = work.key.slice(0, work.key.lastIndexOf(':'));
    const thing = await services.runner.read(subjects, stream);
    if (!thing.superseded) return [];
    const events: RecordedEvent[] = [];
    for (const { kind, key } of thing.superseded.data.successors) {
      const successor = subjectStream(subjectId(work.jurisdiction, kind, key));
      events.push(...(await carry(services, work, stream, successor)));
    }
    return events;
  },
};

async function carry(
  services: Services,
  work: Work,
  from: string,
  stream: string,
): Promise<readonly RecordedEvent[]> {
  const job = automaticJob<SubjectState>(services, NAME, work, stream, async (state, envelope, nowMs) => {
    const data = broughtForward(services, await services.runner.read(subjects, from), stream);
    return decideSubject({ type: 'bring-forward', data }, state, { law: services.rules, nowMs, envelope });
  });
  return (await services.runner.run(subjects, stream, job)).events;
}

/** What came from the successor itself does not go back to it: things may succeed each other in a circle. */
function broughtForward(services: Services, thing: SubjectState, to: string): BroughtForward {
  const { superseded, stream, revision } = thing;
  const counting = superseded
    ? stillCounting(services.rules, thing.postings, localDate(superseded.data.on))
    : [];
  return {
    from: stream,
    fromRevision: revision,
    postings: counting.filter(({ event }) => !cameBy(event, to)).map(carried),
  };
}

const carried = (posting: Posting): BroughtForward['postings'][number] => ({
  ...posting.data,
  posting: posting.event,
  occurredAt: isoInstant(posting.key.ms),
});
