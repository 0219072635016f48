import {
  judgeLoad,
  decideLoad,
  factsOfLoad,
  headsOf,
  packAt,
  sourcesOf,
  type Facts,
  type LoadDischarged,
  type LoadSaid,
  type LoadState,
  type LoadWorld,
  type Source,
  type ThingRef,
} from '@headworks/domain';
import {
  isoInstant,
  nameId,
  normaliseKey,
  parseInstant,
  refuseFaults,
  type Fault,
  type QuantityJson,
} from '@headworks/kernel';
import type { LoadDef, Pack } from '@headworks/rules-engine';
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
} from '../context';
import { mustFileFor } from '../holding';
import { permitIn } from '../judge-recorded';
import { rememberJudged } from '../judged-on';
import { readWorld } from '../load-world';
import { idOf, loads, loadStream } from '../models';
import type { Job, Outcome } from '../stream-runner';
import { manifestNamed, mustFollow, underManifest } from './follow-manifest';
import {
  amount,
  checkId,
  checkSources,
  comparable,
  finished,
  keyOf,
  papersOf,
  type SourceBody,
} from './load-parts';

export interface LoadBody {
  readonly pack: string;
  readonly load: string;
  readonly subject: ThingRef;
  readonly hauler: ThingRef;
  readonly vehicle?: ThingRef;
  readonly ticket: string;
  readonly occurredAt: string;
  readonly finishedAt?: string;
  readonly quantity: unknown;
  readonly sources?: readonly SourceBody[];
  readonly permitId?: string;
  readonly manifestId?: string;
  readonly facts?: unknown;
  readonly signedBy?: string;
  readonly distinct?: boolean;
  readonly reason?: string;
  readonly evidence?: string;
}

export interface CheckedLoad {
  readonly pack: Pack;
  readonly def: LoadDef;
  readonly time: Timing;
  readonly data: Omit<LoadDischarged, 'findings'>;
}

/** Everything that can be said against the body before anything is claimed or written, all at once. */
export function checkLoad(services: Services, request: Request, body: LoadBody): CheckedLoad {
  const faults: Fault[] = [];
  const newest = packNamed(services, request.caller, body.pack);
  mustBeAdopted(services, newest.jurisdiction);
  const time = timing(request, body, faults);
  const inForce = packAt(services.rules, body.pack, time.ms);
  const pack = inForce ?? newest;
  const def = pack.loads.get(body.load);
  if (!def) {
    const known = [...pack.loads.keys()].join(', ');
    faults.push({
      pointer: '/load',
      code: 'unknown-load',
      detail: `'${body.load}' is no load of pack '${body.pack}'.`,
      hint: `use ${known}`,
    });
  }
  if (def && body.subject.kind !== def.on) {
    const detail = `A ${def.name} load is on a ${def.on}, not on a '${body.subject.kind}'.`;
    faults.push({ pointer: '/subject/kind', code: 'wrong-kind', detail });
  }
  if (!inForce) {
    const detail = `No version of '${body.pack}' was in force then.`;
    faults.push({
      pointer: '/occurredAt',
      code: 'no-law-then',
      detail,
      hint: 'GET /v1/packs/{pack} lists the versions',
    });
  }
  const quantity = amount(body.quantity, '/quantity', faults);
  // Of a load that the pack does not know, nobody can say which facts are wrong.
  const parsed = pack.parseFacts(def ? (body.facts ?? {}) : {}, def?.facts ?? [], '/facts');
  faults.push(...parsed.faults);
  const finishedAt = finished(body.finishedAt, time, request, faults);
  const sources = checkSources(pack, def, body.sources ?? [], faults);
  if (def) checkUnder(pack, def, body, faults);
  if (body.distinct === true && body.reason === undefined) {
    faults.push({
      pointer: '/reason',
      code: 'distinct-needs',
      detail: 'A distinct load with a used ticket needs a reason.',
    });
  }
  refuseFaults(faults, 'The load');
  if (!def || !quantity) throw new Error('unreachable: the faults were refused');
  const data = dischargedData(body, def, { quantity, facts: parsed.facts, finishedAt, sources });
  return { pack, def, time, data };
}

/** What a load is under: a permit and a manifest, where the pack has those for it. */
function checkUnder(pack: Pack, def: LoadDef, { permitId, manifestId }: LoadBody, faults: Fault[]): void {
  checkId(permitId, '/permitId', faults);
  checkId(manifestId, '/manifestId', faults);
  const asked = [...pack.manifests.values()].some(({ then }) => then === def.name);
  for (const [name, value, has] of [
    ['permitId', permitId, def.permit !== undefined],
    ['manifestId', manifestId, asked],
  ] as const) {
    if (value === undefined || has) continue;
    const detail = `A ${def.name} load is under no ${name === 'permitId' ? 'permit' : 'manifest'}.`;
    faults.push({ pointer: `/${name}`, code: 'not-under', detail, hint: `leave ${name} out` });
  }
}

