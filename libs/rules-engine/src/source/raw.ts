import type { GiveSource, PermitGive } from '../api';
import type {
  MissingFigure,
  RawBand,
  RawCondition,
  RawDerived,
  RawScheduled,
  RawTable,
  Named,
  YesNo,
} from './raw-formulas';

export * from './raw-formulas';

/**
 * A pack as it stands in its file, after the schema has accepted it: the shapes are certain here, the names and types
 * in them are not. Kept in step with `schema/pack-schema.ts`.
 */
export interface RawPack {
  readonly pack: string;
  readonly version: string;
  readonly title: string;
  readonly jurisdiction: string;
  readonly cite: string;
  readonly in_force: RawInForce;
  readonly time_zone: string;
  readonly calendars?: { readonly legal?: string; readonly office?: string; readonly post?: string };
  readonly counting: 'plain' | 'wis-990.001';
  readonly bodies: Named<{ readonly name: string; readonly role: string }>;
  readonly readings?: Named<RawReading>;
  readonly assessments: Named<{ readonly question: string; readonly judged_on: string }>;
  readonly facts: Named<RawFact>;
  readonly derived?: Named<RawDerived>;
  readonly tables?: Named<RawTable>;
  readonly clauses: readonly RawClause[];
  readonly subjects?: Named<RawSubject>;
  readonly acts?: Named<RawAct>;
  readonly permits?: Named<RawPermit>;
  readonly loads?: Named<RawLoad>;
  readonly manifests?: Named<RawManifest>;
  readonly limits?: Named<RawLimit>;
  readonly penalties?: readonly RawPenalty[];
  readonly appeals?: readonly RawAppeal[];
  readonly defines?: readonly (RawClaim & { readonly says: string })[];
  readonly not_tested?: readonly (RawClaim & { readonly why: string })[];
}

export interface RawClaim {
  readonly cite: string;
  readonly rows: readonly string[];
}
export interface RawInForce {
  readonly from: string;
  readonly until?: string;
  readonly verified_on?: string;
}
export interface RawReading {
  readonly choices: readonly string[];
  readonly chosen: string;
  readonly says?: string;
  readonly why: string;
  readonly by: string;
  readonly rows?: readonly string[];
}
export interface RawFact {
  readonly type: string;
  readonly label: string;
  readonly unit?: string;
  /** The words of a choice or set, or `date` for a set of days. */
  readonly of?: readonly string[] | 'date';
  readonly to?: string;
  readonly optional?: YesNo;
  readonly personal?: YesNo;
  readonly holds?: 'day' | 'until_replaced';
  readonly by?: string;
  readonly ask?: string;
  /** The reference to a permit whose leave it tells of. */
  readonly live?: string;
  /** And the type that it must be of. */
  readonly permit?: string;
  readonly fields?: Named<RawField>;
}
export interface RawField {
  readonly type: string;
  readonly unit?: string;
  readonly of?: readonly string[];
}

