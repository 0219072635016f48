import {
  dutiesOf,
  findingOf,
  packAt,
  storedFinding,
  type Breach,
  type DoneAct,
  type Duty,
  type MissedDuty,
  type SubjectState,
} from '@headworks/domain';
import { parseAddress, type Finding } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import type { Services } from '../../context';
import { idOf, subjects } from '../../models';
import type { Work } from '../automation';

/** What the log says of one clause, thing and occasion. */
export interface Found {
  readonly pack: string;
  readonly clause: string;
  readonly thing: string;
  readonly occasion: string;
  readonly breach: Breach;
}

/** Duties missed on a thing (one, or all of them), as they stand now: reversed, cured, or going on. */
export async function dutyBreaches(
  services: Services,
  _work: Work,
  stream: string,
  only?: string,
): Promise<readonly Found[]> {
  const thing = await services.runner.read(subjects, stream);
  const missed = [...thing.missed.values()].filter(
    ({ data }) =>
      (only === undefined || data.duty === only) && data.binds === 'person' && data.outcome === 'violation',
  );
  if (missed.length === 0) return [];
  const duties = dutiesOf(thing, services.rules);
  return missed.map((entry) => ({
    pack: entry.data.pack,
    clause: entry.data.clause,
    thing: idOf(stream),
    occasion: entry.data.duty,
    breach: dutyBreach(
      services,
      thing,
      entry,
      duties.find(({ duty }) => duty === entry.data.duty),
    ),
  }));
}

function dutyBreach(
  services: Services,
  thing: SubjectState,
  missed: MissedDuty,
  duty: Duty | undefined,
): Breach {
  const { data, event, reversedBy } = missed;
  if (reversedBy !== undefined || !duty)
    return { stands: false, why: 'consequence_reversed', cause: reversedBy ?? event };
  const dueMs = Date.parse(duty.due.at);
  const kindAndKey = subjectRef(thing, duty.pack, duty.bound.data.loadType);
  return {
    stands: true,
    cause: event,
    fromMs: dueMs,
    ...(duty.doneMs !== undefined && { curedMs: duty.doneMs }),
    data: {
      pack: data.pack,
      packVersion: packAt(services.rules, data.pack, duty.startMs)?.ref.version ?? '',
      clause: data.clause,
      cite: duty.clause.cite,
      rows: duty.clause.rows,
      binds: 'person',
      responsible: data.responsible,
      subject: kindAndKey,
      loadId: data.load,
      duty: data.duty,
      occasion: data.duty,
      lasting: duty.clause.continuesUntil !== undefined,
      zone: duty.pack.zone,
      finding: data.finding,
    },
  };
}

/** A thing nobody registered is still named by the kind its loads are on and the id of its stream. */
function subjectRef(thing: SubjectState, pack: Pack, loadType: string): { kind: string; key: string } {
  const { registered } = thing;
  if (registered) return { kind: registered.kind, key: registered.key };
  return { kind: pack.loads.get(loadType)?.on ?? '', key: idOf(thing.stream) };
}

/** What an act's own assessment found violated in the facts it recorded; nothing where the act was an error. */
export async function actBreaches(
  services: Services,
  _work: Work,
  address: string,
): Promise<readonly Found[]> {
  const stream = parseAddress(address)?.stream ?? '';
  const thing = await services.runner.read(subjects, stream);
  const act = thing.acts.find(({ event }) => event === address);
  const source = act ?? (await annulledAct(services, address));
  return (source?.data.judged?.findings ?? [])
    .map(findingOf)
    .filter(({ status, binds }) => status === 'violated' && binds === 'person')
    .map((finding) => ({
      pack: source?.pack ?? '',
      clause: finding.clause,
      thing: idOf(stream),
      occasion: address,
      breach: act
        ? actBreach(services, thing, act, finding)
        : { stands: false, why: 'recorded_in_error', cause: address },
    }));
}

/** The fold has forgotten an annulled act; its event still says what it was judged for. */
async function annulledAct(
  services: Services,
  address: string,
): Promise<Pick<DoneAct, 'data' | 'pack'> | undefined> {
  const at = parseAddress(address);
  if (!at) return undefined;
  const [event] = await services.store.readStream(at.stream, { from: at.revision, limit: 1 });
  const data = event?.data as DoneAct['data'] | undefined;
  return data?.judged ? { data, pack: data.pack } : undefined;
}

function actBreach(services: Services, thing: SubjectState, act: DoneAct, finding: Finding): Breach {
  const pack = packAt(services.rules, act.pack, act.key.ms);
  const subject = thing.registered ?? { kind: pack?.acts.get(act.act)?.on ?? '', key: idOf(thing.stream) };
  const ref = { kind: subject.kind, key: subject.key };
  return {
    stands: true,
    cause: act.event,
    fromMs: act.key.ms,
    data: {
      pack: act.pack,
      packVersion: pack?.ref.version ?? '',
      clause: finding.clause,
      cite: finding.cite,
      rows: finding.rows,
      binds: 'person',
      responsible: ref,
      subject: ref,
      occasion: act.event,
      lasting: false,
      zone: pack?.zone ?? 'UTC',
      finding: storedFinding(finding),
    },
  };
}
