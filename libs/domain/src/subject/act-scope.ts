import { endOfDay } from '@headworks/calendars';
import { isoInstant, type LocalDate } from '@headworks/kernel';
import type { ActDef, Pack } from '@headworks/rules-engine';
import type { Facts } from '../events';
import { endsOf } from './subject-facts';

/** What an act is about, by the facts that its definition names: those that were not said are left out. */
export const scopeOf = ({ scope }: ActDef, facts: Facts): Facts =>
  Object.fromEntries(
    scope.flatMap((fact) => {
      const json = facts[fact];
      return json === undefined ? [] : [[fact, json] as const];
    }),
  );

/** Nothing that both name differs: an act without a scope is about the whole thing. */
export function sameScope(one: Facts = {}, other: Facts = {}): boolean {
  return Object.keys(one).every(
    (fact) => !Object.hasOwn(other, fact) || JSON.stringify(one[fact]) === JSON.stringify(other[fact]),
  );
}

/**
 * Ends of what an act records: of facts of a day with that day, and of all of them where the act says until when it holds
 * (a date stands for its whole day). Without an end that was said it holds until something replaces it.
 */
export function actEnds(
  pack: Pack,
  { until }: ActDef,
  facts: Facts,
  ms: number,
): { until?: Record<string, string> } {
  const ends = endsOf(pack, facts, ms);
  const said = until === undefined ? undefined : facts[until];
  if (typeof said !== 'string') return ends;
  const end = said.includes('T') ? said : isoInstant(endOfDay(pack.zone, said as LocalDate));
  const all = Object.keys(facts).map((fact): [string, string] => {
    const own = ends.until?.[fact];
    return [fact, own !== undefined && own < end ? own : end];
  });
  return { until: Object.fromEntries(all) };
}
