import { decideLoad, type LoadCorrected, type LoadState, type ThingRef } from '@headworks/domain';
import { isoInstant, parseInstant, refuseFaults, type Fault } from '@headworks/kernel';
import { packAt } from '@headworks/domain';
import {
  answeredBefore,
  atMs,
  commandIdOf,
  envelopeFor,
  mustBeAdopted,
  mustSee,
  type Request,
  type Services,
} from '../context';
import { mustSeeOf } from '../holding';
import { loads, loadStream } from '../models';
import type { Job, Outcome } from '../stream-runner';
import { amount, checkId, finished } from './load-parts';

export interface CorrectionBody {
  readonly reason: string;
  readonly evidence?: string;
  readonly void?: boolean;
  readonly set?: {
    readonly quantity?: unknown;
    readonly facts?: unknown;
    readonly subject?: ThingRef;
    readonly permitId?: string;
    readonly occurredAt?: string;
    readonly finishedAt?: string;
  };
}

/** Appends LoadCorrected to the load's own stream; postings, findings and violations follow it. */
export async function correctLoad(
  services: Services,
  request: Request,
  id: string,
  body: CorrectionBody,
): Promise<Outcome<LoadState>> {
  const load = await loadSeen(services, request, id);
  const jurisdiction = load.jurisdiction ?? '';
  const before = await answeredBefore(services, request, loads, () => loadStream(id));
  if (before) return before;
  mustBeAdopted(services, jurisdiction);
  const data = checkCorrection(services, request, load, body);
  const commandId = await commandIdOf(services, request);
  const { evidence } = body;
  const told = { commandId, occurred: atMs(request.receivedMs), jurisdiction };
  const job: Job<LoadState> = {
    commandId,
    envelope: envelopeFor(request, evidence === undefined ? told : { ...told, by: { evidence } }),
    receivedAt: isoInstant(request.receivedMs),
    deadline: request.deadline,
    decide: (state) => decideLoad({ type: 'correct', data }, state),
  };
  return services.runner.run(loads, loadStream(id), job);
}

const NO_LOAD = 'There is no such load here.';

export async function loadSeen(
  services: Services,
  request: Pick<Request, 'caller'>,
  id: string,
): Promise<LoadState> {
  const load = await services.runner.read(loads, loadStream(id));
  mustSee(request.caller, load.current && load.jurisdiction, NO_LOAD);
  mustSeeOf(request.caller, [load.current?.hauler], NO_LOAD);
  return load;
}

function checkCorrection(
  services: Services,
  request: Request,
  load: LoadState,
  body: CorrectionBody,
): LoadCorrected {
  const { set = {}, reason } = body;
  const faults: Fault[] = [];
  if (body.void !== true && Object.keys(set).length === 0) {
    faults.push({
      pointer: '/set',
      code: 'nothing-to-correct',
      detail: 'A correction sets something, or voids the load.',
      hint: 'send "set": {...} or "void": true',
    });
  }
  if (body.void === true && Object.keys(set).length > 0) {
    faults.push({
      pointer: '/set',
      code: 'void-and-set',
      detail: 'A load that is voided can not also be set.',
    });
  }
  const ms = occurredIn(set, request, load, faults);
  const said = checkSet(services, load, { set, ms }, faults);
  const finishedAt = finished(set.finishedAt, { ms }, request, faults);
  refuseFaults(faults, 'The correction');
  return {
    reason,
    ...(body.void === true && { void: true as const }),
    set: {
      ...said,
      ...(set.subject && { subject: set.subject }),
      ...(set.permitId !== undefined && { permitId: set.permitId }),
      ...(set.occurredAt !== undefined && { occurredAt: isoInstant(ms) }),
      ...(finishedAt !== undefined && { finishedAt }),
    },
  };
}

type CorrectionSet = NonNullable<CorrectionBody['set']>;

/** When the load happened, as it is corrected or stands. */
function occurredIn(set: CorrectionSet, request: Request, load: LoadState, faults: Fault[]): number {
  const standing = load.current?.occurredMs ?? 0;
  if (set.occurredAt === undefined) return standing;
  const pointer = '/set/occurredAt';
  const parsed = parseInstant(set.occurredAt);
  if ('why' in parsed) {
    faults.push({ pointer, code: 'no-instant', detail: parsed.why });
    return standing;
  }
  if (parsed.ms > request.receivedMs) {
    faults.push({ pointer, code: 'in-the-future', detail: 'occurredAt is later than now.' });
  }
  const end = load.current?.finishedMs;
  if (set.finishedAt === undefined && end !== undefined && parsed.ms > end) {
    const detail = 'The load would begin after its finishedAt.';
    faults.push({ pointer, code: 'ends-before-start', detail, hint: 'send finishedAt too' });
  }
  return parsed.ms;
}

/** Quantity, facts and thing, by the version that was in force when the load happened. */
function checkSet(
  services: Services,
  { current }: LoadState,
  { set, ms }: { readonly set: CorrectionSet; readonly ms: number },
  faults: Fault[],
): Pick<LoadCorrected['set'], 'quantity' | 'facts'> {
  const pack = packAt(services.rules, current?.pack ?? '', ms);
  const def = pack?.loads.get(current?.load ?? '');
  if (!pack || !def) {
    const detail = 'No version of the pack was in force then.';
    faults.push({ pointer: '/set/occurredAt', code: 'no-law-then', detail });
  }
  if (set.subject && def && set.subject.kind !== def.on) {
    const detail = `A ${def.name} load is on a ${def.on}, not on a '${set.subject.kind}'.`;
    faults.push({ pointer: '/set/subject/kind', code: 'wrong-kind', detail });
  }
  checkId(set.permitId, '/set/permitId', faults);
  if (set.permitId !== undefined && def && def.permit === undefined) {
    const detail = `A ${def.name} load is under no permit.`;
    faults.push({ pointer: '/set/permitId', code: 'not-under', detail, hint: 'leave permitId out' });
  }
  const quantity = set.quantity === undefined ? undefined : amount(set.quantity, '/set/quantity', faults);
  const parsed =
    pack && set.facts !== undefined ? pack.parseFacts(set.facts, def?.facts ?? [], '/set/facts') : undefined;
  faults.push(...(parsed?.faults ?? []));
  return { ...(quantity && { quantity }), ...(parsed && { facts: parsed.facts }) };
}
