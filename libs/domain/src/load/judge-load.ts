import { sameJson, type Finding, type JsonValue } from '@headworks/kernel';
import type { FactSource, LoadDef, Pack } from '@headworks/rules-engine';
import type { LegalKey } from '../legal-order';
import { firstOf, loadFactSource, type CampaignPlace, type LoadFacts } from '../load-facts';
import { PERMIT } from '../permit/permit-facts';
import { campaignPlace, ledgerSource } from '../postings';
import type { SubjectState } from '../subject/subject';
import { inOrder, worldSources, type LoadWorld } from './load-world';
import { hangingOf, settledFor } from './settled';

/**
 * All that the clauses of a load may ask, the first that knows it: what it says itself, its place in the ledgers of the
 * thing it is on and of its permit, then the facts that stand with its places, permit, thing, hauler and vehicle at
 * that instant. A load that is not posted yet stands last among those of its instant.
 */
export function loadSource(
  pack: Pack,
  def: LoadDef,
  load: LoadFacts,
  loadId: string | undefined,
  world: LoadWorld,
): FactSource {
  const onThing = placeIn(pack, def, { load, loadId, state: world.thing, key: def.on });
  const { permit } = world;
  const onPermit = permit && placeIn(pack, def, { load, loadId, state: permit, key: PERMIT });
  return firstOf(
    loadFactSource(pack, def, load, onThing.campaign ?? onPermit?.campaign),
    ...onThing.ledgers,
    ...(onPermit?.ledgers ?? []),
    inOrder(worldSources(pack, def, load, world, load.occurredMs)),
  );
}

interface PlaceIn {
  readonly ledgers: readonly FactSource[];
  readonly campaign: CampaignPlace | undefined;
}

interface Standing {
  readonly load: LoadFacts;
  readonly loadId: string | undefined;
  readonly state: SubjectState;
  /** What the limits that live there are keyed on. */
  readonly key: string;
}

/** Where the load stands in the ledgers of one stream. */
function placeIn(pack: Pack, def: LoadDef, { load, loadId, state, key }: Standing): PlaceIn {
  const limits = def.countsIn.flatMap((name) => pack.limits.get(name) ?? []).filter((l) => l.key === key);
  if (limits.length === 0) return { ledgers: [], campaign: undefined };
  const posted = state.postings.find((p) => p.data.load === loadId && p.broughtFrom === undefined);
  const asked: LegalKey = { ms: load.occurredMs, recordedAt: '\uffff', revision: Number.MAX_SAFE_INTEGER };
  const stands = posted?.key.ms === load.occurredMs;
  const at = posted && stands ? posted.key : asked;
  // Where it is posted at its own instant it does not see itself; corrected, its old posting must not be seen.
  const postings = posted && !stands ? state.postings.filter((p) => p !== posted) : state.postings;
  const ledger = { stream: state.stream, revision: state.revision, postings };
  let campaign: CampaignPlace | undefined;
  for (const limit of limits) campaign ??= campaignPlace(pack, limit, postings, at);
  return { ledgers: limits.map((limit) => ledgerSource(pack, limit, ledger, at)), campaign };
}

/** Findings of the assessment that judges the load, as of the moment it happened. */
export function judgeLoad(
  pack: Pack,
  def: LoadDef,
  load: LoadFacts,
  loadId: string | undefined,
  world: LoadWorld,
): readonly Finding[] {
  const clauses = pack.assessments.get(def.judgedBy)?.clauses ?? [];
  const question = { facts: loadSource(pack, def, load, loadId, world), now: load.occurredMs };
  const findings = pack.evaluate({ ...question, clauses });
  const { clauses: hanging } = hangingOf(pack, def);
  if (hanging.length === 0) return findings;
  const settled = settledFor(pack, def, loadId, world.thing, findings);
  if (settled.size === 0) return findings;
  const anew = new Map(
    pack.evaluate({ ...question, clauses: hanging, settled }).map((finding) => [finding.clause, finding]),
  );
  return findings.map((finding) => anew.get(finding.clause) ?? finding);
}

/**
 * The same in what is worth an event when it changes: what decides, and what the load and the things it is judged by said
 * of it. Figures of the ledger change with each earlier load, and the ledger shows them; provenance decides nothing.
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
    .filter(
      ({ from }) => from?.source === 'payload' || from?.source === 'subject' || from?.source === 'permit',
    )
    .map(({ fact, value, none }) => [fact, none ? null : (value ?? null)]);
