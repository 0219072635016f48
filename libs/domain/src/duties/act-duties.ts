import { nameId } from '@headworks/kernel';
import type { ActDef, FactSource, Pack } from '@headworks/rules-engine';
import { changesOf, type FactRow } from '../facts';
import { firstOf } from '../load-facts';
import { packAt, type Law } from '../pack-at';
import { isPermit } from '../permit/permit';
import { subjectSource } from '../subject/subject-facts';
import { sameScope } from '../subject/act-scope';
import type { DoneAct, SubjectState } from '../subject/subject';
import { beginsInTime, clockOf } from './clock';
import type { Asked, Found } from './asked';
import { doneSince, readFor, startOf, withCorrections, withoutBeginning } from './done';
import { dueMs, isDeadline, type DeadlineClause, type Duty } from './duty';
import { grantedOf, inOrder } from './grants';
import { answersFor } from './responsible';

/**
 * Duties that an act starts: one for each act and clause. Two bills are two duties, each with what its own act
 * recorded; a later act of the name begins another one and leaves the first as it is.
 */
export function actDuties(state: SubjectState, law: Law, asked: Asked): Found {
  const duties: Duty[] = [];
  const over = new Set<string>();
  for (const act of state.acts) {
    if (act.data.starts.length === 0) continue;
    const pack = packAt(law, act.pack, act.key.ms);
    const def = pack?.acts.get(act.act);
    if (!pack || !def) continue;
    for (const id of act.data.starts) {
      const clause = pack.clauses.get(id);
      if (!isDeadline(clause)) continue;
      const begun = { state, pack, def, act, clause };
      const duty = nameId('duty', state.stream, pack.ref.pack, clause.id, act.event);
      const found = startedBy(begun, duty, asked);
      if (found === 'over') over.add(duty);
      else if (found) duties.push(found);
    }
  }
  return { duties, over };
}

interface Begun {
  readonly state: SubjectState;
  readonly pack: Pack;
  readonly def: ActDef;
  readonly act: DoneAct;
  readonly clause: DeadlineClause;
}

function startedBy(begun: Begun, duty: string, { sinceMs, always }: Asked): Duty | 'over' | undefined {
  const { state, pack, def, act, clause } = begun;
  const own = ownFacts(begun);
  const { deadline } = clause;
  const begunBy = withCorrections(state.facts, act.event);
  const all = (ms: number): FactSource => firstOf(own, subjectSource(state, pack, def.on, ms));
  const plain = withoutBeginning(pack, deadline, all, { begunBy, fromMs: act.key.ms });
  const { facts, instants, waived } = grantedOf(state, duty, clause, plain);
  const startMs = startOf(pack, pack.value(deadline.starts, facts(act.key.ms)));
  if (startMs === undefined) return undefined;
  const changes = inOrder(changesOf(state.facts, state.facts.rows.keys(), startMs), instants);
  const clock = clockOf(pack, clause, { startMs, facts, changes: () => changes });
  if (!clock || !beginsInTime(clock, startMs)) return undefined;
  if (dueMs({ clock }) < sinceMs && act.key.ms < sinceMs && !always.has(duty)) return 'over';
  const done = doneSince(pack, deadline.done, { facts, startMs, changes, begunBy });
  const voidMs = undoneMs(state, act);
  return {
    ...{ duty, pack, clause, clock, startMs, startedBy: act.event, on: def.on, facts },
    ...answersFor(state, def.on, clause),
    ...(done && { done }),
    ...(waived && { waived }),
    ...(voidMs !== undefined && { voidMs }),
  };
}

/**
 * What the act recorded, as it stands: its duty is about its own month or notice, whatever later ones say. Only what
 * meets it is looked up as it is said later.
 */
function ownFacts({ state, pack, act, clause }: Begun): FactSource {
  const rows = new Map<string, FactRow>();
  for (const fact of Object.keys(act.data.facts)) {
    const row = state.facts.rows.get(fact)?.find(({ recordedBy }) => recordedBy === act.event);
    if (row) rows.set(fact, row);
  }
  const source = isPermit(state) ? 'permit' : 'subject';
  const own: FactSource = (fact) => {
    const row = rows.get(fact);
    return row && { json: row.json, from: { source, event: row.saidBy } };
  };
  const { starts, done } = clause.deadline;
  const begins = readFor(pack, starts, own);
  for (const fact of readFor(pack, done, own).keys()) if (!begins.has(fact)) rows.delete(fact);
  return own;
}

/** When another act undid it: what it started is owed no longer. */
const undoneMs = (state: SubjectState, { act, pack, key, data }: DoneAct): number | undefined =>
  state.acts.find(
    (other) =>
      other.data.undoes === act &&
      other.pack === pack &&
      other.key.ms > key.ms &&
      sameScope(other.data.scope, data.scope),
  )?.key.ms;
