import { parseQuantity } from '@headworks/kernel';
import type { GiveSource, LimitDef, LoadDef, PermitDef, SubjectDef } from '../api';
import type { Clause, Formula } from '../model/ir';
import { clauseNeeds, dependencies } from '../model/needs';
import { describeType, sameType } from '../model/types';
import type { RawLimit } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { mismatch, quantityType } from './literals';
import { PERMIT, type Scope } from './scope';

export interface Limit {
  readonly def: LimitDef;
  readonly row: readonly { readonly field: string; readonly formula: Formula }[];
  readonly measures: readonly { readonly name: string; readonly formula: Formula }[];
  readonly headroom: readonly {
    readonly clause: string;
    readonly used: Formula;
    readonly allowed: Formula;
  }[];
}

/** Sources that the decider folds from the postings themselves: no posting carries them. */
const FOLDED: readonly GiveSource[] = ['campaign_start', 'campaign_number'];

/** Base facts behind names, through derived values and the clauses that conditions ask for. */
export type BaseFacts = (names: {
  readonly formulas: readonly Formula[];
  readonly clauses: readonly number[];
}) => ReadonlySet<string>;

export function resolveLimits(
  scope: Scope,
  parts: {
    readonly loads: readonly LoadDef[];
    readonly subjects: readonly SubjectDef[];
    readonly permits: readonly PermitDef[];
    readonly clauses: readonly Clause[];
  },
  baseFacts: BaseFacts,
): readonly Limit[] {
  const limits = Object.entries(scope.raw.limits ?? {}).map(([name, raw]) => {
    const path: Path = ['limits', name];
    const loads = parts.loads.filter((load) => load.countsIn.includes(name));
    if (loads.length === 0) scope.report(path, `no load counts in '${name}': add it to the counts_in of one`);
    if (raw.key !== PERMIT) scope.member(scope.raw.subjects, 'subject', raw.key, [...path, 'key']);
    const row = resolveRow(scope, raw, path);
    const counts = resolveCounts(scope, raw, path);
    const measures = resolveMeasures(scope, raw, path);
    const headroom = resolveHeadroom(scope, raw, path);
    const clauses = underClauses(scope, raw, parts.clauses, path);
    const carried = carriedBy(loads);
    // Without a load, or without a series, everything in it would be found wanting for that one reason.
    const known = loads.length > 0 && scope.facts.get(raw.series)?.type.is === 'series';
    const stored = [...row.map(({ field, formula }) => ({ at: ['row', field], formula })), ...counts];
    if (known) checkRowNeeds(scope, stored, carried.all, path, baseFacts);
    const own = known ? ownFacts(raw, loads, parts) : undefined;
    if (own) checkUnder(scope, raw, clauses, new Set([...own, ...carried.all]), path, baseFacts);
    const formulas = [
      ...stored.map(({ formula }) => formula),
      ...measures.map(({ formula }) => formula),
      ...headroom.flatMap(({ used, allowed }) => [used, allowed]),
    ];
    const needed = baseFacts({ formulas, clauses: clauses.map(({ index }) => index) });
    const postingFacts = [...carried.own].filter((fact) => needed.has(fact));
    return { def: limitDef(name, raw, postingFacts), row, measures, headroom };
  });
  return limits;
}

/** The window in the words of the interface: two that end with the calendar, or a number of days that rolls. */
function limitDef(name: string, raw: RawLimit, postingFacts: readonly string[]): LimitDef {
  const rolling = /^rolling (\d+) days$/.exec(raw.window)?.[1];
  const campaign = raw.campaign === undefined ? undefined : Number(raw.campaign.split(' ')[0]);
  return {
    name,
    label: raw.label,
    key: raw.key,
    window:
      rolling === undefined
        ? { every: raw.window === 'week' ? 'week' : 'calendar_year' }
        : { rollingDays: Number(rolling) },
    series: raw.series,
    row: raw.row,
    ...(campaign === undefined ? {} : { campaign: { amount: campaign, unit: 'h' } }),
    ...(raw.counts_if === undefined ? {} : { countsIf: raw.counts_if }),
    under: raw.under,
    postingFacts,
  };
}

