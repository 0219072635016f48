import { decideSubject, recordableFacts, type SubjectCommand, type SubjectState } from '@headworks/domain';
import {
  CodedError,
  isoInstant,
  parseAddress,
  parseLocalDate,
  refuseFaults,
  subjectId,
  type ActedBy,
  type Fault,
  type JsonObject,
} from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import {
  atMs,
  commandIdOf,
  envelopeFor,
  mustBeAdopted,
  mustSee,
  timing,
  type Request,
  type Services,
  type Timing,
} from '../context';
import { checkGeometry, storedGeometry } from '../geometry';
import { subjects, subjectStream } from '../models';
import type { Outcome } from '../stream-runner';

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

/** Newest pack of the jurisdiction that knows the kind; kinds are the pack's words, so none is fixed here. */
export function packOfKind(services: Services, jurisdiction: string, kind: string): Pack {
  const newest = [...services.rules.packs.values()].map((versions) => versions.at(-1));
  const pack = newest.find((p) => p?.jurisdiction === jurisdiction && p.subjects.has(kind));
  if (pack) return pack;
  const known = newest
    .filter((p) => p?.jurisdiction === jurisdiction)
    .flatMap((p) => [...(p?.subjects.keys() ?? [])]);
  throw new CodedError(
    'not-found',
    known.length > 0
      ? `'${kind}' is nothing the law of '${jurisdiction}' looks at; it looks at ${known.join(', ')}.`
      : `No pack of jurisdiction '${jurisdiction}' is loaded.`,
  );
}

export async function registerSubject(
  services: Services,
  request: Request,
  kind: string,
  body: RegisterBody,
): Promise<{ readonly id: string; readonly outcome: Outcome<SubjectState> }> {
  mustSee(request.caller, body.jurisdiction);
  const pack = packOfKind(services, body.jurisdiction, kind);
  mustBeAdopted(services, body.jurisdiction);
  const faults: Fault[] = [];
  const time = timing(request, body, faults);
  const parsed = pack.parseFacts(body.facts ?? {}, recordableFacts(pack, kind), '/facts');
  const bounds = services.rules.jurisdictions.get(body.jurisdiction)?.bounds;
  if (body.geometry !== undefined) faults.push(...checkGeometry(body.geometry, bounds, '/geometry'));
  refuseFaults([...faults, ...parsed.faults], `The ${kind}`);
  const id = subjectId(body.jurisdiction, kind, body.key);
  const command: SubjectCommand = {
    type: 'register',
    kind,
    key: body.key.trim(),
    pack: pack.ref.pack,
    facts: parsed.facts,
    ...(body.name !== undefined && { name: body.name }),
    ...(body.geometry !== undefined && { geometry: storedGeometry(body.geometry as JsonObject) }),
  };
  return {
    id,
    outcome: await onSubject(services, request, id, command, { time, jurisdiction: body.jurisdiction }),
  };
}

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
  const pack = packOfKind(services, jurisdiction, kind);
  mustBeAdopted(services, jurisdiction);
  const faults: Fault[] = [];
  const changes = body.corrects ?? body.annuls;
  const time = changes === undefined ? timing(request, body, faults) : { ms: request.receivedMs };
  const allowed = changes === undefined ? recordableFacts(pack, kind) : pack.facts.keys();
  const parsed = pack.parseFacts(body.facts ?? {}, allowed, '/facts');
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

