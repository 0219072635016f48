import { decideThing, type SubjectState } from '@headworks/domain';
import { parseAddress, type JsonObject, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../../context';
import { thingModel } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';

const NAME = 'when-judging-was-cut-then-go-on';

interface Unjudged {
  readonly since: string;
  readonly limits: readonly string[];
  readonly manifests?: readonly string[];
}

/**
 * One change may put more loads over a limit, or end more of what manifests hold, than one append can say. The event
 * names what it left; each round goes on from there, until a round has room for all.
 */
export const whenJudgingWasCutThenGoOn: Automation = {
  name: NAME,
  plan: ({ data, stream, revision }) => (unjudged(data) ? [`${stream}@${revision}`] : []),
  run: async (services, work) => {
    const at = parseAddress(work.cause);
    if (!at) return [];
    const [event] = await services.store.readStream(at.stream, { from: at.revision, limit: 1 });
    const left = event && unjudged(event.data);
    return left ? judgeRest(services, work, at.stream, left) : [];
  },
};

const unjudged = (data: JsonObject): Unjudged | undefined => data['unjudged'] as Unjudged | undefined;

async function judgeRest(
  services: Services,
  work: Work,
  stream: string,
  left: Unjudged,
): Promise<readonly RecordedEvent[]> {
  const job = automaticJob<SubjectState>(services, NAME, work, stream, (state, envelope, nowMs) =>
    decideThing({ type: 'judge-rest', ...left }, state, { law: services.rules, nowMs, envelope }),
  );
  return (await services.runner.run(thingModel(stream), stream, job)).events;
}
