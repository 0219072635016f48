import {
  applicationLaw,
  assessed,
  endsAt,
  factAt,
  isLive,
  lastStep,
  phaseAt,
  phaseNameAt,
  type ApplicationApproved,
  type PhaseName,
  type PermitConditioned,
  type PermitState,
  type PermitStep,
  type SubjectState,
} from '@headworks/domain';
import { CodedError, isoInstant, type JsonObject } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import { shownFinding, type Explain } from '../answers';
import { NO_PERMIT } from '../commands/permits/on-permit';
import type { Services } from '../context';
import { idOf } from '../models';

/** A permit as it stood at the instant: its phase, its days, its facts, its steps, and how its assessment reads then. */
export function shownPermit(
  { rules }: Services,
  permit: PermitState,
  holder: SubjectState | undefined,
  { ms, explain }: { readonly ms: number; readonly explain: Explain },
): JsonObject {
  const { file, stream, jurisdiction, revision } = permit;
  const { filed, number, renewedBy } = file;
  if (!filed) throw new CodedError('not-found', NO_PERMIT);
  const phase = phaseAt(file, ms);
  const issued = 'issued' in phase ? phase.issued : undefined;
  const law = applicationLaw(rules, permit);
  const findings = assessed(permit, law, holder ? { holder } : {}, ms);
  const application = lastStep(file, 'ApplicationFiled');
  const conditions = file.steps.flatMap(({ type, data }) =>
    type === 'PermitConditioned' ? (data as PermitConditioned).conditions : [],
  );
  return {
    id: idOf(stream),
    jurisdiction: jurisdiction ?? null,
    pack: filed.pack,
    packVersion: law.pack.ref.version,
    permitType: filed.permitType,
    title: law.def.title,
    cite: law.def.cite,
    applicant: filed.applicant,
    status: phaseNameAt(file, ms),
    since: 'step' in phase ? isoInstant(phase.step.key.ms) : null,
    filedAt: application ? isoInstant(application.key.ms) : null,
    recordedAt: application?.key.recordedAt ?? null,
    live: isLive(file, ms),
    number: number?.number ?? null,
    series: number?.series ?? null,
    valid: issued?.valid ?? null,
    endsAt: issued && lasts(phase.is) ? endsAt(issued) : null,
    renews: filed.renews ?? null,
    renewedBy: renewedBy ?? null,
    conditions,
    waivers: (lastStep(file, 'ApplicationApproved')?.data as ApplicationApproved | undefined)?.waived ?? [],
    facts: shownFacts(permit, ms),
    steps: file.steps.map(shownStep),
    findings: findings.map((finding) => shownFinding(finding, explain)),
    groundsForRevocation: groundsIn(permit, law.pack),
    postings: permit.postings.length,
    revision,
  };
}

/** Duties that were missed and may cost the permit: each with the event that says so. */
const groundsIn = ({ missed }: PermitState, pack: Pack): readonly JsonObject[] =>
  [...missed.values()].flatMap(({ data, event, reversedBy, metAt }) =>
    data.outcome === 'grounds_for_revocation' && reversedBy === undefined
      ? [
          {
            ...{
              duty: data.duty,
              clause: data.clause,
              cite: pack.clauses.get(data.clause)?.cite ?? null,
              event,
            },
            ...{ missedAt: data.due['at'] ?? null, metAt: metAt ?? null },
          },
        ]
      : [],
  );

const lasts = (phase: PhaseName): boolean => phase === 'issued' || phase === 'suspended';

/** Facts kept with the permit as they held at the instant, each with the event that said it. */
function shownFacts({ facts }: PermitState, ms: number): JsonObject {
  const shown = [...facts.rows.keys()].toSorted().flatMap((fact) => {
    const row = factAt(facts, fact, ms);
    return row ? [[fact, { value: row.json, from: isoInstant(row.key.ms), event: row.saidBy }] as const] : [];
  });
  return Object.fromEntries(shown);
}

const shownStep = ({ type, key, event, body, person }: PermitStep): JsonObject => ({
  type,
  event,
  occurredAt: isoInstant(key.ms),
  recordedAt: key.recordedAt,
  by: { ...(body !== undefined && { body }), ...(person !== undefined && { person }) },
});
