import { CodedError, nearest, type JsonObject, type JsonValue } from '@headworks/kernel';
import type { BodyRule, ClauseDef, Jurisdiction, Pack, PermitDef, RuleSet } from '@headworks/rules-engine';
import type { Caller } from '@headworks/use-cases';

const sees = ({ jurisdictions }: Caller, id: string): boolean =>
  jurisdictions === '*' || jurisdictions.includes(id);

const missing = (what: string, name: string, known: Iterable<string>): CodedError => {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`;
  return new CodedError('not-found', `There is no ${what} '${name}' here.${hint}`);
};

/** One of the named, or a refusal that says the nearest. */
export function named<T>(what: string, name: string, all: ReadonlyMap<string, T>): T {
  const found = all.get(name);
  if (found !== undefined) return found;
  throw missing(what, name, all.keys());
}

export const jurisdictionsOf = (rules: RuleSet, caller: Caller): readonly Jurisdiction[] =>
  [...rules.jurisdictions.values()].filter(({ id }) => sees(caller, id));

export function shownJurisdiction(rules: RuleSet, caller: Caller, { id, title, zone, bounds }: Jurisdiction) {
  const packs = packsOf(rules, caller)
    .filter(([newest]) => newest.jurisdiction === id)
    .map(([newest]) => newest.ref.pack);
  return { id, title, zone, ...(bounds && { bounds }), packs };
}

type Versions = readonly [newest: Pack, all: readonly Pack[]];

/** Packs that the caller may see, each with its newest version first. */
export function packsOf(rules: RuleSet, caller: Caller): readonly Versions[] {
  return [...rules.packs.values()].flatMap((versions): Versions[] => {
    const newest = versions.at(-1);
    return newest && sees(caller, newest.jurisdiction) ? [[newest, versions]] : [];
  });
}

/** A pack in its newest version, or in the one that is named. */
export function packNamed(rules: RuleSet, caller: Caller, name: string, version?: string): Versions {
  const visible = new Map(packsOf(rules, caller).map((found) => [found[0].ref.pack, found] as const));
  const [newest, all] = named('pack', name, visible);
  if (version === undefined) return [newest, all];
  return [named('version', version, new Map(all.map((pack) => [pack.ref.version, pack] as const))), all];
}

export const shownSummary = ([pack, versions]: Versions): JsonObject => ({
  pack: pack.ref.pack,
  title: pack.title,
  jurisdiction: pack.jurisdiction,
  cite: pack.cite,
  packVersion: pack.ref.version,
  versions: versions.map(({ ref }) => ref.version),
});

/** The whole of a pack: what it says, asks, and how it is read. */
export function shownPack(rules: RuleSet, [pack, versions]: Versions): JsonObject {
  const { bodies, clauses, assessments, subjects, acts, permits, manifests, loads, limits } = pack;
  return {
    ...shownSummary([pack, versions]),
    zone: pack.zone,
    versions: versions.map((version) => shownVersion(rules, version)),
    bodies: [...bodies.values()].map((body) => ({ ...body })),
    clauses: [...clauses.values()].map(shownClause),
    readings: readingsOf([...clauses.values()]),
    assessments: [...assessments.values()].map(({ name, question, judgedOn, clauses: judged }) => {
      return { name, question, judgedOn, clauses: judged };
    }),
    kinds: [...subjects.values()].map(({ kind, label, key }) => ({ kind, label, key })),
    acts: [...acts.values()].map(({ name, label, cite, on }) => ({ act: name, label, cite, on })),
    permits: [...permits.values()].map(({ name, title, cite, holder }) => {
      return { permitType: name, title, cite, holder };
    }),
    manifests: [...manifests.values()].map(({ name, label, cite, on, permit }) => {
      return { manifest: name, label, cite, on, permit };
    }),
    loads: [...loads.values()].map(({ name, label, on }) => ({ load: name, label, on })),
    limits: [...limits.values()].map(({ name, label, key, window, under }) => {
      return { limit: name, label, key, window: { ...window }, under };
    }),
    // Both are plain JSON already: what a court may set, and who hears whom by when.
    penalties: pack.penalties.map((penalty) => ({ ...penalty }) as unknown as JsonObject),
    appeals: pack.appeals.map((appeal) => ({ ...appeal }) as unknown as JsonObject),
  };
}

function shownVersion(rules: RuleSet, { ref, inForce }: Pack): JsonObject {
  const file = rules.files.find(({ kind, sha256 }) => kind === 'pack' && sha256 === ref.sha256);
  const { from, until = null } = inForce;
  return { version: ref.version, sha256: ref.sha256, status: file?.status ?? null, inForce: { from, until } };
}

const shownClause = (clause: ClauseDef): JsonObject => ({
  clause: clause.id,
  cite: clause.cite,
  says: clause.says,
  rows: clause.rows,
  about: clause.about,
  verb: clause.verb,
  binds: clause.binds,
  reading: clause.interpretation?.id ?? null,
  ...(clause.continuesUntil !== undefined && { continuesUntil: clause.continuesUntil }),
  ...(clause.fee && { fee: { ...clause.fee } }),
  ...(clause.deadline && { deadline: shownDeadline(clause.deadline) }),
});

const shownDeadline = (deadline: NonNullable<ClauseDef['deadline']>): JsonObject => {
  const { who, must, outcome, allow, due, pausedBy, extendedBy, waivedBy, byPost, remind } = deadline;
  return {
    who,
    must,
    outcome,
    ...(allow && { allow: { ...allow } }),
    ...(due && { due: { ...due } }),
    ...(byPost && { byPost }),
    ...(pausedBy && { pausedBy: { ...pausedBy } }),
    ...(extendedBy && { extendedBy: { ...extendedBy, each: { ...extendedBy.each } } }),
    ...(waivedBy !== undefined && { waivedBy }),
    ...(remind.length > 0 && { remind: remind.map((period) => ({ ...period })) }),
  };
};

/** Each reading once, with the clauses that are read so. */
function readingsOf(clauses: readonly ClauseDef[]): readonly JsonObject[] {
  const readings = new Map<string, { readonly said: JsonObject; readonly clauses: string[] }>();
  for (const { id, interpretation } of clauses) {
    if (!interpretation) continue;
    const reading = readings.get(interpretation.id) ?? { said: { ...interpretation }, clauses: [] };
    reading.clauses.push(id);
    readings.set(interpretation.id, reading);
  }
  return [...readings.values()].map(({ said, clauses: read }) => ({ ...said, clauses: read }));
}

/** A permit type: its form, and who decides what under which clauses. */
export function shownPermitType(pack: Pack, def: PermitDef): JsonObject {
  const { name, title, cite, rows, holder, judgedBy, form, needs, sets, grounds, renewable, valid } = def;
  const { completeUnder, decidedUnder, issuedUnder, waivedBy } = def;
  const ruleOf = (rule: BodyRule | undefined): JsonValue => {
    const body = rule && pack.bodies.get(rule.body);
    if (!rule || !body) return null;
    return {
      body: body.id,
      name: body.name,
      role: body.role,
      ...(rule.notSameAs && { notSameAs: rule.notSameAs }),
    };
  };
  return {
    ...{ permitType: name, title, cite, rows, holder, judgedBy, renewable },
    valid: { ...valid },
    decisions: {
      completion: { by: ruleOf(def.reviewedBy), under: completeUnder },
      approval: { by: ruleOf(def.decidedBy), under: decidedUnder, sets, waivedBy: { ...waivedBy } },
      issuance: { by: ruleOf(def.issuedBy), under: issuedUnder },
      suspension: { by: ruleOf(def.suspendedBy), under: def.suspendedUnder, grounds },
      revocation: { by: ruleOf(def.revokedBy), under: def.revokedUnder, grounds },
    },
    facts: pack.factSchema(form, needs),
  };
}

/** A form: the facts of something as JSON Schema, for whoever builds a screen or a body. */
export const formOf = (pack: Pack, facts: Iterable<string>): JsonValue => pack.factSchema(facts);

/** Facts that must be given: all that are not optional. */
export const neededOf = (pack: Pack, facts: readonly string[]): readonly string[] =>
  facts.filter((fact) => pack.facts.get(fact)?.optional === false);
