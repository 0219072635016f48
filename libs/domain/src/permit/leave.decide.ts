import { CodedError, isoInstant } from '@headworks/kernel';
import { endsOf } from '../subject/subject-facts';
import { at, type CommandOf } from '../subject/context';
import { annulOn, rejudgeFacts, rowsOf } from '../subject/facts.decide';
import { openManifests } from '../manifest/standing';
import { mustBeGrounds } from './application.decide';
import type { FileCommandOf, PermitContext, PermitDraft } from './commands';
import type { EndedManifest, PermitSuspended } from './events';
import { isWaived } from './issue.decide';
import { lastStep, lasts, phaseAt, validBetween, type PermitState, type PermitStep } from './permit';
import { permitClause } from './permit-facts';
import { applicationLaw, judged, lawAt, type PermitLaw } from './permit-findings';
import { isConsequence, lostBy } from './standing-steps';
import { take } from './take';

/** Conditions may fix facts anew; the clauses that use those have to be met with them. */
export function condition(
  { conditions, sets, reason }: FileCommandOf<'condition'>,
  draft: PermitDraft,
  context: PermitContext,
): void {
  const law = lawAt(context.law, draft.state, at(context));
  const { pack, def } = law;
  const names = Object.keys(sets);
  const touched = def.decidedUnder.filter((clause) => {
    const used = pack.factsUsedBy([clause]);
    return names.some((fact) => used.has(fact));
  });
  take(
    draft,
    context,
    { decision: 'conditions', law },
    {
      data: { conditions, sets, ...endsOf(pack, sets, at(context)), reason },
      judge: (after) => judged(after, law, context, touched),
      isWaived: (finding) => isWaived(draft.state, finding),
    },
  );
}

export function suspend(command: FileCommandOf<'suspend'>, draft: PermitDraft, context: PermitContext): void {
  stop('suspension', command, draft, context);
}

export function revoke(command: FileCommandOf<'revoke'>, draft: PermitDraft, context: PermitContext): void {
  stop('revocation', command, draft, context);
}

/** Both rest on clauses that the pack allows for it, and end what is not yet discharged, in the same append. */
function stop(
  decision: 'suspension' | 'revocation',
  { reason, grounds }: FileCommandOf<'suspend' | 'revoke'>,
  draft: PermitDraft,
  context: PermitContext,
): void {
  const law = lawAt(context.law, draft.state, at(context));
  mustBeGrounds(grounds, groundsOf(law), law);
  // Notice and hearing come first, where the law asks for them.
  const under = decision === 'suspension' ? law.def.suspendedUnder : law.def.revokedUnder;
  take(
    draft,
    context,
    { decision, law },
    {
      data: { grounds, reason, ends: ended(draft, context) },
      judge: (after) => judged(after, law, context, [...under, ...grounds]),
      // Whether the grounds carry it is for the body to say; what the clauses find is kept beside it.
      isWaived: ({ clause }) => !under.includes(clause),
    },
  );
}

export const groundsOf = ({ pack, def }: PermitLaw): readonly string[] =>
  def.grounds.length > 0 ? def.grounds : [...pack.clauses.keys()];

/** What waits or holds now: recorded late, it ends what was accepted since too. What was discharged is done. */
const ended = ({ state }: PermitDraft, { nowMs }: PermitContext): readonly EndedManifest[] =>
  openManifests(state, nowMs);

/** Lifting a suspension is the body's call; how its grounds stand then is on record. */
export function reinstate(
  { reason }: FileCommandOf<'reinstate'>,
  draft: PermitDraft,
  context: PermitContext,
): void {
  const law = lawAt(context.law, draft.state, at(context));
  const grounds = suspendedOn(draft.state, at(context));
  take(
    draft,
    context,
    { decision: 'reinstatement', law },
    { data: { reason }, judge: (after) => judged(after, law, context, grounds), isWaived: () => true },
  );
}

