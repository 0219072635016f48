import {
  applicationLaw,
  lawAt,
  PERMIT,
  permitRecordable,
  type Facts,
  type PermitCommand,
  type PermitState,
} from '@headworks/domain';
import { refuseFaults, type Fault } from '@headworks/kernel';
import { answeredBefore, mustBeAdopted, timing, type Request, type Services } from '../../context';
import { permits, permitStream } from '../../models';
import type { Outcome } from '../../stream-runner';
import { actedBy, actOf, missingFacts, type ActBody } from '../do-act';
import { changeFaults, type FactsBody } from '../record-facts';
import { onPermit, permitSeen } from './on-permit';

/** Asks an act on a permit: it is done and recorded, or refused and recorded with the findings against it. */
export async function actOnPermit(
  services: Services,
  request: Request,
  id: string,
  act: string,
  body: ActBody,
): Promise<Outcome<PermitState>> {
  const { permit, jurisdiction } = await permitSeen(services, request, id);
  const before = await answeredBefore(services, request, permits, () => permitStream(id));
  if (before) return before;
  const faults: Fault[] = [];
  const time = timing(request, body, faults);
  const { pack, def } = actOf(services, { kind: PERMIT, act, jurisdiction }, body, time.ms);
  // Two packs may know an act of one name: a permit is acted on under the law that it stands under.
  if (pack.ref.pack !== permit.file.filed?.pack) {
    const detail = `This permit stands under '${permit.file.filed?.pack}', not under '${pack.ref.pack}'.`;
    faults.push({ pointer: '/pack', code: 'wrong-pack', detail });
  }
  mustBeAdopted(services, jurisdiction);
  const parsed = pack.parseFacts(body.facts ?? {}, def.records, '/facts');
  faults.push(...parsed.faults, ...missingFacts(pack, def, parsed));
  refuseFaults(faults, `The act ${act}`);
  const by = actedBy(pack, def.by.body, request, body.by);
  const command: PermitCommand = {
    type: 'do-act',
    kind: PERMIT,
    pack: pack.ref.pack,
    act,
    facts: parsed.facts,
    by,
    ...(body.hauler !== undefined && { hauler: body.hauler }),
    ...(body.note !== undefined && { note: body.note }),
  };
  return onPermit(services, request, id, command, { time, jurisdiction, by });
}

/** Records facts on a permit, corrects what an event said, or annuls a decision that was recorded in error. */
export async function recordPermitFacts(
  services: Services,
  request: Request,
  id: string,
  body: FactsBody,
): Promise<Outcome<PermitState>> {
  const { permit, jurisdiction } = await permitSeen(services, request, id);
  const before = await answeredBefore(services, request, permits, () => permitStream(id));
  if (before) return before;
  mustBeAdopted(services, jurisdiction);
  const faults: Fault[] = [];
  const changes = body.corrects ?? body.annuls;
  const time = changes === undefined ? timing(request, body, faults) : { ms: request.receivedMs };
  // A correction is in the words of what it corrects: those of the application's day.
  const { pack, def } =
    changes === undefined ? lawAt(services.rules, permit, time.ms) : applicationLaw(services.rules, permit);
  const allowed = changes === undefined ? permitRecordable(pack, def) : def.facts;
  const parsed = pack.parseFacts(body.facts ?? {}, allowed, '/facts');
  faults.push(...parsed.faults, ...changeFaults(body, permit));
  if (body.annuls === undefined && Object.keys(parsed.facts).length + parsed.faults.length === 0) {
    const detail = 'There is no fact in it.';
    faults.push({ pointer: '/facts', code: 'no-facts', detail, hint: 'send at least one' });
  }
  refuseFaults(faults, 'The facts');
  const command = factsCommand(body, pack.ref.pack, parsed.facts);
  return onPermit(services, request, id, command, { time, jurisdiction, by: { person: request.caller.id } });
}

function factsCommand(
  { annuls, corrects, evidence, reason }: FactsBody,
  pack: string,
  facts: Facts,
): PermitCommand {
  const said = { facts, ...(evidence !== undefined && { evidence }) };
  if (annuls !== undefined) return { type: 'annul', annuls, reason: reason ?? '' };
  if (corrects !== undefined) return { type: 'correct-facts', corrects, reason: reason ?? '', ...said };
  return { type: 'record-facts', kind: PERMIT, pack, ...said, ...(reason !== undefined && { reason }) };
}
