import type { FactSource } from '@headworks/rules-engine';
import type { SubjectState } from '../subject/subject';
import type { DeadlineClause } from './duty';
import { grantedEntry } from './extension-facts';
import type { Waived } from './state';

/** What the body that may said of one duty. */
export interface Granted {
  /** The facts with what was granted by the instant added to those that count extensions. */
  readonly facts: (ms: number) => FactSource;
  /** Instants at which something was granted. */
  readonly instants: readonly number[];
  readonly waived?: Waived;
}

/** The facts of a duty, with the extensions that were granted to it alone. */
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
  return {
    facts: (ms) => {
      const own = facts(ms);
      return (fact) => (fact === extendedBy.fact ? grantedEntry(state, fact, grants, ms) : own(fact));
    },
    instants: grants.map(({ ms }) => ms),
    ...told,
  };
}

/** Instants in order, each once. */
export const inOrder = (...instants: readonly (readonly number[])[]): readonly number[] =>
  [...new Set(instants.flat())].toSorted((a, b) => a - b);
