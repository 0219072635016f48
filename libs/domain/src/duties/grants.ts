import type { FactSource } from '@headworks/rules-engine';
import { isPermit } from '../permit/permit';
import type { SubjectState } from '../subject/subject';
import type { DeadlineClause } from './duty';
import type { Extended, Waived } from './state';

/** What the body that may said of one duty. */
export interface Granted {
  /** The facts with what was granted by the instant added to those that count extensions. */
  readonly facts: (ms: number) => FactSource;
  /** Instants at which something was granted. */
  readonly instants: readonly number[];
  readonly waived?: Waived;
}

/**
 * Extensions are given in the log or not at all: where neither a grant nor a fact tells of one, there is none. Both
 * count, so that an extension which an act of the pack records is no other than one that a body gave here.
 */
export function grantedOf(
  state: SubjectState,
  duty: string,
  { deadline }: DeadlineClause,
  facts: (ms: number) => FactSource,
): Granted {
  const waived = state.waived.get(duty);
  const told = waived ? { waived } : {};
  const { extendedBy } = deadline;
  if (!extendedBy) return { facts, instants: [], ...told };
  const grants = state.extended.get(duty) ?? [];
  const source = isPermit(state) ? 'permit' : 'subject';
  return {
    facts: (ms) => {
      const own = facts(ms);
      const given = grants.filter((grant) => grant.ms <= ms);
      return (fact) => {
        const entry = own(fact);
        if (fact !== extendedBy.fact || (given.length === 0 && entry)) return entry;
        const event = given.at(-1)?.event;
        const json = Number(entry?.json ?? 0) + timesOf(given);
        return { json, from: event === undefined ? { source } : { source, event } };
      };
    },
    instants: grants.map(({ ms }) => ms),
    ...told,
  };
}

const timesOf = (grants: readonly Extended[]): number =>
  grants.reduce((sum, { data }) => sum + data.times, 0);

/** Instants in order, each once. */
export const inOrder = (...instants: readonly (readonly number[])[]): readonly number[] =>
  [...new Set(instants.flat())].toSorted((a, b) => a - b);
