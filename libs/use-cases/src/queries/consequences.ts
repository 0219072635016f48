import {
  isNoted,
  type AcceptanceWithdrawn,
  type LimitExceeded,
  type LoadPosted,
  type PostingReversed,
} from '@headworks/domain';
import { address, type JsonObject, type RecordedEvent } from '@headworks/kernel';
import { idOf } from '../models';

/**
 * What follows from a change in every stream that it touches, sorted by what it is. Each names its event, so that the
 * same is found in the log once it is done.
 */
export function shownConsequences(events: readonly RecordedEvent[]): JsonObject {
  const of = (
    type: string,
    shown: (event: RecordedEvent) => JsonObject,
    wanted: (event: RecordedEvent) => boolean = () => true,
  ): readonly JsonObject[] =>
    events
      .filter((event) => event.type === type && wanted(event))
      .map((event) => ({ ...shown(event), event: address(event) }));
  const violation = ({ stream, data }: RecordedEvent): JsonObject => ({
    id: idOf(stream),
    ...(typeof data['clause'] === 'string' && { clause: data['clause'] }),
    ...(typeof data['why'] === 'string' && { why: data['why'] }),
  });
  return {
    postings: { reversed: of('PostingReversed', reversed, counts), made: of('LoadPosted', posted, counts) },
    limits: { exceeded: of('LimitExceeded', limit), withdrawn: of('LimitExceededWithdrawn', limit) },
    violations: {
      opened: of('ViolationDetected', violation),
      relapsed: of('ViolationRelapsed', violation),
      abated: of('ViolationAbated', violation),
      withdrawn: of('ViolationWithdrawn', violation),
    },
    judgedAgain: of('LoadJudged', ({ stream }) => ({ load: idOf(stream) })),
    duties: { missed: of('DutyMissed', duty), reversed: of('ConsequenceReversed', duty) },
    manifests: { ended: of('AcceptanceWithdrawn', ended) },
  };
}

/** Where the load only stands to be found, nothing follows from it. */
const counts = ({ data }: RecordedEvent): boolean => !isNoted(data);

function reversed({ stream, data }: RecordedEvent): JsonObject {
  const { load, posting } = data as PostingReversed;
  return { from: stream, load, posting };
}

function posted({ stream, data }: RecordedEvent): JsonObject {
  const { load, limits, quantity } = data as LoadPosted;
  return { to: stream, load, limits, quantity };
}

function limit({ stream, data }: RecordedEvent): JsonObject {
  const { limit: name, clause, load } = data as LimitExceeded;
  return { on: stream, limit: name, clause, load };
}

const duty = ({ stream, data }: RecordedEvent): JsonObject => ({ on: stream, duty: data['duty'] ?? null });

function ended({ stream, data }: RecordedEvent): JsonObject {
  const { manifest, why } = data as AcceptanceWithdrawn;
  return { in: stream, manifest, why };
}
