import { localDateAt } from '@headworks/calendars';
import {
  CodedError,
  parseLocalDate,
  type ActedBy,
  type Finding,
  type LocalDate,
  type StreamAt,
} from '@headworks/kernel';
import type { BodyRule, FactSource, Pack, PermitDef } from '@headworks/rules-engine';
import { firstOf } from '../load-facts';
import { packAt, packFor, type Law } from '../pack-at';
import { at } from '../subject/context';
import { subjectSource } from '../subject/subject-facts';
import type { SubjectState } from '../subject/subject';
import type { PermitContext } from './commands';
import { lastStep, phaseAt, type PermitFile, type PermitState } from './permit';
import { permitClause, permitDefOf, permitSource } from './permit-facts';
import { transitionOf, type StepType, type Transitions } from './transitions';

/** The permit type in the version of its pack that a decision stands under. */
export interface PermitLaw {
  readonly pack: Pack;
  readonly def: PermitDef;
}

/**
 * The law of an application: in force on the day that its assessment is judged on, which is a fact of the file; where
 * nobody has said that, on the day it was filed.
 */
export function applicationLaw(law: Law, state: PermitState): PermitLaw {
  const { filed } = state.file;
  const ms = lastStep(state.file, 'ApplicationFiled')?.key.ms;
  if (!filed || ms === undefined) throw new CodedError('not-found', 'There is no such application here.');
  const pack = packFor(law, filed.pack, ms);
  const def = permitDefOf(state, pack);
  if (!def) throw new Error(`Pack ${pack.ref.pack} ${pack.ref.version} has no permit '${filed.permitType}'.`);
  const fact = pack.assessments.get(def.judgedBy)?.judgedOn;
  const said = fact === undefined ? undefined : pack.value(fact, permitSource(state, pack, def, ms));
  const then = law.packOn(filed.pack, dayOf(pack, said) ?? localDateAt(pack.zone, ms));
  const thenDef = then && permitDefOf(state, then);
  return thenDef ? { pack: then, def: thenDef } : { pack, def };
}

/** The day that a date or an instant of the pack is on. */
export function dayOf(pack: Pack, said: unknown): LocalDate | undefined {
  if (typeof said !== 'string') return undefined;
  return parseLocalDate(said) ?? localDateAt(pack.zone, Date.parse(said));
}

/** The law of what is decided on a permit that stands: in force when it is decided. */
export function lawAt(law: Law, state: PermitState, ms: number): PermitLaw {
  const pack = packAt(law, state.file.filed?.pack ?? '', ms);
  const def = pack && permitDefOf(state, pack);
  return pack && def ? { pack, def } : applicationLaw(law, state);
}

/** What is known of the permit, and after it of who holds it. */
export function fileSource(
  state: PermitState,
  { pack, def }: PermitLaw,
  holder: SubjectState | undefined,
  ms: number,
): FactSource {
  const own = permitSource(state, pack, def, ms);
  return holder ? firstOf(own, subjectSource(holder, pack, def.holder, ms)) : own;
}

/** What the clauses find when the decision is taken. */
export function judged(
  state: PermitState,
  law: PermitLaw,
  context: PermitContext,
  clauses: readonly string[],
): readonly Finding[] {
  const ms = at(context);
  const facts = fileSource(state, law, context.holder, ms);
  return law.pack.evaluate({ clauses: [...new Set(clauses)], facts, now: ms });
}

export const basisOf = (holder: SubjectState | undefined): readonly StreamAt[] =>
  holder && holder.revision >= 0 ? [{ stream: holder.stream, revision: holder.revision }] : [];

/** Who may take a decision, by the pack; undefined where it says nobody, or where it is the applicant's. */
export function bodyRuleOf(def: PermitDef, decision: Transitions): BodyRule | undefined {
  switch (transitionOf(decision).by) {
    case 'reviewed_by':
      return def.reviewedBy ?? def.decidedBy;
    case 'decided_by':
      return def.decidedBy;
    case 'issued_by':
      return def.issuedBy;
    case 'suspended_by':
      return def.suspendedBy;
    case 'revoked_by':
      return def.revokedBy;
    case 'applicant':
    case 'the law':
      return undefined;
  }
}

