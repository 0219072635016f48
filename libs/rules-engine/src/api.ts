import type { Calendar, Clock, Extension, Pause, Reminder } from '@headworks/calendars';
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
import type {
  ActDef,
  AssessmentDef,
  ClauseDef,
  LimitDef,
  LoadDef,
  ManifestDef,
  PermitDef,
  SubjectDef,
} from './definitions';
import type { AppealDef, PenaltyDef } from './listed';

export * from './definitions';
export * from './listed';

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
  /**
   * A yes or no that nobody brings: whether the permit that the fact `by` names (its id), of a type of the pack and the
   * hauler's own, gives leave at the instant. Whoever judges a load or manifest reads that permit's stream for it.
   */
  readonly live?: { readonly by: string; readonly permit: string };
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
  /** How deadlines ended of which the facts alone can't tell yet: the log knows more of a duty than facts do. */
  readonly settled?: ReadonlyMap<string, 'satisfied' | 'violated'>;
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

/** What moved a duty, where the log knows more than the newest facts: each takes the place of what the facts tell. */
export interface DutyTerms {
  readonly pauses?: readonly Pause[];
  readonly extensions?: readonly Extension[];
}

/** One version of one ordinance, compiled. */
export interface Pack {
  readonly ref: LawRef;
  readonly title: string;
  readonly cite: string;
  readonly jurisdiction: string;
  readonly zone: string;
  /** The days that it counts by. */
  readonly calendars: { readonly legal?: Calendar; readonly office?: Calendar; readonly post?: Calendar };
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
  readonly penalties: readonly PenaltyDef[];
  readonly appeals: readonly AppealDef[];

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
   * The clock of a deadline clause that starts at an instant: its due date with the derivation, or since when it stands
   * still. The facts tell the year of a named day, pauses and extensions; without them it is counted as nobody moved it.
   * Undefined where they do not tell what it hangs on.
   */
  clock(clause: string, start: number, facts?: FactSource, more?: DutyTerms): Clock | undefined;
  /** As `clock`, where there is a due date; a RangeError says why there is none. */
  due(clause: string, start: number, facts?: FactSource, more?: DutyTerms): Due;
  /** The pause that the facts tell of a duty with this start: the newest one, which is all that facts know. */
  pause(clause: string, start: number, facts: FactSource): Pause | undefined;
  /** When whoever owes the duty is reminded of it, first to last. */
  reminders(clause: string, due: Due): readonly Reminder[];
  /** Clauses whose status the clauses ask for (`clauses_met`), however many steps away. */
  clausesAskedBy(clauses: readonly string[]): ReadonlySet<string>;
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
