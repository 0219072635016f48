import { sameJson, type Finding, type JsonValue } from '@headworks/kernel';
import type { FactSource, LoadDef, Pack } from '@headworks/rules-engine';
import type { LegalKey } from '../legal-order';
import { firstOf, loadFactSource, type CampaignPlace, type LoadFacts } from '../load-facts';
import { campaignPlace, ledgerSource } from '../postings';
import { subjectSource } from '../subject/subject-facts';
import type { SubjectState } from '../subject/subject';

/**
 * All that the clauses of a load may ask: its own facts, its place in the ledgers of the thing it is on, and the
 * facts of the thing at that instant. A load that is not posted yet stands last among those of its instant.
 */
export function loadSource(
  pack: Pack,
  def: LoadDef,
  load: LoadFacts,
  loadId: string | undefined,
  thing: SubjectState,
): FactSource {
  const posted = thing.postings.find((p) => p.data.load === loadId && p.broughtFrom === undefined);
  const asked: LegalKey = { ms: load.occurredMs, recordedAt: '\uffff', revision: Number.MAX_SAFE_INTEGER };
  const stands = posted?.key.ms === load.occurredMs;
  const key = posted && stands ? posted.key : asked;
  // Where it is posted at its own instant it does not see itself; corrected, its old posting must not be seen.
  const postings = posted && !stands ? thing.postings.filter((p) => p !== posted) : thing.postings;
  const ledger = { stream: thing.stream, revision: thing.revision, postings };
  let campaign: CampaignPlace | undefined;
  const ledgers: FactSource[] = [];
  for (const name of def.countsIn) {
    const limit = pack.limits.get(name);
    if (!limit || limit.key !== def.on) continue;
    campaign ??= campaignPlace(pack, limit, postings, key);
    ledgers.push(ledgerSource(pack, limit, ledger, key));
  }
  return firstOf(
    loadFactSource(pack, def, load, campaign),
    ...ledgers,
    subjectSource(thing, pack, def.on, load.occurredMs),
  );
}

/** Findings of the assessment that judges the load, as of the moment it happened. */
export function judgeLoad(
  pack: Pack,
  def: LoadDef,
  load: LoadFacts,
  loadId: string | undefined,
  thing: SubjectState,
): readonly Finding[] {
  const clauses = pack.assessments.get(def.judgedBy)?.clauses ?? [];
  return pack.evaluate({ clauses, facts: loadSource(pack, def, load, loadId, thing), now: load.occurredMs });
}

/**
 * The same in what is worth an event when it changes: what decides, and what the load and the thing themselves said of
 * it. Figures of the ledger change with each earlier load, and the ledger shows them; provenance decides nothing.
 */
export const sameVerdicts = (some: readonly Finding[], others: readonly Finding[]): boolean =>
  some.length === others.length &&
  some.every((one, at) => {
    const other = others[at];
    return other !== undefined && sameVerdict(one, other);
  });

const sameVerdict = (a: Finding, b: Finding): boolean =>
  a.clause === b.clause &&
  a.status === b.status &&
  a.reason === b.reason &&
  sameJson(a.missing, b.missing) &&
  sameJson(said(a), said(b));

const said = ({ operands }: Finding): JsonValue =>
  operands
    .filter(({ from }) => from?.source === 'payload' || from?.source === 'subject')
    .map(({ fact, value, none }) => [fact, none ? null : (value ?? null)]);
