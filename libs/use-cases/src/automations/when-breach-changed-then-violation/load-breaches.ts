import {
  exceededKey,
  findingOf,
  firstDone,
  packAt,
  PERMIT,
  sameThing,
  storedFinding,
  type Breach,
  type Exceeded,
  type LoadState,
  type OnceViolated,
  type PermitState,
  type ThingRef,
} from '@headworks/domain';
import { subjectId, type Finding } from '@headworks/kernel';
import type { ClauseDef } from '@headworks/rules-engine';
import type { Services } from '../../context';
import { readRecorded, sourceOn, type Recorded } from '../../judge-recorded';
import { loads, loadStream, thingModel } from '../../models';
import { readFor, type Work } from '../automation';
import { headOf, type Found } from './found';

/** What the log says of each clause (or one) that the load violates, or once did, on each thing it stood on. */
export async function loadBreaches(
  services: Services,
  work: Work,
  id: string,
  clause: string,
): Promise<readonly Found[]> {
  const load = await services.runner.read(loads, loadStream(id));
  const recorded = await readRecorded(services, load);
  const { current } = load;
  if (!current || !recorded) return [];
  const { pack, world } = recorded;
  const over = exceededOf(recorded).map(({ data }) => data.clause);
  const asked: readonly OnceViolated[] = [
    ...load.onceViolated,
    ...over.map((one) => ({ clause: one, subject: current.subject })),
    ...(clause === '' ? [] : load.subjects.map((subject) => ({ clause, subject }))),
  ].filter((once) => clause === '' || once.clause === clause);
  return unique(asked).flatMap((once) => {
    const clauseDef = pack.clauses.get(once.clause);
    // A duty's breach follows DutyMissed; a late office is nobody's violation but its own finding.
    if (clauseDef?.deadline || clauseDef?.binds === 'office') return [];
    return {
      in: 'load' as const,
      pack: current.pack,
      clause: once.clause,
      thing: subjectId(work.jurisdiction, once.subject.kind, once.subject.key),
      occasion: id,
      breach: breachOf(recorded, clauseDef, once.subject),
      law: pack.ref,
      basis: [headOf(load), headOf(world.thing), ...(isFiled(world.permit) ? [headOf(world.permit)] : [])],
    };
  });
}

const isFiled = (permit: PermitState | undefined): permit is PermitState =>
  permit !== undefined && permit.revision >= 0;

const unique = (asked: readonly OnceViolated[]): readonly OnceViolated[] =>
  asked.filter(
    (a, index) => index === asked.findIndex((b) => b.clause === a.clause && sameThing(a.subject, b.subject)),
  );

function breachOf(recorded: Recorded, clause: ClauseDef | undefined, subject: ThingRef): Breach {
  const { load, pack, id, def, world } = recorded;
  const { current } = load;
  const cause = load.contentEvent;
  if (!current || load.voided) return { stands: false, why: 'load_voided', cause };
  if (!sameThing(current.subject, subject)) return { stands: false, why: 'load_moved', cause };
  // Moved into the time of another version, the load is no longer bound by a clause that it does not have.
  if (!clause) return { stands: false, why: 'not_in_force_then', cause };
  const finding = standing(recorded, clause.id);
  if (!finding) return { stands: false, why: 'no_longer_violated', cause, ...lastFinding(load, clause.id) };
  const lasting = clause.continuesUntil !== undefined;
  const cured = firstDone(
    world.thing,
    pack,
    clause.continuesUntil,
    def.on,
    sourceOn(recorded),
    current.occurredMs,
  );
  return {
    stands: true,
    cause,
    fromMs: current.occurredMs,
    ...(cured !== undefined && { curedMs: cured }),
    data: {
      pack: current.pack,
      packVersion: pack.ref.version,
      clause: clause.id,
      cite: clause.cite,
      rows: clause.rows,
      binds: 'person',
      responsible: current.hauler,
      ...(current.permitId !== undefined && { permitId: current.permitId }),
      subject: current.subject,
      loadId: id,
      occasion: id,
      lasting,
      zone: pack.zone,
      finding: storedFinding(finding),
    },
  };
}

/** Clauses under a limit are judged where the limit stands: LimitExceeded decides them, not the load's findings. */
function standing(recorded: Recorded, clause: string): Finding | undefined {
  const { load, def, pack } = recorded;
  const underLimit = def.countsIn.some((name) => pack.limits.get(name)?.under.includes(clause));
  if (underLimit) {
    const exceeded = exceededOf(recorded).find(({ data }) => data.clause === clause);
    return exceeded && findingOf(exceeded.data.finding);
  }
  const finding = load.findings.find((f) => f.clause === clause);
  return finding?.status === 'violated' ? finding : undefined;
}

/** Limits that the load is over, on the thing and under its permit, looked up by name: others have hundreds there. */
const exceededOf = ({ pack, def, id, world: { thing, permit } }: Recorded): readonly Exceeded[] =>
  def.countsIn.flatMap((name) => {
    const limit = pack.limits.get(name);
    const state = limit?.key === PERMIT ? permit : thing;
    return (limit?.under ?? []).flatMap((clause) => state?.exceeded.get(exceededKey(name, clause, id)) ?? []);
  });

function lastFinding(load: LoadState, clause: string): { finding?: ReturnType<typeof storedFinding> } {
  const finding = load.findings.find((f) => f.clause === clause);
  return finding ? { finding: storedFinding(finding) } : {};
}

/** Loads on the thing with a violation that lasts: a fact recorded now may have cured it. */
export async function cureBreaches(
  services: Services,
  work: Work,
  stream: string,
): Promise<readonly Found[]> {
  const thing = await readFor(services, work, thingModel(stream), stream);
  const found: Found[] = [];
  for (const posting of thing.postings) {
    if (posting.broughtFrom !== undefined) continue;
    const pack = packAt(services.rules, posting.data.pack, posting.key.ms);
    const def = pack?.loads.get(posting.data.loadType);
    const clauses = pack?.assessments.get(def?.judgedBy ?? '')?.clauses ?? [];
    if (!clauses.some((id) => lastsBeyond(pack?.clauses.get(id)))) continue;
    const all = await loadBreaches(services, work, posting.data.load, '');
    found.push(...all.filter(({ breach }) => breach.stands && breach.data.lasting));
  }
  return found;
}

/** A deadline's own course is followed by its duty. */
const lastsBeyond = (clause: ClauseDef | undefined): boolean =>
  clause?.continuesUntil !== undefined && clause.deadline === undefined;