const STEP_OF: Readonly<Record<NonNullable<BodyRule['notSameAs']>, StepType>> = {
  filing: 'ApplicationFiled',
  completion: 'ApplicationCompleted',
  approval: 'ApplicationApproved',
};

type Plain = Pick<Finding, 'clause' | 'says' | 'status' | 'operands'> & Partial<Finding>;

/** A finding that no clause of the pack makes: the table, the form and the persons do. */
export const plainFinding = (def: PermitDef, finding: Plain): Finding => ({
  rows: def.rows,
  cite: def.cite,
  missing: [],
  binds: 'office',
  ...finding,
});

/** Whether who decides is another person than who took the earlier step, where the pack asks for that. */
export function personFinding(
  { file }: PermitState,
  def: PermitDef,
  decision: Transitions,
  { by, ms }: { readonly by: ActedBy | undefined; readonly ms: number },
): readonly Finding[] {
  const notSameAs = bodyRuleOf(def, decision)?.notSameAs;
  if (notSameAs === undefined) return [];
  const earlier = lastStep(file, STEP_OF[notSameAs], ms);
  const clause = permitClause(def, `${decision}.by`);
  const says = `It is decided by another person than the one of the ${notSameAs}.`;
  if (!earlier) return [plainFinding(def, { clause, says, status: 'satisfied', operands: [] })];
  const named = by?.person !== undefined && earlier.person !== undefined;
  const operands: Finding['operands'] = [
    { fact: 'by.person', ...(by?.person !== undefined && { value: by.person }), from: { source: 'payload' } },
  ];
  if (!named) {
    const unknown = { status: 'unknown', reason: 'fact_missing', missing: ['by.person'] } as const;
    return [plainFinding(def, { clause, says, operands, ...unknown })];
  }
  const status = by.person === earlier.person ? 'violated' : 'satisfied';
  const limit = { op: 'not_equal_to', value: earlier.person ?? '' };
  return [plainFinding(def, { clause, says, status, operands, limit })];
}

/** Whether everything is said without which the form is not complete. None is said too. */
export function needsFinding(
  state: PermitState,
  law: PermitLaw,
  holder: SubjectState | undefined,
  ms: number,
): readonly Finding[] {
  const { def } = law;
  if (def.needs.length === 0) return [];
  const source = fileSource(state, law, holder, ms);
  const missing = def.needs.filter((fact) => source(fact) === undefined);
  const common = { clause: permitClause(def, 'needs'), says: 'The form is filled in.', operands: [] };
  if (missing.length === 0) return [plainFinding(def, { ...common, status: 'satisfied' })];
  return [plainFinding(def, { ...common, status: 'unknown', reason: 'fact_missing', missing })];
}

/** Whether the table lets the decision be taken as the file stands: what else is judged only then. */
export function tableFinding(file: PermitFile, def: PermitDef, decision: Transitions, ms: number): Finding {
  const from = phasesFor(def, decision);
  const phase = phaseAt(file, ms);
  const event = 'step' in phase ? { event: phase.step.event } : {};
  return plainFinding(def, {
    clause: permitClause(def, decision),
    says: `It may be decided where the permit is ${listed(from)}.`,
    status: from.includes(phase.is) ? 'satisfied' : 'violated',
    operands: [{ fact: 'permit.status', value: phase.is, from: { source: 'permit', ...event } }],
    limit: { op: 'is_one_of', value: from },
  });
}

/** Where the pack names who reviews, nothing is approved that was not called complete. */
export function phasesFor(def: PermitDef, decision: Transitions) {
  const { from } = transitionOf(decision);
  return decision === 'approval' && def.reviewedBy ? from.filter((phase) => phase === 'complete') : from;
}

export const listed = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll('_', ' ')).join(' or ');

export const isAgainst = ({ status }: Finding): boolean => status === 'violated' || status === 'unknown';

/** Throws what the law refuses, clause by clause. Nothing of it is recorded: nobody's right hangs on the asking. */
export function refuseAgainst(findings: readonly Finding[], what: string): void {
  const against = findings.filter(isAgainst);
  if (against.length === 0) return;
  const why = against.map(({ clause, cite, status }) => `${clause} (${cite}) is ${status}`).join(', ');
  throw new CodedError('refused', `${what} is refused as things stand: ${why}. Nothing was recorded.`, [], {
    findings: against,
  });
}
