import { derivationMarkdown } from '@headworks/calendars';
import {
  derivedClock,
  dutiesNamed,
  dutyFinding,
  dutyStatus,
  endedInTime,
  howEnded,
  isPermit,
  lenientBody,
  owedTo,
  staleOf,
  standingMiss,
  type Duty,
  type DutyClock,
  type DutyStatus,
  type SubjectState,
} from '@headworks/domain';
import { CodedError, isoInstant, type Due, type JsonObject, type JsonValue } from '@headworks/kernel';
import { shownFinding, type Explain } from '../answers';
import type { Services } from '../context';
import { idOf, permits, subjects } from '../models';
import { foldAt, lawAtCut, settledAt, settledPermitAt, type Cut } from './cut';
import { saysOf } from './duties';

/** Where a duty is at home, as a list names it. */
export interface Home {
  readonly stream: string;
  readonly id: string;
}

/** A thing or a permit at a cut, with what was due by then settled in memory. */
export interface HomeAt {
  readonly state: SubjectState;
  readonly cut: Cut;
  readonly nowMs: number;
}

export const NO_DUTY = 'There is no such duty here.';
const NOT_THEN = 'There was no such duty then.';

export async function homeAt(services: Services, stream: string, cut: Cut): Promise<HomeAt> {
  const nowMs = cut.asOfMs ?? services.clock.now();
  if (stream.startsWith('permit-')) {
    const now = await services.runner.read(permits, stream);
    const folded = await foldAt(services, permits, stream, cut);
    // Before anything was known of it, it stood under the same law.
    const { jurisdiction } = now;
    const permit = jurisdiction === undefined ? folded : { ...folded, jurisdiction };
    return { state: settledPermitAt(services, permit, nowMs, cut), cut, nowMs };
  }
  const { jurisdiction } = await services.runner.read(subjects, stream);
  const folded = await foldAt(services, subjects, stream, cut);
  const thing = jurisdiction === undefined ? folded : { ...folded, jurisdiction };
  return { state: settledAt(services, thing, nowMs, cut), cut, nowMs };
}

/** The duty as the log and the law make it there; one that was missed keeps the day that it was missed on. */
export function dutyAt(services: Services, { state, cut }: HomeAt, id: string): Duty | undefined {
  const [duty] = dutiesNamed(state, lawAtCut(services, cut), [id]);
  if (!duty) return undefined;
  const missed = standingMiss(state, id);
  if (missed) return { ...duty, clock: { due: missed.data.due as unknown as Due } };
  const ended = endedInTime(duty);
  if (ended) return asItEnded(services, { state, cut }, duty, ended.ms);
  if (!duty.done) return duty;
  // In time while a day counted that was taken back since.
  const then = asItEnded(services, { state, cut }, duty, duty.done.ms);
  return endedInTime(then) ? then : duty;
}

/** What was done, or let go, was due on the day that counted then: days closed or taken back later move nothing of it. */
function asItEnded(
  services: Services,
  { state, cut }: Pick<HomeAt, 'state' | 'cut'>,
  duty: Duty,
  ms: number,
): Duty {
  const law = lawAtCut(services, cut);
  const then = lawAtCut(services, { ...cut, asOfMs: Math.min(ms, cut.asOfMs ?? ms) });
  return then === law ? duty : (dutiesNamed(state, then, [duty.duty])[0] ?? duty);
}

/** A consequence that stands was missed, whatever other calendars would make of it now. */
function statusOf({ state, nowMs }: HomeAt, duty: Duty): DutyStatus {
  if (!standingMiss(state, duty.duty)) return dutyStatus(duty, nowMs);
  return duty.done && duty.done.ms <= nowMs ? 'met_late' : 'missed';
}

export function mustBeDuty(services: Services, home: HomeAt, id: string): Duty {
  const duty = dutyAt(services, home, id);
  if (!duty) throw new CodedError('not-found', home.cut.asOfMs === undefined ? NO_DUTY : NOT_THEN);
  return duty;
}

/** As a list shows it: the row of a view, at any cut. */
export function shownDutyRow(home: HomeAt, duty: Duty): JsonObject {
  const { state } = home;
  const { pack, clause, clock } = duty;
  const missed = state.missed.get(duty.duty);
  const status = statusOf(home, duty);
  const met = status === 'met' || status === 'met_late' ? howEnded(state, duty) : undefined;
  const { stream, jurisdiction } = state;
  const homeId = idOf(stream);
  return {
    id: duty.duty,
    jurisdiction: jurisdiction ?? pack.jurisdiction,
    stream,
    pack: pack.ref.pack,
    packVersion: pack.ref.version,
    clause: clause.id,
    ...saysOf(clause),
    binds: clause.binds,
    who: clause.deadline.who,
    owedTo: owedTo(clause.binds, stream),
    subjectId: isPermit(state) ? null : homeId,
    permitId: isPermit(state) ? homeId : null,
    loadId: duty.load ?? null,
    subject: duty.subject ?? null,
    responsible: duty.responsible ?? null,
    startedBy: duty.startedBy,
    due: clock.due
      ? { date: clock.due.date, at: isoInstant(Date.parse(clock.due.at)), elapsedAt: clock.due.elapsedAt }
      : null,
    pausedSince: clock.pausedSince ?? null,
    status,
    metBy: met?.metBy ?? null,
    metAt: met?.metAt ?? null,
    outcome: clause.deadline.outcome,
    missed: missed?.event ?? null,
    reversedBy: missed?.reversedBy ?? null,
  };
}

