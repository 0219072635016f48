import { occurredMs } from '@headworks/calendars';
import type { DomainEvent, JsonValue } from '@headworks/kernel';
import { storedFinding } from '../events';
import { at, MOST_EVENTS, type SubjectContext, type SubjectDraft } from '../subject/context';
import type { SubjectState } from '../subject/subject';
import { dutyChanges } from './changes';
import type { Asked, Found, Reach } from './asked';
import { dutiesSince } from './derive';
import { takeBack } from './outcome.decide';
import { settleDuties, tellChanges } from './settle.decide';
import { overtakenByItself } from './stale';
import type { OpenDuty } from './state';

/**
 * After the command's own events: consequences it overtook, then duties it opened or closed, then what is due at once.
 * A consequence is never rewritten: one whose due instant or load changed is reversed and recorded anew.
 */
export function reconcileDuties(
  draft: SubjectDraft,
  context: SubjectContext,
  own: readonly DomainEvent[],
): void {
  const reach = reachOf(own);
  let sinceMs = earliestOf(own, context);
  for (;;) {
    const found = dutiesSince(draft.state, context.law, askedOf(draft.state, sinceMs, reach), reach);
    if (reverseOvertaken(draft, context, found, reach)) {
      sinceMs = Number.NEGATIVE_INFINITY;
      continue;
    }
    const isLookedAt = (open: OpenDuty): boolean => reach === 'all' || open.load !== undefined;
    tellChanges(draft, dutyChanges(draft.state, found.duties, context.nowMs, isLookedAt));
    // What a consequence made of the file may have a say in the other duties, whenever those began.
    if (!settleDuties(draft, context, found.duties)) return;
    sinceMs = Number.NEGATIVE_INFINITY;
  }
}

/** Postings and what is over a limit by them: no fact, act or step of the thing itself. */
const OF_LOADS: ReadonlySet<string> = new Set([
  'LoadPosted',
  'PostingReversed',
  'LimitExceeded',
  'LimitExceededWithdrawn',
  'BroughtForward',
]);

const reachOf = (own: readonly DomainEvent[]): Reach =>
  own.every(({ type }) => OF_LOADS.has(type)) ? 'loads' : 'all';

/** Whatever its instant, an open duty may end now; one that was missed may be done late, or earlier than was known. */
function askedOf(state: SubjectState, sinceMs: number, reach: Reach): Asked {
  const always = new Set(state.openDuties.keys());
  if (reach === 'all') {
    for (const [duty, { reversedBy, metAt }] of state.missed) {
      if (reversedBy === undefined && (metAt === undefined || Date.parse(metAt) >= sinceMs)) always.add(duty);
    }
  }
  return { sinceMs, always };
}

/**
 * The earliest instant that the command's own events are about: nothing before it is otherwise than it was. A fact may
 * name an earlier instant than its own; what an event took back is not in it, so that may be about anything.
 */
function earliestOf(own: readonly DomainEvent[], context: SubjectContext): number {
  return Math.min(
    ...own.flatMap(({ type, occurred, data }) =>
      ['BroughtForward', 'FactsCorrected', 'RecordedInError'].includes(type)
        ? [Number.NEGATIVE_INFINITY]
        : [occurred ? occurredMs(occurred) : at(context), ...instantsIn(data['facts'])],
    ),
  );
}

/** Instants and days that facts name; a day begins somewhere on earth up to fourteen hours before it does in UTC. */
const instantsIn = (facts: JsonValue | undefined): readonly number[] =>
  Object.values(facts ?? {})
    .filter((value): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T|$)/.test(value))
    .map((value) => Date.parse(value) - (value.length === 10 ? 14 * 3_600_000 : 0));

/** True where more than the misses was taken back: what the law had made of them had a say in other duties. */
function reverseOvertaken(
  draft: SubjectDraft,
  context: SubjectContext,
  { duties, over }: Found,
  reach: Reach,
): boolean {
  let more = false;
  const causedBy = `${draft.state.stream}@${draft.state.revision}`;
  for (const missed of [...draft.state.missed.values()]) {
    if (missed.reversedBy !== undefined || over.has(missed.data.duty)) continue;
    if (reach === 'loads' && missed.data.load === undefined) continue;
    if (draft.events.length >= MOST_EVENTS) break;
    const duty = duties.find((candidate) => candidate.duty === missed.data.duty);
    const reversal = overtakenByItself(missed, duty, context.nowMs);
    if (!reversal) continue;
    const { why, finding } = reversal;
    draft.push({
      type: 'ConsequenceReversed',
      data: {
        event: missed.event,
        duty: missed.data.duty,
        why,
        ...(finding && { finding: storedFinding(finding) }),
      },
      occurred: { at: missed.data.due['at'] as string },
      causedBy,
      ...(duty && { law: duty.pack.ref }),
    });
    more = takeBack(draft, context, { missed, causedBy, why }) || more;
  }
  return more;
}
