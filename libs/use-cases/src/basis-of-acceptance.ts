import { against, askOf, dischargeMs, manifestFacts, type PermitState } from '@headworks/domain';
import type { Finding } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import type { Asked } from './answer-manifest';
import type { Services } from './context';
import { readWorld } from './load-world';

const known = new WeakMap<Pack, Map<string, readonly string[]>>();

/** Clauses of an assessment that look at no ledger. */
function apartFromLedgers(pack: Pack, assessment: string): readonly string[] {
  let byName = known.get(pack);
  if (!byName) known.set(pack, (byName = new Map<string, readonly string[]>()));
  let clauses = byName.get(assessment);
  if (!clauses) {
    const isLedger = (fact: string): boolean => pack.facts.get(fact)?.type === 'series';
    const all = pack.assessments.get(assessment)?.clauses ?? [];
    clauses = Object.freeze(all.filter((clause) => ![...pack.factsUsedBy([clause])].some(isLedger)));
    byName.set(assessment, clauses);
  }
  return clauses;
}

/**
 * Whether what an acceptance rested on is otherwise by now: facts of hauler, vehicle or places, which stand in streams
 * that did not decide. Facts and ledgers of thing and permit are judged in their own streams with each change, so
 * the clauses under ledgers are left out here: what others did since is not this manifest's.
 */
export async function basisChanged(
  services: Services,
  { id, load, manifest, pack, def }: Asked,
  permit: PermitState,
): Promise<readonly Finding[] | undefined> {
  const standing = permit.manifests.get(id);
  if (standing?.is !== 'accepted' || standing.discharged || load.current) return undefined;
  const nowMs = Math.max(standing.ms, services.clock.now());
  if (nowMs >= manifest.untilMs) return undefined;
  const world = await readWorld(services, pack, def, manifest);
  const judging = { pack, def, ask: askOf(id, manifest, standing.data.facts), world, nowMs };
  // The same instant as when it was accepted, on what is known now.
  const atMs = dischargeMs(manifest.plannedMs, standing.ms, permit);
  const question = {
    clauses: apartFromLedgers(pack, def.judgedBy),
    facts: manifestFacts(judging, atMs),
    now: atMs,
  };
  if (pack.statuses(question).every((status) => status === 'satisfied' || status === 'not_applicable'))
    return undefined;
  const findings = against(pack.evaluate(question));
  return findings.length === 0 ? undefined : findings;
}
