import {
  judgeLoad,
  decideLoad,
  packAt,
  type Facts,
  type LoadDischarged,
  type LoadState,
  type Source,
  type SubjectState,
  type ThingRef,
} from '@headworks/domain';
import {
  isoInstant,
  nameId,
  normaliseKey,
  parseInstant,
  parseQuantity,
  quantityJson,
  refuseFaults,
  subjectId,
  type Fault,
  type JsonValue,
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
import { rememberJudged } from '../judged-on';
import { idOf, loads, loadStream, subjects, subjectStream } from '../models';
import type { Job, Outcome } from '../stream-runner';

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
  readonly sources?: readonly {
    readonly wasteType: string;
    readonly quantity: unknown;
    readonly servicedAt?: string;
    readonly location?: JsonValue;
    readonly generator?: JsonValue;
  }[];
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
  const sources = (body.sources ?? []).map((source, index) => checkSource(source, index, faults));
  if (body.distinct === true && body.reason === undefined) {
    faults.push({
      pointer: '/reason',
      code: 'distinct-needs',
      detail: 'A distinct load with a used ticket needs a reason.',
    });
  }
  refuseFaults(faults, 'The load');
  if (!def || !quantity) throw new Error('unreachable: the faults were refused');
  const data = dischargedData(body, { quantity, facts: parsed.facts, finishedAt, sources });
  return { pack, def, time, data };
}

function dischargedData(
  body: LoadBody,
  {
    quantity,
    facts,
    finishedAt,
    sources,
  }: { quantity: QuantityJson; facts: Facts; finishedAt: string | undefined; sources: readonly Source[] },
): Omit<LoadDischarged, 'findings'> {
  const { pack, load, subject, hauler, vehicle, ticket, signedBy } = body;
  const content = contentHash({
    ...{ pack, load, subject: key(subject), vehicle: vehicle && key(vehicle), quantity, facts, finishedAt },
    occurredAt: parseInstant(body.occurredAt),
    sources: sources.map(({ wasteType, quantity: q, servicedAt }) => ({ wasteType, q, servicedAt })),
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
    ...(signedBy !== undefined && { signedBy }),
    ...(body.distinct === true && { distinct: { reason: body.reason ?? '' } }),
  };
}

const key = ({ kind, key: name }: ThingRef): string => `${kind}|${normaliseKey(name)}`;

export function amount(input: unknown, pointer: string, faults: Fault[]): QuantityJson | undefined {
  const parsed = parseQuantity(input);
  if (!parsed.ok) {
    faults.push({
      pointer,
      code: 'no-quantity',
      detail: parsed.why,
      ...(parsed.hint !== undefined && { hint: parsed.hint }),
    });
    return undefined;
  }
  if (parsed.value.kind !== 'volume' && parsed.value.kind !== 'mass') {
    faults.push({
      pointer,
      code: 'wrong-kind-of-quantity',
      detail: `A load is a volume or a mass, not a ${parsed.value.kind} (${parsed.value.unit}).`,
      hint: 'use gal, cuyd, lb or ton',
    });
    return undefined;
  }
  if (parsed.value.base.n <= 0n) {
    faults.push({ pointer, code: 'not-positive', detail: 'The quantity of a load is more than zero.' });
    return undefined;
  }
  return quantityJson(parsed.value);
}

export function finished(
  text: string | undefined,
  time: Timing,
  request: Request,
  faults: Fault[],
): string | undefined {
  if (text === undefined) return undefined;
  const parsed = parseInstant(text);
  const fault = (code: string, detail: string) => void faults.push({ pointer: '/finishedAt', code, detail });
  if ('why' in parsed) fault('no-instant', parsed.why);
  else if (parsed.ms < time.ms) fault('ends-before-start', 'finishedAt is before occurredAt.');
  else if (parsed.ms > request.receivedMs) fault('in-the-future', 'finishedAt is later than now.');
  else return isoInstant(parsed.ms);
  return undefined;
}

function checkSource(
  source: NonNullable<LoadBody['sources']>[number],
  index: number,
  faults: Fault[],
): Source {
  const quantity = amount(source.quantity, `/sources/${index}/quantity`, faults);
  let servicedAt: string | undefined;
  if (source.servicedAt !== undefined) {
    const parsed = parseInstant(source.servicedAt);
    if ('why' in parsed) {
      faults.push({ pointer: `/sources/${index}/servicedAt`, code: 'no-instant', detail: parsed.why });
    } else servicedAt = isoInstant(parsed.ms);
  }
  return {
    wasteType: source.wasteType,
    quantity: quantity ?? { value: '0', unit: 'gal' },
    ...(servicedAt !== undefined && { servicedAt }),
    ...(source.location !== undefined && { location: source.location }),
    ...(source.generator !== undefined && { generator: source.generator }),
  };
}

/** A hauler's ticket names the load: the same ticket again finds the same stream. A distinct one is named by its command. */
export function loadIdOf(jurisdiction: string, body: LoadBody, commandId: string): string {
  const { hauler, ticket, distinct } = body;
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
  const before = await answeredBefore(services, request, loads, (commandId) =>
    loadStream(loadIdOf(jurisdiction, body, commandId)),
  );
  if (before) return { id: idOf(before.state.stream), outcome: before };
  const checked = checkLoad(services, request, body);
  const commandId = await commandIdOf(services, request);
  const id = loadIdOf(jurisdiction, body, commandId);
  const judged: { on?: SubjectState } = {};
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
  { commandId, id, judged }: { commandId: string; id: string; judged: { on?: SubjectState } },
): Job<LoadState> {
  const { jurisdiction } = pack;
  const told = { commandId, occurred: atMs(time.ms), jurisdiction, ...(time.late && { late: time.late }) };
  const stream = subjectStream(subjectId(jurisdiction, data.subject.kind, data.subject.key));
  return {
    commandId,
    envelope: envelopeFor(request, told),
    receivedAt: isoInstant(request.receivedMs),
    deadline: request.deadline,
    decide: async (state) => {
      const thing = await services.runner.read(subjects, stream);
      const facts = {
        occurredMs: time.ms,
        quantity: data.quantity,
        hauler: data.hauler,
        facts: data.facts,
        ...(data.vehicle && { vehicle: data.vehicle }),
        ...(data.finishedAt !== undefined && { finishedMs: Date.parse(data.finishedAt) }),
      };
      const findings = judgeLoad(pack, def, facts, id, { thing });
      judged.on = thing;
      const decision = decideLoad({ type: 'discharge', data, findings }, state);
      const basis = thing.revision < 0 ? [] : [{ stream, revision: thing.revision }];
      return { ...decision, events: decision.events.map((event) => ({ ...event, law: pack.ref, basis })) };
    },
  };
}
