import { nearest, parseLocalDate, type LocalDate } from '@headworks/kernel';
import { isZone } from '@headworks/calendars';
import type {
  AppealDef,
  AssessmentDef,
  LoadDef,
  ManifestDef,
  PenaltyDef,
  PermitDef,
  SubjectDef,
} from '../api';
import type { Clause, Formula } from '../model/ir';
import { describeType, type ValueType } from '../model/types';
import type { RawPack } from '../source/raw';
import type { YamlFile } from '../source/yaml-file';
import { refuseCircles } from './circles';
import { aboutOf, resolveClauses } from './clauses';
import { declareFacts } from './facts';
import { resolveDerived } from './formula';
import { baseFactsOf, resolveLimits, type BaseFacts, type Limit } from './limits';
import { resolveAppeals, resolvePenalties } from './listed';
import { resolveLoads, resolveManifests } from './loads';
import { checkRefusals } from './refusals';
import { resolvePermits } from './permits';
import { Scope, type FactSymbol, type Schedules } from './scope';
import { checkTables } from './tables';
import { resolveActs, resolveSubjects, type Act } from './verbs';

/** A pack with every name and type resolved: all that compiling, explaining and printing need. */
export interface PackModel {
  readonly raw: RawPack;
  readonly file: YamlFile;
  readonly inForce: { readonly from: LocalDate | 'unknown'; readonly until?: LocalDate };
  readonly facts: ReadonlyMap<string, FactSymbol>;
  readonly slots: readonly Slot[];
  readonly clauses: ReadonlyMap<number, Clause>;
  readonly assessments: readonly AssessmentDef[];
  readonly subjects: readonly SubjectDef[];
  readonly acts: readonly Act[];
  readonly permits: readonly PermitDef[];
  readonly loads: readonly LoadDef[];
  readonly manifests: readonly ManifestDef[];
  readonly limits: readonly Limit[];
  readonly penalties: readonly PenaltyDef[];
  readonly appeals: readonly AppealDef[];
  /** Schedules that it names. */
  readonly schedules: ReadonlySet<string>;
  readonly missingItems: ReadonlySet<string>;
  /** Where it asks for clauses of other packs. */
  readonly elsewhere: Scope['elsewhere'];
  readonly baseFacts: BaseFacts;
}

/** A fact, or a derived value with its formula. */
export interface Slot {
  readonly name: string;
  readonly type: ValueType;
  readonly formula?: Formula;
  /** What must be said for it to be known, where nobody says it itself. */
  readonly askFor?: string;
}

/** Checks a whole pack; what is wrong is reported on its file, and the model is complete only where nothing was. */
export function resolvePack(file: YamlFile, raw: RawPack, schedules?: Schedules): PackModel {
  const scope = new Scope(file, raw, schedules);
  declareFacts(scope);
  for (const name of Object.keys(raw.derived ?? {})) {
    if (scope.facts.has(name)) scope.report(['derived', name], `there is a fact '${name}' already`, true);
    else
      scope.derived.set(name, {
        name,
        slot: Object.keys(raw.facts).length + scope.derived.size,
        state: 'waiting',
      });
  }
  scope.resolveDerived = (symbol, path) => resolveDerived(scope, symbol, path);
  for (const symbol of scope.derived.values()) {
    if (symbol.state === 'waiting') resolveDerived(scope, symbol, ['derived', symbol.name]);
  }
  const clauses = new Map(resolveClauses(scope).map((clause) => [clause.index, clause]));
  const slots = slotsOf(scope);
  refuseCircles(scope, clauses);
  checkRefusals(scope, slots, clauses);
  const assessments = resolveAssessments(scope);
  const subjects = resolveSubjects(scope);
  const permits = resolvePermits(scope);
  const baseFacts = baseFactsOf(slots, clauses);
  const loads = resolveLoads(scope, baseFacts);
  const acts = resolveActs(scope);
  const known = { loads, subjects, permits, clauses: [...clauses.values()] };
  const limits = resolveLimits(scope, known, baseFacts);
  const manifests = resolveManifests(scope, { loads, limits }, baseFacts);
  checkTables(scope);
  checkHead(scope);
  checkUnused(scope);
  const { from, until } = raw.in_force;
  const inForce = {
    from: from === 'unknown' ? from : (from as LocalDate),
    ...(until === undefined ? {} : { until: until as LocalDate }),
  } as const;
  const listed = { penalties: resolvePenalties(scope), appeals: resolveAppeals(scope) };
  const parts = {
    ...listed,
    schedules: scope.usedSchedules,
    missingItems: scope.missingItems,
    elsewhere: scope.elsewhere,
    assessments,
    subjects,
    acts,
    permits,
    loads,
    manifests,
    limits,
    baseFacts,
    inForce,
  };
  return { raw, file, facts: scope.facts, slots, clauses, ...parts };
}

