import type { LoadState, SubjectState } from '@headworks/domain';
import { idOf } from './models';

/**
 * The thing that a load was last judged on, in this process. Findings are a function of the two states: of a hundred
 * loads that come at once each asks for all later ones to be judged, and the same two need be looked at once.
 */
const judgedOn = new WeakMap<LoadState, SubjectState>();

export function rememberJudged(load: LoadState, thing: SubjectState): void {
  judgedOn.set(load, thing);
}

/** Whether judging the load on the thing again can only find what was found. */
export function standsAsJudged(load: LoadState, thing: SubjectState): boolean {
  const before = judgedOn.get(load);
  return before === thing || (before !== undefined && onlyPosted(before, thing, idOf(load.stream)));
}

/**
 * Nothing has happened to the thing but that the load was posted to it. Its own posting is none of the earlier ones
 * that it is judged by, and it was judged as the last of its instant, which is where the posting stands.
 */
const onlyPosted = (before: SubjectState, thing: SubjectState, load: string): boolean =>
  thing.revision === before.revision + 1 && isPosted(thing, load) && !isPosted(before, load);

const isPosted = ({ postings }: SubjectState, load: string): boolean =>
  postings.some(({ data, broughtFrom }) => data.load === load && broughtFrom === undefined);