export interface RawClause extends RawClaim {
  readonly id: string;
  readonly says: string;
  readonly about?: string | readonly string[];
  readonly binds?: 'person' | 'office';
  readonly applies_if?: RawCondition;
  readonly require?: RawCondition;
  readonly forbid?: RawCondition;
  readonly unless?: RawCondition;
  readonly deadline?: RawDeadline;
  readonly fee?: RawFee;
  readonly power?: { readonly who: string; readonly may: string; readonly grounds?: string };
  readonly obligation?: { readonly who: string; readonly must: string };
  readonly continues_until?: string;
  readonly interpretation?: {
    readonly id: string;
    readonly choice: string;
    readonly reading: string;
    readonly why: string;
    readonly by: string;
  };
  readonly reading?: string;
}
/** `Oct 1` in the year of a date, or a date itself (on). */
export interface RawDue {
  readonly day?: string;
  readonly in_year_of?: string;
  readonly on?: string;
  readonly prior?: YesNo;
}
export interface RawDeadline {
  readonly who: string;
  readonly must: string;
  readonly kind: 'filing' | 'payment' | 'notice' | 'decision' | 'physical';
  readonly starts: string;
  readonly allow?: string;
  readonly due?: RawDue;
  readonly may_be_mailed?: YesNo;
  readonly counting?: 'plain' | 'wis-990.001';
  readonly done: string;
  readonly paused_by?: { readonly from: string; readonly until: string; readonly then: 'restart' | 'resume' };
  readonly extended_by?: { readonly fact: string; readonly each: string; readonly granted_by: string };
  readonly waived_by?: string;
  readonly remind?: readonly string[];
  readonly if_missed: { readonly outcome: string; readonly cite?: string };
}
export interface RawFee {
  readonly pay?: string | MissingFigure;
  readonly by?: string;
  readonly tiers?: readonly (RawBand & { readonly pay: string | MissingFigure })[];
  readonly schedule?: RawScheduled;
  readonly to?: string;
  readonly refundable?: YesNo;
}
export interface RawSubject {
  readonly label: string;
  readonly key: string;
  readonly facts: readonly string[];
}
export interface RawAct extends Partial<RawClaim> {
  readonly label: string;
  readonly cite: string;
  readonly on: string;
  readonly by: {
    readonly body?: string;
    readonly person?: string;
    readonly same_as?: string;
    readonly not_same_as?: string;
  };
  readonly when?: RawCondition;
  readonly records?: readonly string[];
  readonly gives?: Named<GiveSource>;
  readonly needs?: readonly string[];
  readonly starts?: readonly string[];
  readonly ends?: readonly string[];
  readonly undoes?: string;
  readonly once?: YesNo;
  readonly scope?: readonly string[];
  readonly until?: string;
  readonly judged_by?: string;
  readonly event: string;
}
export interface RawLoad {
  readonly label: string;
  readonly on: string;
  readonly permit?: string;
  readonly judged_by: string;
  readonly counts_in: readonly string[];
  readonly facts: readonly string[];
  readonly gives: Named<GiveSource>;
  readonly sources?: RawSources;
}
/** Fact of the load -> fact of each place that a source comes from. */
export interface RawSources {
  readonly kind: string;
  readonly all: Named<string>;
}
export interface RawManifest extends RawClaim {
  readonly label: string;
  readonly on: string;
  readonly permit: string;
  readonly judged_by: string;
  readonly reserves_in: readonly string[];
  readonly then: string;
  readonly facts: readonly string[];
  readonly gives: Named<GiveSource>;
  readonly sources?: RawSources;
  readonly until?: string;
}
export interface RawBodyRule {
  readonly body: string;
  readonly not_same_as?: 'filing' | 'completion' | 'approval';
}
export interface RawPermit extends RawClaim {
  readonly title: string;
  readonly holder: string;
  readonly judged_by: string;
  readonly form: readonly string[];
  readonly needs?: readonly string[];
  readonly complete_under?: readonly string[];
  readonly decided_under?: readonly string[];
  readonly issued_under?: readonly string[];
  readonly waived_by?: Named<string>;
  readonly reviewed_by?: RawBodyRule;
  readonly decided_by: RawBodyRule;
  readonly issued_by: RawBodyRule;
  readonly suspended_by?: RawBodyRule;
  readonly revoked_by?: RawBodyRule;
  readonly suspended_under?: readonly string[];
  readonly revoked_under?: readonly string[];
  readonly grounds?: readonly string[];
  readonly sets?: readonly string[];
  readonly gives?: Named<PermitGive>;
  readonly valid: RawValidity;
  readonly renewable?: YesNo;
}
export interface RawValidity {
  readonly calendar_year?: 'same' | 'following';
  readonly for?: string;
  readonly from?: string;
  readonly until?: string;
  readonly no_end?: YesNo;
  readonly then?: 'expired' | 'void';
}
export interface RawLimit extends Partial<RawClaim> {
  readonly label: string;
  readonly key: string;
  readonly window: string;
  readonly campaign?: string;
  readonly counts_if?: string;
  readonly series: string;
  readonly row: Named<string>;
  readonly measures: readonly string[];
  readonly under: readonly string[];
  readonly headroom?: readonly { readonly clause: string; readonly used: string; readonly allowed: string }[];
}
export type RawAmount =
  | string
  | MissingFigure
  | { readonly schedule: RawScheduled; readonly per?: string }
  | { readonly at_most?: string; readonly at_least?: string; readonly per?: string };
export interface RawPenalty extends RawClaim {
  readonly id: string;
  readonly says: string;
  readonly for?: string | readonly string[];
  readonly amount?: RawAmount;
  readonly each_day_separate?: YesNo;
  readonly escalates?: {
    readonly within: string;
    readonly offences: readonly { readonly offence: number; readonly amount: RawAmount }[];
  };
  readonly after?: string;
  readonly adds?: readonly string[];
}
export interface RawAppeal extends RawClaim {
  readonly id: string;
  readonly says: string;
  readonly against: readonly string[];
  readonly by?: string;
  readonly to: string;
  readonly within: string;
  readonly filed_under?: string;
  readonly heard_under?: readonly string[];
  readonly decided_under?: string | readonly string[];
  /** yes, no, or in words. */
  readonly stays?: string | boolean;
}