/** Facts first, then derived values: the numbers that compiled closures use. */
function slotsOf(scope: Scope): readonly Slot[] {
  const slots: Slot[] = [];
  for (const [name, { slot, type, def }] of scope.facts) {
    slots[slot] = { name, type, ...(def.live ? { askFor: def.live.by } : {}) };
  }
  for (const { name, slot, formula } of scope.derived.values()) {
    slots[slot] = { name, type: formula?.type ?? { is: 'none' }, ...(formula ? { formula } : {}) };
  }
  return slots;
}

/** An assessment is every clause that says it is about it, in the order of the file. */
function resolveAssessments(scope: Scope): readonly AssessmentDef[] {
  return Object.entries(scope.raw.assessments).map(([name, { question, judged_on: judgedOn }]) => {
    const path = ['assessments', name, 'judged_on'];
    const fact = scope.fact(judgedOn, path);
    if (fact && fact.type.is !== 'date' && fact.type.is !== 'instant') {
      scope.report(path, `'${judgedOn}' is ${describeType(fact.type)}, and a date or a time belongs here`);
    }
    const clauses = scope.raw.clauses.filter((raw) => aboutOf(raw).includes(name)).map(({ id }) => id);
    if (clauses.length === 0) scope.report(['assessments', name], `no clause is about '${name}'`, true);
    return { name, question, judgedOn, clauses: Object.freeze(clauses) };
  });
}

/** Zone, dates and readings: what the pack says of itself as a whole. */
function checkHead(scope: Scope): void {
  const { raw } = scope;
  const { from, until, verified_on: verified } = raw.in_force;
  if (!isZone(raw.time_zone)) scope.report(['time_zone'], `'${raw.time_zone}' is no time zone`);
  for (const [key, date] of [
    ['from', from === 'unknown' ? undefined : from],
    ['until', until],
    ['verified_on', verified],
  ] as const) {
    if (date !== undefined && !parseLocalDate(date)) scope.report(['in_force', key], `'${date}' is no date`);
  }
  if (from === 'unknown' && verified === undefined) {
    scope.report(['in_force'], "where the text gives no date, say when it was read: add 'verified_on'");
  }
  if (from !== 'unknown' && until !== undefined && until <= from) {
    scope.report(['in_force', 'until'], `it ends on ${until}, before it begins`);
  }
  for (const [id, reading] of Object.entries(raw.readings ?? {})) {
    if (reading.choices.includes(reading.chosen)) continue;
    scope.unknownName('choice', reading.chosen, ['readings', id, 'chosen'], reading.choices);
  }
  raw.clauses.forEach((clause, index) => {
    const verb = clause.deadline ? 'deadline' : clause.power ? 'power' : 'obligation';
    const who = clause[verb]?.who;
    if (who === undefined || Object.hasOwn(raw.bodies, who)) return;
    // A word that is no body means a person; one that almost is a body is more likely a slip.
    const near = nearest(who, Object.keys(raw.bodies));
    if (near?.slice(0, 3) === who.slice(0, 3)) {
      scope.report(['clauses', index, verb, 'who'], `there is no body '${who}': did you mean '${near}'?`);
    }
  });
}

/** A fact that nothing names is a slip: a pack asks for what it needs. */
function checkUnused(scope: Scope): void {
  for (const name of scope.facts.keys()) {
    if (scope.used.has(name)) continue;
    scope.report(
      ['facts', name],
      `nothing uses '${name}': no clause, derived value, subject, act, permit, load or limit`,
      true,
    );
  }
}
