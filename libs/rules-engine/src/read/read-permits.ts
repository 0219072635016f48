import type { BodyRule, ManifestDef, PermitDef } from '../api';
import type { PackModel } from '../resolve/pack';
import { bodyName, labelOf } from './words';

/** Permit types and manifests as an officer would say them: who, under which clauses, for how long. */
export function permitLines(model: PackModel): readonly string[] {
  return [
    ...model.permits.flatMap((permit) => onePermit(model, permit)),
    ...model.manifests.flatMap((manifest) => oneManifest(model, manifest)),
  ];
}

function onePermit(model: PackModel, permit: PermitDef): readonly string[] {
  const { needs, sets, grounds } = permit;
  const form = permit.form.map((name) => `${labelOf(model, name)}${needs.includes(name) ? ' (needed)' : ''}`);
  const waived = Object.entries(permit.waivedBy).map(
    ([clause, power]) => `- ${clause} may be left unmet, with a reason, by the power ${power}.`,
  );
  const ended = [
    ...(permit.suspendedBy
      ? [`suspended by ${who(model, permit.suspendedBy)}${under(permit.suspendedUnder)}`]
      : []),
    ...(permit.revokedBy ? [`revoked by ${who(model, permit.revokedBy)}${under(permit.revokedUnder)}`] : []),
  ];
  return [
    '',
    `## ${permit.title} (\`${permit.name}\`, ${permit.cite})`,
    '',
    `- Held by: ${kindLabel(model, permit.holder)}.`,
    `- The form asks: ${listed(form)}.`,
    `- ${decided(model, permit).join('; ')}.`,
    ...waived,
    ...(sets.length > 0 ? [`- An approval fixes: ${listed(sets.map((name) => labelOf(model, name)))}.`] : []),
    `- ${validText(model, permit)}${permit.renewable ? ' It may be renewed.' : ''}`,
    ...(ended.length > 0 ? [`- It may be ${ended.join(' or ')}, on grounds of ${listed(grounds)}.`] : []),
    `- Rows: ${permit.rows.join(', ')}.`,
  ];
}

function decided(model: PackModel, permit: PermitDef): readonly string[] {
  const { reviewedBy } = permit;
  const review = reviewedBy
    ? [`Called complete by ${who(model, reviewedBy)}${under(permit.completeUnder)}`]
    : [];
  const decision = `${reviewedBy ? 'decided' : 'Decided'} by ${who(model, permit.decidedBy)}${under(permit.decidedUnder)}`;
  return [...review, decision, `issued by ${who(model, permit.issuedBy)}${under(permit.issuedUnder)}`];
}

const STEPS = { filing: 'filed it', completion: 'called it complete', approval: 'approved it' } as const;
const who = (model: PackModel, { body, notSameAs }: BodyRule): string =>
  `${bodyName(model, body)}${notSameAs ? ` (not by the person who ${STEPS[notSameAs]})` : ''}`;
const under = (clauses: readonly string[]): string => (clauses.length > 0 ? ` under ${listed(clauses)}` : '');
const listed = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'nothing');
const kindLabel = (model: PackModel, kind: string): string => model.raw.subjects?.[kind]?.label ?? kind;

function validText(model: PackModel, { valid }: PermitDef): string {
  if ('noEnd' in valid) return 'Valid from its issue, without a last day.';
  const end = valid.then === 'expired' ? 'then it has expired' : 'then it is void';
  if ('calendarYear' in valid) {
    return `Valid for the calendar year ${valid.calendarYear === 'same' ? 'of its issue' : 'after its application'}; ${end}.`;
  }
  if ('until' in valid) {
    return `Valid from ${labelOf(model, valid.from)} until ${labelOf(model, valid.until)}, both in; ${end}.`;
  }
  const unit = valid.amount === 1 ? valid.unit.slice(0, -1) : valid.unit;
  return `Valid for ${valid.amount} ${unit} from its issue; ${end}.`;
}

function oneManifest(model: PackModel, manifest: ManifestDef): readonly string[] {
  const { until } = manifest;
  const limits = manifest.reservesIn.map((name) => model.raw.limits?.[name]?.label ?? name);
  const reserves = limits.length > 0 ? `It reserves in: ${limits.join(', ')}. ` : '';
  const stands =
    until === 'end_of_day' ? 'to the end of the planned day' : `${until.hours} h from the planned time`;
  return [
    '',
    `## ${manifest.label} (\`${manifest.name}\`, ${manifest.cite})`,
    '',
    `- Asked before: ${model.raw.loads?.[manifest.then]?.label ?? manifest.then}, at: ${kindLabel(model, manifest.on)}.`,
    `- Under: ${model.raw.permits?.[manifest.permit]?.title ?? manifest.permit}.`,
    `- ${reserves}An acceptance stands ${stands}.`,
    `- Rows: ${manifest.rows.join(', ')}.`,
  ];
}
