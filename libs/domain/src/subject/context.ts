import { occurredMs } from '@headworks/calendars';
import type { Draft, Envelope } from '../draft';
import type { Law } from '../pack-at';
import type { SubjectCommand } from './commands';
import type { SubjectState } from './subject';

export interface SubjectContext {
  readonly law: Law;
  /** Fixed at receipt, for all attempts. */
  readonly nowMs: number;
  readonly envelope: Envelope;
}

export type CommandOf<T extends SubjectCommand['type']> = Extract<SubjectCommand, { type: T }>;
export type SubjectDraft = Draft<SubjectState>;

/**
 * An append holds 256 events and no more, so what follows from one command stops here and goes on in the next: a
 * decision that no store could take would never be recorded at all.
 */
export const MOST_EVENTS = 200;

/** When what the command says happened, in epoch ms. */
export const at = (context: SubjectContext): number => occurredMs(context.envelope.occurred);
