import { recordableFacts, type SubjectCommand, type SubjectState } from '@headworks/domain';
import { parseAddress, refuseFaults, type Fault } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import { answeredBefore, mustBeAdopted, timing, type Request, type Services } from '../context';
import { subjects, subjectStream } from '../models';
import type { Outcome } from '../stream-runner';
import { factNames, onSubject, packOfKind, subjectSeen } from './on-subject';
import { knowsAll } from './register-subject';

export interface FactsBody {
  readonly occurredAt?: string;
  readonly facts?: unknown;
  readonly evidence?: string;
  readonly corrects?: string;
  readonly annuls?: string;
  readonly reason?: string;
}

/** Records facts on a thing, corrects what an event said, or annuls an event that was recorded in error. */
export async function recordFacts(
  services: Services,
  request: Request,
  kind: string,
  id: string,
  body: FactsBody,
): Promise<Outcome<SubjectState>> {
  const { thing, jurisdiction } = await subjectSeen(services, request, kind, id);
  const before = await answeredBefore(services, request, subjects, () => subjectStream(id));
  if (before) return before;
  const changes = body.corrects ?? body.annuls;
  const allowed = (pack: Pack): readonly string[] =>
    changes === undefined ? recordableFacts(pack, kind) : [...pack.facts.keys()];
  const names = factNames(body.facts);
  const pack = packOfKind(services, jurisdiction, kind, (p) => knowsAll(allowed(p), names));
  mustBeAdopted(services, jurisdiction);
  const faults: Fault[] = [];
  const time = changes === undefined ? timing(request, body, faults) : { ms: request.receivedMs };
  const parsed = pack.parseFacts(body.facts ?? {}, allowed(pack), '/facts');
  faults.push(...parsed.faults, ...changeFaults(body, thing));
  if (body.annuls === undefined && Object.keys(parsed.facts).length + parsed.faults.length === 0) {
    faults.push({
      pointer: '/facts',
      code: 'no-facts',
      detail: 'There is no fact in it.',
      hint: 'send at least one',
    });
  }
  refuseFaults(faults, 'The facts');
  const { evidence, reason = '' } = body;
  const said = { facts: parsed.facts, ...(evidence !== undefined && { evidence }) };
  const command: SubjectCommand =
    body.annuls !== undefined
      ? { type: 'annul', annuls: body.annuls, reason }
      : body.corrects !== undefined
        ? { type: 'correct-facts', corrects: body.corrects, reason, ...said }
        : {
            type: 'record-facts',
            kind,
            pack: pack.ref.pack,
            ...said,
            ...(body.reason !== undefined && { reason }),
          };
  return onSubject(services, request, id, command, { time, jurisdiction });
}

export function changeFaults(body: FactsBody, thing: SubjectState): readonly Fault[] {
  const faults: Fault[] = [];
  if (body.corrects !== undefined && body.annuls !== undefined) {
    faults.push({
      pointer: '/annuls',
      code: 'one-of',
      detail: 'An event is corrected or annulled, not both.',
    });
  }
  for (const [name, address] of Object.entries({ corrects: body.corrects, annuls: body.annuls })) {
    if (address === undefined) continue;
    if (body.reason === undefined) {
      faults.push({
        pointer: '/reason',
        code: 'change-needs',
        detail: 'To change what was recorded needs a reason.',
      });
    }
    const at = parseAddress(address);
    if (at?.stream !== thing.stream || at.revision > thing.revision) {
      faults.push({
        pointer: `/${name}`,
        code: 'no-such-event',
        detail: `'${address}' is no event of this thing.`,
        hint: `write it as ${thing.stream}@3; the history lists them`,
      });
    }
  }
  return faults;
}
