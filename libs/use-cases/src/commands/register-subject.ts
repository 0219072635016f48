import { recordableFacts, type SubjectCommand, type SubjectState } from '@headworks/domain';
import { refuseFaults, subjectId, type Fault, type JsonObject } from '@headworks/kernel';
import { answeredBefore, mustBeAdopted, mustSee, timing, type Request, type Services } from '../context';
import { checkGeometry, storedGeometry } from '../geometry';
import { subjects, subjectStream } from '../models';
import type { Outcome } from '../stream-runner';
import { factNames, onSubject, packOfKind } from './on-subject';

export interface RegisterBody {
  readonly jurisdiction: string;
  readonly key: string;
  readonly name?: string;
  readonly geometry?: unknown;
  readonly occurredAt?: string;
  readonly facts?: unknown;
  readonly reason?: string;
  readonly evidence?: string;
}

export async function registerSubject(
  services: Services,
  request: Request,
  kind: string,
  body: RegisterBody,
): Promise<{ readonly id: string; readonly outcome: Outcome<SubjectState> }> {
  const { jurisdiction } = body;
  mustSee(request.caller, jurisdiction);
  const names = factNames(body.facts);
  const pack = packOfKind(services, jurisdiction, kind, (p) => knowsAll(recordableFacts(p, kind), names));
  const id = subjectId(jurisdiction, kind, body.key);
  const before = await answeredBefore(services, request, subjects, () => subjectStream(id));
  if (before) return { id, outcome: before };
  mustBeAdopted(services, jurisdiction);
  const faults: Fault[] = [];
  const time = timing(request, body, faults);
  const parsed = pack.parseFacts(body.facts ?? {}, recordableFacts(pack, kind), '/facts');
  const bounds = services.rules.jurisdictions.get(jurisdiction)?.bounds;
  if (body.geometry !== undefined) faults.push(...checkGeometry(body.geometry, bounds, '/geometry'));
  refuseFaults([...faults, ...parsed.faults], `The ${kind}`);
  const command: SubjectCommand = {
    type: 'register',
    kind,
    key: body.key.trim(),
    pack: pack.ref.pack,
    facts: parsed.facts,
    ...(body.name !== undefined && { name: body.name }),
    ...(body.geometry !== undefined && { geometry: storedGeometry(body.geometry as JsonObject) }),
  };
  return { id, outcome: await onSubject(services, request, id, command, { time, jurisdiction }) };
}

export const knowsAll = (known: readonly string[], names: readonly string[]): boolean =>
  names.every((name) => known.includes(name));