function changeFaults(body: FactsBody, thing: SubjectState): readonly Fault[] {
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
  const pack = services.rules.packs.get(body.pack)?.at(-1);
  const def = pack?.acts.get(act);
  if (!pack || pack.jurisdiction !== jurisdiction || def?.on !== kind) {
    const known = [...(pack?.acts.values() ?? [])].filter((a) => a.on === kind).map((a) => a.name);
    throw new CodedError('not-found', `Pack '${body.pack}' has no act '${act}' on a ${kind}.`, [], {
      acts: known,
    });
  }
  mustBeAdopted(services, jurisdiction);
  const faults: Fault[] = [];
  const time = timing(request, body, faults);
  const parsed = pack.parseFacts(body.facts ?? {}, def.records, '/facts');
  faults.push(...parsed.faults);
  for (const fact of def.records) {
    if (Object.hasOwn(parsed.facts, fact) || pack.facts.get(fact)?.optional === true) continue;
    if (parsed.faults.some(({ pointer }) => pointer === `/facts/${fact}`)) continue;
    const hint = pack.facts.get(fact)?.label;
    const detail = `'${fact}' is missing: the act records it.`;
    faults.push({
      pointer: `/facts/${fact}`,
      code: 'fact-needed',
      detail,
      ...(hint !== undefined && { hint }),
    });
  }
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

/** Who the law means: the act's body, played by a caller whose role is that body's; the person is the caller unless named. */
function actedBy(pack: Pack, body: string | undefined, request: Request, said: ActedBy | undefined): ActedBy {
  const { roles, id } = request.caller;
  const role = body === undefined ? undefined : pack.bodies.get(body)?.role;
  if (role !== undefined && !roles.includes(role) && !roles.includes('admin')) {
    const name = pack.bodies.get(body ?? '')?.name ?? body;
    throw new CodedError('forbidden', `This act is the ${name}'s; it needs the role '${role}'.`);
  }
  return {
    ...(body !== undefined && { body }),
    person: said?.person ?? id,
    ...(said?.evidence !== undefined && { evidence: said.evidence }),
  };
}

export interface SupersedeBody {
  readonly successors: readonly { readonly kind?: string; readonly key: string; readonly share?: string }[];
  readonly on: string;
  readonly reason: string;
}

/** Ends a split or merged thing: its successors take over what still counts. */
export async function supersedeSubject(
  services: Services,
  request: Request,
  kind: string,
  id: string,
  body: SupersedeBody,
): Promise<Outcome<SubjectState>> {
  const { thing, jurisdiction } = await subjectSeen(services, request, kind, id);
  mustBeAdopted(services, jurisdiction);
  const faults: Fault[] = [];
  if (!parseLocalDate(body.on))
    faults.push({ pointer: '/on', code: 'no-date', detail: `'${body.on}' is no date.` });
  body.successors.forEach((successor, index) => {
    if (subjectId(jurisdiction, successor.kind ?? kind, successor.key) !== id) return;
    faults.push({
      pointer: `/successors/${index}/key`,
      code: 'itself',
      detail: 'A thing does not succeed itself.',
    });
  });
  refuseFaults(faults, 'The succession');
  if (thing.superseded)
    throw new CodedError('conflict', 'This thing is superseded already.', [], { by: thing.superseded.event });
  const successors = body.successors.map((successor) => ({ kind, ...successor, key: successor.key.trim() }));
  const command: SubjectCommand = { type: 'supersede', successors, on: body.on, reason: body.reason };
  return onSubject(services, request, id, command, { time: { ms: request.receivedMs }, jurisdiction });
}

/** The thing, where the caller may see it: another agency's is as if it were not. */
export async function subjectSeen(
  services: Services,
  request: Pick<Request, 'caller'>,
  kind: string,
  id: string,
): Promise<{ readonly thing: SubjectState; readonly jurisdiction: string }> {
  const thing = await services.runner.read(subjects, subjectStream(id));
  if (thing.jurisdiction === undefined || (thing.registered && thing.registered.kind !== kind)) {
    throw new CodedError('not-found', `There is no such ${kind} here.`);
  }
  mustSee(request.caller, thing.jurisdiction);
  return { thing, jurisdiction: thing.jurisdiction };
}

async function onSubject(
  services: Services,
  request: Request,
  id: string,
  command: SubjectCommand,
  { time, jurisdiction, by }: { readonly time: Timing; readonly jurisdiction: string; readonly by?: ActedBy },
): Promise<Outcome<SubjectState>> {
  const commandId = await commandIdOf(services, request);
  const told = {
    commandId,
    occurred: atMs(time.ms),
    jurisdiction,
    ...(time.late && { late: time.late }),
    ...(by && { by }),
  };
  const job = {
    commandId,
    envelope: envelopeFor(request, told),
    receivedAt: isoInstant(request.receivedMs),
    deadline: request.deadline,
    decide: (state: SubjectState, envelope: Parameters<typeof decideSubject>[2]['envelope']) =>
      decideSubject(command, state, { law: services.rules, nowMs: request.receivedMs, envelope }),
  };
  const stream = subjectStream(id);
  return request.dryRun
    ? services.runner.preview(subjects, stream, job)
    : services.runner.run(subjects, stream, job);
}