/** One duty with everything that is known of it: how it was counted, moved, lengthened, let go, and whether it stands. */
export function shownDuty(services: Services, home: HomeAt, duty: Duty, explain: Explain): JsonObject {
  const { state, nowMs, cut } = home;
  const { derivation, by } = countOf(clockOf(home, duty));
  const waived = state.waived.get(duty.duty);
  const [stale] = staleOf(state, lawAtCut(services, cut), nowMs, new Set([duty.duty]));
  return {
    ...shownDutyRow(home, duty),
    startedAt: isoInstant(duty.startMs),
    derivation,
    countedBy: by,
    moved: shownMoves(home, duty),
    extended: (state.extended.get(duty.duty) ?? []).map(({ event, ms, data }) => ({
      ...{ event, at: isoInstant(ms), times: data.times, reason: data.reason },
    })),
    waived: waived ? { event: waived.event, at: isoInstant(waived.ms) } : null,
    extendedBy: lenientBody(duty.pack, duty.clause, 'extension') ?? null,
    waivedBy: lenientBody(duty.pack, duty.clause, 'waiver') ?? null,
    confirmedBy: state.missed.get(duty.duty)?.confirmed?.event ?? null,
    stale: stale ? { why: stale.why, cause: stale.cause, due: shownDue(stale.duty?.clock) } : null,
    finding: shownFinding(dutyFinding(duty, nowMs), explain),
  };
}

interface ShownMove extends JsonObject {
  readonly event: string;
  readonly at: string;
  readonly from: JsonObject;
  readonly to: JsonObject;
  readonly by: readonly string[];
}

const shownMoves = ({ state }: HomeAt, { duty }: Duty): readonly ShownMove[] =>
  (state.moved.get(duty) ?? []).map(({ event, ms, data }) => ({
    event,
    at: isoInstant(ms),
    from: data.from,
    to: { date: data.due['date'] ?? null, at: data.due['at'] ?? null },
    by: data.by,
  }));

export const shownDue = (clock: DutyClock | undefined): JsonObject | null =>
  clock?.due ? { date: clock.due.date, at: isoInstant(Date.parse(clock.due.at)) } : null;

/** What was missed keeps its own count; of any other the start is told with the fact that says it. */
const clockOf = ({ state }: HomeAt, duty: Duty): DutyClock =>
  standingMiss(state, duty.duty) ? duty.clock : derivedClock(duty);

function countOf(clock: DutyClock): { readonly derivation: JsonValue; readonly by: JsonValue } {
  const { derivation, by } = clock.due ?? clock;
  return {
    derivation: (derivation ?? []) as unknown as JsonValue,
    by: (by ?? null) as unknown as JsonValue,
  };
}

/** The derivation alone, as JSON. */
export function shownDerivation(home: HomeAt, duty: Duty): JsonObject {
  const { due, pausedSince, status } = shownDutyRow(home, duty);
  const moved = shownMoves(home, duty);
  const { derivation, by } = countOf(clockOf(home, duty));
  return {
    ...{ id: duty.duty, pack: duty.pack.ref.pack, packVersion: duty.pack.ref.version },
    ...{ clause: duty.clause.id, cite: duty.clause.cite },
    ...{ startedBy: duty.startedBy, startedAt: isoInstant(duty.startMs) },
    ...{ due: due ?? null, pausedSince: pausedSince ?? null, status: status ?? null, moved, derivation },
    countedBy: by,
  };
}

const dayIn = ({ date, at }: JsonObject): string =>
  typeof date === 'string' ? date : typeof at === 'string' ? at : 'never';

/** The same as a paper that a person can file: whoever has the law and the lists can count it again by hand. */
export function derivationPaper(
  services: Services,
  home: HomeAt,
  duty: Duty,
  asked: readonly (readonly [string, string])[],
): string {
  const { clause, pack, startedBy } = duty;
  const row = shownDutyRow(home, duty);
  const paper = derivationMarkdown(clockOf(home, duty), `${clause.deadline.must}: ${pack.title}`);
  const word = (name: string): string => (typeof row[name] === 'string' ? row[name] : '-');
  const facts = [
    ...(services.clock.kind === 'virtual' ? ['**SANDBOX: not of a real authority.**', ''] : []),
    `- Duty: ${duty.duty}`,
    `- On: ${home.state.stream}`,
    `- Owed by: ${clause.deadline.who}; to: ${word('owedTo')}`,
    `- Begun by: ${startedBy}`,
    `- It stands: ${word('status')}`,
    ...shownMoves(home, duty).map(
      ({ event, from, to, by }) =>
        `- Moved: from ${dayIn(from)} to ${dayIn(to)}, by ${by.join(', ')} (${event})`,
    ),
    ...asked.map(([name, value]) => `- ${name}: ${value}`),
  ];
  return `${paper}\n${facts.join('\n')}\n`;
}
