import { decideThing, type SubjectState } from '@headworks/domain';
import { isoInstant, nameId, type RecordedEvent } from '@headworks/kernel';
import { mustBeAdopted, type Services } from '../context';
import { thingModel } from '../models';

/**
 * Appends what fell due on the stream, dated at its legal instants. `untilMs`: as of that instant and no later, which is
 * how catching up takes one due instant after another, as a sandbox's clock does. Asked twice at once, it happens once.
 */
export async function settleSubject(
  services: Services,
  stream: string,
  untilMs = services.clock.now(),
): Promise<readonly RecordedEvent[]> {
  const model = thingModel(stream);
  // What this process holds will do: where it is behind, the append is refused and decided again, and "nothing is due" is
  // only ever said of the stream's tail.
  const thing = await services.runner.read(model, stream, 0);
  const { jurisdiction } = thing;
  if (jurisdiction === undefined) return [];
  mustBeAdopted(services, jurisdiction);
  const until = isoInstant(untilMs);
  // Whoever settles the same state as of the same instant writes the same events; on another state it is another command.
  const commandId = nameId('settle', stream, until, String(thing.revision));
  const { events } = await services.runner.run<SubjectState>(model, stream, {
    commandId,
    envelope: {
      occurred: { at: until },
      actor: { id: 'headworks', roles: ['automation'] },
      jurisdiction,
      correlationId: commandId,
      commandId,
    },
    receivedAt: isoInstant(services.clock.now()),
    deadline: services.monotonic() + 60_000,
    decide: (state, envelope) =>
      decideThing({ type: 'settle' }, state, { law: services.rules, nowMs: untilMs, envelope }),
  });
  return events;
}
