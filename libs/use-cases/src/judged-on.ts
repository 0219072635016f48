import type { LoadState, LoadWorld, SubjectState } from '@headworks/domain';
import { idOf } from './models';

/**
 * What a load was last judged on, in this process. Findings are a function of the load and its world: of a hundred
 * loads that come at once each asks for all later ones to be judged, and the same need be looked at once.
 */
const judgedOn = new WeakMap<LoadState, LoadWorld>();

export function rememberJudged(load: LoadState, world: LoadWorld): void {
  judgedOn.set(load, world);
}

/** Whether judging the load on this world again can only find what was found. */
export function standsAsJudged(load: LoadState, world: LoadWorld): boolean {
  const before = judgedOn.get(load);
  if (!before) return false;
  const id = idOf(load.stream);
  return (
    same(before.thing, world.thing, id) &&
    same(before.permit, world.permit, id) &&
    same(before.hauler, world.hauler, id) &&
    same(before.vehicle, world.vehicle, id) &&
    samePlaces(before.places, world.places, id) &&
    sameLinks(before.linked, world.linked)
  );
}

function same(before: SubjectState | undefined, now: SubjectState | undefined, load: string): boolean {
  if (before === now) return true;
  if (!before || !now) return false;
  // Nobody filed it, now as then.
  if (before.revision < 0 && now.revision < 0) return true;
  return onlyPosted(before, now, load);
}

function samePlaces(before: LoadWorld['places'] = [], now: LoadWorld['places'] = [], load: string): boolean {
  return before.length === now.length && before.every((place, index) => same(place, now[index], load));
}

/** Another permit is looked up whole: any change of it may change what it gives leave for. */
function sameLinks(before: LoadWorld['linked'], now: LoadWorld['linked']): boolean {
  if (!before || !now) return before === now;
  return [...now].every(([fact, permit]) => {
    const known = before.get(fact);
    return known === permit || (known !== undefined && known.revision < 0 && permit.revision < 0);
  });
}

/**
 * Nothing has happened to the thing but that the load was posted to it. Its own posting is none of the earlier ones
 * that it is judged by, and it was judged as the last of its instant, which is where the posting stands.
 */
const onlyPosted = (before: SubjectState, thing: SubjectState, load: string): boolean =>
  before.stream === thing.stream &&
  thing.revision === before.revision + 1 &&
  isPosted(thing, load) &&
  !isPosted(before, load);

const isPosted = ({ postings }: SubjectState, load: string): boolean =>
  postings.some(({ data, broughtFrom }) => data.load === load && broughtFrom === undefined);
