import {
  askOf,
  decideLoad,
  dischargeMs,
  headsOf,
  judgeManifest,
  packAt,
  type Facts,
  type LoadState,
  type ManifestSubmitted,
  type Source,
  type ThingRef,
  type ToAsk,
} from '@headworks/domain';
import { endOfDay, localDateAt } from '@headworks/calendars';
import { isoInstant, parseInstant, refuseFaults, type Fault, type QuantityJson } from '@headworks/kernel';
import type { ManifestDef, Pack } from '@headworks/rules-engine';
import {
  answeredBefore,
  atMs,
  commandIdOf,
  contentHash,
  envelopeFor,
  mustBeAdopted,
  packNamed,
  timing,
  type Request,
  type Services,
  type Timing,
} from '../../context';
import { mustFileFor } from '../../holding';
import { readWorld } from '../../load-world';
import { idOf, loads, loadStream } from '../../models';
import type { Job, Outcome } from '../../stream-runner';
import { amount, checkId, checkSources, comparable, keyOf, papersOf, type SourceBody } from '../load-parts';
import { loadIdOf } from '../record-load';
import { judgementFaults } from './judgements';

export interface ManifestBody {
  readonly pack: string;
  /** Key under `manifests` of the pack; need not be said where the pack has one alone for such a thing. */
  readonly manifest?: string;
  readonly permitId: string;
  readonly subject: ThingRef;
  readonly hauler: ThingRef;
  readonly vehicle?: ThingRef;
  readonly ticket: string;
  readonly occurredAt?: string;
  readonly plannedAt: string;
  readonly quantity: unknown;
  readonly sources?: readonly SourceBody[];
  readonly facts?: unknown;
  readonly signedBy?: string;
  readonly distinct?: boolean;
  readonly reason?: string;
  readonly evidence?: string;
}

interface Checked {
  readonly pack: Pack;
  readonly def: ManifestDef;
  readonly time: Timing;
  readonly plannedMs: number;
  readonly data: Omit<ManifestSubmitted, 'findings'>;
}

/** Everything that can be said against the body before anything is claimed or written, all at once. */
function checkManifest(services: Services, request: Request, body: ManifestBody): Checked {
  const faults: Fault[] = [];
  const newest = packNamed(services, request.caller, body.pack);
  mustBeAdopted(services, newest.jurisdiction);
  const time = timing(request, body, faults);
  const plannedMs = planned(body.plannedAt, faults);
  const inForce = packAt(services.rules, body.pack, plannedMs ?? request.receivedMs);
  if (!inForce && plannedMs !== undefined) {
    const detail = `No version of '${body.pack}' is in force then.`;
    faults.push({ pointer: '/plannedAt', code: 'no-law-then', detail });
  }
  const pack = inForce ?? newest;
  const def = manifestDef(pack, body, faults);
  const untilMs = def && plannedMs !== undefined ? endsAt(pack, def, plannedMs) : undefined;
  if (untilMs !== undefined && untilMs <= request.receivedMs) {
    const detail = 'The time for which it is planned is over.';
    faults.push({
      pointer: '/plannedAt',
      code: 'is-over',
      detail,
      hint: 'what was discharged is recorded as a load',
    });
  }
  checkId(body.permitId, '/permitId', faults);
  const quantity = amount(body.quantity, '/quantity', faults);
  const parsed = pack.parseFacts(def ? (body.facts ?? {}) : {}, def?.facts ?? [], '/facts');
  faults.push(...parsed.faults, ...judgementFaults(pack, request.caller, parsed.facts));
  const sources = checkSources(pack, def, body.sources ?? [], faults);
  if (body.distinct === true && body.reason === undefined) {
    const detail = 'A distinct manifest with a used ticket needs a reason.';
    faults.push({ pointer: '/reason', code: 'distinct-needs', detail });
  }
  refuseFaults(faults, 'The manifest');
  if (!def || !quantity || plannedMs === undefined || untilMs === undefined)
    throw new Error('unreachable: the faults were refused');
  const data = submitted(body, def, { quantity, facts: parsed.facts, sources, plannedMs, untilMs });
  return { pack, def, time, plannedMs, data };
}

function planned(text: string, faults: Fault[]): number | undefined {
  const parsed = parseInstant(text);
  if ('ms' in parsed) return parsed.ms;
  faults.push({ pointer: '/plannedAt', code: 'no-instant', detail: parsed.why });
  return undefined;
}

