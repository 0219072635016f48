import { decideSubject, type SubjectCommand, type SubjectState } from '@headworks/domain';
import { CodedError, isoInstant, type ActedBy } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import {
  atMs,
  commandIdOf,
  envelopeFor,
  mustSee,
  type Request,
  type Services,
  type Timing,
} from '../context';
import { mustSeeOf } from '../holding';
import { subjects, subjectStream } from '../models';
import type { Job, Outcome } from '../stream-runner';

/**
 * Newest pack of the jurisdiction that looks at the kind, and of several the one that knows all the facts: kinds and
 * facts are the packs' words, so none is fixed here.
 */
export function packOfKind(
  services: Services,
  jurisdiction: string,
  kind: string,
  knows: (pack: Pack) => boolean = () => true,
): Pack {
  const newest = [...services.rules.packs.values()]
    .map((versions) => versions.at(-1))
    .filter((pack): pack is Pack => pack?.jurisdiction === jurisdiction);
  const packs = newest.filter((pack) => pack.subjects.has(kind));
  const pack = packs.find(knows) ?? packs[0];
  if (pack) return pack;
  const known = newest.flatMap((p) => [...p.subjects.keys()]);
  throw new CodedError(
    'not-found',
    known.length > 0
      ? `'${kind}' is nothing the law of '${jurisdiction}' looks at; it looks at ${known.join(', ')}.`
      : `No pack of jurisdiction '${jurisdiction}' is loaded.`,
  );
}

/** The names in a body of facts, however it is formed: the parser says what is wrong with it. */
export const factNames = (facts: unknown): readonly string[] =>
  typeof facts === 'object' && facts !== null ? Object.keys(facts) : [];

/** The thing, where the caller may see it: another agency's is as if it were not. */
export async function subjectSeen(
  services: Services,
  request: Pick<Request, 'caller'>,
  kind: string,
  id: string,
): Promise<{ readonly thing: SubjectState; readonly jurisdiction: string }> {
  const thing = await services.runner.read(subjects, subjectStream(id));
  const known = kindOf(services, thing);
  const { jurisdiction } = thing;
  const named = known === undefined || known === kind;
  mustSee(request.caller, named ? jurisdiction : undefined, `There is no such ${kind} here.`);
  return { thing, jurisdiction: jurisdiction ?? '' };
}

/** The same to read it: a holder reads what it holds, since what others brought to a thing stands in its file too. */
export async function subjectRead(
  services: Services,
  request: Pick<Request, 'caller'>,
  kind: string,
  id: string,
): Promise<{ readonly thing: SubjectState; readonly jurisdiction: string }> {
  const seen = await subjectSeen(services, request, kind, id);
  mustSeeOf(request.caller, [seen.thing.registered], `There is no such ${kind} here.`);
  return seen;
}

/** What the thing is: as registered, else as the loads on it say. */
function kindOf({ rules }: Services, { registered, postings }: SubjectState): string | undefined {
  if (registered) return registered.kind;
  const first = postings.find(({ broughtFrom }) => broughtFrom === undefined)?.data;
  return first && rules.packs.get(first.pack)?.at(-1)?.loads.get(first.loadType)?.on;
}

export async function onSubject(
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
  const job: Job<SubjectState> = {
    commandId,
    envelope: envelopeFor(request, told),
    receivedAt: isoInstant(request.receivedMs),
    deadline: request.deadline,
    decide: (state, envelope) =>
      decideSubject(command, state, { law: services.rules, nowMs: request.receivedMs, envelope }),
  };
  const stream = subjectStream(id);
  return request.dryRun
    ? services.runner.preview(subjects, stream, job)
    : services.runner.run(subjects, stream, job);
}
