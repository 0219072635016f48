import type { ThingRef } from '@headworks/domain';
import { refuseFaults } from '@headworks/kernel';
import { streamOfThing, type Scope } from '@headworks/read-models';
import { holdingOf, permitStream, subjectStream, type Caller } from '@headworks/use-cases';
import type { Program } from '../program';

export interface Held {
  readonly things: readonly ThingRef[];
  /** Streams of those things and of the permits that they hold. */
  readonly streams: readonly string[];
}

/** Permits of a holder whose duties and ledgers a list shows, the last filed first: far more than one has. */
const MOST_PERMITS = 500;

/** What a holder's lists are narrowed to; undefined where the caller sees all of its jurisdictions. */
export async function heldBy(
  { rules, views }: Program,
  caller: Caller,
  scope: Scope,
): Promise<Held | undefined> {
  const things = holdingOf(caller);
  if (!things) return undefined;
  const jurisdictions = scope === '*' ? [...rules.jurisdictions.keys()] : scope;
  const own = jurisdictions.flatMap((one) => things.map((thing) => streamOfThing(one, thing)));
  const { items } = await views.permits(scope, { holding: things }, { limit: MOST_PERMITS });
  return { things, streams: [...own, ...items.map(({ id }) => permitStream(id))] };
}

/** The stream that a list of duties or ledgers is asked for: a thing's, or a permit's. */
export function homeStream({
  subjectId,
  permitId,
}: {
  readonly subjectId?: string;
  readonly permitId?: string;
}): string | undefined {
  if (subjectId !== undefined && permitId !== undefined) {
    const detail = "The parameters 'subjectId' and 'permitId' ask for two things at once.";
    refuseFaults([{ code: 'one-alone', detail, hint: 'send one of them' }], 'The address');
  }
  if (permitId !== undefined) return permitStream(permitId);
  return subjectId === undefined ? undefined : subjectStream(subjectId);
}
