import { CodedError, type Finding } from '@headworks/kernel';
import type { FactSource } from '@headworks/rules-engine';
import { storedFinding, type Facts } from '../events';
import { packFor } from '../pack-at';
import { at } from '../subject/context';
import { endsOf } from '../subject/subject-facts';
import type { FileCommandOf, PermitContext, PermitDraft } from './commands';
import type { Waiver } from './events';
import { issue, issueFindings, mayIssueToo } from './issue.decide';
import { lastStep, type PermitState } from './permit';
import {
  applicationLaw,
  basisOf,
  fileSource,
  isAgainst,
  judged,
  needsFinding,
  type PermitLaw,
} from './permit-findings';
import { take } from './take';

/** An application is always put on file, whatever is found: only an official refuses it. */
export function fileApplication(
  command: FileCommandOf<'file-application'>,
  draft: PermitDraft,
  context: PermitContext,
): void {
  const { pack: name, permitType, applicant, facts, renews } = command;
  const ms = at(context);
  if (draft.state.file.filed) throw new CodedError('conflict', 'This application is on file already.');
  const pack = packFor(context.law, name, ms);
  const data = {
    pack: name,
    permitType,
    applicant,
    facts,
    ...endsOf(pack, facts, ms),
    ...(renews !== undefined && { renews }),
    findings: [],
  };
  // Judged as it lies on file: what it says, and what its own filing gives.
  const after = draft.peek({ type: 'ApplicationFiled', data });
  const law = applicationLaw(context.law, after);
  const findings = assessed(after, law, context, ms).map(storedFinding);
  const basis = basisOf(context.holder);
  draft.push({ type: 'ApplicationFiled', data: { ...data, findings }, law: law.pack.ref, basis });
}

/** All that is asked of an application: the clauses of its assessment, and whether the form is filled in. */
export function assessed(
  state: PermitState,
  law: PermitLaw,
  { holder }: Pick<PermitContext, 'holder'>,
  ms: number,
): readonly Finding[] {
  const clauses = law.pack.assessments.get(law.def.judgedBy)?.clauses ?? [];
  const facts = fileSource(state, law, holder, ms);
  return [...law.pack.evaluate({ clauses, facts, now: ms }), ...needsFinding(state, law, holder, ms)];
}

/** The file waits for the applicant; whether a clock of the law waits with it is the pack's, by the day it gives. */
export function requestInformation(
  command: FileCommandOf<'request-information'>,
  draft: PermitDraft,
  context: PermitContext,
): void {
  const { facts, reason } = command;
  const law = applicationLaw(context.law, draft.state);
  take(draft, context, { decision: 'information-requests', law }, { data: { facts, reason } });
}

/** What is sent later holds from its day on: the form as it was filed stays what it was. */
export function receiveInformation(
  command: FileCommandOf<'receive-information'>,
  draft: PermitDraft,
  context: PermitContext,
): void {
  const { facts, note } = command;
  const law = applicationLaw(context.law, draft.state);
  const data = { facts, ...endsOf(law.pack, facts, at(context)), ...(note !== undefined && { note }) };
  take(draft, context, { decision: 'information', law }, { data });
}

/** What a power may leave unmet is for who decides: it does not keep the file from being complete. */
export function complete(
  { reason }: FileCommandOf<'complete'>,
  draft: PermitDraft,
  context: PermitContext,
): void {
  const law = applicationLaw(context.law, draft.state);
  take(
    draft,
    context,
    { decision: 'completion', law },
    {
      data: { ...(reason !== undefined && { reason }) },
      judge: (after) => completeFindings(after, law, context),
      isWaived: ({ clause }) => Object.hasOwn(law.def.waivedBy, clause),
    },
  );
}

export const completeFindings = (
  state: PermitState,
  law: PermitLaw,
  context: PermitContext,
): readonly Finding[] => [
  ...judged(state, law, context, law.def.completeUnder),
  ...needsFinding(state, law, context.holder, at(context)),
];

/** What stands for and against an approval: also what nobody called complete, and what completion left to a power. */
export function approvalFindings(
  state: PermitState,
  law: PermitLaw,
  context: PermitContext,
): readonly Finding[] {
  const { decidedUnder, completeUnder, waivedBy } = law.def;
  const called = lastStep(state.file, 'ApplicationCompleted', at(context));
  const left = called ? completeUnder.filter((clause) => Object.hasOwn(waivedBy, clause)) : completeUnder;
  return [
    ...judged(state, law, context, [...decidedUnder, ...left]),
    ...(called ? [] : needsFinding(state, law, context.holder, at(context))),
  ];
}

