import { decideThing, type SubjectState } from '@headworks/domain';
import { isoInstant, nameId, type RecordedEvent } from '@headworks/kernel';
import { mustBeAdopted, type Services } from '../context';
import { thingModel } from '../models';

/** Appends what fell due on the stream by now, dated at its legal instants. Asked twice at once, it happens once. */
export async function settleSubject(services: Services, stream: string): Promise<readonly RecordedEvent[]> {
  const model = thingModel(stream);
  const thing = await services.runner.read(model, stream);
  const { jurisdiction } = thing;
  if (jurisdiction === undefined) return [];
  mustBeAdopted(services, jurisdiction);
  const nowMs = services.clock.now();
  const now = isoInstant(nowMs);
  const commandId = nameId('settle', stream, now);
  const { events } = await services.runner.run<SubjectState>(model, stream, {
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
    decide: (state, envelope) =>
      decideThing({ type: 'settle' }, state, { law: services.rules, nowMs, envelope }),
  });
  return events;
}
