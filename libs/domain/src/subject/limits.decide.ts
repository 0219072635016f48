import { isoInstant } from '@headworks/kernel';
import type { LimitDef, Pack } from '@headworks/rules-engine';
import type { Draft } from '../draft';
import { storedFinding } from '../events';
import { compareKeys, type LegalKey } from '../legal-order';
import { firstOf } from '../load-facts';
import { dayIn, packOf, type Law } from '../pack-at';
import { postingSource, windowOf, type Posting } from '../postings';
import { subjectSource } from './subject-facts';
import { exceededKey, type SubjectState } from './subject';

interface Context {
  readonly law: Law;
}

/** Limits that have postings here and a clause that uses one of the facts. */
export function limitsUsing(state: SubjectState, law: Law, facts: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const posting of state.postings) {
    for (const name of posting.data.limits) {
      const key = `${posting.data.pack}|${name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const pack = packOf(law, posting.data.pack, posting.key.ms);
      const used = pack.factsUsedBy(pack.limits.get(name)?.under ?? []);
      if (facts.some((fact) => used.has(fact))) found.add(name);
    }
  }
  return found;
}

/**
 * Judges again, in legal order, every posting of the limits at or after the key whose window the change is in, and
 * appends LimitExceeded for those newly over and LimitExceededWithdrawn for those no longer over.
 */
export function rejudge(
  draft: Draft<SubjectState>,
  context: Context,
  from: LegalKey,
  limits: ReadonlySet<string>,
): void {
  withdrawGone(draft);
  for (const name of limits) {
    for (const posting of draft.state.postings) {
      if (posting.broughtFrom !== undefined || !posting.data.limits.includes(name)) continue;
      if (compareKeys(posting.key, from) < 0) continue;
      const pack = packOf(context.law, posting.data.pack, posting.key.ms);
      const limit = pack.limits.get(name);
      if (limit && touches(pack, limit, from, posting)) judgePosting(draft, pack, limit, posting);
    }
  }
}

/** A campaign's clock runs on through windows, so with one every later posting may change; else the window bounds it. */
function touches(pack: Pack, limit: LimitDef, from: LegalKey, posting: Posting): boolean {
  if (limit.campaign || !Number.isFinite(from.ms)) return true;
  return windowOf(limit, dayIn(pack, posting.key.ms)).first <= dayIn(pack, from.ms);
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

/** What stood over a limit by a posting that is gone (voided, moved) is over it no longer. */
function withdrawGone(draft: Draft<SubjectState>): void {
  const loads = new Set(draft.state.postings.map((posting) => posting.data.load));
  for (const { event, ms, data } of [...draft.state.exceeded.values()]) {
    if (loads.has(data.load)) continue;
    const { limit, clause, load } = data;
    draft.push({
      type: 'LimitExceededWithdrawn',
      data: { limit, clause, load, exceeded: event },
      occurred: { at: isoInstant(ms) },
      causedBy: event,
    });
  }
}