/** The manifest that is named, or the only one on such a thing. */
function manifestDef(
  pack: Pack,
  { manifest, subject }: ManifestBody,
  faults: Fault[],
): ManifestDef | undefined {
  const all = [...pack.manifests.values()];
  const fitting = all.filter(({ on }) => on === subject.kind);
  const [only] = fitting;
  const def =
    manifest === undefined ? (fitting.length === 1 ? only : undefined) : pack.manifests.get(manifest);
  const known = all.map(({ name }) => name).join(', ');
  if (!def && (manifest !== undefined || fitting.length > 1 || all.length === 0)) {
    const detail =
      manifest === undefined
        ? `Pack '${pack.ref.pack}' has ${all.length === 0 ? 'no manifests' : 'several: say which'}.`
        : `'${manifest}' is no manifest of pack '${pack.ref.pack}'.`;
    const hint = all.length === 0 ? 'record the load once it is discharged' : `use ${known}`;
    faults.push({ pointer: '/manifest', code: 'unknown-manifest', detail, hint });
    return undefined;
  }
  if (def?.on === subject.kind) return def;
  const ons = [...new Set((def ? [def] : all).map(({ on }) => on))].join(' or a ');
  const detail = `It is on a ${ons}, not on a '${subject.kind}'.`;
  faults.push({ pointer: '/subject/kind', code: 'wrong-kind', detail });
  return undefined;
}

/** Past it, what was accepted is void: to the end of the planned day, or so many hours after the planned instant. */
const endsAt = (pack: Pack, { until }: ManifestDef, ms: number): number =>
  until === 'end_of_day' ? endOfDay(pack.zone, localDateAt(pack.zone, ms)) : ms + until.hours * 3_600_000;

function submitted(
  body: ManifestBody,
  def: ManifestDef,
  parts: {
    readonly quantity: QuantityJson;
    readonly facts: Facts;
    readonly sources: readonly Source[];
    readonly plannedMs: number;
    readonly untilMs: number;
  },
): Omit<ManifestSubmitted, 'findings'> {
  const { pack, permitId, subject, hauler, vehicle, ticket, signedBy } = body;
  const { quantity, facts, sources, plannedMs, untilMs } = parts;
  const content = contentHash({
    ...{ pack, manifest: def.name, permitId, subject: keyOf(subject), vehicle: vehicle && keyOf(vehicle) },
    ...{ quantity, facts, plannedMs, sources: comparable(sources) },
  });
  return {
    ...{ pack, manifest: def.name, permitId, subject, hauler, ticket, quantity, sources, facts, content },
    plannedAt: isoInstant(plannedMs),
    until: isoInstant(untilMs),
    ...(vehicle && { vehicle }),
    ...(signedBy !== undefined && { signedBy }),
    ...papersOf(def, body),
    ...(body.distinct === true && { distinct: { reason: body.reason ?? '' } }),
  };
}

/** Puts the manifest into its load's own stream, with the findings on it as the log stood; it is answered from there. */
export async function submitManifest(
  services: Services,
  request: Request,
  body: ManifestBody,
): Promise<{ readonly id: string; readonly outcome: Outcome<LoadState> }> {
  const { jurisdiction } = packNamed(services, request.caller, body.pack);
  mustFileFor(request.caller, body.hauler);
  const streamFor = (commandId: string) => loadStream(loadIdOf(jurisdiction, body, commandId));
  const before = await answeredBefore(services, request, loads, streamFor);
  if (before) return { id: idOf(before.state.stream), outcome: before };
  const checked = checkManifest(services, request, body);
  const commandId = await commandIdOf(services, request);
  const stream = streamFor(commandId);
  const job = submitJob(services, request, checked, { commandId, id: idOf(stream) });
  return { id: idOf(stream), outcome: await services.runner.run(loads, stream, job) };
}

function submitJob(
  services: Services,
  request: Request,
  { pack, def, time, plannedMs, data }: Checked,
  { commandId, id }: { readonly commandId: string; readonly id: string },
): Job<LoadState> {
  const { jurisdiction } = pack;
  const told = { commandId, occurred: atMs(time.ms), jurisdiction, ...(time.late && { late: time.late }) };
  const { manifest: type, until, ...said } = data;
  const asked: ToAsk = { ...said, type, plannedMs, untilMs: Date.parse(until) };
  return {
    commandId,
    envelope: envelopeFor(request, told),
    receivedAt: isoInstant(request.receivedMs),
    deadline: request.deadline,
    decide: async (state) => {
      const world = await readWorld(services, pack, def, data);
      const nowMs = request.receivedMs;
      const judging = { pack, def, ask: askOf(id, asked), world, nowMs };
      const atInstant = dischargeMs(plannedMs, nowMs, world.permit ?? world.thing);
      const { findings } = judgeManifest(judging, atInstant);
      const decision = decideLoad({ type: 'submit', data, findings }, state);
      const more = { law: pack.ref, basis: headsOf(world) };
      return { ...decision, events: decision.events.map((event) => ({ ...event, ...more })) };
    },
  };
}
