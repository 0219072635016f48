import type { Pack } from '@headworks/rules-engine';
import { packAt, type Law } from '../pack-at';
import { actFacts } from '../subject/act-facts';
import { subjectSource } from '../subject/subject-facts';
import type { SubjectState } from '../subject/subject';
import { joinFound, type Asked, type Found } from './asked';
import { withCorrections } from './done';
import { isAwaited, isDeadline, type DeadlineClause } from './duty';
import { startedByActs } from './permit-duties';
import { answersFor } from './responsible';
import { eventAt, instantsOf } from './said';
import { startedByValue, type Known } from './started-by-value';

/** Duties that begin with a fact of a thing and end with one: every fact of their clause is of the thing's kind. */
export function thingDuties(state: SubjectState, law: Law, asked: Asked): Found {
  const found: Found[] = [];
  const kind = kindOf(state, law);
  for (const [name, versions] of law.packs) {
    const newest = versions.at(-1);
    if (kind === undefined || newest?.jurisdiction !== state.jurisdiction) continue;
    // Whatever version is in force when a duty begins, a kind without such clauses in any has none.
    if (versions.every((pack) => thingClauses(pack, kind).length === 0)) continue;
    const changes = instantsOf(state);
    for (const pack of versions) {
      const isInForce = (ms: number): boolean => packAt(law, name, ms) === pack;
      found.push(...ofPack(state, { pack, kind, changes, isInForce }, asked));
    }
  }
  return joinFound(found);
}

interface Looked {
  readonly pack: Pack;
  readonly kind: string;
  readonly changes: readonly number[];
  /** A duty is judged by the text under which it began. */
  readonly isInForce: (ms: number) => boolean;
}

function ofPack(state: SubjectState, looked: Looked, asked: Asked): readonly Found[] {
  const { pack, kind, changes, isInForce } = looked;
  const known: Omit<Known, 'whose'> = {
    state,
    on: kind,
    pack,
    changes,
    isInForce,
    source: (ms) => subjectSource(state, pack, kind, ms),
    saidBy: (ms, facts) => eventAt(state, ms, facts),
    corrected: (event) => withCorrections(state.facts, event),
  };
  return thingClauses(pack, kind).map((clause) =>
    startedByValue({ ...known, whose: answersFor(state, kind, clause) }, clause, asked),
  );
}

/** What the thing is: as registered, else as the acts on it say. */
function kindOf({ registered, acts }: SubjectState, law: Law): string | undefined {
  if (registered) return registered.kind;
  const [act] = acts;
  return act && law.packs.get(act.pack)?.at(-1)?.acts.get(act.act)?.on;
}

const known = new WeakMap<Pack, Map<string, readonly DeadlineClause[]>>();

export function thingClauses(pack: Pack, kind: string): readonly DeadlineClause[] {
  let kinds = known.get(pack);
  if (!kinds) known.set(pack, (kinds = new Map<string, readonly DeadlineClause[]>()));
  let clauses = kinds.get(kind);
  if (!clauses) {
    const facts = new Set([...(pack.subjects.get(kind)?.facts ?? []), ...actFacts(pack, kind).ofActs]);
    const ofActs = startedByActs(pack);
    clauses = [...pack.clauses.values()]
      .filter(isDeadline)
      .filter((clause) => isAwaited(clause) && !ofActs.has(clause.id))
      .filter(({ id }) => [...pack.factsUsedBy([id])].every((fact) => facts.has(fact)));
    kinds.set(kind, clauses);
  }
  return clauses;
}
