import { localDateAt } from '@headworks/calendars';
import {
  addDays,
  addMonths,
  CodedError,
  dateOf,
  dateParts,
  isoInstant,
  type Finding,
  type LocalDate,
} from '@headworks/kernel';
import type { PermitValidity } from '@headworks/rules-engine';
import { Draft } from '../draft';
import { at } from '../subject/context';
import type { FileCommandOf, PermitContext, PermitDraft } from './commands';
import type { ApplicationApproved, PermitIssued, PermitNumbered, Validity } from './events';
import { evolvePermit, lastStep, type PermitState } from './permit';
import { permitClause } from './permit-facts';
import {
  applicationLaw,
  dayOf,
  fileSource,
  isAgainst,
  judged,
  personFinding,
  plainFinding,
  refuseAgainst,
  type PermitLaw,
} from './permit-findings';
import { mustBeAllowed, take } from './take';

/** Issues what was approved. What the approval waived stands waived. */
export function issue(_command: FileCommandOf<'issue'>, draft: PermitDraft, context: PermitContext): void {
  const law = applicationLaw(context.law, draft.state);
  mustBeAllowed(draft.state, { decision: 'issuance', law }, at(context));
  const data = leaveData(draft.state, law, context);
  if ('clause' in data) return refuseAgainst([data], 'The issuance');
  take(
    draft,
    context,
    { decision: 'issuance', law },
    {
      data,
      judge: (after) => judged(after, law, context, law.def.issuedUnder),
      isWaived: (finding) => isWaived(draft.state, finding),
    },
  );
}

/** Whether who approved may issue in the same append: the same body, with nothing against it. */
export function mayIssueToo({ state }: PermitDraft, law: PermitLaw, context: PermitContext): boolean {
  const { def } = law;
  if (def.issuedBy.body !== def.decidedBy.body) return false;
  const asks = { by: context.envelope.by, ms: at(context) };
  const found = issueFindings(state, law, context).filter((finding) => !isWaived(state, finding));
  return ![...found, ...personFinding(state, def, 'issuance', asks)].some(isAgainst);
}

/** What the issue says, or why its days can't be told. They may be told by facts of the permit as it stands issued. */
export function leaveData(
  state: PermitState,
  law: PermitLaw,
  context: PermitContext,
): Omit<PermitIssued, 'findings'> | Finding {
  const draft: PermitDraft = new Draft(state, evolvePermit, context.envelope);
  const { pack, def } = law;
  const { filed } = state.file;
  if (!filed) throw new CodedError('not-found', 'There is no such application here.');
  const issued = localDateAt(pack.zone, at(context));
  const data = {
    pack: filed.pack,
    permitType: filed.permitType,
    holder: filed.applicant,
    valid: { from: issued, until: issued },
    zone: pack.zone,
    then: def.valid.then,
    ...(filed.renews !== undefined && { renews: filed.renews }),
  };
  const after = draft.peek({ type: 'PermitIssued', data: { ...data, findings: [] } });
  const valid = daysOf(law, after, context);
  return 'clause' in valid ? valid : { ...data, valid };
}

/** What is asked before a permit is issued, judged as it would stand issued: its own days may be asked for. */
export function issueFindings(
  state: PermitState,
  law: PermitLaw,
  context: PermitContext,
): readonly Finding[] {
  const draft: PermitDraft = new Draft(state, evolvePermit, context.envelope);
  const data = leaveData(state, law, context);
  if ('clause' in data) return [data, ...judged(state, law, context, law.def.issuedUnder)];
  const issued = draft.peek({ type: 'PermitIssued', data: { ...data, findings: [] } });
  return judged(issued, law, context, law.def.issuedUnder);
}

/** Whether the approval used a power to leave the clause unmet. */
export function isWaived({ file }: PermitState, finding: Pick<Finding, 'clause'>): boolean {
  const approval = lastStep(file, 'ApplicationApproved')?.data as ApplicationApproved | undefined;
  return approval?.waived.some(({ clause }) => clause === finding.clause) ?? false;
}

