import type { Clock } from '@headworks/calendars';
import { isoInstant, type Finding } from '@headworks/kernel';
import type { ClauseDef, DeadlineDef, FactSource, Pack } from '@headworks/rules-engine';
import { storedDue, storedFinding, type DutyMissed, type ThingRef } from '../events';
import type { Done } from './done';
import type { OpenDuty, Waived } from './state';

export type DeadlineClause = ClauseDef & { readonly deadline: DeadlineDef };

export const isDeadline = (clause: ClauseDef | undefined): clause is DeadlineClause =>
  clause?.deadline !== undefined;

/** What is done by starting (a filing, judged by the last day of its own year) is never owed: it is, or it is late. */
export const isAwaited = ({ deadline }: DeadlineClause): boolean => deadline.starts !== deadline.done;

/** It runs to a due date, or stands still since an instant. */
export type DutyClock = Clock;

/** A duty as the log and the law make it: derived, never stored as such. */
export interface Duty {
  readonly duty: string;
  readonly pack: Pack;
  readonly clause: DeadlineClause;
  /** `stream@revision` of what began it, and the instant that its clock counts from. */
  readonly startedBy: string;
  readonly startMs: number;
  /** Kind of the thing it is owed on; a permit's is `permit`. */
  readonly on: string;
  readonly clock: DutyClock;
  readonly done?: Done;
  readonly waived?: Waived;
  /** From when on nobody owes it any more: its file was withdrawn, its start taken back. */
  readonly voidMs?: number;
  /** The load that it binds, where a load began it. */
  readonly load?: string;
  /** The thing it is owed on, where that is no permit. */
  readonly subject?: ThingRef;
  readonly responsible?: ThingRef;
  /** What it is judged by at an instant: with its own start, whatever began anew since. */
  readonly facts: (ms: number) => FactSource;
}

/** Days end with the first instant of the next one, which is too late; hours with an instant that is still in time. */
export const endsByDay = ({ clause }: Pick<Duty, 'clause'>): boolean => clause.deadline.allow?.unit !== 'h';

/** The statutory instant; never, while the clock stands still. */
export const dueMs = ({ clock }: Pick<Duty, 'clock'>): number =>
  clock.due === undefined ? Number.POSITIVE_INFINITY : Date.parse(clock.due.at);

export const isInTime = (duty: Pick<Duty, 'clause' | 'clock'>, ms: number): boolean =>
  endsByDay(duty) ? ms < dueMs(duty) : ms <= dueMs(duty);

/** What held just before the statutory instant decides whether it was owed: what follows from it is dated at it. */
const lastMs = (duty: Duty): number => dueMs(duty) - 1;

/** Ended in time other than by being missed: done, let go by who may, or no longer owed. */
export function endedInTime(
  duty: Duty,
): { readonly how: 'met' | 'waived' | 'void'; readonly ms: number } | undefined {
  const [first] = [
    ...(duty.done ? [{ how: 'met' as const, ms: duty.done.ms }] : []),
    ...(duty.waived ? [{ how: 'waived' as const, ms: duty.waived.ms }] : []),
    ...(duty.voidMs === undefined ? [] : [{ how: 'void' as const, ms: duty.voidMs }]),
  ].toSorted((a, b) => a.ms - b.ms);
  return first && isInTime(duty, first.ms) ? first : undefined;
}

/** Missed: the statutory instant is past, and nothing ended it by then. */
export const isMissed = (duty: Duty, now: number): boolean =>
  endedInTime(duty) === undefined && !isInTime(duty, now);

/** The finding as of an instant, or of when it was done. */
export function dutyFinding(duty: Duty, now: number): Finding {
  const { done } = duty;
  if (!done) return judge(duty, now, now);
  // What said it may have come after it was done.
  return judge(duty, Math.max(done.ms, done.saidMs), done.ms);
}

/** The finding just after the statutory instant, on what is known now of the last one in time: violated is missed. */
export const missedFinding = (duty: Duty): Finding => judge(duty, lastMs(duty), dueMs(duty) + 1);

function judge({ pack, clause, facts }: Duty, factsMs: number, now: number): Finding {
  const [finding] = pack.evaluate({ clauses: [clause.id], facts: facts(factsMs), now });
  if (!finding) throw new Error(`Clause ${clause.id} of ${pack.ref.pack} gave no finding.`);
  return finding;
}

/** Whether it will be missed if nothing more is recorded; while its clock stands still, whether it may be. */
export function isOwed(duty: Duty, now: number): boolean {
  if (duty.clock.due) return missedFinding(duty).status === 'violated';
  return judge(duty, now, now).status !== 'not_applicable';
}

export type DutyStatus =
  'open' | 'contestable' | 'met' | 'met_late' | 'missed' | 'paused' | 'waived' | 'void';

/** Between the elapsed and the statutory instant a duty not done is contestable: late by the clock, not citable. */
export function dutyStatus(duty: Duty, now: number): DutyStatus {
  const ended = endedInTime(duty);
  if (ended && ended.ms <= now) return ended.how;
  if (!ended && !isInTime(duty, now)) {
    if (!isOwed(duty, now)) return 'void';
    return duty.done && duty.done.ms <= now ? 'met_late' : 'missed';
  }
  if (!duty.clock.due) return 'paused';
  const { elapsedAt } = duty.clock.due;
  return elapsedAt !== null && now > Date.parse(elapsedAt) ? 'contestable' : 'open';
}

/** To whom it is owed, in a word of the program: packs name who owes. */
export const owedTo = (binds: 'person' | 'office', stream: string): 'applicant' | 'authority' | 'public' =>
  binds === 'person' ? 'authority' : stream.startsWith('permit-') ? 'applicant' : 'public';

export function openEntry(duty: Duty): OpenDuty {
  const { pack, clause, clock } = duty;
  const { due } = clock;
  return {
    duty: duty.duty,
    pack: pack.ref.pack,
    version: pack.ref.version,
    clause: clause.id,
    binds: clause.binds,
    who: clause.deadline.who,
    outcome: clause.deadline.outcome,
    startedBy: duty.startedBy,
    dueAt: due?.at ?? null,
    ...(due && { dueOn: due.date }),
    ...(endsByDay(duty) && { byDay: true }),
    ...(due && due.elapsedAt !== null && { elapsedAt: due.elapsedAt }),
    ...(clock.pausedSince !== undefined && { pausedSince: clock.pausedSince }),
    ...(duty.load !== undefined && { load: duty.load }),
    ...(duty.subject && { subject: duty.subject }),
    ...(duty.responsible && { responsible: duty.responsible }),
  };
}

export function missedData(duty: Duty, finding: Finding): DutyMissed {
  const { pack, clause, clock } = duty;
  if (!clock.due) throw new Error(`The duty ${duty.duty} is not due: its clock stands still.`);
  return {
    duty: duty.duty,
    pack: pack.ref.pack,
    clause: clause.id,
    startedBy: duty.startedBy,
    startedAt: isoInstant(duty.startMs),
    due: storedDue(clock.due),
    outcome: clause.deadline.outcome,
    who: clause.deadline.who,
    binds: clause.binds,
    ...(duty.load !== undefined && { load: duty.load }),
    ...(duty.subject && { subject: duty.subject }),
    ...(duty.responsible && { responsible: duty.responsible }),
    finding: storedFinding(finding),
  };
}
