import {
  reminderTold,
  startReminder,
  type Notice,
  type ReminderOutcome,
  type ReminderSent,
  type SubjectState,
} from '@headworks/domain';
import { isoInstant, nameId, type Decision } from '@headworks/kernel';
import { mustBeAdopted, type Services } from '../context';
import { thingModel } from '../models';
import type { Outcome } from '../stream-runner';

/** What became of the claim to a reminder. */
export type Claim =
  /** This try at it is ours alone to make. */
  | { readonly is: 'mine'; readonly attempt: number }
  /** There is nothing to remind of, or not under this date. */
  | { readonly is: 'over' }
  /** It did not arrive, and its next try has its time. */
  | { readonly is: 'waits'; readonly untilMs: number }
  /** What became of it is on record for good. */
  | { readonly is: 'told' }
  /** Somebody has begun it, and has not told yet what became of it. */
  | { readonly is: 'begun'; readonly attempt: number; readonly startedMs: number };

type Asked = Omit<Notice, 'attempt'>;

const MINUTE = 60_000;
/** After a try that did not arrive: a mail server may be away for a night, and nobody is to be asked all the time. */
const PAUSES_MS: readonly number[] = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE);
export const REMINDER_TRIES = PAUSES_MS.length + 1;

/** One name for one reminder, whoever sends it and how often: the id of its message, so that a receiver knows it again. */
export const reminderId = ({ duty, reminder, dueAt, to, channel, nth }: Asked): string =>
  nameId('reminder', duty, reminder, dueAt, to, channel, nth);

const startedId = (notice: Notice): string => nameId('reminder-started', reminderId(notice), notice.attempt);
const toldId = (notice: Notice): string => nameId('reminder-told', reminderId(notice), notice.attempt);

/** Claims a reminder in the stream of its duty, under the expected head: of two that try, one has it. */
export async function claimReminder(services: Services, stream: string, asked: Asked): Promise<Claim> {
  const nowMs = services.clock.now();
  for (let attempt = 1; attempt <= REMINDER_TRIES; attempt++) {
    const notice = { ...asked, attempt };
    const outcome = await append(services, stream, startedId(notice), (state) =>
      startReminder(state, services.rules, notice, nowMs),
    );
    if (!outcome?.replayed)
      return outcome && outcome.events.length > 0 ? { is: 'mine', attempt } : { is: 'over' };
    const [started] = outcome.events;
    const told = await services.runner.replay(thingModel(stream), stream, toldId(notice));
    const [event] = told?.events ?? [];
    if (!event)
      return {
        is: 'begun',
        attempt,
        startedMs: Date.parse(started?.metadata.recordedAt ?? isoInstant(nowMs)),
      };
    if ((event.data as ReminderSent).outcome !== 'not_delivered') return { is: 'told' };
    const untilMs = Date.parse(event.metadata.recordedAt) + (PAUSES_MS[attempt - 1] ?? 0);
    if (nowMs < untilMs) return { is: 'waits', untilMs };
  }
  return { is: 'told' };
}

/** Records what became of a try, once. */
export async function tellReminder(
  services: Services,
  stream: string,
  notice: Notice,
  outcome: ReminderOutcome,
): Promise<void> {
  await append(services, stream, toldId(notice), () => reminderTold(notice, outcome));
}

async function append(
  services: Services,
  stream: string,
  commandId: string,
  decide: (state: SubjectState) => Decision,
): Promise<Outcome<SubjectState> | undefined> {
  const model = thingModel(stream);
  const { jurisdiction } = await services.runner.read(model, stream);
  if (jurisdiction === undefined) return undefined;
  mustBeAdopted(services, jurisdiction);
  const now = isoInstant(services.clock.now());
  return services.runner.run<SubjectState>(model, stream, {
    commandId,
    envelope: {
      occurred: { at: now },
      actor: { id: 'headworks', roles: ['automation'] },
      jurisdiction,
      correlationId: commandId,
      commandId,
    },
    receivedAt: now,
    deadline: services.monotonic() + 60_000,
    decide,
  });
}
