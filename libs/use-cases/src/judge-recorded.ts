import {
  factsOfLoad,
  judgeLoad,
  loadSource,
  packAt,
  sourcesOf,
  type LoadFacts,
  type LoadState,
  type LoadWorld,
  type SubjectState,
} from '@headworks/domain';
import { isUuid, type Finding } from '@headworks/kernel';
import type { FactSource, LoadDef, Pack } from '@headworks/rules-engine';
import type { Services } from './context';
import { readWorld, thingStream } from './load-world';
import { idOf, permits, permitStream, subjects } from './models';

/** A recorded load with all that its clauses look at, as the log stands. */
export interface Recorded {
  readonly id: string;
  readonly load: LoadState;
  readonly pack: Pack;
  readonly def: LoadDef;
  readonly facts: LoadFacts;
  readonly world: LoadWorld;
}

/** Undefined where nothing was discharged, or no version of the pack was in force then. */
export async function readRecorded(services: Services, load: LoadState): Promise<Recorded | undefined> {
  const { current, manifest, contentEvent, stream } = load;
  const pack = current && packAt(services.rules, current.pack, current.occurredMs);
  const def = pack?.loads.get(current?.load ?? '');
  if (!current || !pack || !def) return undefined;
  const sources = sourcesOf(current, manifest);
  const named = sources === current.sources ? current : { ...current, sources };
  const world = await readWorld(services, pack, def, named);
  const id = idOf(stream);
  const facts = factsOfLoad(def, { ...current, event: contentEvent }, manifest, permitIn(world), id);
  return { id, load, pack, def, facts, world };
}

/** The permit of the world, as an acceptance is looked up in it; none where nobody filed it. */
export const permitIn = ({ permit }: LoadWorld) =>
  permit && permit.revision >= 0 ? { id: idOf(permit.stream), manifests: permit.manifests } : undefined;

export const findingsOn = ({ pack, def, facts, id, world }: Recorded): readonly Finding[] =>
  judgeLoad(pack, def, facts, id, world);

export const sourceOn = ({ pack, def, facts, id, world }: Recorded): FactSource =>
  loadSource(pack, def, facts, id, world);

/** The streams that the load counts in: what it is on, and where the pack has one for it, its permit. */
export async function countedOn(
  services: Services,
  { current, jurisdiction = '' }: LoadState,
): Promise<readonly SubjectState[]> {
  if (!current) return [];
  const { subject, permitId } = current;
  const thing = await services.runner.read(subjects, thingStream(jurisdiction, subject));
  if (permitId === undefined || !isUuid(permitId)) return [thing];
  return [thing, await services.runner.read(permits, permitStream(permitId))];
}
