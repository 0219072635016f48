import {
  asksOf,
  isItsPermit,
  linksOf,
  newPermit,
  type Facts,
  type JudgedDef,
  type Link,
  type LoadWorld,
  type PermitState,
  type Source,
  type SubjectState,
  type ThingRef,
} from '@headworks/domain';
import { isUuid, subjectId } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import type { Services } from './context';
import { permits, permitStream, subjects, subjectStream } from './models';

/** What a load or manifest names. */
export interface Named {
  readonly subject: ThingRef;
  readonly hauler: ThingRef;
  readonly vehicle?: ThingRef;
  readonly permitId?: string;
  readonly sources: readonly Source[];
  /** What it says itself: other permits are named there. */
  readonly facts?: Facts;
}

/**
 * Reads the streams that the clauses of the load or manifest look at, and no other: where the pack asks for nothing of
 * a hauler, a vehicle, a place or a permit, their streams are not read.
 */
export async function readWorld(
  services: Services,
  pack: Pack,
  def: JudgedDef,
  named: Named,
): Promise<LoadWorld> {
  const { subject, hauler, vehicle, permitId, sources } = named;
  const of = (ref: ThingRef): Promise<SubjectState> =>
    services.runner.read(subjects, thingStream(pack.jurisdiction, ref));
  const asked = (ref: ThingRef | undefined) =>
    ref && asksOf(pack, def, ref.kind) ? of(ref) : Promise.resolve(undefined);
  const ofOthers =
    asksOf(pack, def, hauler.kind) || (vehicle !== undefined && asksOf(pack, def, vehicle.kind));
  // Most laws of the land look at the parcel alone.
  const links = linksOf(pack, def);
  if (def.permit === undefined && !def.sources && !ofOthers && links.length === 0) {
    return { thing: await of(subject) };
  }
  const [thing, permit, ofHauler, ofVehicle, places, linked] = await Promise.all([
    of(subject),
    def.permit === undefined ? undefined : itsPermit(services, pack, def.permit, { permitId, hauler }),
    asked(hauler),
    asked(vehicle),
    def.sources && Promise.all(sources.map(({ place }) => (place ? of(place) : Promise.resolve(undefined)))),
    links.length > 0 ? linkedPermits(services, pack, links, named) : undefined,
  ]);
  return {
    thing,
    ...(permit && { permit }),
    ...(ofHauler && { hauler: ofHauler }),
    ...(ofVehicle && { vehicle: ofVehicle }),
    ...(places && { places }),
    ...(linked && { linked }),
  };
}

/** The permits that it names besides its own; where it names none, nothing is known of one. */
export async function linkedPermits(
  services: Services,
  pack: Pack,
  links: readonly Link[],
  { facts = {}, hauler }: Pick<Named, 'facts' | 'hauler'>,
): Promise<ReadonlyMap<string, PermitState>> {
  const linked = new Map<string, PermitState>();
  for (const { fact, by, permit: type } of links) {
    const permitId = facts[by];
    if (permitId === undefined) continue;
    const named = { permitId: typeof permitId === 'string' ? permitId.toLowerCase() : undefined, hauler };
    linked.set(fact, await itsPermit(services, pack, type, named));
  }
  return linked;
}

const streams = new Map<string, string>();
const MOST_STREAMS = 10_000;

/** The stream of a thing by what it is called. Its name is a hash, and a load asks for the same few again and again. */
export function thingStream(jurisdiction: string, { kind, key }: ThingRef): string {
  const name = `${jurisdiction}|${kind}|${key}`;
  let stream = streams.get(name);
  if (stream === undefined) {
    if (streams.size >= MOST_STREAMS) streams.clear();
    stream = subjectStream(subjectId(jurisdiction, kind, key));
    streams.set(name, stream);
  }
  return stream;
}

/** The permit that is named, where it is one of the type and the hauler's own; else one that nobody filed. */
async function itsPermit(
  services: Services,
  pack: Pack,
  type: string,
  { permitId, hauler }: { readonly permitId: string | undefined; readonly hauler: ThingRef },
): Promise<PermitState> {
  if (permitId === undefined || !isUuid(permitId)) return newPermit('');
  const permit = await services.runner.read(permits, permitStream(permitId));
  return isItsPermit(permit, pack, type, hauler) ? permit : newPermit('');
}
