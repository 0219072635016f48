import {
  against,
  askOf,
  asksOf,
  decidePermit,
  decideSubject,
  decideLoad,
  findingOf,
  headsOf,
  isHeld,
  isItsPermit,
  judgeHere,
  limitsOfThing,
  LOOK_AGAIN,
  packAt,
  permitLive,
  type AcceptanceWithdrawn,
  type AskedManifest,
  type AtThing,
  type Facts,
  type LoadState,
  type LoadWorld,
  type ManifestAsk,
  type PermitState,
  type SubjectState,
} from '@headworks/domain';
import { isoInstant, isUuid, type EventMetadata, type RecordedEvent } from '@headworks/kernel';
import type { ManifestDef, Pack } from '@headworks/rules-engine';
import type { Services } from './context';
import type { Job } from './job';
import { readWorld, thingStream } from './load-world';
import { idOf, loads, loadStream, permits, permitStream, subjects } from './models';
import type { Decide } from './automations/automation';
import type { Folded, Outcome } from './stream-runner';

/** In whose name a manifest is answered. One command writes to each stream, so doing it twice does it once. */
export interface Origin {
  readonly commandId: string;
  readonly envelope: Omit<EventMetadata, 'schema' | 'recordedAt' | 'occurred'>;
  readonly nowMs: number;
  readonly deadline: number;
  /** Where somebody accepts what waits. */
  readonly accepted?: { readonly facts: Facts; readonly reason?: string };
}

export function jobOf<S extends Folded>(
  { commandId, envelope, nowMs, deadline }: Omit<Origin, 'accepted'>,
  decide: Decide<S>,
): Job<S> {
  return {
    commandId,
    envelope: { ...envelope, occurred: { at: isoInstant(nowMs) } },
    receivedAt: isoInstant(nowMs),
    deadline,
    decide: (state, made) => decide(state, made, nowMs),
  };
}

/** A manifest with the law that it is asked under. */
export interface Asked {
  readonly id: string;
  readonly load: LoadState;
  readonly manifest: AskedManifest;
  readonly pack: Pack;
  readonly def: ManifestDef;
}

export async function readAsked(services: Services, id: string): Promise<Asked | undefined> {
  const load = await services.runner.read(loads, loadStream(id));
  const { manifest } = load;
  const pack = manifest && packAt(services.rules, manifest.pack, manifest.plannedMs);
  const def = pack?.manifests.get(manifest?.type ?? '');
  return manifest && pack && def ? { id, load, manifest, pack, def } : undefined;
}

/** The manifest's permit, where it is the hauler's own and of the type; else nobody's file is written into. */
export async function ownPermit(
  services: Services,
  { manifest, pack, def }: Asked,
): Promise<PermitState | undefined> {
  const { permitId, hauler } = manifest;
  if (!isUuid(permitId)) return undefined;
  const permit = await services.runner.read(permits, permitStream(permitId));
  return isItsPermit(permit, pack, def.permit, hauler) ? permit : undefined;
}

/** How often the two streams are looked at in turn before what the thing's found stands. */
const MOST_LOOKS = 3;

/**
 * Answers a manifest: capacity is held at the thing first, and the permit's stream decides last, each judging all
 * clauses under its own head. Nothing is decided twice: what stands in the permit's stream is the answer.
 */
export async function answerManifest(
  services: Services,
  id: string,
  origin: Origin,
): Promise<readonly RecordedEvent[]> {
  const asked = await readAsked(services, id);
  if (!asked || asked.load.current || asked.manifest.refused) return [];
  if (origin.nowMs >= asked.manifest.untilMs) return [];
  const permit = await ownPermit(services, asked);
  if (!permit) return refuseAsked(services, asked, origin);
  if (permit.manifests.has(id) && !origin.accepted) return [];
  const ask = askOf(id, asked.manifest, origin.accepted?.facts);
  const events: RecordedEvent[] = [];
  for (let look = 1; look <= MOST_LOOKS; look++) {
    const world = await readWorld(services, asked.pack, asked.def, asked.manifest);
    const found = await atThing(services, asked, { ask, world, origin });
    events.push(...found.events);
    const command = {
      type: 'answer-manifest',
      ask,
      world: found.world,
      thing: found.thing,
      last: look === MOST_LOOKS,
      ...(origin.accepted && { accepted: origin.accepted }),
    } as const;
    const job = jobOf<PermitState>(origin, (state, envelope, nowMs) =>
      decidePermit(command, state, { law: services.rules, nowMs, envelope }),
    );
    const decided = await services.runner.run(permits, permit.stream, job);
    events.push(...decided.events);
    if (decided.ignored !== LOOK_AGAIN) break;
  }
  return events;
}

