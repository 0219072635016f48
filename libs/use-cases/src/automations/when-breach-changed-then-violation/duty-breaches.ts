import {
  dutiesSince,
  packAt,
  type Breach,
  type Duty,
  type MissedDuty,
  type SubjectState,
} from '@headworks/domain';
import type { Services } from '../../context';
import { idOf, thingModel } from '../../models';
import { headOf, subjectRef, type Found } from './found';

/** Duties missed on a thing (one, or all of them), as they stand now: reversed, cured, or going on. */
export async function dutyBreaches(
  services: Services,
  stream: string,
  only?: string,
): Promise<readonly Found[]> {
  const thing = await services.runner.read(thingModel(stream), stream);
  const missed = [...thing.missed.values()].filter(
    ({ data }) =>
      (only === undefined || data.duty === only) && data.binds === 'person' && data.outcome === 'violation',
  );
  if (missed.length === 0) return [];
  const standing = new Set(
    missed.flatMap(({ data, reversedBy }) => (reversedBy === undefined ? data.duty : [])),
  );
  const { duties } = dutiesSince(thing, services.rules, Number.POSITIVE_INFINITY, standing);
  return missed.map((entry) => {
    const duty = duties.find((one) => one.duty === entry.data.duty);
    return {
      in: 'duty' as const,
      pack: entry.data.pack,
      clause: entry.data.clause,
      thing: idOf(stream),
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
  if (reversedBy !== undefined || !duty)
    return { stands: false, why: 'consequence_reversed', cause: reversedBy ?? event };
  const kind = duty.pack.loads.get(duty.bound.data.loadType)?.on ?? '';
  return {
    stands: true,
    cause: event,
    fromMs: Date.parse(duty.due.at),
    ...(duty.doneMs !== undefined && { curedMs: duty.doneMs }),
    data: {
      pack: data.pack,
      packVersion: packAt(services.rules, data.pack, duty.startMs)?.ref.version ?? '',
      clause: data.clause,
      cite: duty.clause.cite,
      rows: duty.clause.rows,
      binds: 'person',
      responsible: data.responsible,
      subject: subjectRef(thing, kind),
      loadId: data.load,
      duty: data.duty,
      occasion: data.duty,
      lasting: duty.clause.continuesUntil !== undefined,
      zone: duty.pack.zone,
      finding: data.finding,
    },
  };
}
