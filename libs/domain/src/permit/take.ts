import { CodedError, isoInstant, type DomainEvent, type Finding, type JsonObject } from '@headworks/kernel';
import { storedFinding } from '../events';
import { at } from '../subject/context';
import { rejudgeFacts } from '../subject/facts.decide';
import type { PermitContext, PermitDraft } from './commands';
import { phaseAt, type PermitFile, type PermitState, type PermitStep } from './permit';
import { permitClause } from './permit-facts';
import {
  basisOf,
  bodyRuleOf,
  listed,
  personFinding,
  phasesFor,
  refuseAgainst,
  type PermitLaw,
} from './permit-findings';
import { phaseAfter, transitionOf, type PermitDecision, type PhaseName } from './transitions';

export interface Taken {
  readonly decision: PermitDecision;
  readonly law: PermitLaw;
}

export interface Said {
  readonly data: JsonObject;
  /** What is judged as if it had been decided; its findings stand in the event. */
  readonly judge?: (after: PermitState) => readonly Finding[];
  /** What does not stand in the way although it is against it. */
  readonly isWaived?: (finding: Finding) => boolean;
  readonly amend?: (findings: readonly Finding[], after: PermitState) => JsonObject;
}

/**
 * Takes a decision at its legal place: where the table, the pack's bodies and its clauses let it be taken, and where
 * what was decided later, and recorded before, stands with it.
 */
export function take(draft: PermitDraft, context: PermitContext, taken: Taken, said: Said): void {
  const { decision, law } = taken;
  const { data, judge, isWaived = () => false, amend } = said;
  const before = draft.state;
  mustBeAllowed(before, taken, at(context));
  const type = transitionOf(decision).event;
  const shaped = judge ? { ...data, findings: [] } : data;
  const after = draft.peek({ type, data: shaped });
  const found = judge?.(after) ?? [];
  const persons = personFinding(before, law.def, decision, { by: context.envelope.by, ms: at(context) });
  refuseAgainst([...found.filter((one) => !isWaived(one)), ...persons], sentenceOf(decision));
  const event: DomainEvent = {
    type,
    data: {
      ...data,
      ...amend?.(found, after),
      ...(judge && { findings: [...found, ...persons].map(storedFinding) }),
    },
    law: law.pack.ref,
    basis: basisOf(context.holder),
  };
  const ended = overtaken(draft, taken, event);
  const causedBy = draft.push(event);
  for (const step of ended) {
    draft.push({
      type: 'ConsequenceReversed',
      data: { event: step.event, why: 'ended_before' },
      occurred: { at: isoInstant(step.key.ms) },
      causedBy,
      law: law.pack.ref,
    });
  }
  const facts = Object.keys((data['facts'] ?? data['sets'] ?? {}) as JsonObject);
  if (facts.length > 0 && !Array.isArray(data['facts'])) rejudgeFacts(draft, context, facts, at(context));
}

const sentenceOf = (decision: PermitDecision): string =>
  `The ${decision.replace('information-requests', 'request')}`;

/** The table, then whether the pack names anybody who may. */
export function mustBeAllowed({ file }: PermitState, { decision, law: { def } }: Taken, ms: number): void {
  const phase = phaseAt(file, ms);
  if (phase.is === 'nothing') throw new CodedError('not-found', 'There was no such application then.');
  const from = phasesFor(def, decision);
  const clause = permitClause(def, decision);
  if (!from.includes(phase.is)) {
    throw new CodedError(
      'conflict',
      `${sentenceOf(decision)} is not possible: the permit is ${listed([phase.is])} then, and has to be ${listed(from)} (${def.cite}).`,
      [],
      { phase: phase.is, since: phase.step.event, from, clause, cite: def.cite },
    );
  }
  const { by } = transitionOf(decision);
  if (by === 'applicant' || bodyRuleOf(def, decision)) return;
  throw new CodedError(
    'conflict',
    `${sentenceOf(decision)} is not possible: the law of this permit (${def.cite}) names nobody who may.`,
    [],
    { phase: phase.is, clause, cite: def.cite },
  );
}

/**
 * What ends a permit also ends what was decided after it and recorded before; the end of its validity then never came,
 * and is taken back. Any other decision has to leave standing what stands. Returns the ends to take back.
 */
function overtaken(draft: PermitDraft, { decision, law }: Taken, event: DomainEvent): readonly PermitStep[] {
  const lost = lostBy(draft.state.file, draft.peek(event).file);
  const [first] = lost;
  if (!first || decision === 'revocation' || decision === 'voidance') return lost.filter(isConsequence);
  const { def } = law;
  throw new CodedError(
    'conflict',
    `${sentenceOf(decision)} is not possible then: ${first.type} (${first.event}) came after it and could not have (${def.cite}). Annul that one first.`,
    [],
    { standing: first.event, clause: permitClause(def, decision), cite: def.cite },
  );
}

const isConsequence = ({ type, data }: PermitStep): boolean =>
  type === 'PermitExpired' || (type === 'PermitVoided' && 'valid' in data);

/** Steps that had made the permit something and no longer do. */
export function lostBy(before: PermitFile, after: PermitFile): readonly PermitStep[] {
  const stands = new Set(effective(after).map(({ event }) => event));
  return effective(before).filter(({ event }) => !stands.has(event));
}

/** Steps that the table lets count, each in its place. */
function effective({ steps }: PermitFile): readonly PermitStep[] {
  let phase: PhaseName = 'nothing';
  return steps.filter(({ type }) => {
    const next = phaseAfter(phase, type);
    if (next === undefined) return false;
    phase = next;
    return true;
  });
}
