import { normaliseKey, subjectId } from '@headworks/kernel';
import type { ThingRef } from '@headworks/domain';

/** The stream of a thing, as its id is made from what the trade calls it. */
export const streamOfThing = (jurisdiction: string, { kind, key }: ThingRef): string =>
  `subject-${subjectId(jurisdiction, kind, key)}`;

/** The uuid in a stream's name. */
export const idOfStream = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/** Whose stream it is that duties and ledgers stand in: a thing's, or a permit's. */
export function homeOf(stream: string): {
  readonly subjectId: string | null;
  readonly permitId: string | null;
} {
  const id = idOfStream(stream);
  return stream.startsWith('permit-') ? { subjectId: null, permitId: id } : { subjectId: id, permitId: null };
}

/** A key as columns hold it and filters compare it; documents show it as it was written. */
export const keyColumn = (key: string): string => normaliseKey(key);