interface Looking {
  readonly ask: ManifestAsk;
  readonly world: LoadWorld;
  readonly origin: Origin;
}

interface FoundAtThing {
  readonly thing: AtThing;
  readonly world: LoadWorld;
  readonly events: readonly RecordedEvent[];
}

/** Holds capacity in the thing's stream where a limit stands there, or a clause looks at its facts. */
async function atThing(
  services: Services,
  asked: Asked,
  { ask, world, origin }: Looking,
): Promise<FoundAtThing> {
  const { pack, def, manifest } = asked;
  if (limitsOfThing(pack, def).length === 0 && !asksOf(pack, def, def.on))
    return { thing: { is: 'not_needed' }, world, events: [] };
  const stream = thingStream(pack.jurisdiction, manifest.subject);
  const job = jobOf<SubjectState>(origin, (state, envelope, nowMs) =>
    decideSubject({ type: 'reserve', ask, world }, state, { law: services.rules, nowMs, envelope }),
  );
  const outcome = await services.runner.run(subjects, stream, job);
  const now: LoadWorld = { ...world, thing: outcome.state };
  const held = outcome.state.reservations.get(ask.manifest);
  if (held && isHeld(held, origin.nowMs))
    return { thing: { is: 'reserved', event: held.event }, world: now, events: outcome.events };
  const findings = await whyNot(services, asked, { ask, world: now, origin }, outcome);
  return { thing: { is: 'against', findings }, world: now, events: outcome.events };
}

/** What stood against it there, or what ended the reservation that this very command had made before. */
async function whyNot(
  services: Services,
  { pack, def }: Asked,
  { ask, world, origin }: Looking,
  { state }: Outcome<SubjectState>,
) {
  const { nowMs } = origin;
  const judging = { pack, def, ask, world, nowMs };
  const { findings } = judgeHere(judging, state, nowMs);
  if (against(findings).length > 0) return findings;
  const events = await services.store.readStream(state.stream);
  const ended = events.findLast(
    ({ type, data }) => type === 'AcceptanceWithdrawn' && data['manifest'] === ask.manifest,
  );
  return ended ? (ended.data as AcceptanceWithdrawn).findings.map(findingOf) : findings;
}

/** Who names a permit that is not theirs is told what one who names none would be: nothing of another's file. */
async function refuseAsked(
  services: Services,
  asked: Asked,
  origin: Origin,
): Promise<readonly RecordedEvent[]> {
  const { id, pack, def, manifest } = asked;
  const type = pack.permits.get(def.permit);
  const findings = type ? [permitLive(undefined, type, manifest.plannedMs, manifest.hauler)] : [];
  const world = await readWorld(services, pack, def, manifest);
  const job = jobOf<LoadState>(origin, (state) => {
    const decision = decideLoad({ type: 'refuse-asked', findings }, state);
    const told = { law: pack.ref, basis: headsOf(world) };
    return { ...decision, events: decision.events.map((event) => ({ ...event, ...told })) };
  });
  return (await services.runner.run(loads, loadStream(id), job)).events;
}

/** The id of the load's stream that a manifest event is about. */
export const manifestOf = ({ stream, data }: RecordedEvent): string =>
  typeof data['manifest'] === 'string' && !stream.startsWith('load-') ? data['manifest'] : idOf(stream);