/** Load facts by whether the posting has to carry them: what is folded from the postings is known without. */
function carriedBy(loads: readonly LoadDef[]): { all: ReadonlySet<string>; own: ReadonlySet<string> } {
  const given = loads.flatMap((load) => Object.entries(load.gives));
  const brought = loads.flatMap((load) => load.facts);
  const own = given.filter(([, source]) => !FOLDED.includes(source)).map(([name]) => name);
  return { all: new Set([...brought, ...given.map(([name]) => name)]), own: new Set([...brought, ...own]) };
}

/** Each field of the series must be filled: a posting that left one out would make every later sum unknown. */
function resolveRow(scope: Scope, raw: RawLimit, path: Path): Limit['row'] {
  const series = scope.fact(raw.series, [...path, 'series']);
  if (!series) return [];
  if (series.type.is !== 'series') {
    scope.report(
      [...path, 'series'],
      `'${raw.series}' is ${describeType(series.type)}, and a series belongs here`,
    );
    return [];
  }
  const { fields } = series.type;
  for (const field of fields.keys()) {
    if (!Object.hasOwn(raw.row, field))
      scope.report([...path, 'row'], `the row gives no '${field}', a field of '${raw.series}'`);
  }
  return Object.entries(raw.row).flatMap(([field, name]) => {
    const at = [...path, 'row', field];
    const type = fields.get(field);
    const formula = scope.read(name, at);
    if (!type) return scope.unknownName('field', field, at, fields.keys()) ?? [];
    if (!formula) return [];
    const column: Formula = { op: 'literal', type, value: '', shown: field };
    if (sameType(type, formula.type)) return [{ field, formula }];
    return scope.report(at, mismatch(column, formula)) ?? [];
  });
}

interface Stored {
  readonly at: Path;
  readonly formula: Formula;
}

/** Whether a load counts at all is a yes or a no: a law may look at some of the loads of a kind only. */
function resolveCounts(scope: Scope, raw: RawLimit, path: Path): readonly Stored[] {
  if (raw.counts_if === undefined) return [];
  const formula = scope.read(raw.counts_if, [...path, 'counts_if']);
  if (!formula) return [];
  if (formula.type.is === 'bool') return [{ at: ['counts_if'], formula }];
  const what = describeType(formula.type);
  scope.report([...path, 'counts_if'], `'${raw.counts_if}' is ${what}, and a yes or no belongs here`);
  return [];
}

/** Totals to show; they may be of any type, and decide nothing. */
function resolveMeasures(scope: Scope, raw: RawLimit, path: Path): Limit['measures'] {
  return raw.measures.flatMap((name, index) => {
    const formula = scope.read(name, [...path, 'measures', index]);
    return formula ? [{ name, formula }] : [];
  });
}

/** Used and allowed must measure the same thing, or what remains would mean nothing. */
function resolveHeadroom(scope: Scope, raw: RawLimit, path: Path): Limit['headroom'] {
  return (raw.headroom ?? []).flatMap((line, index) => {
    const at = [...path, 'headroom', index];
    const found = scope.clause(line.clause, [...at, 'clause']);
    const used = scope.read(line.used, [...at, 'used']);
    const allowed = allowedFigure(scope, line.allowed, [...at, 'allowed']);
    if (found === undefined || !used || !allowed) return [];
    if (used.type.is !== 'quantity') {
      return scope.report([...at, 'used'], `'${line.used}' is ${describeType(used.type)}, no amount`) ?? [];
    }
    if (sameType(used.type, allowed.type)) return [{ clause: line.clause, used, allowed }];
    return scope.report([...at, 'allowed'], mismatch(used, allowed)) ?? [];
  });
}

/** A fact or derived value by name, or a figure; a plain whole number is a count. */
function allowedFigure(scope: Scope, raw: string, path: Path): Formula | undefined {
  if (/^[a-z][a-z0-9_]*$/.test(raw)) return scope.read(raw, path);
  const parsed = parseQuantity(/^\d+$/.test(raw) ? `${raw} 1` : raw);
  if (!parsed.ok) return scope.report(path, parsed.why);
  return { op: 'literal', value: parsed.value, shown: raw, type: quantityType(parsed.value) };
}

