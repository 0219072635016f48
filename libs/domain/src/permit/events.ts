import type { Facts, StoredFinding, ThingRef } from '../events';

/**
 * Events of a permit's file. Everything that was decided stands in them: reading a file evaluates no pack. What an
 * event says of facts is kept like the facts of any thing, from the instant it occurred.
 */

/** First and last local day on which a permit gives leave, both in. */
/** Both days in; a permit without a last day has none. */
export type Validity = { readonly from: string; readonly until: string | null };

/** A permission of an official to leave a clause unmet, used with a reason. */
export type Waiver = { readonly clause: string; readonly power: string; readonly reason: string };

export type ApplicationFiled = {
  readonly pack: string;
  readonly permitType: string;
  readonly applicant: ThingRef;
  readonly facts: Facts;
  /** Ends of facts that hold for their local day alone. */
  readonly until?: { readonly [fact: string]: string };
  /** Id of the permit that it would follow: a refusal then is a refusal to renew. */
  readonly renews?: string;
  readonly findings: readonly StoredFinding[];
};
export type InformationRequested = {
  /** Names of the facts that are wanted. */
  readonly facts: readonly string[];
  readonly reason: string;
};
export type InformationReceived = {
  readonly facts: Facts;
  readonly until?: { readonly [fact: string]: string };
  readonly note?: string;
};
export type ApplicationCompleted = { readonly findings: readonly StoredFinding[]; readonly reason?: string };
export type ApplicationApproved = {
  readonly reason: string;
  /** Facts that the approval fixes (the plan): a limit may be measured by them. */
  readonly sets: Facts;
  readonly waived: readonly Waiver[];
  readonly findings: readonly StoredFinding[];
};
export type ApplicationDenied = {
  readonly reason: string;
  /** Clauses that the refusal rests on. */
  readonly grounds: readonly string[];
  readonly notRenewed?: true;
  /** The duty to decide that was missed, where silence is a denial: nobody decided it. */
  readonly duty?: string;
  readonly clause?: string;
  readonly findings: readonly StoredFinding[];
};
/** Nobody decided in time, and the law takes that for an approval. Dated at the first instant that was too late. */
export type ApplicationDeemedApproved = {
  /** The duty to decide that was missed, and its clause. */
  readonly duty: string;
  readonly clause: string;
  /** Facts that an approval would have fixed, as they were applied for. */
  readonly sets: Facts;
  /** Absent where the days of the permit could not be told: it is approved and gives no leave before it is issued. */
  readonly leave?: Omit<PermitIssued, 'findings'>;
  readonly findings: readonly StoredFinding[];
};
export type ApplicationWithdrawn = { readonly reason: string };

export type PermitIssued = {
  readonly pack: string;
  readonly permitType: string;
  readonly holder: ThingRef;
  readonly valid: Validity;
  readonly zone: string;
  /** What the end of its validity makes of it. */
  readonly then: 'expired' | 'void';
  readonly renews?: string;
  readonly findings: readonly StoredFinding[];
};
/** Drawn from the register of the permit type, where the numbers have no gaps; see docs/adr/0008. */
export type PermitNumbered = {
  readonly permit: string;
  /** The register, by pack, permit type and first year of validity: `lodi-onsite-waste/disposal/2027`. */
  readonly series: string;
  readonly number: number;
};
export type PermitConditioned = {
  readonly conditions: readonly string[];
  readonly sets: Facts;
  readonly reason: string;
  readonly findings: readonly StoredFinding[];
};
/** A manifest that a decision ended before its load was discharged. */
export type EndedManifest = { readonly manifest: string; readonly was: 'pending' | 'accepted' };
export type PermitSuspended = {
  readonly grounds: readonly string[];
  readonly reason: string;
  readonly ends: readonly EndedManifest[];
  readonly findings: readonly StoredFinding[];
};
export type PermitReinstated = { readonly reason: string; readonly findings: readonly StoredFinding[] };
export type PermitRevoked = PermitSuspended;
/** Dated at the instant its last day ended, whenever that was written down. */
export type PermitExpired = { readonly valid: Validity; readonly ends: readonly EndedManifest[] };
export type PermitVoided = {
  readonly reason: string;
  readonly ends: readonly EndedManifest[];
  /** Where the end of its validity makes it void: it then follows from the law, and nobody decided it. */
  readonly valid?: Validity;
  /** The duty whose missing makes it void: so does that. */
  readonly duty?: string;
  readonly clause?: string;
};
/** In the stream of the permit that was followed by another. */
export type PermitRenewed = { readonly by: string };
