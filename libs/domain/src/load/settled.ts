import { nameId, type Finding } from '@headworks/kernel';
import type { LoadDef, Pack } from '@headworks/rules-engine';
import { dutyClauses } from '../duties/campaign-duties';
import { standingMiss } from '../duties/state';
import { campaigns, type Posting } from '../postings';
import type { SubjectState } from '../subject/subject';

/** Clauses of the load that ask whether a deadline which it starts is met. */
export interface Hanging {
  readonly deadlines: readonly string[];
  readonly clauses: readonly string[];
}
const known = new WeakMap<Pack, Map<string, Hanging>>();

export function hangingOf(pack: Pack, def: LoadDef): Hanging {
  let byLoad = known.get(pack);
  if (!byLoad) known.set(pack, (byLoad = new Map<string, Hanging>()));
  let found = byLoad.get(def.name);
  if (!found) {
    const own = dutyClauses(pack, def).map(({ id }) => id);
    const all = pack.assessments.get(def.judgedBy)?.clauses ?? [];
    const clauses = all.filter((id) => {
      const asked = pack.clausesAskedBy([id]);
      return !own.includes(id) && own.some((deadline) => asked.has(deadline));
    });
    found = { deadlines: own, clauses: Object.freeze(clauses) };
    byLoad.set(def.name, found);
  }
  return found;
}

/** The campaign that a posted load belongs to, by its first posting; the duty is that one's. */
function campaignStart(pack: Pack, def: LoadDef, thing: SubjectState, own: Posting): Posting | undefined {
  for (const name of def.countsIn) {
    const limit = pack.limits.get(name);
    if (!limit?.campaign || limit.key !== def.on) continue;
    const start = campaigns(pack, limit, thing.postings).findLast(
      ({ start: first }) => first === own || first.key.ms <= own.key.ms,
    );
    if (start) return start.start;
  }
  return undefined;
}

/**
 * How the deadlines of a load ended, of those that its own facts call not yet due: a load is judged as of when it
 * happened, and what was planned then is done or not done later. Missed is what stands missed; what was open and is no
 * more was met, or let go.
 */
export function settledFor(
  pack: Pack,
  def: LoadDef,
  loadId: string | undefined,
  thing: SubjectState,
  findings: readonly Finding[],
): ReadonlyMap<string, 'satisfied' | 'violated'> {
  const settled = new Map<string, 'satisfied' | 'violated'>();
  const own = thing.postings.find(
    ({ data, broughtFrom }) => data.load === loadId && broughtFrom === undefined && data.as === undefined,
  );
  const start = own && campaignStart(pack, def, thing, own);
  if (!start) return settled;
  for (const { clause, reason } of findings) {
    if (reason !== 'not_yet_due' || !hangingOf(pack, def).deadlines.includes(clause)) continue;
    const duty = nameId('duty', thing.stream, pack.ref.pack, clause, start.data.load);
    if (standingMiss(thing, duty)) settled.set(clause, 'violated');
    else if (!thing.openDuties.has(duty)) settled.set(clause, 'satisfied');
  }
  return settled;
}

/** Loads of the campaign whose duty this is, where the pack lets another finding hang on it. */
export function loadsOfDuty(pack: Pack, thing: SubjectState, duty: string): readonly string[] {
  for (const { data, key } of thing.postings) {
    const def = data.pack === pack.ref.pack ? pack.loads.get(data.loadType) : undefined;
    if (!def || hangingOf(pack, def).clauses.length === 0) continue;
    const isIts = hangingOf(pack, def).deadlines.some(
      (clause) => nameId('duty', thing.stream, pack.ref.pack, clause, data.load) === duty,
    );
    if (!isIts) continue;
    return thing.postings
      .filter((one) => one.key.ms >= key.ms && one.broughtFrom === undefined)
      .map((one) => one.data.load);
  }
  return [];
}
