import type { FactRow } from '../facts';
import { isPermit } from '../permit/permit';
import type { SubjectState } from '../subject/subject';

/** Instants at which anything was said of a thing, or a step was taken in a permit's file: ascending, each once. */
export function instantsOf(state: SubjectState): readonly number[] {
  const instants = new Set<number>();
  for (const rows of state.facts.rows.values()) for (const { key } of rows) instants.add(key.ms);
  if (isPermit(state)) for (const { key } of state.file.steps) instants.add(key.ms);
  return [...instants].toSorted((a, b) => a - b);
}

/** Address of what was said then of one of the facts, or of the step that was taken; else of the stream's head. */
export function eventAt(state: SubjectState, ms: number, facts: ReadonlySet<string>): string {
  const isThen = ({ key }: FactRow): boolean => key.ms === ms;
  for (const fact of facts) {
    const row = state.facts.rows.get(fact)?.find(isThen);
    if (row) return row.recordedBy;
  }
  const step = isPermit(state) ? state.file.steps.find(({ key }) => key.ms === ms) : undefined;
  if (step) return step.event;
  const rows = [...state.facts.rows.values()].flat().find(isThen);
  return rows?.recordedBy ?? `${state.stream}@${state.revision}`;
}
