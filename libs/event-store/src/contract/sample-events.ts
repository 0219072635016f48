import { eventId, nameId } from '@headworks/kernel';
import type { JsonObject, NewEvent } from '@headworks/kernel';
import type { AppendRequest, Expected } from '../port';

/** An instant so many milliseconds after the start of the year that the samples are recorded in. */
export const instant = (ms: number): string => new Date(Date.UTC(2027, 0, 1) + ms).toISOString();

export interface Sample {
  readonly id?: string;
  readonly type?: string;
  readonly data?: JsonObject;
  /** Milliseconds after `instant(0)`. */
  readonly recorded?: number;
}

/** An event that a store must take. Its id is a function of the name, so that a retry can be made. */
export function sample(
  name: string,
  { id, type = 'SampleTaken', data, recorded = 0 }: Sample = {},
): NewEvent {
  const commandId = nameId('sample', name);
  const recordedAt = instant(recorded);
  return {
    id: id ?? eventId(commandId, name, 0),
    type,
    data: data ?? { name },
    metadata: {
      occurred: { at: recordedAt },
      recordedAt,
      actor: { id: 'tester', roles: ['clerk'] },
      correlationId: commandId,
      commandId,
      schema: 1,
    },
  };
}

/** An append of events with those names. */
export function request(stream: string, expected: Expected, ...names: readonly string[]): AppendRequest {
  return { stream, expected, events: names.map((name) => sample(`${stream}/${name}`)) };
}
