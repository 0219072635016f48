import type { Counting, DutyKind, Period } from '@headworks/calendars';

/** What a pack declares, as the rest of the program reads it: names are those of the pack. */
export interface ClauseDef {
  readonly id: string;
  readonly cite: string;
  readonly says: string;
  readonly rows: readonly string[];
  readonly about: readonly string[];
  readonly verb: 'require' | 'forbid' | 'deadline' | 'fee' | 'power' | 'obligation';
  readonly binds: 'person' | 'office';
  /** A violation that lasts is counted a local date at a time until this fact says it was cured. */
  readonly continuesUntil?: string;
  readonly deadline?: DeadlineDef;
  readonly fee?: { readonly to?: string; readonly refundable: boolean };
  readonly interpretation?: {
    readonly id: string;
    readonly choice: string;
    readonly why: string;
    readonly by: string;
  };
}

export interface DeadlineDef {
  readonly who: string;
  readonly must: string;
  readonly kind: DutyKind;
  readonly starts: string;
  readonly done: string;
  /** Exactly one of `allow` and `due` is there. */
  readonly allow?: Period;
  /**
   * A day instead of a period: `Oct 1` in the year of a date fact, or (without `day`) that date itself. It still counts,
   * and rolls by `kind`.
   */
  readonly due?: {
    readonly day?: string;
    readonly inYearOf: string;
    /** Prior to the day: the day before is the last, and never rolls. */
    readonly prior?: boolean;
  };
  /** May be done by post: the holidays of `calendars.post` count beside the legal ones. */
  readonly byPost?: boolean;
  /** Facts that stop the clock of a period and let it run again, none while they have not happened. */
  readonly pausedBy?: { readonly from: string; readonly until: string; readonly then: 'restart' | 'resume' };
  /** A count of extensions, each so long, and the body that may grant them. */
  readonly extendedBy?: { readonly fact: string; readonly each: Period; readonly grantedBy: string };
  /** The body that may let a duty of the clause go. */
  readonly waivedBy?: string;
  /** How long before the due date whoever owes it is reminded, in the order of the pack. */
  readonly remind: readonly Period[];
  readonly counting: Counting;
  readonly outcome: string;
}

export interface AssessmentDef {
  readonly name: string;
  readonly question: string;
  /** The fact (date or instant) whose day picks the version in force. */
  readonly judgedOn: string;
  readonly clauses: readonly string[];
}

export interface SubjectDef {
  readonly kind: string;
  readonly label: string;
  /** What its key is called in the trade, for example tax key. */
  readonly key: string;
  readonly facts: readonly string[];
}

/** Where a fact that comes with an act or load is taken from, so nobody types it twice. A closed list. */
export type GiveSource =
  | 'quantity' // by kind: a volume gives a fact of kind volume, a mass one of kind mass; else nothing
  | 'occurredAt'
  | 'finishedAt'
  | 'occurred_on' // local date of occurredAt
  | 'hauler' // key of the hauler
  | 'vehicle'
  | 'person' // who acted
  | 'ticket' // a text
  | 'signed' // a bool: somebody signed for it
  | 'waste_types' // a set of choices: each source's waste type once
  | 'generators_named' // a bool: every source says whose it is, with name and address
  | 'locations_named' // a bool: every source says where it was picked up
  | 'manifest_accepted_at' // an instant or none: when the manifest of the load was accepted, while that stands
  | 'campaign_start' // instant of the first posting of the campaign that this one belongs to
  | 'campaign_number'; // 1 for the first campaign of the window

export interface LoadDef {
  readonly name: string;
  readonly label: string;
  readonly on: string;
  readonly permit?: string;
  readonly judgedBy: string;
  readonly countsIn: readonly string[];
  readonly gives: Readonly<Record<string, GiveSource>>;
  /** Facts that the load itself may bring (payload), in order. */
  readonly facts: readonly string[];
  /** Each source may name a thing of this kind (`place`), whose facts give a fact of the load. */
  readonly sources?: SourcesDef;
}

export interface SourcesDef {
  readonly kind: string;
  /**
   * Fact of the load -> a yes or no of the place (a fact, or a value derived from its facts): yes where it holds at
   * every source, unknown where one is not known.
   */
  readonly all: Readonly<Record<string, string>>;
}

/** Who the law lets decide: a body, and a step of the same file whose person may not be the one who decides. */
export interface BodyRule {
  readonly body: string;
  readonly notSameAs?: 'filing' | 'completion' | 'approval';
}

/** Where a fact of a permit's own life comes from, so that nobody types it. None (null) until it has happened. */
export type PermitGive =
  | 'filed_at' // instant
  | 'filed_on' // local date, as are the next
  | 'requested_on'
  | 'received_on'
  | 'completed_on'
  | 'decided_on' // approved or denied
  | 'issued_on'
  | 'valid_from' // first day
  | 'valid_until' // last day, in
  | 'suspended_on' // none again once reinstated
  | 'revoked_on'
  | 'renews' // a bool: the application would follow an earlier permit
  | 'holder' // key of who applied
  | 'status'; // a choice of the phases of a permit

/**
 * How long a permit gives leave. `calendarYear`: the year of its issue (`same`), or the one after its application was
 * filed (`following`): a decision that comes late must not give the year after that.
 */
