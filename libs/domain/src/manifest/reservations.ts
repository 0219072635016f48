import { address, PersistentMap, type JsonObject, type RecordedEvent } from '@headworks/kernel';
import type { LoadPosted } from '../events';
import type { EndedManifest } from '../permit/events';
import type { AcceptanceWithdrawn, CapacityReserved } from './events';

/** What a manifest holds of a thing until its load comes, it is ended, or its time is over. */
export interface Reservation {
  readonly data: CapacityReserved;
  /** Address of the CapacityReserved event. */
  readonly event: string;
  readonly revision: number;
  /** The command that reserved: whether it came to its decision is seen in the permit's stream. */
  readonly command: string;
  readonly plannedMs: number;
  readonly untilMs: number;
  /** Ended by name in an append that was full: the next one says so, with the findings. */
  readonly ended?: true;
}

/** By manifest. What was ended or discharged has left it; what is past its time is void and may still stand in it. */
export type Reservations = PersistentMap<string, Reservation>;

export const noReservations: Reservations = PersistentMap.empty();

/** Manifests that an event ended by name, where it could not say so of each in an event of its own. */
export const endedByName = (data: JsonObject): readonly string[] =>
  (data['unjudged'] as { readonly manifests?: readonly string[] } | undefined)?.manifests ?? [];

export function evolveReservations(held: Reservations, event: RecordedEvent): Reservations {
  const left = endedByName(event.data).reduce((rest, manifest) => {
    const one = rest.get(manifest);
    return one ? rest.set(manifest, { ...one, ended: true }) : rest;
  }, held);
  switch (event.type) {
    case 'CapacityReserved': {
      const data = event.data as CapacityReserved;
      return left.set(data.manifest, {
        data,
        event: address(event),
        revision: event.revision,
        command: event.metadata.commandId,
        plannedMs: Date.parse(data.plannedAt),
        untilMs: Date.parse(data.until),
      });
    }
    case 'AcceptanceWithdrawn':
      return left.delete((event.data as AcceptanceWithdrawn).manifest);
    case 'LoadPosted':
      // The load takes the reservation's place, whatever becomes of it by corrections.
      return left.delete((event.data as LoadPosted).load);
    case 'PermitSuspended':
    case 'PermitRevoked':
    case 'PermitExpired':
    case 'PermitVoided':
    case 'ConsequenceReversed':
      return endedBy(event).reduce((rest, { manifest }) => rest.delete(manifest), left);
    default:
      return left;
  }
}

/** Manifests that a decision on the permit ended. */
export const endedBy = ({ data }: Pick<RecordedEvent, 'data'>): readonly EndedManifest[] =>
  // An act has `ends` too: the clauses whose duty it ends, by name.
  ((data['ends'] as readonly (EndedManifest | string)[] | undefined) ?? []).filter(
    (one) => typeof one !== 'string',
  );

/** Whether the reservation still holds at the instant; past its `until` it is void, and nothing need say so. */
export const isHeld = ({ untilMs, ended }: Reservation, ms: number): boolean => !ended && ms < untilMs;

/** Reservations that hold at the instant, in the order in which they were made. */
export function heldAt(held: Reservations, ms: number): readonly Reservation[] {
  const found = [...held.values()].filter((one) => isHeld(one, ms));
  return found.toSorted((a, b) => a.revision - b.revision);
}
