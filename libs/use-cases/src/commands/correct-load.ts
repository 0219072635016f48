import { decideLoad, type LoadCorrected, type LoadState, type ThingRef } from '@headworks/domain';
import { CodedError, isoInstant, parseInstant, refuseFaults, type Fault } from '@headworks/kernel';
import { packAt } from '@headworks/domain';
import {
  atMs,
  commandIdOf,
  envelopeFor,
  mustBeAdopted,
  mustSee,
  type Request,
  type Services,
} from '../context';
import { loads, loadStream } from '../models';
import type { Job, Outcome } from '../stream-runner';
import { amount, finished } from './record-load';

export interface CorrectionBody {
  readonly reason: string;
  readonly evidence?: string;
  readonly void?: boolean;
  readonly set?: {
    readonly quantity?: unknown;
    readonly facts?: unknown;
    readonly subject?: ThingRef;
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
  const stream = loadStream(id);
  return request.dryRun
    ? services.runner.preview(loads, stream, job)
    : services.runner.run(loads, stream, job);
}

export async function loadSeen(
  services: Services,
  request: Pick<Request, 'caller'>,
  id: string,
): Promise<LoadState> {
  const load = await services.runner.read(loads, loadStream(id));
  if (load.jurisdiction === undefined || !load.current)
    throw new CodedError('not-found', 'There is no such load here.');
  mustSee(request.caller, load.jurisdiction);
  return load;
}

function checkCorrection(
  services: Services,
  request: Request,
  load: LoadState,
  body: CorrectionBody,
): LoadCorrected {
  const { set = {}, reason } = body;
  const { current } = load;
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
  const occurred = set.occurredAt === undefined ? undefined : parseInstant(set.occurredAt);
  if (occurred && 'why' in occurred)
    faults.push({ pointer: '/set/occurredAt', code: 'no-instant', detail: occurred.why });
  const ms = occurred && 'ms' in occurred ? occurred.ms : (current?.occurredMs ?? 0);
  if (ms > request.receivedMs) {
    faults.push({
      pointer: '/set/occurredAt',
      code: 'in-the-future',
      detail: 'occurredAt is later than now.',
    });
  }
  const pack = packAt(services.rules, current?.pack ?? '', ms);
  const def = pack?.loads.get(current?.load ?? '');
  if (!pack || !def) {
    faults.push({
      pointer: '/set/occurredAt',
      code: 'no-law-then',
      detail: 'No version of the pack was in force then.',
    });
  }
  const quantity = set.quantity === undefined ? undefined : amount(set.quantity, '/set/quantity', faults);
  const parsed =
    pack && set.facts !== undefined ? pack.parseFacts(set.facts, def?.facts ?? [], '/set/facts') : undefined;
  faults.push(...(parsed?.faults ?? []));
  if (set.subject && def && set.subject.kind !== def.on) {
    const detail = `A ${def.name} load is on a ${def.on}, not on a '${set.subject.kind}'.`;
    faults.push({ pointer: '/set/subject/kind', code: 'wrong-kind', detail });
  }
  const finishedAt = finished(set.finishedAt, { ms }, request, faults);
  refuseFaults(faults, 'The correction');
  return {
    reason,
    ...(body.void === true && { void: true as const }),
    set: {
      ...(quantity && { quantity }),
      ...(parsed && { facts: parsed.facts }),
      ...(set.subject && { subject: set.subject }),
      ...(set.occurredAt !== undefined && { occurredAt: isoInstant(ms) }),
      ...(finishedAt !== undefined && { finishedAt }),
    },
  };
}
