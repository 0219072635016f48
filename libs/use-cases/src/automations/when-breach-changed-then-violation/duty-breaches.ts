import {
  dueMs,
  dutiesNamed,
  isPermit,
  packAt,
  type Breach,
  type Duty,
  type MissedDuty,
  type SubjectState,
} from '@headworks/domain';
import type { Services } from '../../context';
import { idOf, thingModel } from '../../models';
import { readFor, type Work } from '../automation';
import { headOf, subjectRef, type Found } from './found';

/** Duties missed on a thing (one, or all of them), as they stand now: reversed, cured, or going on. */
export async function dutyBreaches(
  services: Services,
  stream: string,
  { only, work }: { readonly only?: string | undefined; readonly work?: Work } = {},
): Promise<readonly Found[]> {
  const model = thingModel(stream);
  const thing = await (work ? readFor(services, work, model, stream) : services.runner.read(model, stream));
  const missed = [...thing.missed.values()].filter(
    ({ data }) =>
      (only === undefined || data.duty === only) && data.binds === 'person' && data.outcome === 'violation',
  );
  if (missed.length === 0) return [];
  const standing = missed.flatMap(({ data, reversedBy }) => (reversedBy === undefined ? [data.duty] : []));
  const duties = dutiesNamed(thing, services.rules, standing);
  return missed.map((entry) => {
    const duty = duties.find((one) => one.duty === entry.data.duty);
    return {
      in: 'duty' as const,
      pack: entry.data.pack,
      clause: entry.data.clause,
      thing: idOf(stream),
      stream,
      occasion: entry.data.duty,
      breach: dutyBreach(services, thing, entry, duty),
      ...(duty && { law: duty.pack.ref }),
      basis: [headOf(thing)],
    };
  });
}

function dutyBreach(
  services: Services,
  thing: SubjectState,
  missed: MissedDuty,
  duty: Duty | undefined,
): Breach {
  const { data, event, reversedBy } = missed;
  const { responsible } = data;
  if (reversedBy !== undefined || !duty || !responsible)
    return { stands: false, why: 'consequence_reversed', cause: reversedBy ?? event };
  const { clause, pack } = duty;
  return {
    stands: true,
    cause: event,
    fromMs: dueMs(duty),
    ...(duty.done && { curedMs: duty.done.ms }),
    data: {
      pack: data.pack,
      packVersion: packAt(services.rules, data.pack, duty.startMs)?.ref.version ?? '',
      clause: data.clause,
      cite: clause.cite,
      rows: clause.rows,
      binds: 'person',
      responsible,
      ...(isPermit(thing) && { permitId: idOf(thing.stream) }),
      subject: subjectRef(thing, duty.on),
      ...(data.load !== undefined && { loadId: data.load }),
      duty: data.duty,
      occasion: data.duty,
      lasting: clause.continuesUntil !== undefined,
      zone: pack.zone,
      finding: data.finding,
    },
  };
}
