import { CodedError, type DomainEvent, type Finding, type JsonObject } from '@headworks/kernel';
import { storedFinding } from '../events';
import { at } from '../subject/context';
import { rejudgeFacts } from '../subject/facts.decide';
import type { PermitContext, PermitDraft } from './commands';
import { phaseAt, type PermitState, type PermitStep } from './permit';
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
import { endsOf, reversalOf, withEnds } from './reversal';
import { isConsequence, isOfDuty, lostBy } from './standing-steps';
import { transitionOf, type PermitDecision } from './transitions';

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
  for (const step of ended) takeBack(draft, context, { before, step, decision, causedBy, law });
  const facts = Object.keys((data['facts'] ?? data['sets'] ?? {}) as JsonObject);
  if (facts.length > 0 && !Array.isArray(data['facts'])) rejudgeFacts(draft, context, facts, at(context));
}

interface Overtaken {
  /** As the permit stood before the decision: what was done on the strength of the step counted then. */
  readonly before: PermitState;
  readonly step: PermitStep;
  readonly decision: PermitDecision;
  readonly causedBy: string;
  readonly law: PermitLaw;
}

/** The consequence never was; manifests that its leave carried end with it, unless an approval carries them on. */
function takeBack(draft: PermitDraft, context: PermitContext, overtaken: Overtaken): void {
  const { before, step, decision, causedBy, law } = overtaken;
  const why = isOfDuty(step) ? 'decided_in_time' : 'ended_before';
  const event = { ...reversalOf(before, step, { causedBy, why, nowMs: context.nowMs }), law: law.pack.ref };
  const ends =
    decision === 'denial' || decision === 'withdrawal'
      ? endsOf(before, draft.peek(event), context.nowMs)
      : [];
  draft.push(withEnds(event, ends));
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
 * and is taken back. A decision in time shows that silence decided nothing: that is taken back too, with what rests on
 * it. Any other decision has to leave standing what stands. Returns the consequences to take back.
 */
function overtaken(draft: PermitDraft, { decision, law }: Taken, event: DomainEvent): readonly PermitStep[] {
  const lost = lostBy(draft.state.file, draft.peek(event).file);
  const silence = lost.findIndex(isSilence);
  const others = lost.filter((step, index) => !isConsequence(step) && (silence < 0 || index < silence));
  const [first] = others;
  if (!first || decision === 'revocation' || decision === 'voidance') return lost.filter(isConsequence);
  const { def } = law;
  throw new CodedError(
    'conflict',
    `${sentenceOf(decision)} is not possible then: ${first.type} (${first.event}) came after it and could not have (${def.cite}). Annul that one first.`,
    [],
    { standing: first.event, clause: permitClause(def, decision), cite: def.cite },
  );
}

/** The application was decided by nobody's deciding it in time. */
const isSilence = (step: PermitStep): boolean => step.type !== 'PermitVoided' && isOfDuty(step);