/** Deadlines and fees have no margin that a posting could use up. */
function underClauses(
  scope: Scope,
  raw: RawLimit,
  clauses: readonly Clause[],
  path: Path,
): readonly Clause[] {
  return raw.under.flatMap((id, index) => {
    const at = [...path, 'under', index];
    const found = scope.clause(id, at);
    const clause = clauses.find((one) => one.index === found);
    if (clause && clause.body.verb !== 'condition') {
      return (
        scope.report(at, `'${id}' is no limit: only require and forbid are judged posting by posting`) ?? []
      );
    }
    return clause ? [clause] : [];
  });
}

/** A posting stands in the log for good: its row may rest only on what the load itself says. */
function checkRowNeeds(
  scope: Scope,
  stored: readonly Stored[],
  carried: ReadonlySet<string>,
  path: Path,
  baseFacts: BaseFacts,
): void {
  for (const { at, formula } of stored) {
    for (const fact of baseFacts({ formulas: [formula], clauses: [] })) {
      if (carried.has(fact)) continue;
      scope.report(
        [...path, ...at],
        `a ${at[0] === 'row' ? 'row' : 'posting'} may use only what the load brings or gives, and '${fact}' is neither`,
      );
    }
  }
}

/** What stands in the stream of the key: of several permit types only what each has. Undefined where one is missing. */
function ownFacts(
  { key }: RawLimit,
  loads: readonly LoadDef[],
  { subjects, permits }: { readonly subjects: readonly SubjectDef[]; readonly permits: readonly PermitDef[] },
): readonly string[] | undefined {
  if (key !== PERMIT) return subjects.find(({ kind }) => kind === key)?.facts ?? [];
  const lists = loads.map(({ permit }) => permits.find(({ name }) => name === permit)?.facts);
  if (!lists.every((list) => list !== undefined)) return undefined;
  return (lists[0] ?? []).filter((fact) => lists.every((list) => list.includes(fact)));
}

/** The decider of a limit reads the stream of its key alone, so its clauses may ask for nothing that stands elsewhere. */
function checkUnder(
  scope: Scope,
  raw: RawLimit,
  clauses: readonly Clause[],
  known: ReadonlySet<string>,
  path: Path,
  baseFacts: BaseFacts,
): void {
  for (const clause of clauses) {
    for (const fact of baseFacts({ formulas: [], clauses: [clause.index] })) {
      if (fact === raw.series || known.has(fact)) continue;
      scope.report(
        [...path, 'under', raw.under.indexOf(clause.def.id)],
        `'${clause.def.id}' uses '${fact}', which neither the ${raw.key} nor a load that counts here has`,
      );
    }
  }
}

/** Base facts behind formulas and clauses, found by walking the derived values and clauses they name. */
export function baseFactsOf(
  slots: readonly { readonly name: string; readonly formula?: Formula }[],
  clauses: ReadonlyMap<number, Clause>,
): BaseFacts {
  return ({ formulas, clauses: asked }) => {
    const facts = new Set<string>();
    const seen = new Set<string>();
    const visitSlot = (slot: number): void => {
      if (seen.has(`s${slot}`)) return;
      seen.add(`s${slot}`);
      const entry = slots[slot];
      if (entry?.formula) visit(dependencies(entry.formula));
      else if (entry) facts.add(entry.name);
    };
    const visitClause = (index: number): void => {
      if (seen.has(`c${index}`)) return;
      seen.add(`c${index}`);
      const clause = clauses.get(index);
      if (clause) visit(clauseNeeds(clause));
    };
    const visit = (needs: { slots: readonly number[]; clauses: readonly number[] }): void => {
      needs.slots.forEach(visitSlot);
      needs.clauses.forEach(visitClause);
    };
    formulas.forEach((formula) => visit(dependencies(formula)));
    asked.forEach(visitClause);
    return facts;
  };
}
