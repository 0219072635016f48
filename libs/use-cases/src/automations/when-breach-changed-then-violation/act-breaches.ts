import {
  asPayload,
  firstOf,
  holderOf,
  isPermit,
  packAt,
  storedFinding,
  subjectSource,
  type ActDone,
  type Breach,
  type DoneAct,
  type Facts,
  type SubjectState,
  type ThingRef,
} from '@headworks/domain';
import { parseAddress, type Finding } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import type { Services } from '../../context';
import { idOf, thingModel } from '../../models';
import { readFor, type Work } from '../automation';
import { headOf, subjectRef, type Found } from './found';

/** What an act's own assessment finds in the facts that it recorded, corrected ones too; nothing where it was an error. */
export async function actBreaches(services: Services, address: string): Promise<readonly Found[]> {
  const stream = parseAddress(address)?.stream ?? '';
  const thing = await services.runner.read(thingModel(stream), stream);
  const act = thing.acts.find(({ event }) => event === address);
  return act ? foundIn(services, thing, act) : annulled(services, thing, address);
}

/** Acts from the instant on: what is recorded late of the thing may say otherwise what they were judged by. */
export async function actBreachesSince(
  services: Services,
  work: Work,
  stream: string,
  ms: number,
): Promise<readonly Found[]> {
  const thing = await readFor(services, work, thingModel(stream), stream);
  return thing.acts.filter(({ key }) => key.ms >= ms).flatMap((act) => foundIn(services, thing, act));
}

function foundIn(services: Services, thing: SubjectState, act: DoneAct): readonly Found[] {
  const pack = packAt(services.rules, act.pack, act.key.ms);
  const def = pack?.acts.get(act.act);
  const assessment = pack?.assessments.get(act.data.judged?.assessment ?? '');
  if (!pack || !def || !assessment) return [];
  const facts = firstOf(asPayload(factsOf(thing, act)), subjectSource(thing, pack, def.on, act.key.ms));
  return pack
    .evaluate({ clauses: assessment.clauses, facts, now: act.key.ms })
    .filter(({ binds }) => binds === 'person')
    .map((finding) => ({
      ...foundBase(thing, act.pack, finding.clause, act.event),
      breach: breachOf(pack, thing, act, { finding, kind: def.on }),
      law: pack.ref,
    }));
}

/** Facts of the act as they stand: a correction of its event changes what it said. */
function factsOf(thing: SubjectState, act: DoneAct): Facts {
  const rows = [...thing.facts.rows.values()].flat().filter(({ recordedBy }) => recordedBy === act.event);
  return Object.fromEntries(rows.map(({ fact, json }) => [fact, json]));
}

function breachOf(
  pack: Pack,
  thing: SubjectState,
  act: DoneAct,
  { finding, kind }: { readonly finding: Finding; readonly kind: string },
): Breach {
  const stored = storedFinding(finding);
  if (finding.status !== 'violated') {
    return { stands: false, why: 'no_longer_violated', cause: act.event, finding: stored };
  }
  const ref = subjectRef(thing, kind);
  return {
    stands: true,
    cause: act.event,
    fromMs: act.key.ms,
    data: {
      pack: act.pack,
      packVersion: pack.ref.version,
      clause: finding.clause,
      cite: finding.cite,
      rows: finding.rows,
      binds: 'person',
      ...answersFor(thing, ref),
      subject: ref,
      occasion: act.event,
      lasting: false,
      zone: pack.zone,
      finding: stored,
    },
  };
}

/** A thing stands for itself; for what is found on a permit its holder answers. */
function answersFor(
  thing: SubjectState,
  ref: ThingRef,
): { readonly responsible: ThingRef; readonly permitId?: string } {
  const holder = isPermit(thing) ? holderOf(thing.file) : undefined;
  return holder ? { responsible: holder, permitId: idOf(thing.stream) } : { responsible: ref };
}

/** The fold has forgotten an annulled act; its event still says what it was judged by. */
async function annulled(services: Services, thing: SubjectState, address: string): Promise<readonly Found[]> {
  const at = parseAddress(address);
  if (!at) return [];
  const [event] = await services.store.readStream(at.stream, { from: at.revision, limit: 1 });
  const data = event?.data as ActDone | undefined;
  if (!data?.judged) return [];
  return data.judged.findings.map((finding) => ({
    ...foundBase(thing, data.pack, String((finding as unknown as Finding).clause), address),
    breach: { stands: false, why: 'recorded_in_error', cause: address },
  }));
}

const foundBase = (thing: SubjectState, pack: string, clause: string, occasion: string) => ({
  in: 'act' as const,
  pack,
  clause,
  thing: idOf(thing.stream),
  occasion,
  basis: [headOf(thing)],
});
