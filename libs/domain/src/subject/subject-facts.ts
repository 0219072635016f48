import { endOfDay } from '@headworks/calendars';
import { isoInstant, type JsonValue } from '@headworks/kernel';
import type { FactSource, Pack } from '@headworks/rules-engine';
import { extensionEntry } from '../duties/extension-facts';
import { factAt } from '../facts';
import { dayIn } from '../pack-at';
import { permitDefOf, permitSource } from '../permit/permit-facts';
import { isPermit } from '../permit/permit';
import { actFacts } from './act-facts';
import type { SubjectState } from './subject';

/**
 * Facts of the thing itself at an instant: those that its kind declares, a permit's with what its life gives. An act
 * that dates itself (it gives a fact) is done here or not at all: where nothing is on file, an optional fact of such an
 * act is known to be none, as of the head that was read. An act that only writes down what others did leaves what
 * nobody wrote down unknown.
 */
export function subjectSource(state: SubjectState, pack: Pack, kind: string, ms: number): FactSource {
  if (isPermit(state)) {
    const def = permitDefOf(state, pack);
    return def ? permitSource(state, pack, def, ms) : () => undefined;
  }
  const declared = pack.subjects.get(kind)?.facts ?? [];
  const { ofActs, doneHere } = actFacts(pack, kind);
  return (fact) => {
    const extension = extensionEntry(state, pack, fact, ms);
    if (extension) return extension;
    if (!ofActs.has(fact) && !declared.includes(fact)) return undefined;
    const row = factAt(state.facts, fact, ms);
    if (row) return { json: row.json, from: { source: 'subject', event: row.saidBy } };
    if (!doneHere.has(fact) || pack.facts.get(fact)?.optional !== true) return undefined;
    const head = state.revision < 0 ? {} : { event: `${state.stream}@${state.revision}` };
    return { json: null, from: { source: 'subject', ...head } };
  };
}

/**
 * Facts that may be recorded on a kind as they are: those it declares and no act records. What an act records comes by
 * the act alone, from the body that may do it, with what it needs.
 */
export const recordableFacts = (pack: Pack, kind: string): readonly string[] =>
  (pack.subjects.get(kind)?.facts ?? []).filter((fact) => !actFacts(pack, kind).ofActs.has(fact));

/** Ends of the facts that hold for their local day alone, as events store them. */
export function endsOf(
  pack: Pack,
  facts: Readonly<Record<string, JsonValue>>,
  ms: number,
): { until?: Record<string, string> } {
  const dayEnd = isoInstant(endOfDay(pack.zone, dayIn(pack, ms)));
  const until = Object.keys(facts)
    .filter((fact) => pack.facts.get(fact)?.holds === 'day')
    .map((fact) => [fact, dayEnd] as const);
  return until.length === 0 ? {} : { until: Object.fromEntries(until) };
}
