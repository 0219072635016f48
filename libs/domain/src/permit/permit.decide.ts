import type { Decision } from '@headworks/kernel';
import { Draft } from '../draft';
import { mayMove, moveOpen } from '../duties/moved';
import { anyDue, settleOpen } from '../duties/settle.decide';
import { decideManifest } from '../manifest/manifest.decide';
import type { SubjectCommand } from '../subject/commands';
import type { SubjectContext } from '../subject/context';
import type { SubjectState } from '../subject/subject';
import { decideOwn, decideSubject, followOwn } from '../subject/subject.decide';
import * as application from './application.decide';
import type { FileCommand, PermitCommand, PermitContext, PermitDraft } from './commands';
import * as issuing from './issue.decide';
import * as leave from './leave.decide';
import { evolvePermit, isPermit, type PermitState } from './permit';

/**
 * Settle first: what fell due, and the end of the validity, dated at their instants. Then the command, then what
 * follows from it at once. A late issue of a permit whose days are over ends in the append that issues it.
 */
export function decidePermit(command: PermitCommand, state: PermitState, context: PermitContext): Decision {
  const draft: PermitDraft = new Draft(state, evolvePermit, context.envelope);
  settle(draft, context);
  const before = draft.events.length;
  const ignored = decide(command, draft, context);
  const own = draft.events.slice(before);
  if (own.length > 0) followOwn(draft, context, own);
  leave.endValidity(draft, context);
  if (draft.events.length === 0) return { events: [], ignored: ignored ?? 'nothing to do' };
  return { events: draft.events };
}

/** In the order of the law: what fell due before the end of the validity, that end, and what fell due after it. */
function settle(draft: PermitDraft, context: PermitContext): void {
  moveOpen(draft, context);
  const endMs = leave.endedMs(draft.state, context.nowMs);
  if (endMs !== undefined) {
    settleOpen(draft, context, endMs);
    leave.endValidity(draft, context);
  }
  if (anyDue(draft.state, context.nowMs)) settleOpen(draft, context);
}

/** The permit with what is due by the instant settled in memory: what a read shows, written or not. */
export function settledPermit(state: PermitState, context: PermitContext): PermitState {
  const isDue = anyDue(state, context.nowMs) || leave.endedMs(state, context.nowMs) !== undefined;
  if (!isDue && !mayMove(state, context)) return state;
  const draft: PermitDraft = new Draft(state, evolvePermit, context.envelope);
  settle(draft, context);
  // The events are not in the log: what names its head must go on naming the head that was read.
  return { ...draft.state, revision: state.revision };
}

/** The command itself; returns why nothing was to be done. */
function decide(command: PermitCommand, draft: PermitDraft, context: PermitContext): string | undefined {
  switch (command.type) {
    case 'number':
      return issuing.number(command, draft, context);
    case 'renewed-by':
      return issuing.renewedBy(command, draft, context);
    case 'annul':
      return leave.annul(command, draft, context);
    case 'settle':
    case 'record-facts':
    case 'correct-facts':
    case 'do-act':
    case 'post-load':
    case 'judge-rest':
    case 'extend-duty':
    case 'waive-duty':
    case 'reverse-consequence':
    case 'confirm-consequence':
      return decideOwn(command, draft, context);
    case 'answer-manifest':
    case 'refuse-manifest':
    case 'end-manifest':
      return decideManifest(command, draft, context);
    case 'file-application':
    case 'request-information':
    case 'receive-information':
    case 'complete':
    case 'approve':
    case 'deny':
    case 'withdraw':
    case 'issue':
    case 'condition':
    case 'suspend':
    case 'reinstate':
    case 'revoke':
    case 'void':
      decideOnFile(command, draft, context);
      return undefined;
  }
}

type Decided = Exclude<FileCommand, { readonly type: 'number' | 'renewed-by' }>;

function decideOnFile(command: Decided, draft: PermitDraft, context: PermitContext): void {
  switch (command.type) {
    case 'file-application':
      return application.fileApplication(command, draft, context);
    case 'request-information':
      return application.requestInformation(command, draft, context);
    case 'receive-information':
      return application.receiveInformation(command, draft, context);
    case 'complete':
      return application.complete(command, draft, context);
    case 'approve':
      return application.approve(command, draft, context);
    case 'deny':
      return application.deny(command, draft, context);
    case 'withdraw':
      return application.withdraw(command, draft, context);
    case 'issue':
      return issuing.issue(command, draft, context);
    case 'condition':
      return leave.condition(command, draft, context);
    case 'suspend':
      return leave.suspend(command, draft, context);
    case 'reinstate':
      return leave.reinstate(command, draft, context);
    case 'revoke':
      return leave.revoke(command, draft, context);
    case 'void':
      return leave.voidPermit(command, draft, context);
  }
}

/** What is asked of any thing: a permit answers as one, and the end of its days comes first. */
export function decideThing(
  command: PermitCommand & SubjectCommand,
  state: SubjectState,
  context: SubjectContext,
): Decision {
  return isPermit(state) ? decidePermit(command, state, context) : decideSubject(command, state, context);
}
