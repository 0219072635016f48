import { packAt, type SubjectCommand, type SubjectState } from '@headworks/domain';
import { CodedError, normaliseKey, refuseFaults, type ActedBy, type Fault } from '@headworks/kernel';
import type { ActDef, Pack } from '@headworks/rules-engine';
import { answeredBefore, mustBeAdopted, timing, type Caller, type Request, type Services } from '../context';
import { holdingOf, mustFileFor } from '../holding';
import { subjects, subjectStream } from '../models';
import type { Outcome } from '../stream-runner';
import { onSubject, subjectSeen } from './on-subject';

export interface ActBody {
  readonly pack: string;
  readonly occurredAt?: string;
  readonly facts?: unknown;
  readonly note?: string;
  readonly by?: ActedBy;
  readonly hauler?: string;
  readonly reason?: string;
  readonly evidence?: string;
}

/** Asks an act: it is done and recorded, or refused and recorded with the findings against it. */
export async function doAct(
  services: Services,
  request: Request,
  target: { readonly kind: string; readonly id: string; readonly act: string },
  body: ActBody,
): Promise<Outcome<SubjectState>> {
  const { kind, id, act } = target;
  const { jurisdiction } = await subjectSeen(services, request, kind, id);
  mustActFor(request.caller, body);
  const before = await answeredBefore(services, request, subjects, () => subjectStream(id));
  if (before) return before;
  const faults: Fault[] = [];
  const time = timing(request, body, faults);
  const { pack, def } = actOf(services, { ...target, jurisdiction }, body, time.ms);
  mustBeAdopted(services, jurisdiction);
  const parsed = pack.parseFacts(body.facts ?? {}, def.records, '/facts');
  faults.push(...parsed.faults, ...missingFacts(pack, def, parsed));
  refuseFaults(faults, `The act ${act}`);
  const by = actedBy(pack, def.by.body, request, body.by);
  const command: SubjectCommand = {
    type: 'do-act',
    kind,
    pack: pack.ref.pack,
    act,
    facts: parsed.facts,
    by,
    ...(body.hauler !== undefined && { hauler: body.hauler }),
    ...(body.note !== undefined && { note: body.note }),
  };
  return onSubject(services, request, id, command, { time, jurisdiction, by });
}

/** An act that is said to be about a hauler is, for a holder, about one of its own. */
function mustActFor(caller: Caller, { hauler }: ActBody): void {
  const own = holdingOf(caller);
  if (hauler === undefined || !own) return;
  const held = own.find(({ key }) => normaliseKey(key) === normaliseKey(hauler));
  mustFileFor(caller, held ?? { kind: 'hauler', key: hauler });
}

/** The act in the version that was in force when it was done. */
export function actOf(
  services: Services,
  { kind, act, jurisdiction }: { kind: string; act: string; jurisdiction: string },
  body: ActBody,
  ms: number,
): { readonly pack: Pack; readonly def: ActDef } {
  const newest = services.rules.packs.get(body.pack)?.at(-1);
  const pack = newest?.jurisdiction === jurisdiction ? packAt(services.rules, body.pack, ms) : undefined;
  const def = pack?.acts.get(act);
  if (pack && def?.on === kind) return { pack, def };
  const known = [...(pack?.acts.values() ?? [])].filter((a) => a.on === kind).map((a) => a.name);
  throw new CodedError('not-found', `Pack '${body.pack}' has no act '${act}' on a ${kind} then.`, [], {
    acts: known,
  });
}

export function missingFacts(
  pack: Pack,
  def: ActDef,
  { facts, faults }: ReturnType<Pack['parseFacts']>,
): readonly Fault[] {
  return def.records.flatMap((fact) => {
    if (Object.hasOwn(facts, fact) || pack.facts.get(fact)?.optional === true) return [];
    if (faults.some(({ pointer }) => pointer === `/facts/${fact}`)) return [];
    const hint = pack.facts.get(fact)?.label;
    const detail = `'${fact}' is missing: the act records it.`;
    return {
      pointer: `/facts/${fact}`,
      code: 'fact-needed',
      detail,
      ...(hint !== undefined && { hint }),
    };
  });
}

/** Who the law means: the act's body, played by a caller whose role is that body's; the person is the caller unless named. */
export function actedBy(
  pack: Pack,
  body: string | undefined,
  request: Request,
  said: ActedBy | undefined,
  what = 'This act',
): ActedBy {
  const { roles, id } = request.caller;
  const role = body === undefined ? undefined : pack.bodies.get(body)?.role;
  if (role !== undefined && !roles.includes(role) && !roles.includes('admin')) {
    const name = pack.bodies.get(body ?? '')?.name ?? body;
    throw new CodedError('forbidden', `${what} is the ${name}'s; it needs the role '${role}'.`);
  }
  return {
    ...(body !== undefined && { body }),
    person: said?.person ?? id,
    ...(said?.evidence !== undefined && { evidence: said.evidence }),
  };
}
