import {
  reminderTold,
  startReminder,
  type Notice,
  type ReminderOutcome,
  type SubjectState,
} from '@headworks/domain';
import { isoInstant, nameId, type Decision } from '@headworks/kernel';
import { mustBeAdopted, type Services } from '../context';
import { thingModel } from '../models';
import type { Outcome } from '../stream-runner';

/** What became of the claim to a reminder. */
export type Claim =
  /** It is ours alone to send. */
  | { readonly is: 'mine' }
  /** There is nothing to remind of, or not under this date. */
  | { readonly is: 'over' }
  /** Somebody has it: since when, whether what became of it is on record, and whether there is still a reason for it. */
  | {
      readonly is: 'taken';
      readonly startedMs: number;
      readonly isTold: boolean;
      readonly isOver: boolean;
    };

/** One name for one reminder, whoever claims it: the id of its message too, so that a receiver knows it again. */
export const reminderId = ({ duty, reminder, dueAt, to, channel, nth }: Notice): string =>
  nameId('reminder', duty, reminder, dueAt, to, channel, nth);

/** Claims a reminder in the stream of its duty, under the expected head: of two that try, one has it. */
export async function claimReminder(services: Services, stream: string, notice: Notice): Promise<Claim> {
  const nowMs = services.clock.now();
  const outcome = await append(services, stream, reminderId(notice), (state) =>
    startReminder(state, services.rules, notice, nowMs),
  );
  if (!outcome?.replayed) return { is: outcome && outcome.events.length > 0 ? 'mine' : 'over' };
  const [started] = outcome.events;
  return {
    is: 'taken',
    startedMs: Date.parse(started?.metadata.recordedAt ?? isoInstant(nowMs)),
    isTold: outcome.state.commands.has(toldId(notice)),
    isOver: startReminder(outcome.state, services.rules, notice, nowMs).events.length === 0,
  };
}

/** Records what became of it, once. */
export async function tellReminder(
  services: Services,
  stream: string,
  notice: Notice,
  outcome: ReminderOutcome,
): Promise<void> {
  await append(services, stream, toldId(notice), () => reminderTold(notice, outcome));
}

const toldId = (notice: Notice): string => nameId('reminder-told', reminderId(notice));

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
