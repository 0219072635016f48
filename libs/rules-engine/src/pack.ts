import { deepFreeze, type LawRef } from '@headworks/kernel';
import type { Pack } from './api';
import type { PackLookup } from './compile/context';
import type { Calendars } from './compile/lists';
import { Machine } from './compile/machine';
import { factSchema } from './facts/fact-schema';
import { parseFacts } from './facts/parse-facts';
import { Deadlines } from './judge/deadlines';
import { PackJudge } from './judge/pack-judge';
import type { PackModel } from './resolve/pack';

/** What compiling needs besides the model: the reference that events store, and the calendars the pack counts by. */
export interface PackParts {
  readonly model: PackModel;
  readonly ref: LawRef;
  readonly calendars: Calendars;
  /** Other packs, for clauses that ask whether theirs are met. */
  readonly elsewhere: PackLookup;
}

const parts = new WeakMap<Pack, PackParts>();

/** What a pack was compiled from. */
export function partsOf(pack: Pack): PackParts {
  const known = parts.get(pack);
  if (!known) throw new TypeError(`the pack '${pack.ref.pack}' was not made by loadRules`);
  return known;
}

/** The model behind a pack, for printing it. */
export const modelOf = (pack: Pack): PackModel => partsOf(pack).model;

const byName = <T>(list: readonly T[], name: (one: T) => string): ReadonlyMap<string, T> =>
  new Map(list.map((one) => [name(one), one]));

/** One version of an ordinance, compiled once: evaluation looks nothing up by name but the clauses asked for. */
export function compilePack({ model, ref, calendars, elsewhere }: PackParts): Pack {
  const { raw } = model;
  const machine = new Machine(model, calendars, elsewhere);
  const judge = new PackJudge(model, machine);
  const deadlines = new Deadlines(model, machine, ref, judge);
  const pack: Pack = {
    ref: deepFreeze(ref),
    title: raw.title,
    cite: raw.cite,
    jurisdiction: raw.jurisdiction,
    zone: raw.time_zone,
    calendars,
    inForce: model.inForce,
    bodies: new Map(Object.entries(raw.bodies).map(([id, body]) => [id, { id, ...body }])),
    facts: new Map([...model.facts].map(([name, { def }]) => [name, deepFreeze(def)])),
    clauses: new Map([...model.clauses.values()].map(({ def }) => [def.id, deepFreeze(def)])),
    assessments: byName(model.assessments, ({ name }) => name),
    subjects: byName(model.subjects, ({ kind }) => kind),
    acts: byName(
      model.acts.map(({ def }) => deepFreeze(def)),
      ({ name }) => name,
    ),
    permits: byName(
      model.permits.map((def) => deepFreeze(def)),
      ({ name }) => name,
    ),
    loads: byName(model.loads, ({ name }) => name),
    manifests: byName(
      model.manifests.map((def) => deepFreeze(def)),
      ({ name }) => name,
    ),
    limits: byName(
      model.limits.map(({ def }) => deepFreeze(def)),
      ({ name }) => name,
    ),
    penalties: deepFreeze(model.penalties),
    appeals: deepFreeze(model.appeals),
    evaluate: (question) => judge.evaluate(question),
    statuses: (question) => judge.statuses(question),
    actAllowed: (act, facts, now) => judge.actAllowed(act, facts, now),
    value: (name, facts) => judge.value(name, facts),
    row: (limit, facts) => judge.row(limit, facts),
    headroom: (limit, facts) => judge.headroom(limit, facts),
    measures: (limit, facts) => judge.measures(limit, facts),
    campaignEnd: (limit, start) => judge.campaignEnd(limit, start, calendars),
    clock: (clause, start, facts, more) => deadlines.clock(clause, start, facts, more),
    due: (clause, start, facts, more) => deadlines.due(clause, start, facts, more),
    pause: (clause, start, facts) => deadlines.pause(clause, start, facts),
    reminders: (clause, due) => deadlines.reminders(clause, due),
    clausesAskedBy: (clauses) => judge.clausesAskedBy(clauses),
    factsUsedBy: (clauses) =>
      model.baseFacts({ formulas: [], clauses: clauses.map((id) => judge.clauseOf(id).index) }),
    parseFacts: (input, allowed, pointer) => parseFacts(model.facts, input, new Set(allowed), pointer),
    factSchema: (names, required = []) => factSchema(model.facts, names, required),
  };
  parts.set(pack, { model, ref, calendars, elsewhere });
  return Object.freeze(pack);
}
