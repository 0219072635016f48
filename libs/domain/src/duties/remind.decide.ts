import { ignore, isoInstant, type Decision } from '@headworks/kernel';
import type { Law } from '../pack-at';
import type { SubjectState } from '../subject/subject';
import { dutiesNamed } from './derive';
import { dueMs, dutyStatus, type Duty } from './duty';

export const CHANNELS = ['email', 'webhook'] as const;
export type Channel = (typeof CHANNELS)[number];

/** That an office is late is told to its supervisor; everything else comes ahead of the due date. */
export const OFFICE_LATE = 'office late';

/**
 * One reminder of one duty to one recipient. An address never stands here, and so never in the log: the recipient is a
 * role or a body of the pack, and `nth` counts those that the operator has named for it.
 */
export type Notice = {
  readonly duty: string;
  /** `7 days before`, as the pack has it, or that the office is late. */
  readonly reminder: string;
  /** The instant at which it was to be sent, and the one that it reminds of. */
  readonly remindAt: string;
  readonly dueAt: string;
  readonly to: string;
  readonly channel: Channel;
  readonly nth: number;
  /** The first try is 1; another follows only where the one before certainly did not arrive. */
  readonly attempt: number;
};

export type ReminderStarted = Notice & { readonly pack: string; readonly clause: string };

/**
 * `not_delivered`: it certainly did not arrive, and is tried again later. `failed`: neither. `unclear`: it may have
 * arrived, or whoever sent it was gone before it could tell; it is not sent again.
 */
export type ReminderOutcome = 'sent' | 'not_delivered' | 'failed' | 'unclear';
export type ReminderSent = Notice & { readonly outcome: ReminderOutcome };

/** Claims the reminder before it is sent. Nobody is reminded of what is done, let go, void, or due at another time. */
export function startReminder(state: SubjectState, law: Law, notice: Notice, nowMs: number): Decision {
  const [duty] = dutiesNamed(state, law, [notice.duty]);
  const against = duty ? whyNot(duty, notice, nowMs) : 'there is no such duty';
  if (!duty || against !== undefined) return ignore(against ?? '');
  const data: ReminderStarted = { ...notice, pack: duty.pack.ref.pack, clause: duty.clause.id };
  return { events: [{ type: 'ReminderStarted', data, law: duty.pack.ref }] };
}

function whyNot(duty: Duty, { reminder, remindAt, dueAt }: Notice, nowMs: number): string | undefined {
  const status = dutyStatus(duty, nowMs);
  const wanted = reminder === OFFICE_LATE ? ['missed'] : ['open', 'contestable'];
  if (!wanted.includes(status)) return `it is ${status}`;
  if (dueMs(duty) !== Date.parse(dueAt)) return 'it is due at another time now';
  // Whoever applies on the last day has no week to be reminded in.
  if (reminder !== OFFICE_LATE && Date.parse(remindAt) < duty.startMs) return 'it began after that';
  return undefined;
}

export const reminderTold = (notice: Notice, outcome: ReminderOutcome): Decision => {
  const data: ReminderSent = { ...notice, outcome };
  return { events: [{ type: 'ReminderSent', data }] };
};

/** The instant of a due date as an event writes it. */
export const remindsOf = (due: { readonly at: string }): string => isoInstant(Date.parse(due.at));
