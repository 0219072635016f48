import type { Pack, PermitDef } from '@headworks/rules-engine';
import type { Law } from '../pack-at';
import { lastStep, phaseAt, type PermitState } from '../permit/permit';
import { PERMIT, permitSource } from '../permit/permit-facts';
import { applicationLaw } from '../permit/permit-findings';
import { joinFound, NONE_FOUND, type Asked, type Found } from './asked';
import { withCorrections } from './done';
import { isAwaited, isDeadline, type DeadlineClause } from './duty';
import { answersFor } from './responsible';
import { startedByValue, type Known } from './started-by-value';
import { eventAt, instantsOf } from './said';

/**
 * Duties of an application's assessment that begin with what the permit's life or form gives. They are decided from
 * the permit's own stream alone: what is known of its holder has no say in them.
 */
export function permitDuties(state: PermitState, law: Law, asked: Asked): Found {
  if (!state.file.filed) return NONE_FOUND;
  const { pack, def } = applicationLaw(law, state);
  const clauses = applicationClauses(pack, def);
  if (clauses.length === 0) return NONE_FOUND;
  const endedMs = withdrawnMs(state);
  const known: Omit<Known, 'whose'> = {
    state,
    on: PERMIT,
    pack,
    source: (ms) => permitSource(state, pack, def, ms),
    changes: instantsOf(state),
    saidBy: (ms, facts) => eventAt(state, ms, facts),
    corrected: (event) => withCorrections(state.facts, event),
    ...(endedMs !== undefined && { endedMs }),
  };
  const found = clauses.map((clause) =>
    startedByValue({ ...known, whose: answersFor(state, PERMIT, clause) }, clause, asked),
  );
  return joinFound(found);
}

/** Whoever withdrew an application is owed no decision, and owes nothing for it. */
function withdrawnMs({ file }: PermitState): number | undefined {
  return phaseAt(file).is === 'withdrawn' ? lastStep(file, 'ApplicationWithdrawn')?.key.ms : undefined;
}

const known = new WeakMap<PermitDef, readonly DeadlineClause[]>();

/** Deadlines of the assessment; what an act starts begins with that act. */
export function applicationClauses(pack: Pack, def: PermitDef): readonly DeadlineClause[] {
  let clauses = known.get(def);
  if (!clauses) {
    const ofActs = startedByActs(pack);
    clauses = (pack.assessments.get(def.judgedBy)?.clauses ?? [])
      .map((id) => pack.clauses.get(id))
      .filter(isDeadline)
      .filter((clause) => isAwaited(clause) && !ofActs.has(clause.id));
    known.set(def, clauses);
  }
  return clauses;
}

const acts = new WeakMap<Pack, ReadonlySet<string>>();

export function startedByActs(pack: Pack): ReadonlySet<string> {
  let started = acts.get(pack);
  if (!started) {
    started = new Set([...pack.acts.values()].flatMap(({ starts }) => starts));
    acts.set(pack, started);
  }
  return started;
}
