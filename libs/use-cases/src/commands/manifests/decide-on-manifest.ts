import {
  decidePermit,
  notPending,
  type Facts,
  type ManifestCommand,
  type PermitState,
} from '@headworks/domain';
import { CodedError, refuseFaults, type Fault, type RecordedEvent } from '@headworks/kernel';
import { answerManifest, jobOf, ownPermit, type Asked, type Origin } from '../../answer-manifest';
import { answeredBefore, commandIdOf, mustBeAdopted, type Request, type Services } from '../../context';
import { isHolderAlone } from '../../holding';
import { permits } from '../../models';
import { judgementFaults } from './judgements';

/** What can be decided on a manifest besides what the rules decide by themselves. */
export type ManifestDecision = 'acceptance' | 'refusal' | 'withdrawal';

export interface ManifestDecisionBody {
  readonly reason?: string;
  readonly evidence?: string;
  /** Facts of the manifest that fill what is missing. */
  readonly facts?: unknown;
}

/**
 * A clerk accepts or refuses what waits, its hauler takes it back. An acceptance judges all clauses again, with the
 * facts that it brings: it can fill what is missing, and override nothing.
 */
export async function decideOnManifest(
  services: Services,
  request: Request,
  asked: Asked,
  decision: ManifestDecision,
  body: ManifestDecisionBody,
): Promise<readonly RecordedEvent[]> {
  const permit = await ownPermit(services, asked);
  if (!permit) throw notPending(undefined, request.receivedMs, true);
  const before = await answeredBefore(services, request, permits, () => permit.stream);
  if (before) return before.events;
  const { jurisdiction } = asked.pack;
  mustBeAdopted(services, jurisdiction);
  const facts = checkDecision(request, asked, decision, body);
  const commandId = await commandIdOf(services, request);
  const { reason, evidence } = body;
  const by = { person: request.caller.id, ...(evidence !== undefined && { evidence }) };
  const origin: Origin = {
    commandId,
    envelope: {
      actor: { id: request.caller.id, roles: request.caller.roles },
      ...{ jurisdiction, by, commandId },
      correlationId: request.correlationId,
    },
    nowMs: request.receivedMs,
    deadline: request.deadline,
    ...(decision === 'acceptance' && { accepted: { facts, ...(reason !== undefined && { reason }) } }),
  };
  const events =
    decision === 'acceptance'
      ? await answerManifest(services, asked.id, origin)
      : await onPermit(services, permit, origin, commandOf(asked.id, decision, reason ?? ''));
  if (events.some(({ stream }) => stream === permit.stream)) return events;
  const now = await services.runner.read(permits, permit.stream);
  const standing = now.manifests.get(asked.id);
  if (decision !== 'withdrawal') throw notPending(standing, request.receivedMs);
  throw new CodedError(
    'conflict',
    'Only what is pending or accepted, and not yet discharged, is taken back.',
  );
}

const commandOf = (manifest: string, decision: 'refusal' | 'withdrawal', reason: string): ManifestCommand =>
  decision === 'refusal'
    ? { type: 'refuse-manifest', manifest, reason }
    : { type: 'end-manifest', manifest, why: 'by_hauler', findings: [], reason };

async function onPermit(
  services: Services,
  { stream }: PermitState,
  origin: Origin,
  command: ManifestCommand,
): Promise<readonly RecordedEvent[]> {
  const job = jobOf<PermitState>(origin, (state, envelope, nowMs) =>
    decidePermit(command, state, { law: services.rules, nowMs, envelope }),
  );
  return (await services.runner.run(permits, stream, job)).events;
}

function checkDecision(
  request: Request,
  { pack, def }: Asked,
  decision: ManifestDecision,
  body: ManifestDecisionBody,
): Facts {
  if (decision !== 'withdrawal' && isHolderAlone(request.caller)) {
    throw new CodedError('forbidden', 'Who asks does not decide: acceptance and refusal are a clerk’s.');
  }
  const faults: Fault[] = [];
  const parsed = pack.parseFacts(body.facts ?? {}, decision === 'acceptance' ? def.facts : [], '/facts');
  faults.push(...parsed.faults, ...judgementFaults(pack, request.caller, parsed.facts));
  if (decision !== 'acceptance' && body.reason === undefined) {
    faults.push({ pointer: '/reason', code: 'reason-needed', detail: `A ${decision} needs a reason.` });
  }
  refuseFaults(faults, `The ${decision}`);
  return parsed.facts;
}