/** The days on which the permit gives leave; a year that is over when it is issued gives none. */
function daysOf(law: PermitLaw, issuedNow: PermitState, context: PermitContext): Validity | Finding {
  const { pack, def } = law;
  const ms = at(context);
  const filedMs = lastStep(issuedNow.file, 'ApplicationFiled')?.key.ms ?? ms;
  const [filed, issued] = [localDateAt(pack.zone, filedMs), localDateAt(pack.zone, ms)];
  if ('noEnd' in def.valid) return { from: issued, until: null };
  const valid =
    'until' in def.valid ? toldDays(law, issuedNow, context, def.valid) : validDays(def.valid, filed, issued);
  if ('clause' in valid) return valid;
  const days = notBefore(issued, valid);
  if (days.until === null || days.from <= days.until) return days;
  return plainFinding(def, {
    clause: permitClause(def, 'valid'),
    says: 'The permit is issued before its last day is over; after that the applicant applies anew.',
    status: 'violated',
    operands: [{ fact: 'permit.issued_on', value: issued }],
    limit: { op: 'on_or_before', value: days.until },
  });
}

type Told = Extract<PermitValidity, { readonly until: string }>;

/** The days that the pack tells by facts of the permit, as it stands issued. */
function toldDays(
  law: PermitLaw,
  issuedNow: PermitState,
  context: PermitContext,
  told: Told,
): { readonly from: LocalDate; readonly until: LocalDate } | Finding {
  const { pack, def } = law;
  const source = fileSource(issuedNow, law, context.holder, at(context));
  const [from, until] = [told.from, told.until].map((name) => dayOf(pack, pack.value(name, source)));
  if (from && until) return { from, until };
  return plainFinding(def, {
    clause: permitClause(def, 'valid'),
    says: 'The first and the last day of the permit are known when it is issued.',
    status: 'unknown',
    reason: 'fact_missing',
    missing: [...(from ? [] : [told.from]), ...(until ? [] : [told.until])],
    operands: [],
  });
}

/** No permit gives leave before the day of its issue. */
const notBefore = (issued: LocalDate, { from, until }: Validity): Validity => ({
  from: from > issued ? from : issued,
  until,
});

/**
 * A calendar year follows the one in which it was applied for: an office that decides late does not cost the applicant
 * that year.
 */
export function validDays(
  valid: Exclude<PermitValidity, Told | { readonly noEnd: true }>,
  filed: LocalDate,
  issued: LocalDate,
): Validity {
  if (!('calendarYear' in valid)) return { from: issued, until: lastDay(issued, valid) };
  const year = valid.calendarYear === 'same' ? dateParts(issued).year : dateParts(filed).year + 1;
  return { from: dateOf(year, 1, 1), until: dateOf(year, 12, 31) };
}

function lastDay(from: LocalDate, { amount, unit }: Extract<PermitValidity, { unit: string }>): LocalDate {
  switch (unit) {
    case 'days':
      return addDays(from, amount - 1);
    case 'months':
      return addDays(addMonths(from, amount), -1);
    case 'years':
      return addDays(addMonths(from, 12 * amount), -1);
  }
}

/** Repeats here what the register drew: a permit has one number, whoever asks again. */
export function number(
  { data, drawn }: FileCommandOf<'number'>,
  draft: PermitDraft,
  context: PermitContext,
): string | undefined {
  if (draft.state.file.number) return 'it has its number';
  const issued = lastStep(draft.state.file, 'PermitIssued');
  if (!issued) return 'it was never issued';
  const { pack } = applicationLaw(context.law, draft.state);
  draft.push({
    type: 'PermitNumbered',
    data,
    occurred: { at: isoInstant(issued.key.ms) },
    causedBy: drawn,
    law: pack.ref,
  });
  return undefined;
}

export function renewedBy(
  { by }: FileCommandOf<'renewed-by'>,
  draft: PermitDraft,
  context: PermitContext,
): string | undefined {
  const { file } = draft.state;
  if (file.renewedBy !== undefined) return 'it is renewed already';
  if (!lastStep(file, 'PermitIssued')) return 'it was never issued';
  const { pack } = applicationLaw(context.law, draft.state);
  draft.push({ type: 'PermitRenewed', data: { by }, law: pack.ref });
  return undefined;
}

/** Name and first year of the numbers that the permit belongs to. */
export const seriesOf = (pack: string, permitType: string, { from }: Validity): PermitNumbered['series'] =>
  `${pack}/${permitType}/${from.slice(0, 4)}`;
