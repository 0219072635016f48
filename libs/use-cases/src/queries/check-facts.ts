import {
  asksOf,
  firstOf,
  holderOf,
  linksOf,
  loadSource,
  manifestFacts,
  newSubject,
  PERMIT,
  permitLive,
  subjectSource,
  type Facts,
  type JudgedDef,
  type LoadFacts,
  type LoadWorld,
  type ManifestAsk,
  type PermitState,
  type SubjectState,
  type ThingRef,
} from '@headworks/domain';
import { isUuid, refuseFaults, type Fault, type Finding, type JsonValue } from '@headworks/kernel';
import type { FactSource, LoadDef, ManifestDef, Pack } from '@headworks/rules-engine';
import { amount, checkId } from '../commands/load-parts';
import { permitSeen } from '../commands/permits/on-permit';
import type { Request, Services } from '../context';
import { linkedPermits, thingStream } from '../load-world';
import { permitIn } from '../judge-recorded';
import { subjects } from '../models';

/** What a check names. */
export interface Checked {
  readonly subject?: ThingRef;
  readonly hauler?: ThingRef;
  readonly vehicle?: ThingRef;
  readonly quantity?: JsonValue;
  readonly permitId?: string | null;
}

/** The load or manifest that is judged by the assessment, if one is: of both, with a permit it is what is asked first. */
export type CheckedDef =
  | { readonly of: 'load'; readonly def: LoadDef }
  | { readonly of: 'manifest'; readonly def: ManifestDef }
  | undefined;

export function definitionOf(pack: Pack, assessment: string, { permitId }: Checked): CheckedDef {
  const load = [...pack.loads.values()].find(({ judgedBy }) => judgedBy === assessment);
  const manifest = [...pack.manifests.values()].find(({ judgedBy }) => judgedBy === assessment);
  if (manifest && (!load || typeof permitId === 'string')) return { of: 'manifest', def: manifest };
  return load && { of: 'load', def: load };
}

export interface CheckFacts {
  readonly facts: FactSource;
  /** What stands beside the clauses: whether the permit that is named gives leave. */
  readonly besides: readonly Finding[];
  readonly limits: readonly string[];
}

/** All that is stored for the question: ledgers net of what manifests hold, where a manifest is what is asked. */
export async function checkFacts(
  services: Services,
  request: Request,
  pack: Pack,
  asked: {
    readonly body: Checked;
    readonly def: CheckedDef;
    readonly ms: number;
    /** What the question says itself. */
    readonly given: Facts;
  },
): Promise<CheckFacts> {
  const { body, def, ms, given } = asked;
  const faults: Fault[] = [];
  checkId(body.permitId ?? undefined, '/permitId', faults);
  refuseFaults(faults, 'The check');
  const permit =
    typeof body.permitId === 'string' && isUuid(body.permitId)
      ? (await permitSeen(services, request, body.permitId)).permit
      : undefined;
  if (!def)
    return { facts: await storedFacts(services, pack, body, { permit, ms }), besides: [], limits: [] };
  const hauler = body.hauler ?? (permit && holderOf(permit.file));
  const world = await worldOf(services, pack, def.def, {
    ...{ ...body, ...(hauler && { hauler }) },
    ...{ permit, given },
  });
  const load = { ...asLoad(body, ms), ...(hauler && { hauler }) };
  if (def.of === 'load') {
    const facts = loadSource(pack, def.def, load, undefined, world);
    return { facts, besides: [], limits: def.def.countsIn };
  }
  const ask: ManifestAsk = {
    ...{ manifest: '', pack: pack.ref.pack, type: def.def.name, load, untilMs: Number.POSITIVE_INFINITY },
    permitId: permitIn(world)?.id ?? '',
  };
  const facts = manifestFacts({ pack, def: def.def, ask, world, nowMs: ms }, ms);
  const type = pack.permits.get(def.def.permit);
  const besides = permit && type ? [permitLive(permit, type, ms, hauler)] : [];
  return { facts, besides, limits: def.def.reservesIn };
}

async function storedFacts(
  services: Services,
  pack: Pack,
  { subject }: Checked,
  { permit, ms }: { readonly permit: PermitState | undefined; readonly ms: number },
): Promise<FactSource> {
  const thing = subject && (await read(services, pack, subject));
  return firstOf(
    ...(permit ? [subjectSource(permit, pack, PERMIT, ms)] : []),
    ...(thing && subject ? [subjectSource(thing, pack, subject.kind, ms)] : []),
  );
}

async function worldOf(
  services: Services,
  pack: Pack,
  def: JudgedDef,
  {
    subject,
    hauler,
    vehicle,
    permit,
    given,
  }: Checked & { readonly permit: PermitState | undefined; readonly given: Facts },
): Promise<LoadWorld> {
  const asked = (ref: ThingRef | undefined): Promise<SubjectState | undefined> =>
    ref && asksOf(pack, def, ref.kind) ? read(services, pack, ref) : Promise.resolve(undefined);
  const links = linksOf(pack, def);
  const [thing, ofHauler, ofVehicle, linked] = await Promise.all([
    subject ? read(services, pack, subject) : newSubject(''),
    asked(hauler),
    asked(vehicle),
    // Whose the other permit must be is not known of nobody.
    hauler && links.length > 0 ? linkedPermits(services, pack, links, { facts: given, hauler }) : undefined,
  ]);
  return {
    thing,
    // Where no permit is named, nothing is known of it: it is not that there is none.
    ...(permit && def.permit !== undefined && { permit }),
    ...(ofHauler && { hauler: ofHauler }),
    ...(ofVehicle && { vehicle: ofVehicle }),
    ...(linked && { linked }),
  };
}

const read = (services: Services, pack: Pack, ref: ThingRef): Promise<SubjectState> =>
  services.runner.read(subjects, thingStream(pack.jurisdiction, ref));

function asLoad({ vehicle, quantity }: Checked, ms: number): LoadFacts {
  const faults: Fault[] = [];
  const said =
    quantity === undefined || quantity === null ? undefined : amount(quantity, '/quantity', faults);
  refuseFaults(faults, 'The check');
  return { occurredMs: ms, facts: {}, ...(vehicle && { vehicle }), ...(said && { quantity: said }) };
}
