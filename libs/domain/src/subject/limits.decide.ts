import { isoInstant } from '@headworks/kernel';
import type { LimitDef, Pack } from '@headworks/rules-engine';
import type { Draft } from '../draft';
import { storedFinding } from '../events';
import { firstOf } from '../load-facts';
import { dayIn, packOf, type Law } from '../pack-at';
import { countsIn, postingSource, windowOf, type Posting } from '../postings';
import { MOST_EVENTS } from './context';
import { subjectSource } from './subject-facts';
import { exceededKey, type SubjectState } from './subject';

/** What changed of the ledger of a thing, or of the facts that its limits are judged by. */
export interface Change {
  /** Instants at which postings came or went, or from which a fact holds. */
  readonly instants: readonly number[];
  readonly limits: ReadonlySet<string>;
  /** A posting counts in its own windows; a fact holds for every later posting until another is said. */
  readonly reaches: 'window' | 'onwards';
}

/** Limits that have postings here and a clause that uses one of the facts. */
export function limitsUsing(state: SubjectState, law: Law, facts: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const posting of state.postings) {
    const pack = packOf(law, posting.data.pack, posting.key.ms);
    for (const name of posting.data.limits) {
      const key = `${pack.ref.pack}|${pack.ref.version}|${name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const used = pack.factsUsedBy(pack.limits.get(name)?.under ?? []);
      if (facts.some((fact) => used.has(fact))) found.add(name);
    }
  }
  return found;
}

/**
 * Judges again, in legal order, every posting that the change reaches, and appends LimitExceeded for those newly over
 * and LimitExceededWithdrawn for those no longer over. What one append can't hold is left to the next, by name.
 */
export function rejudge(draft: Draft<SubjectState>, law: Law, change: Change): void {
  const since = Math.min(...change.instants);
  for (const name of change.limits) {
    for (const posting of draft.state.postings) {
      if (posting.broughtFrom !== undefined || posting.key.ms < since) continue;
      const pack = packOf(law, posting.data.pack, posting.key.ms);
      const limit = pack.limits.get(name);
      if (!limit || !countsIn(pack, limit)(posting) || !reached(pack, limit, change, posting)) continue;
      if (draft.events.length >= MOST_EVENTS) {
        const unjudged = { since: isoInstant(since), limits: [...change.limits] };
        draft.amendLast({ unjudged }, (state) => state);
        return;
      }
      judgePosting(draft, pack, limit, posting);
    }
  }
}

/** A campaign's clock runs on through windows, so with one every later posting may change; else the window bounds it. */
function reached(pack: Pack, limit: LimitDef, { instants, reaches }: Change, { key }: Posting): boolean {
  if (limit.campaign || reaches === 'onwards') return true;
  const { first } = windowOf(limit, dayIn(pack, key.ms));
  return instants.some((ms) => ms <= key.ms && dayIn(pack, ms) >= first);
}

function judgePosting(draft: Draft<SubjectState>, pack: Pack, limit: LimitDef, posting: Posting): void {
  const { state } = draft;
  const ledger = { stream: state.stream, revision: state.revision, postings: state.postings };
  const kind = pack.loads.get(posting.data.loadType)?.on ?? '';
  const facts = firstOf(
    postingSource(pack, limit, ledger, posting),
    subjectSource(state, pack, kind, posting.key.ms),
  );
  const now = posting.key.ms;
  const statuses = pack.statuses({ clauses: limit.under, facts, now });
  limit.under.forEach((clause, index) => {
    const over = statuses[index] === 'violated';
    const standing = state.exceeded.get(exceededKey(limit.name, clause, posting.data.load));
    if (over === (standing !== undefined)) return;
    const [finding] = pack.evaluate({ clauses: [clause], facts, now });
    if (!finding) return;
    const common = { limit: limit.name, clause, load: posting.data.load, finding: storedFinding(finding) };
    const envelope = { occurred: { at: isoInstant(now) }, law: pack.ref, causedBy: posting.event };
    if (over) {
      const data = { ...common, pack: pack.ref.pack, posting: posting.event };
      draft.push({ type: 'LimitExceeded', data, ...envelope });
    } else if (standing) {
      const data = { ...common, exceeded: standing.event };
      draft.push({ type: 'LimitExceededWithdrawn', data, ...envelope });
    }
  });
}

/** What stood over a limit by a posting that is gone (voided, moved to another thing or instant) is over it no longer. */
export function withdrawGone(draft: Draft<SubjectState>, load: string): void {
  const standing = draft.state.postings.find((p) => p.data.load === load && p.broughtFrom === undefined);
  for (const { event, ms, data } of [...draft.state.exceeded.values()]) {
    if (data.load !== load) continue;
    const { limit, clause } = data;
    if (standing?.key.ms === ms && standing.data.limits.includes(limit)) continue;
    draft.push({
      type: 'LimitExceededWithdrawn',
      data: { limit, clause, load, exceeded: event },
      occurred: { at: isoInstant(ms) },
      causedBy: event,
    });
  }
}