/**
 * An approval fixes its facts for good, also those that it leaves as they were applied for. What stands against it may
 * be waived by the powers that the pack names, clause by clause and with a reason.
 */
export function approve(command: FileCommandOf<'approve'>, draft: PermitDraft, context: PermitContext): void {
  const law = applicationLaw(context.law, draft.state);
  const sets = fixed(command.sets, law, fileSource(draft.state, law, context.holder, at(context)));
  // Every power that is named must exist, also where it turns out not to be needed.
  const waivers = new Map(command.waive.map(({ clause, reason }) => [clause, waiver(law, clause, reason)]));
  const isWaived = (finding: Finding) => isAgainst(finding) && waivers.has(finding.clause);
  const data = { reason: command.reason, sets, ...endsOf(law.pack, sets, at(context)) };
  take(
    draft,
    context,
    { decision: 'approval', law },
    {
      data: { ...data, waived: [] },
      judge: (after) => approvalFindings(after, law, context),
      isWaived,
      amend: (findings, after) => ({
        waived: [...findings, ...issueFindings(after, law, context)]
          .filter(isWaived)
          .flatMap(({ clause }) => waivers.get(clause) ?? []),
      }),
    },
  );
  if (command.issue && mayIssueToo(draft, law, context)) issue({ type: 'issue' }, draft, context);
}

/** Facts that an approval fixes: as it says, else as they were applied for. */
function fixed(sets: Facts, { pack, def }: PermitLaw, applied: FactSource): Facts {
  const missing: string[] = [];
  const entries = def.sets.flatMap((fact) => {
    const json = Object.hasOwn(sets, fact) ? sets[fact] : applied(fact)?.json;
    if (json !== undefined) return [[fact, json] as const];
    if (pack.facts.get(fact)?.optional !== true) missing.push(fact);
    return [];
  });
  if (missing.length === 0) return Object.fromEntries(entries);
  throw new CodedError(
    'invalid-request',
    `The approval fixes ${missing.join(', ')} (${def.cite}), which nobody has said.`,
    missing.map((fact) => ({
      pointer: `/sets/${fact}`,
      code: 'fact-needed',
      detail: `'${fact}' is missing: the approval fixes it.`,
    })),
  );
}

function waiver({ def }: PermitLaw, clause: string, reason: string): Waiver {
  const power = def.waivedBy[clause];
  if (power !== undefined) return { clause, power, reason };
  const powers = Object.keys(def.waivedBy).join(', ');
  const detail = `No power of this permit type (${def.cite}) lets '${clause}' be left unmet.`;
  throw new CodedError('invalid-request', detail, [
    { pointer: '/waive', code: 'no-power', detail, hint: powers === '' ? 'there is none' : `use ${powers}` },
  ]);
}

/** A refusal rests on clauses of the pack. What those and the clauses of the decision find is kept, whatever it is. */
export function deny(command: FileCommandOf<'deny'>, draft: PermitDraft, context: PermitContext): void {
  const law = applicationLaw(context.law, draft.state);
  const { reason, grounds } = command;
  mustBeGrounds(grounds, [...law.pack.clauses.keys()], law);
  const notRenewed = draft.state.file.filed?.renews === undefined ? {} : { notRenewed: true };
  take(
    draft,
    context,
    { decision: 'denial', law },
    {
      data: { reason, grounds, ...notRenewed },
      judge: (after) => judged(after, law, context, [...law.def.decidedUnder, ...grounds]),
      isWaived: () => true,
    },
  );
}

/** The applicant's own word: no clause stands against it. */
export function withdraw(
  { reason }: FileCommandOf<'withdraw'>,
  draft: PermitDraft,
  context: PermitContext,
): void {
  const law = applicationLaw(context.law, draft.state);
  take(draft, context, { decision: 'withdrawal', law }, { data: { reason } });
}

/** A refusal, a suspension and a revocation rest on clauses that the pack has, and on at least one. */
export function mustBeGrounds(
  grounds: readonly string[],
  known: readonly string[],
  { def }: PermitLaw,
): void {
  const wrong = grounds.flatMap((clause, index) => (known.includes(clause) ? [] : [{ clause, index }]));
  if (grounds.length > 0 && wrong.length === 0) return;
  const hint = `name one or more of ${known.join(', ')}`;
  const faults =
    grounds.length === 0
      ? [{ pointer: '/grounds', code: 'grounds-needed', detail: 'It rests on no clause.', hint }]
      : wrong.map(({ clause, index }) => ({
          pointer: `/grounds/${index}`,
          code: 'no-ground',
          detail: `'${clause}' is no clause that it may rest on.`,
          hint,
        }));
  throw new CodedError('invalid-request', `The decision (${def.cite}) needs its grounds.`, faults);
}
