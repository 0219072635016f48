import type { Law } from '../pack-at';
import { isPermit } from '../permit/permit';
import type { SubjectState } from '../subject/subject';
import { actDuties } from './act-duties';
import { joinFound, type Asked, type Found, type Reach } from './asked';
import { campaignDuties } from './campaign-duties';
import type { Duty } from './duty';
import { permitDuties } from './permit-duties';
import { thingDuties } from './thing-duties';

/**
 * Duties that a change at the instant can touch, and those that are asked for by id. A thing keeps its duties for
 * ever; to look at each of them again with each load would cost more with every year.
 */
export function dutiesSince(state: SubjectState, law: Law, asked: Asked, reach: Reach = 'all'): Found {
  const sources = reach === 'loads' ? [campaignDuties] : SOURCES;
  return joinFound(sources.map((source) => source(state, law, asked)));
}

const SOURCES = [campaignDuties, actDuties, fileDuties];

/** Duties that begin with what a permit's life or form gives, or with a fact of a thing. */
function fileDuties(state: SubjectState, law: Law, asked: Asked): Found {
  return isPermit(state) ? permitDuties(state, law, asked) : thingDuties(state, law, asked);
}

const ALL: Asked = { sinceMs: Number.NEGATIVE_INFINITY, always: new Set() };

/** All duties that the stream of a thing or a permit has started. */
export const dutiesOf = (state: SubjectState, law: Law): readonly Duty[] =>
  dutiesSince(state, law, ALL).duties;

/** Those of the ids: what an alarm woke, or a reader asks for. */
export const dutiesNamed = (state: SubjectState, law: Law, ids: Iterable<string>): readonly Duty[] => {
  const always = new Set(ids);
  const { duties } = dutiesSince(state, law, { sinceMs: Number.POSITIVE_INFINITY, always });
  return duties.filter(({ duty }) => always.has(duty));
};
