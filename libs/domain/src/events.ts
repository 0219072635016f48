import type { Due, Finding, JsonObject, JsonValue, QuantityJson } from '@headworks/kernel';

/** A thing the law looks at, by what the trade calls it. */
export type ThingRef = { readonly kind: string; readonly key: string };
export type Facts = { readonly [fact: string]: JsonValue };

/** Sealed by the use-case before the event is hashed: see `sealedPointers`. */
export type Sealable = JsonValue;

export type LogOpened = { readonly log: string; readonly clock: string; readonly opened: string };
export type ClockMoved = { readonly to: string };
export type PersonErased = { readonly person: string; readonly reason: string };

export type LawAdopted = {
  readonly kind: 'pack' | 'calendar' | 'schedule';
  readonly id: string;
  readonly version: string;
  readonly status: string;
  readonly sha256: string;
  readonly text: string;
  readonly inForce: { readonly from: string; readonly until?: string };
};

export type SubjectRegistered = {
  readonly kind: string;
  readonly key: string;
  readonly name?: string;
  readonly geometry?: JsonObject;
  readonly facts: Facts;
  /** Instants at which single facts stop being true (a reading that holds for its day). */
  readonly until?: { readonly [fact: string]: string };
};
export type FactsRecorded = {
  readonly facts: Facts;
  readonly until?: { readonly [fact: string]: string };
  readonly evidence?: string;
  readonly reason?: string;
};
export type FactsCorrected = {
  readonly corrects: string;
  readonly facts: Facts;
  readonly reason: string;
  readonly evidence?: string;
};
export type RecordedInError = { readonly annuls: string; readonly reason: string };

/** Every act of a pack, stored as `<pack>.<Name>`: it says itself what it recorded, started and ended. */
export type ActDone = {
  readonly act: string;
  readonly pack: string;
  readonly facts: Facts;
  readonly until?: { readonly [fact: string]: string };
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  readonly undoes?: string;
  /** What it is about: it is done, undone and done once for each such thing. */
  readonly scope?: Facts;
  readonly findings: readonly StoredFinding[];
  /** What an assessment found in the recorded facts, where the act is judged. */
  readonly judged?: { readonly assessment: string; readonly findings: readonly StoredFinding[] };
  readonly note?: string;
};
export type ActRefused = {
  readonly act: string;
  readonly pack: string;
  readonly facts: Facts;
  readonly findings: readonly StoredFinding[];
  readonly note?: string;
};

export type LoadPosted = {
  readonly pack: string;
  readonly load: string;
  readonly loadRevision: number;
  readonly loadType: string;
  readonly limits: readonly string[];
  /** Those of the limits that it may not count in after all: what decides it is not known yet. */
  readonly perhaps?: readonly string[];
  readonly quantity: QuantityJson;
  readonly hauler: ThingRef;
  /** What the clauses of these limits need of the load: the decider reads its own stream alone. */
  readonly facts: Facts;
  /** The row that each limit's series gains. */
  readonly rows: { readonly [limit: string]: Facts };
  /** What it is to the load, where that is not what it was discharged on: what its facts say there is judged again. */
  readonly as?: PostedAs;
};
/** A load is looked up where the facts that it is judged by stand; it counts on its thing and its permit alone. */
export type PostedAs = 'permit' | 'hauler' | 'vehicle' | 'place';
export type PostingReversed = {
  readonly posting: string;
  readonly load: string;
  readonly loadRevision: number;
  readonly as?: PostedAs;
};
export type LimitExceeded = {
  readonly pack: string;
  readonly limit: string;
  readonly clause: string;
  readonly load: string;
  readonly posting: string;
  readonly finding: StoredFinding;
};
export type LimitExceededWithdrawn = {
  readonly limit: string;
  readonly clause: string;
  readonly load: string;
  readonly exceeded: string;
  /** Absent where the posting itself is gone. */
  readonly finding?: StoredFinding;
};
export type SubjectSuperseded = {
  readonly successors: readonly { readonly kind: string; readonly key: string; readonly share?: string }[];
  readonly on: string;
  readonly reason: string;
};
/** All postings of the predecessor that still stand in a window; a later one from the same predecessor replaces it. */
export type BroughtForward = {
  readonly from: string;
  readonly fromRevision: number;
  readonly postings: readonly (LoadPosted & { readonly posting: string; readonly occurredAt: string })[];
};

