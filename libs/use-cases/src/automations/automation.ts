import { nameId, type RecordedEvent } from '@headworks/kernel';
import type { Job, Folded } from '../stream-runner';
import type { Services } from '../context';
import { isoInstant } from '@headworks/kernel';

/** One piece of work that an event asks for: on one key, so that doubled asks fold into one. */
export interface Work {
  readonly key: string;
  /** `stream@revision` of the event that asked. */
  readonly cause: string;
  readonly jurisdiction: string;
  readonly correlationId: string;
}

/**
 * From one event to what follows. `plan` is pure; `run` looks at the streams as they are, compares, and appends only
 * a difference, so that running it again, twice at once, or after a crash changes nothing.
 */
export interface Automation {
  readonly name: string;
  readonly plan: (event: RecordedEvent) => readonly string[];
  readonly run: (services: Services, work: Work) => Promise<readonly RecordedEvent[]>;
}

/** The job of an automation: its command id is a function of the cause and the target. */
export function automaticJob<S extends Folded>(
  services: Services,
  name: string,
  work: Work,
  stream: string,
  decide: Job<S>['decide'],
): Job<S> {
  const now = isoInstant(services.clock.now());
  return {
    commandId: nameId(name, work.cause, stream),
    envelope: {
      occurred: { at: now },
      actor: { id: 'headworks', roles: ['automation'] },
      jurisdiction: work.jurisdiction,
      correlationId: work.correlationId,
      causationId: work.cause,
      commandId: nameId(name, work.cause, stream),
    },
    receivedAt: now,
    decide,
    deadline: services.monotonic() + 60_000,
  };
}
