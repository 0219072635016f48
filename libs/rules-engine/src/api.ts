import type { Calendar, Counting, DutyKind, PeriodUnit } from '@headworks/calendars';
import type {
  Due,
  Fault,
  Finding,
  JsonObject,
  JsonValue,
  LawRef,
  LocalDate,
  Provenance,
  QuantityJson,
} from '@headworks/kernel';

/** All that is loaded from a rules directory: one consistent set, or nothing. */
export interface RuleSet {
  readonly jurisdictions: ReadonlyMap<string, Jurisdiction>;
  /** Newest version last. */
  readonly packs: ReadonlyMap<string, readonly Pack[]>;
  readonly calendars: ReadonlyMap<string, Calendar>;
  /** The texts that the log must adopt before anyone decides under them. */
  readonly files: readonly RuleFile[];
  /** The version in force on the date, or undefined. `in_force.from: unknown` counts as always. */
  packOn(pack: string, date: LocalDate): Pack | undefined;
}

export interface Jurisdiction {
  readonly id: string;
  readonly title: string;
  readonly zone: string;
  /** West, south, east, north in degrees: a geometry outside has probably swapped its coordinates. */
  readonly bounds?: readonly [number, number, number, number];
}

export interface RuleFile {
  readonly kind: 'pack' | 'calendar' | 'schedule';
  readonly id: string;
  readonly version: string;
  readonly jurisdictions: readonly string[];
  readonly status: 'draft' | 'adopted' | 'repealed';
  readonly sha256: string;
  readonly text: string;
  readonly inForce: { readonly from: string; readonly until?: string };
  /** Path below the rules directory, for messages. */
  readonly path: string;
}

export interface FactDef {
  readonly name: string;
  readonly label: string;
  /** `bool judgement choice set text reference address actor date instant series count` or a kind of quantity. */
  readonly type: string;
  readonly unit?: string;
  readonly of?: readonly string[];
  /** A set of days rather than of words. */
  readonly each?: 'date';
  /** May be `none`: known not to have happened. Written as JSON null. */
  readonly optional: boolean;
  /** Sealed in the log; may not be used by any clause, limit or derived value. */
  readonly personal: boolean;
  /** Judgements: the body whose call it is, and the question. */
  readonly by?: string;
  readonly ask?: string;
  /** How long a recorded value stays true: until replaced (default), or for its local day (a frost reading). */
  readonly holds: 'until_replaced' | 'day';
}

/** A fact as it is known: JSON as stored in events (null: known to be none), and where it came from. */
export interface FactEntry {
  readonly json: JsonValue;
  readonly from: Provenance;
}
/** undefined: nobody has said. */
export type FactSource = (fact: string) => FactEntry | undefined;

export interface Question {
  /** Clauses to judge, or all of an assessment. */
  readonly clauses: readonly string[];
  readonly facts: FactSource;
  /** Epoch ms: what `not yet due` is measured against. */
  readonly now: number;
}

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
  readonly allow?: { readonly amount: number; readonly unit: PeriodUnit };
  /** A fixed day instead of a period: `Oct 1` in the year of a date fact; the day itself counts, and rolls by `kind`. */
  readonly due?: { readonly day: string; readonly inYearOf: string };
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

/** How long a permit gives leave. `year`: the calendar year of its issue, or the one that follows. */
export type PermitValidity =
  /** From a day to a day, both in: names of facts or derived values of the permit, asked when it is issued. */
  | { readonly from: string; readonly until: string; readonly then: 'expired' | 'void' }
  | { readonly calendarYear: 'same' | 'following'; readonly then: 'expired' | 'void' }
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

export interface Headroom {
  readonly limit: string;
  readonly clause: string;
  readonly used: QuantityJson | null;
  readonly allowed: QuantityJson | null;
  /** null where an operand is unknown. Never below zero. */
  readonly remaining: QuantityJson | null;
}

export interface BodyDef {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** One version of one ordinance, compiled. */
export interface Pack {
  readonly ref: LawRef;
  readonly title: string;
  readonly cite: string;
  readonly jurisdiction: string;
  readonly zone: string;
  readonly inForce: { readonly from: LocalDate | 'unknown'; readonly until?: LocalDate };
  readonly bodies: ReadonlyMap<string, BodyDef>;
  readonly facts: ReadonlyMap<string, FactDef>;
  readonly clauses: ReadonlyMap<string, ClauseDef>;
  readonly assessments: ReadonlyMap<string, AssessmentDef>;
  readonly subjects: ReadonlyMap<string, SubjectDef>;
  readonly acts: ReadonlyMap<string, ActDef>;
  readonly permits: ReadonlyMap<string, PermitDef>;
  readonly loads: ReadonlyMap<string, LoadDef>;
  readonly manifests: ReadonlyMap<string, ManifestDef>;
  readonly limits: ReadonlyMap<string, LimitDef>;

  /** Findings, in the order of the clauses asked. Stored form: no `text`. */
  evaluate(question: Question): readonly Finding[];
  /** Statuses alone, for hot paths: same logic, no operands. */
  statuses(question: Question): readonly Finding['status'][];
  /** The `when` of an act as a finding (clause id `act:<name>`); satisfied where the act has none. */
  actAllowed(act: string, facts: FactSource, now: number): Finding;
  /** The value of a fact or derived value as JSON, or undefined where it is unknown. null: known to be none. */
  value(name: string, facts: FactSource): JsonValue | undefined;
  /** The row that a posting adds to the limit's series: fields that are unknown are left out. */
  row(limit: string, facts: FactSource): JsonObject;
  headroom(limit: string, facts: FactSource): readonly Headroom[];
  /** Named totals of a limit (its measures) for `totals`: derived name -> value or null. */
  measures(limit: string, facts: FactSource): Readonly<Record<string, JsonValue | null>>;
  /** Last instant (epoch ms) that still belongs to a campaign begun at `start`; undefined where the limit has none. */
  campaignEnd(limit: string, start: number): number | undefined;
  /**
   * The due date of a deadline clause that starts at an instant, with its derivation. A day in the year of another fact
   * than the start can be told only with the facts; a RangeError says so where they do not tell it.
   */
  due(clause: string, start: number, facts?: FactSource): Due;
  /** Base facts that the clauses use, through derived values and other clauses. */
  factsUsedBy(clauses: readonly string[]): ReadonlySet<string>;
  /** Checks and normalises facts from outside. `allowed`: names that may stand here. All faults at once, with pointers. */
  parseFacts(
    input: unknown,
    allowed: Iterable<string>,
    pointer: string,
  ): { readonly facts: Readonly<Record<string, JsonValue>>; readonly faults: readonly Fault[] };
  /** JSON Schema (2020-12) of an object of these facts, for forms and OpenAPI. */
  factSchema(names: Iterable<string>, required?: Iterable<string>): JsonObject;
}

/** Renders a finding's text ("612 ft, more than 600 ft: 12 ft to spare"). */
export type ExplainFinding = (finding: Finding) => string;