export type DutyMissed = {
  readonly duty: string;
  readonly pack: string;
  readonly clause: string;
  readonly startedBy: string;
  /** Where a load began it: the first that it binds. */
  readonly load?: string;
  readonly startedAt: string;
  readonly due: StoredDue;
  readonly outcome: string;
  /** Who owed it, in the pack's word; where it binds a person, the one who answers for it. */
  readonly who: string;
  readonly responsible?: ThingRef;
  /** The thing it was owed on, where that is no permit. */
  readonly subject?: ThingRef;
  readonly binds: 'person' | 'office';
  readonly finding: StoredFinding;
};
/** A body gave more time for one duty: so many times what the clause lets it give at once. */
export type DutyExtended = {
  readonly duty: string;
  readonly pack: string;
  readonly clause: string;
  readonly times: number;
  readonly reason: string;
  readonly evidence?: string;
};
/** A body let one duty go. */
export type DutyWaived = {
  readonly duty: string;
  readonly pack: string;
  readonly clause: string;
  readonly reason: string;
  readonly evidence?: string;
};
export type ConsequenceReversed = {
  readonly event: string;
  /** Absent where it was no duty that had been missed: the end of a permit that a decision recorded late overtook. */
  readonly duty?: string;
  readonly why: string;
  readonly finding?: StoredFinding;
  /** Events of what was done on the strength of it. */
  readonly reliance?: readonly string[];
  /** Manifests that ended with the leave that it had given. */
  readonly ends?: readonly { readonly manifest: string; readonly was: 'pending' | 'accepted' }[];
};

export type Source = {
  readonly wasteType: string;
  readonly quantity: QuantityJson;
  readonly servicedAt?: string;
  /** A registered thing that stands for the place (a parcel, an address on file), where the pack asks for one. */
  readonly place?: ThingRef;
  /** Personal: where it was picked up and whose it is. Sealed in the log. */
  readonly location?: Sealable;
  readonly generator?: Sealable;
};
/** What was said with a load or manifest in fields that the log seals: whether it was, never what. */
export type Papers = {
  readonly signed: boolean;
  readonly generatorsNamed: boolean;
  readonly locationsNamed: boolean;
};
export type LoadDischarged = {
  readonly pack: string;
  readonly load: string;
  readonly subject: ThingRef;
  readonly hauler: ThingRef;
  readonly vehicle?: ThingRef;
  readonly ticket: string;
  readonly finishedAt?: string;
  readonly quantity: QuantityJson;
  readonly sources: readonly Source[];
  readonly facts: Facts;
  readonly permitId?: string;
  /** As it was said: where it is a manifest's, the load stands in that manifest's own stream. */
  readonly manifestId?: string;
  readonly signedBy?: Sealable;
  /** Where the pack asks for it. */
  readonly papers?: Papers;
  /** SHA-256 of what the hauler sent, personal fields left out: tells a repeated ticket from a changed one. */
  readonly content: string;
  readonly distinct?: { readonly reason: string };
  readonly late?: { readonly reason: string };
  readonly findings: readonly StoredFinding[];
};
export type LoadCorrected = {
  readonly reason: string;
  readonly void?: true;
  readonly set: {
    readonly quantity?: QuantityJson;
    readonly facts?: Facts;
    readonly subject?: ThingRef;
    readonly permitId?: string;
    readonly occurredAt?: string;
    readonly finishedAt?: string;
  };
};
export type LoadJudged = { readonly findings: readonly StoredFinding[]; readonly cause: string };

export type ViolationDetected = {
  readonly pack: string;
  readonly packVersion: string;
  readonly clause: string;
  readonly cite: string;
  readonly rows: readonly string[];
  readonly binds: 'person' | 'office';
  readonly responsible: ThingRef;
  readonly permitId?: string;
  readonly subject: ThingRef;
  readonly loadId?: string;
  readonly duty?: string;
  readonly occasion: string;
  /** A violation that lasts until its cure; else it counts one day. */
  readonly lasting: boolean;
  readonly zone: string;
  readonly finding: StoredFinding;
};
export type ViolationAbated = { readonly cause: string };
export type ViolationRelapsed = { readonly cause: string };
export type ViolationWithdrawn = { readonly why: string; readonly finding?: StoredFinding };

/** A finding as an event stores it: codes and operands, no text. */
export type StoredFinding = JsonObject;
export type StoredDue = JsonObject;

/** Findings and dues are JSON already; the interfaces only lack the index signature that JsonObject asks for. */
export const storedFinding = ({ text: _text, ...finding }: Finding): StoredFinding =>
  finding as unknown as JsonObject;
export const storedDue = (due: Due): StoredDue => due as unknown as JsonObject;
export const findingOf = (stored: StoredFinding): Finding => stored as unknown as Finding;
