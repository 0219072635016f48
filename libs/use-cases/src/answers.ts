import {
  intervalsOf,
  violationDays,
  violationId,
  violationStatus,
  type LoadState,
  type SubjectState,
  type ViolationState,
} from '@headworks/domain';
import { localDateAt } from '@headworks/calendars';
import { isoInstant, subjectId, type Finding, type JsonObject } from '@headworks/kernel';
import { explainFinding } from '@headworks/rules-engine';
import type { Services } from './context';
import { idOf, violations, violationStream } from './models';

/** What a write answers. `standing`: it stood already, nothing was written now. `refused`: asked, refused, recorded. */
export interface Answer {
  readonly kind: 'recorded' | 'standing' | 'refused' | 'preview';
  readonly body: JsonObject;
}

/** How much of a finding is shown: everything with its text, without operands, or the status alone. */
export type Explain = 'full' | 'brief' | 'status';

/** A finding as it is answered: text is rendered here, never stored. */
export function shownFinding(finding: Finding, explain: Explain = 'full'): JsonObject {
  const { clause, cite, rows, status, reason, says, missing } = finding;
  const base = { clause, rows, cite, status, ...(reason !== undefined && { reason }) };
  switch (explain) {
    case 'status':
      return base;
    case 'brief':
      return { ...base, says, missing, text: explainFinding(finding) };
    case 'full':
      return { ...(finding as unknown as JsonObject), text: explainFinding(finding) };
  }
}

/** Ids of the violations that a load stands for now: by its findings, by limits, by duties it began and nobody met. */
export async function violationsOfLoad(
  services: Services,
  load: LoadState,
  counted: readonly SubjectState[],
): Promise<readonly string[]> {
  const { current, jurisdiction } = load;
  if (!current || jurisdiction === undefined) return [];
  const id = idOf(load.stream);
  const thingId = subjectId(jurisdiction, current.subject.kind, current.subject.key);
  const exceeded = counted.flatMap((thing) => [...thing.exceeded.values()]);
  const missed = counted.flatMap((thing) => [...thing.missed.values()]);
  const clauses = new Set([
    ...load.onceViolated.map(({ clause }) => clause),
    ...exceeded.filter(({ data }) => data.load === id).map(({ data }) => data.clause),
  ]);
  const occasions = [
    ...[...clauses].map((clause) => ({ pack: current.pack, clause, occasion: id })),
    ...missed
      .filter(({ data, reversedBy }) => data.load === id && reversedBy === undefined)
      .map(({ data }) => ({ pack: data.pack, clause: data.clause, occasion: data.duty })),
  ];
  const found: string[] = [];
  for (const { pack, clause, occasion } of occasions) {
    const violation = violationId(pack, clause, thingId, occasion);
    const status = violationStatus(await services.runner.read(violations, violationStream(violation)));
    if (status === 'open' || status === 'abated') found.push(violation);
  }
  return found;
}

/** A violation as the contract has it; days are counted to the instant. */
export function shownViolation(
  state: ViolationState,
  nowMs: number,
  explain: Explain = 'full',
): JsonObject | undefined {
  const { detected } = state;
  const status = violationStatus(state);
  if (!detected || status === undefined) return undefined;
  const { data } = detected;
  const intervals = intervalsOf(state);
  const until = intervals.at(-1)?.untilMs;
  const { finding, zone, ...rest } = data;
  return {
    id: idOf(state.stream),
    ...rest,
    status,
    detectedAt: isoInstant(detected.ms),
    recordedAt: detected.recordedAt,
    from: localDateAt(zone, detected.ms),
    until: until === undefined ? null : localDateAt(zone, until),
    days: violationDays(state, nowMs),
    intervals: intervals.map(({ fromMs, untilMs }) => ({
      from: isoInstant(fromMs),
      until: untilMs === undefined ? null : isoInstant(untilMs),
    })),
    ...(state.withdrawn && { withdrawn: state.withdrawn }),
    finding: shownFinding(finding as unknown as Finding, explain),
  };
}