function dischargedData(
  body: LoadBody,
  def: LoadDef,
  {
    quantity,
    facts,
    finishedAt,
    sources,
  }: { quantity: QuantityJson; facts: Facts; finishedAt: string | undefined; sources: readonly Source[] },
): Omit<LoadDischarged, 'findings'> {
  const { pack, load, subject, hauler, vehicle, ticket, signedBy, permitId, manifestId } = body;
  const content = contentHash({
    ...{
      pack,
      load,
      subject: keyOf(subject),
      vehicle: vehicle && keyOf(vehicle),
      quantity,
      facts,
      finishedAt,
    },
    ...{ permitId, manifestId },
    occurredAt: parseInstant(body.occurredAt),
    sources: comparable(sources),
  });
  return {
    pack,
    load,
    subject,
    hauler,
    ticket,
    quantity,
    sources,
    facts,
    content,
    ...(vehicle && { vehicle }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(permitId !== undefined && { permitId }),
    ...(manifestId !== undefined && { manifestId }),
    ...(signedBy !== undefined && { signedBy }),
    ...papersOf(def, body),
    ...(body.distinct === true && { distinct: { reason: body.reason ?? '' } }),
  };
}

/** A hauler's ticket names the load: the same ticket again finds the same stream. A distinct one is named by its command. */
export function loadIdOf(
  jurisdiction: string,
  { hauler, ticket, distinct }: Pick<LoadBody, 'hauler' | 'ticket' | 'distinct'>,
  commandId: string,
): string {
  const own = distinct === true ? [commandId] : [];
  return nameId('load', jurisdiction, hauler.kind, normaliseKey(hauler.key), normaliseKey(ticket), ...own);
}

/** Records the load in its own stream, with the findings on it as the log stood. What follows is the reconciler's. */
export async function recordLoad(
  services: Services,
  request: Request,
  body: LoadBody,
): Promise<{ readonly id: string; readonly outcome: Outcome<LoadState> }> {
  const { jurisdiction } = packNamed(services, request.caller, body.pack);
  mustFileFor(request.caller, body.hauler);
  const named = await manifestNamed(services, jurisdiction, body);
  const idFor = (commandId: string) => named ?? loadIdOf(jurisdiction, body, commandId);
  const before = await answeredBefore(services, request, loads, (commandId) => loadStream(idFor(commandId)));
  if (before) return { id: idOf(before.state.stream), outcome: before };
  const checked = checkLoad(services, request, body);
  const commandId = await commandIdOf(services, request);
  const id = idFor(commandId);
  const judged: { on?: LoadWorld } = {};
  const job = loadJob(services, request, checked, { commandId, id, judged });
  if (request.dryRun) return { id, outcome: await services.runner.preview(loads, loadStream(id), job) };
  const outcome = await services.runner.run(loads, loadStream(id), job);
  if (outcome.events.length > 0 && judged.on) rememberJudged(outcome.state, judged.on);
  return { id, outcome };
}

function loadJob(
  services: Services,
  request: Request,
  { pack, def, time, data }: CheckedLoad,
  { commandId, id, judged }: { commandId: string; id: string; judged: { on?: LoadWorld } },
): Job<LoadState> {
  const { jurisdiction } = pack;
  const told = { commandId, occurred: atMs(time.ms), jurisdiction, ...(time.late && { late: time.late }) };
  return {
    commandId,
    envelope: envelopeFor(request, told),
    receivedAt: isoInstant(request.receivedMs),
    deadline: request.deadline,
    decide: async (state) => {
      const { manifest } = state;
      if (manifest && !state.current) mustFollow(pack, def, state);
      const own = underManifest(data, state, id);
      const said: LoadSaid = {
        ...own,
        occurredMs: time.ms,
        ...(data.finishedAt !== undefined && { finishedMs: Date.parse(data.finishedAt) }),
      };
      const named = { ...said, sources: sourcesOf(said, manifest) };
      const world = await readWorld(services, pack, def, named);
      const facts = factsOfLoad(def, said, manifest, permitIn(world), id);
      const findings = judgeLoad(pack, def, facts, id, world);
      judged.on = world;
      const decision = decideLoad({ type: 'discharge', data: own, findings }, state);
      const basis = headsOf(world);
      return { ...decision, events: decision.events.map((event) => ({ ...event, law: pack.ref, basis })) };
    },
  };
}
