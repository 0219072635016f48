import { askOf, dischargeMs, judgeManifest, verdictOf, type PermitState } from '@headworks/domain';
import type { Finding } from '@headworks/kernel';
import type { Asked } from './answer-manifest';
import type { Services } from './context';
import { readWorld } from './load-world';

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
  const { findings } = judgeManifest(judging, dischargeMs(manifest.plannedMs, standing.ms, permit));
  const series = new Set(
    [...pack.facts.values()].flatMap(({ type, name }) => (type === 'series' ? name : [])),
  );
  const apart = findings.filter(
    ({ clause }) =>
      !pack.clauses.has(clause) || [...pack.factsUsedBy([clause])].every((fact) => !series.has(fact)),
  );
  return verdictOf(apart) === 'satisfied'
    ? undefined
    : apart.filter((one) => verdictOf([one]) !== 'satisfied');
}