export type PermitValidity =
  /** From a day to a day, both in: names of facts or derived values of the permit, asked when it is issued. */
  | { readonly from: string; readonly until: string; readonly then: 'expired' | 'void' }
  | { readonly calendarYear: 'same' | 'following'; readonly then: 'expired' | 'void' }
  /** From its issue until somebody ends it: `then` never comes. */
  | { readonly noEnd: true; readonly then: 'expired' }
  | {
      readonly amount: number;
      readonly unit: 'days' | 'months' | 'years';
      readonly from: 'issued_on';
      readonly then: 'expired' | 'void';
    };

export interface PermitDef {
  /** The permit type. */
  readonly name: string;
  readonly title: string;
  readonly cite: string;
  readonly rows: readonly string[];
  /** Kind of the subject that applies for it and holds it. */
  readonly holder: string;
  /** The assessment of an application; its `judgedOn` picks the version in force. Answered when it is filed. */
  readonly judgedBy: string;
  /** Facts that an application may bring, in order, and those of them without which it is not complete. */
  readonly form: readonly string[];
  readonly needs: readonly string[];
  /** Clauses that must be satisfied before it is called complete, approved, and issued. */
  readonly completeUnder: readonly string[];
  readonly decidedUnder: readonly string[];
  readonly issuedUnder: readonly string[];
  /** Clause -> the power by which the decider may leave it unmet, with a reason. */
  readonly waivedBy: Readonly<Record<string, string>>;
  readonly reviewedBy?: BodyRule;
  readonly decidedBy: BodyRule;
  readonly issuedBy: BodyRule;
  readonly suspendedBy?: BodyRule;
  readonly revokedBy?: BodyRule;
  /** Clauses that must be satisfied before it is suspended, and revoked: notice, a hearing. */
  readonly suspendedUnder: readonly string[];
  readonly revokedUnder: readonly string[];
  /** Clauses a suspension or revocation may rest on. */
  readonly grounds: readonly string[];
  /** Facts that an approval (or a condition) fixes. */
  readonly sets: readonly string[];
  readonly gives: Readonly<Record<string, PermitGive>>;
  readonly valid: PermitValidity;
  readonly renewable: boolean;
  /** All facts kept with the permit: form, sets, gives, and what acts on permits record. */
  readonly facts: readonly string[];
}

/** What is asked before a load of the type `then` is discharged. */
export interface ManifestDef {
  readonly name: string;
  readonly label: string;
  readonly cite: string;
  readonly rows: readonly string[];
  /** Kind of the thing it is discharged at. */
  readonly on: string;
  /** The permit type it is under. */
  readonly permit: string;
  readonly judgedBy: string;
  /** Limits that it reserves in, keyed on `permit` or on the kind it is on. */
  readonly reservesIn: readonly string[];
  /** The load that it asks for. */
  readonly then: string;
  /** As of loads; `occurredAt` and `occurred_on` give the planned instant and day. */
  readonly gives: Readonly<Record<string, GiveSource>>;
  readonly facts: readonly string[];
  readonly sources?: SourcesDef;
  /** How long an acceptance stands: to the end of the planned local day, or so many hours from the planned instant. */
  readonly until: 'end_of_day' | { readonly hours: number };
}

export interface ActDef {
  readonly name: string;
  readonly label: string;
  readonly cite: string;
  readonly rows: readonly string[];
  readonly on: string;
  readonly by: {
    readonly body?: string;
    readonly person?: string;
    readonly sameAs?: string;
    readonly notSameAs?: string;
  };
  /** Event name without the pack: stored as `<pack>.<event>`. */
  readonly event: string;
  /** Facts the caller gives; all must be given unless optional. */
  readonly records: readonly string[];
  readonly gives: Readonly<Record<string, GiveSource>>;
  /** Clauses that must be satisfied, or the ask is refused. */
  readonly needs: readonly string[];
  /** Clauses whose duty starts or ends with it. */
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  readonly undoes?: string;
  readonly once: boolean;
  /** Facts that say what it is about: `once`, `undoes` and the persons of `by` are looked at for each such thing alone. */
  readonly scope: readonly string[];
  /** A date or time that it records: what the act records holds until then (that day in). */
  readonly until?: string;
  /** An assessment to judge the recorded facts by: what it finds violated becomes a violation. */
  readonly judgedBy?: string;
  readonly hasWhen: boolean;
}

export interface LimitDef {
  readonly name: string;
  readonly label: string;
  /** Subject kind (or `permit`) in whose stream it lives. */
  readonly key: string;
  readonly window: { readonly every: 'calendar_year' | 'week' } | { readonly rollingDays: number };
  /** The series fact that receives the earlier rows of the window, and the row's fields from facts and derived values. */
  readonly series: string;
  readonly row: Readonly<Record<string, string>>;
  readonly campaign?: { readonly amount: number; readonly unit: 'h' };
  /**
   * A yes-or-no fact or derived value of the load: no, and it does not count; nobody has said, and it may count.
   * Without it every load counts.
   */
  readonly countsIf?: string;
  /** Clauses judged in the key's own stream, posting by posting, in legal order. */
  readonly under: readonly string[];
  /** Load facts that the posting must carry, because the decider reads its own stream alone. */
  readonly postingFacts: readonly string[];
}
