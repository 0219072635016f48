import { endOfDay } from '@headworks/calendars';
import { isoInstant, type JsonValue } from '@headworks/kernel';
import type { FactSource, Pack } from '@headworks/rules-engine';
import { factAt } from '../facts';
import { dayIn } from '../pack-at';
import type { SubjectState } from './subject';

/**
 * Facts of the thing itself at an instant: those that its kind declares. What only an act records is on file or has
 * not happened: where nothing is on file, an optional fact of an act is known to be none, as of the head that was read.
 */
export function subjectSource(state: SubjectState, pack: Pack, kind: string, ms: number): FactSource {
  const declared = pack.subjects.get(kind)?.facts ?? [];
  return (fact) => {
    const ofActs = isActFact(pack, kind, fact);
    if (!ofActs && !declared.includes(fact)) return undefined;
    const row = factAt(state.facts, fact, ms);
    if (row) return { json: row.json, from: { source: 'subject', event: row.saidBy } };
    if (!ofActs || pack.facts.get(fact)?.optional !== true) return undefined;
    const head = state.revision < 0 ? {} : { event: `${state.stream}@${state.revision}` };
    return { json: null, from: { source: 'subject', ...head } };
  };
}

/** Per pack and kind, the facts that some act on the kind records or gives. Packs are immutable, so it is kept. */
const actFacts = new WeakMap<Pack, Map<string, ReadonlySet<string>>>();

function isActFact(pack: Pack, kind: string, fact: string): boolean {
  let kinds = actFacts.get(pack);
  if (!kinds) actFacts.set(pack, (kinds = new Map()));
  let facts = kinds.get(kind);
  if (!facts) {
    const acts = [...pack.acts.values()].filter((act) => act.on === kind);
    facts = new Set(acts.flatMap((act) => [...act.records, ...Object.keys(act.gives)]));
    kinds.set(kind, facts);
  }
  return facts.has(fact);
}

/**
 * Facts that may be recorded on a kind as they are: those it declares and no act records. What an act records comes by
 * the act alone, from the body that may do it, with what it needs.
 */
export const recordableFacts = (pack: Pack, kind: string): readonly string[] =>
  (pack.subjects.get(kind)?.facts ?? []).filter((fact) => !isActFact(pack, kind, fact));

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
