import type { Decision, DomainEvent } from '@headworks/kernel';
import { Draft } from '../draft';
import { extendDuty, waiveDuty } from '../duties/leniency.decide';
import { mayMove, moveOpen } from '../duties/moved';
import { reconcileDuties } from '../duties/reconcile.decide';
import { anyDue, settleOpen } from '../duties/settle.decide';
import { confirmConsequence, reverseConsequence } from '../duties/stale.decide';
import { isOfManifest } from '../manifest/events';
import { release, reserve } from '../manifest/reserve.decide';
import type { SubjectCommand } from './commands';
import type { SubjectContext, SubjectDraft } from './context';
import { annulOn, correctFactsOn, doAct, recordFactsOn, register } from './facts.decide';
import { bringForward, judgeRest, postLoad, supersede } from './postings.decide';

import { evolveSubject, type SubjectState } from './subject';

/**
 * Settle first: consequences due by now are appended before the command's own events, dated at their instants. Then
 * the command, then what follows from it at once: limits judged again in legal order, duties opened, closed, reversed.
 */
export function decideSubject(
  command: SubjectCommand,
  state: SubjectState,
  context: SubjectContext,
): Decision {
  const draft: SubjectDraft = new Draft(state, evolveSubject, context.envelope);
  settleThing(draft, context);
  const before = draft.events.length;
  const ignored = decideOwn(command, draft, context);
  const own = draft.events.slice(before);
  if (own.length > 0) followOwn(draft, context, own);
  if (draft.events.length === 0) return { events: [], ignored: ignored ?? 'nothing to do' };
  return { events: draft.events };
}

/** What is due on the thing by now, before the command; a permit has the end of its validity besides. */
export function settleThing(draft: SubjectDraft, context: SubjectContext): void {
  moveOpen(draft, context);
  if (anyDue(draft.state, context.nowMs)) settleOpen(draft, context);
}

/** What follows at once, in the same append, from the events that a command decided. */
export function followOwn(draft: SubjectDraft, context: SubjectContext, own: readonly DomainEvent[]): void {
  // What is asked, held and given back is no fact and no load: no duty hangs on it.
  if (own.every(({ type }) => isOfManifest(type))) return;
  reconcileDuties(draft, context, own);
}

/** The state with what is due by the instant settled in memory: what a read shows, written or not. */
export function settledSubject(state: SubjectState, context: SubjectContext): SubjectState {
  if (!anyDue(state, context.nowMs) && !mayMove(state, context)) return state;
  const draft: SubjectDraft = new Draft(state, evolveSubject, context.envelope);
  settleThing(draft, context);
  // The events are not in the log: what names its head must go on naming the head that was read.
  return { ...draft.state, revision: state.revision };
}

/** The command itself; returns why nothing was to be done. */
export function decideOwn(
  command: SubjectCommand,
  draft: SubjectDraft,
  context: SubjectContext,
): string | undefined {
  switch (command.type) {
    case 'settle':
      return 'nothing is due';
    case 'register':
      register(command, draft, context);
      return undefined;
    case 'record-facts':
      recordFactsOn(command, draft, context);
      return undefined;
    case 'correct-facts':
      correctFactsOn(command, draft, context);
      return undefined;
    case 'annul':
      return annulOn(command, draft, context);
    case 'do-act':
      doAct(command, draft, context);
      return undefined;
    case 'post-load':
      return postLoad(command, draft, context);
    case 'supersede':
      supersede(command, draft);
      return undefined;
    case 'bring-forward':
      return bringForward(command, draft, context);
    case 'judge-rest':
      judgeRest(command, draft, context);
      return 'all is judged';
    case 'reserve':
      return reserve(command, draft, context);
    case 'release':
      return release(command, draft, context);
    case 'extend-duty':
      extendDuty(command, draft, context);
      return undefined;
    case 'waive-duty':
      waiveDuty(command, draft, context);
      return undefined;
    case 'reverse-consequence':
      reverseConsequence(command, draft, context);
      return undefined;
    case 'confirm-consequence':
      confirmConsequence(command, draft, context);
      return undefined;
  }
}
