import { isoInstant, nameId, parseAddress, type Decision, type RecordedEvent } from '@headworks/kernel';
import type { Envelope } from '@headworks/domain';
import { mustBeAdopted, type Services } from '../context';
import type { Folded, Job, Model } from '../job';

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
 * a difference, so that running it again, twice at once, or after a crash changes nothing. What it did before, for the
 * same cause, it answers again.
 */
export interface Automation {
  readonly name: string;
  readonly plan: (event: RecordedEvent) => readonly string[];
  readonly run: (services: Services, work: Work) => Promise<readonly RecordedEvent[]>;
}

/**
 * The stream with the event that asked in it, as this process holds it: what came behind that event asks for itself, so
 * nobody needs to look whether there is more. Another stream is read as it is now.
 */
export function readFor<S extends Folded>(
  { runner }: Services,
  { cause }: Work,
  model: Model<S>,
  stream: string,
): Promise<S> {
  const asked = parseAddress(cause);
  return runner.read(model, stream, asked?.stream === stream ? asked.revision : undefined);
}

/** What an automation decides by: `nowMs` is one for all attempts, as in any command. */
export type Decide<S> = (state: S, envelope: Envelope, nowMs: number) => Decision | Promise<Decision>;

/**
 * The job of an automation: its command id is a function of the cause and the target. A process whose texts are not
 * those of the log does nothing here either: it stops, and another or a later one goes on.
 */
export function automaticJob<S extends Folded>(
  services: Services,
  name: string,
  work: Work,
  stream: string,
  decide: Decide<S>,
): Job<S> {
  mustBeAdopted(services, work.jurisdiction);
  const nowMs = services.clock.now();
  const now = isoInstant(nowMs);
  const commandId = nameId(name, work.cause, stream);
  return {
    commandId,
    envelope: {
      occurred: { at: now },
      actor: { id: 'headworks', roles: ['automation'] },
      jurisdiction: work.jurisdiction,
      correlationId: work.correlationId,
      causationId: work.cause,
      commandId,
    },
    receivedAt: now,
    decide: (state, envelope) => decide(state, envelope, nowMs),
    deadline: services.monotonic() + 60_000,
  };
}
