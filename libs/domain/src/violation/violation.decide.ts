import { nameId, isoInstant, type Decision, type DomainEvent, type Occurred } from '@headworks/kernel';
import type { StoredFinding, ViolationDetected } from '../events';
import { violationStatus, type ViolationState } from './violation';

/** What the log says of a breach now: the violation's stream is brought to agree with it, whoever comes first. */
export type Breach =
  | {
      readonly stands: true;
      readonly data: ViolationDetected;
      readonly fromMs: number;
      /** When it was cured, for one that lasts. */
      readonly curedMs?: number;
      /** `stream@revision` that showed it. */
      readonly cause: string;
    }
  | {
      readonly stands: false;
      readonly why: string;
      readonly cause: string;
      readonly finding?: StoredFinding;
    };

/** One violation a clause, thing and occasion: a replay finds the same id and can't double it. */
export function violationId(pack: string, clause: string, thing: string, occasion: string): string {
  return nameId('violation', pack, clause, thing, occasion);
}

export function decideViolation(breach: Breach, state: ViolationState): Decision {
  const status = violationStatus(state);
  if (!breach.stands) {
    if (status === undefined || status === 'withdrawn') return { events: [], ignored: 'no violation stands' };
    const { why, cause, finding } = breach;
    return { events: [withdrawal(why, cause, state, finding)] };
  }
  const events: DomainEvent[] = [];
  const stood = status !== undefined && status !== 'withdrawn';
  const why = stood ? otherBreach(breach, state) : undefined;
  if (why !== undefined) events.push(withdrawal(why, breach.cause, state));
  const fresh = !stood || why !== undefined;
  if (fresh) {
    events.push({
      type: 'ViolationDetected',
      data: breach.data,
      occurred: at(breach.fromMs),
      causedBy: breach.cause,
    });
  }
  events.push(...cure(breach, fresh ? undefined : state));
  return events.length === 0 ? { events: [], ignored: 'it stands as it should' } : { events };
}

/** Why what stands is not the breach that the log shows now: detected anew, it says what is so. */
function otherBreach(breach: Breach & { stands: true }, { detected }: ViolationState): string | undefined {
  if (detected?.ms !== breach.fromMs) return 'began_at_another_instant';
  const [before, now] = [detected.data, breach.data];
  const same =
    before.responsible.kind === now.responsible.kind && before.responsible.key === now.responsible.key;
  if (!same || before.loadId !== now.loadId) return 'another_load_is_responsible';
  return before.lasting === now.lasting ? undefined : 'judged_under_another_text';
}

/** Dated where the violation began: as of any instant since then it is known not to have been one. */
function withdrawal(why: string, cause: string, state: ViolationState, finding?: StoredFinding): DomainEvent {
  return {
    type: 'ViolationWithdrawn',
    data: { why, ...(finding && { finding }) },
    ...(state.detected && { occurred: at(state.detected.ms) }),
    causedBy: cause,
  };
}

/** A cure that is no longer one was recorded in error; a new one abates. */
function cure(breach: Breach & { stands: true }, state: ViolationState | undefined): readonly DomainEvent[] {
  if (!breach.data.lasting) return [];
  const events: DomainEvent[] = [];
  const standing = state?.turns.findLast(({ kind }) => kind === 'abated');
  if (standing && standing.ms !== breach.curedMs) {
    const data = { annuls: standing.event, reason: 'the cure is not what was recorded before' };
    events.push({ type: 'RecordedInError', data, occurred: at(standing.ms), causedBy: breach.cause });
  }
  if (breach.curedMs !== undefined && standing?.ms !== breach.curedMs) {
    const data = { cause: breach.cause };
    events.push({ type: 'ViolationAbated', data, occurred: at(breach.curedMs), causedBy: breach.cause });
  }
  return events;
}

const at = (ms: number): Occurred => ({ at: isoInstant(ms) });
