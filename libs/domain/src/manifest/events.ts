import type { QuantityJson } from '@headworks/kernel';
import type { Facts, Papers, Sealable, Source, StoredFinding, ThingRef } from '../events';

/**
 * A manifest asks before a load is discharged. It is submitted in the load's own stream, holds capacity in the streams
 * of the things its limits are keyed on, and is accepted or refused in the permit's stream, in one append.
 */

/** In the load's stream. */
export type ManifestSubmitted = {
  readonly pack: string;
  /** Key under `manifests` of the pack. */
  readonly manifest: string;
  readonly permitId: string;
  readonly subject: ThingRef;
  readonly hauler: ThingRef;
  readonly vehicle?: ThingRef;
  readonly ticket: string;
  readonly plannedAt: string;
  readonly quantity: QuantityJson;
  readonly sources: readonly Source[];
  readonly facts: Facts;
  readonly signedBy?: Sealable;
  /** Where the pack asks for it. */
  readonly papers?: Papers;
  /** SHA-256 of what was sent, personal fields left out. */
  readonly content: string;
  readonly distinct?: { readonly reason: string };
  /** Past it, what was accepted or reserved is void by derivation. */
  readonly until: string;
  /** As the log stood when it was submitted. */
  readonly findings: readonly StoredFinding[];
};

/** In the permit's stream: it waits for what is missing and holds nothing. */
export type ManifestPending = {
  readonly manifest: string;
  readonly pack: string;
  readonly manifestType: string;
  readonly until: string;
  readonly plannedAt: string;
  readonly missing: readonly string[];
  /** As a reservation carries them: what changes in the permit's stream may end what waits there. */
  readonly facts: Facts;
  readonly findings: readonly StoredFinding[];
};

/** In the stream of each thing that the manifest's limits or restrictions stand in: the permit's comes last. */
export type CapacityReserved = {
  readonly manifest: string;
  readonly pack: string;
  readonly manifestType: string;
  readonly permitId: string;
  readonly hauler: ThingRef;
  readonly limits: readonly string[];
  readonly quantity: QuantityJson;
  readonly plannedAt: string;
  readonly until: string;
  /** What the clauses ask that does not stand in this stream: with it they are judged again, here alone. */
  readonly facts: Facts;
  readonly rows: { readonly [limit: string]: Facts };
};

/** In the permit's stream, in the append of its last reservation. */
export type ManifestAccepted = {
  readonly manifest: string;
  /** Addresses of the reservations that it stands on: it stands only while each of them does. */
  readonly reservations: readonly string[];
  readonly until: string;
  /** Facts that whoever accepted it filled in: the load that follows is judged by them too. */
  readonly facts?: Facts;
  readonly reason?: string;
  readonly findings: readonly StoredFinding[];
};

/**
 * In the permit's stream. Where the permit that is named is none of the hauler's own, or is not one of the type, or
 * does not exist, in the load's stream: nobody writes into another's file by naming it, and none is opened by it.
 */
export type ManifestRefused = {
  readonly manifest: string;
  readonly findings: readonly StoredFinding[];
  readonly reason?: string;
};

/**
 * Ends a reservation in its stream, or in the permit's stream an acceptance (with the reservation there) or what
 * waits, before the load was discharged.
 */
export type AcceptanceWithdrawn = {
  readonly manifest: string;
  readonly why:
    | 'restricted'
    | 'judged_again'
    | 'reservation_ended'
    | 'not_accepted'
    | 'basis_changed'
    | 'discharged_elsewhere'
    | 'by_hauler';
  /** Address of the reservation, of the acceptance, or of what waits. */
  readonly ended: string;
  readonly reason?: string;
  readonly findings: readonly StoredFinding[];
};

const OF_MANIFESTS: ReadonlySet<string> = new Set([
  'CapacityReserved',
  'ManifestPending',
  'ManifestAccepted',
  'ManifestRefused',
  'AcceptanceWithdrawn',
]);

/** Whether an event is of nothing but manifests: it changes no fact and no ledger. */
export const isOfManifest = (type: string): boolean => OF_MANIFESTS.has(type);
