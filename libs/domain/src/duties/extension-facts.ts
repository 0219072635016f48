import type { FactEntry, Pack } from '@headworks/rules-engine';
import { factAt } from '../facts';
import type { SubjectState } from '../subject/subject';
import type { Extended } from './state';

/** Per pack: fact that counts extensions -> the clauses whose end it moves. */
const known = new WeakMap<Pack, ReadonlyMap<string, ReadonlySet<string>>>();

function extensionFacts(pack: Pack): ReadonlyMap<string, ReadonlySet<string>> {
  let facts = known.get(pack);
  if (!facts) {
    const found = new Map<string, Set<string>>();
    for (const { id, deadline } of pack.clauses.values()) {
      const fact = deadline?.extendedBy?.fact;
      if (fact !== undefined) found.set(fact, (found.get(fact) ?? new Set()).add(id));
    }
    known.set(pack, (facts = found));
  }
  return facts;
}

/**
 * How often more time was given, for a fact that counts it: what was recorded, and what the body that may gave in the
 * log. It is given there or not at all, so where nothing tells of it there is none.
 */
export function extensionEntry(
  state: SubjectState,
  pack: Pack,
  fact: string,
  ms: number,
): FactEntry | undefined {
  const clauses = extensionFacts(pack).get(fact);
  if (!clauses) return undefined;
  const grants = [...state.extended.values()].flat().filter(({ data }) => clauses.has(data.clause));
  return grantedEntry(state, fact, grants, ms);
}

/** The same for the grants of one duty: of two bills each has its own. */
export function grantedEntry(
  state: SubjectState,
  fact: string,
  grants: readonly Extended[],
  ms: number,
): FactEntry {
  const row = factAt(state.facts, fact, ms);
  const given = grants.filter((grant) => grant.ms <= ms);
  const event = given.at(-1)?.event ?? row?.saidBy;
  const source = state.stream.startsWith('permit-') ? 'permit' : 'subject';
  return {
    json: given.length === 0 && !row ? null : countOf(row?.json) + timesOf(given),
    from: event === undefined ? { source } : { source, event },
  };
}

/** A count is a plain number, or its decimal text. */
const countOf = (json: unknown): number => (json === undefined || json === null ? 0 : Number(json));
const timesOf = (grants: readonly Extended[]): number =>
  grants.reduce((sum, { data }) => sum + data.times, 0);
