import type { QuantityJson } from '@headworks/kernel';
import type { Facts, Sealable, Source, StoredFinding, ThingRef } from '../events';

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
  readonly missing: readonly string[];
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
  readonly findings: readonly StoredFinding[];
};

/** In the permit's stream. */
export type ManifestRefused = {
  readonly manifest: string;
  readonly findings: readonly StoredFinding[];
  readonly reason?: string;
};

/** Ends a reservation in its stream, or in the permit's stream an acceptance, before the load was discharged. */
export type AcceptanceWithdrawn = {
  readonly manifest: string;
  readonly why: 'restricted' | 'reservation_ended' | 'not_accepted' | 'basis_changed' | 'judged_again';
  /** Address of the reservation or of the acceptance. */
  readonly ended: string;
  readonly findings: readonly StoredFinding[];
};