/** Grounds of the last suspension: a reinstatement shows how they stand. */
function suspendedOn({ file }: PermitState, ms: number): readonly string[] {
  const data = lastStep(file, 'PermitSuspended', ms)?.data as PermitSuspended | undefined;
  return data?.grounds ?? [];
}

/** For what should never have been issued. It rests on no ground of the pack, and its number stays drawn. */
export function voidPermit(
  { reason }: FileCommandOf<'void'>,
  draft: PermitDraft,
  context: PermitContext,
): void {
  const law = lawAt(context.law, draft.state, at(context));
  take(draft, context, { decision: 'voidance', law }, { data: { reason, ends: ended(draft, context) } });
}

/** When a permit that stands issued outlived its validity; undefined where it has not. */
export function endedMs({ file }: PermitState, nowMs: number): number | undefined {
  const phase = phaseAt(file);
  if (!lasts(phase)) return undefined;
  const { untilMs } = validBetween(phase.issued);
  return untilMs <= nowMs ? untilMs : undefined;
}

/** The end of its validity is written down as of the instant at which it came, whoever looks and whenever. */
export function endValidity(draft: PermitDraft, context: PermitContext): void {
  const { state } = draft;
  const phase = phaseAt(state.file);
  const untilMs = endedMs(state, context.nowMs);
  if (untilMs === undefined || !lasts(phase)) return;
  const { issued } = phase;
  // As of that instant: what had lapsed by then was over already, what was planned past it was never covered.
  const ends = openManifests(state, untilMs);
  const { pack } = applicationLaw(context.law, state);
  const isVoid = issued.then === 'void';
  draft.push({
    type: isVoid ? 'PermitVoided' : 'PermitExpired',
    data: { ...(isVoid && { reason: 'validity_ended' }), valid: issued.valid, ends },
    occurred: { at: isoInstant(untilMs) },
    law: pack.ref,
    causedBy: (lastStep(state.file, 'PermitIssued') ?? phase.step).event,
  });
}

const NEVER_ANNULLED: Readonly<Record<string, string>> = {
  ApplicationFiled: 'an application is withdrawn',
  PermitIssued: 'a permit that should not have been issued is voided: its number is drawn',
};

/** A decision that was recorded in error never was, unless what came after it could then not have been. */
export function annul(
  command: CommandOf<'annul'>,
  draft: PermitDraft,
  context: PermitContext,
): string | undefined {
  const { annuls, reason } = command;
  const step = draft.state.file.steps.find(({ event }) => event === annuls);
  if (!step) return annulOn(command, draft, context);
  mustBeAnnullable(step);
  const law = applicationLaw(context.law, draft.state);
  const event = {
    type: 'RecordedInError',
    data: { annuls, reason },
    occurred: { at: isoInstant(step.key.ms) },
    causedBy: annuls,
    law: law.pack.ref,
  };
  const lost = lostBy(draft.state.file, draft.peek(event).file).filter((one) => one.event !== annuls);
  const [first] = lost;
  if (first) {
    throw new CodedError(
      'conflict',
      `${annuls} can not be annulled: ${first.type} (${first.event}) rests on it (${law.def.cite}). Annul that one first.`,
      [],
      { standing: first.event, clause: permitClause(law.def), cite: law.def.cite },
    );
  }
  // Taken before the event is evolved: after it, nobody knows any more what it said.
  const facts = rowsOf(draft, annuls).map(({ fact }) => fact);
  draft.push(event);
  rejudgeFacts(draft, context, facts, step.key.ms);
  return undefined;
}

function mustBeAnnullable(step: PermitStep): void {
  const { type, event } = step;
  const instead = isConsequence(step) ? ofTheLaw(step) : NEVER_ANNULLED[type];
  if (instead === undefined) return;
  throw new CodedError('conflict', `${type} can not be annulled: ${instead}.`, [], { standing: event });
}

const ofTheLaw = ({ data }: PermitStep): string =>
  typeof data['duty'] === 'string'
    ? 'it follows from a duty that was missed; record what met that duty in time'
    : 'it follows from the days of the permit';
