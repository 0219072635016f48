import type { Services } from './context';
import type { Folded, Outcome } from './stream-runner';

/** A token at or after all that the answer says; what was written earlier may have come from another process. */
export async function positionOf(
  { runner, store }: Services,
  { replayed, events }: Pick<Outcome<Folded>, 'replayed' | 'events'>,
): Promise<{ position?: string }> {
  if (runner.position !== undefined && !replayed && events.length > 0) return { position: runner.position };
  const last = await store.lastPosition();
  return last === undefined ? {} : { position: await store.tokenOf(last) };
}
