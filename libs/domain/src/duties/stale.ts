import { canonicalText, type Due, type Finding, type JsonObject } from '@headworks/kernel';
import { isPermit } from '../permit/permit';
import type { Law } from '../pack-at';
import type { SubjectState } from '../subject/subject';
import { dutiesNamed } from './derive';
import { dutyFinding, endedInTime, isMissed, missedFinding, type Duty } from './duty';
import type { MissedDuty } from './state';

export interface Overtaken {
  readonly why: string;
  readonly finding?: Finding;
}

/** A consequence that the calendars as they stand now would not have brought about, or not at that instant. */
export interface Stale extends Overtaken {
  readonly missed: MissedDuty;
  /** As it is counted now; absent where it is none any more. */
  readonly duty?: Duty;
  /** What the law had made of the miss, by the addresses of its events: a deemed decision, a void permit. */
  readonly consequences: readonly string[];
  /** The newest change of calendars. */
  readonly cause: string;
}

const WHY = { met: 'met_in_time', waived: 'waived', void: 'no_longer_due' } as const;

/** Why a consequence no longer stands, with the finding that shows it; undefined where it stands. */
export function overtaken(
  { data }: MissedDuty,
  duty: Duty | undefined,
  nowMs: number,
): Overtaken | undefined {
  if (!duty) return { why: 'no_longer_due' };
  if (!isMissed(duty, nowMs)) {
    const ended = endedInTime(duty);
    const why = ended ? WHY[ended.how] : 'not_due_yet';
    // That it was let go, or is owed no longer, is no matter of what its clause finds.
    return why === 'met_in_time' || !ended ? { why, finding: dutyFinding(duty, nowMs) } : { why };
  }
  const finding = missedFinding(duty);
  if (finding.status !== 'violated') return { why: 'no_longer_violated', finding };
  const same = data.due['at'] === duty.clock.due?.at && data.load === duty.load;
  return same ? undefined : { why: 'judged_anew', finding };
}

/**
 * The same for what follows by itself. A consequence that was decided under other calendars than those of now keeps its
 * day: only what ended the duty by that day overtakes it, and all else is an officer's to say.
 */
export function overtakenByItself(
  missed: MissedDuty,
  duty: Duty | undefined,
  nowMs: number,
): Overtaken | undefined {
  if (!duty || !isCountedApart(missed, duty)) return overtaken(missed, duty, nowMs);
  const then: Duty = { ...duty, clock: { due: missed.data.due as unknown as Due } };
  const ended = endedInTime(then);
  if (!ended) return undefined;
  return ended.how === 'met' ? { why: WHY.met, finding: dutyFinding(then, nowMs) } : { why: WHY[ended.how] };
}

/** Another day, counted from the same start by other calendars. */
export function isCountedApart({ data }: MissedDuty, duty: Duty): boolean {
  const { due } = duty.clock;
  const then = data.due['by'] as JsonObject | undefined;
  if (!due?.by || !then || due.at === data.due['at'] || Date.parse(data.startedAt) !== duty.startMs)
    return false;
  const calendars = (by: JsonObject): string => canonicalText(by['calendars'] ?? []);
  return calendars(then) !== calendars(due.by as unknown as JsonObject);
}

/** Consequences on the thing that stand, and would stand otherwise by the calendars of now; `named`: those alone. */
export function staleOf(
  state: SubjectState,
  law: Law,
  nowMs: number,
  named?: ReadonlySet<string>,
): readonly Stale[] {
  const change = state.jurisdiction === undefined ? undefined : law.calendarsChangedBy?.(state.jurisdiction);
  if (!change) return [];
  const standing = [...state.missed.values()].filter(
    ({ reversedBy, data }) => reversedBy === undefined && (named?.has(data.duty) ?? true),
  );
  if (standing.length === 0) return [];
  const duties = dutiesNamed(
    state,
    law,
    standing.map(({ data }) => data.duty),
  );
  return standing.flatMap((missed) => {
    const duty = duties.find((one) => one.duty === missed.data.duty);
    if (missed.confirmed?.under === change.event || (duty && !isCountedApart(missed, duty))) return [];
    const found = overtaken(missed, duty, nowMs);
    if (!found) return [];
    const consequences = consequencesOf(state, missed);
    return [{ ...found, missed, consequences, cause: change.event, ...(duty && { duty }) }];
  });
}

function consequencesOf(state: SubjectState, { data }: MissedDuty): readonly string[] {
  if (!isPermit(state)) return [];
  return state.file.steps.filter((step) => step.data['duty'] === data.duty).map(({ event }) => event);
}
