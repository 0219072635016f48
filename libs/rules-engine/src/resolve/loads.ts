import type { LoadDef, ManifestDef } from '../api';
import type { RawLoad, RawManifest } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { aboutOf } from './clauses';
import { checkBrought, checkGives, checkSources } from './gives';
import type { BaseFacts, Limit } from './limits';
import { PERMIT, type Scope } from './scope';

/** What a recorded load is: on what, under which permit, judged by what, counted where. */
export function resolveLoads(scope: Scope, baseFacts: BaseFacts): readonly LoadDef[] {
  return Object.entries(scope.raw.loads ?? {}).map(([name, raw]) => {
    checkLoad(scope, raw, ['loads', name], baseFacts);
    const permit = permitOf(raw);
    return {
      name,
      label: raw.label,
      on: raw.on,
      ...(permit === undefined ? {} : { permit }),
      judgedBy: raw.judged_by,
      countsIn: raw.counts_in,
      gives: raw.gives,
      facts: raw.facts,
      ...(raw.sources ? { sources: raw.sources } : {}),
    };
  });
}

const permitOf = ({ permit }: RawLoad): string | undefined => (permit === 'none' ? undefined : permit);

function checkLoad(scope: Scope, raw: RawLoad, path: Path, baseFacts: BaseFacts): void {
  const subject = scope.member(scope.raw.subjects, 'subject', raw.on, [...path, 'on']);
  const permit = permitOf(raw);
  if (permit !== undefined) scope.member(scope.raw.permits, 'permit', permit, [...path, 'permit']);
  scope.member(scope.raw.assessments, 'assessment', raw.judged_by, [...path, 'judged_by']);
  checkKeys(scope, raw.counts_in, subject && { on: raw.on, permit }, 'load', [...path, 'counts_in']);
  checkBrought(scope, raw.facts, raw.gives, [...path, 'facts'], 'load');
  checkGives(scope, raw.gives, [...path, 'gives'], 'load');
  checkSources(scope, raw, [...path, 'sources'], baseFacts);
  checkLinks(scope, raw, path, 'load');
}

/** A limit lives in the stream of its key: the thing that a load is on, or the permit that it is under. */
function checkKeys(
  scope: Scope,
  limits: readonly string[],
  standing: { readonly on: string; readonly permit: string | undefined } | undefined,
  what: 'load' | 'manifest',
  path: Path,
): void {
  limits.forEach((name, index) => {
    const known = scope.member(scope.raw.limits, 'limit', name, [...path, index]);
    if (!standing || !known || known.key === standing.on) return;
    if (known.key === PERMIT && standing.permit !== undefined) return;
    const where = known.key === PERMIT ? "is under none: say 'permit'" : `is on a ${standing.on}`;
    scope.report([...path, index], `'${name}' is counted on a ${known.key}, but this ${what} ${where}`);
  });
}

/** What is asked before a load: it must become that load without anything being counted elsewhere. */
export function resolveManifests(
  scope: Scope,
  parts: { readonly loads: readonly LoadDef[]; readonly limits: readonly Limit[] },
  baseFacts: BaseFacts,
): readonly ManifestDef[] {
  return Object.entries(scope.raw.manifests ?? {}).map(([name, raw]) => {
    const path: Path = ['manifests', name];
    checkManifest(scope, raw, path, baseFacts);
    checkThen(scope, raw, parts.loads, path);
    checkReserves(scope, raw, parts.limits, path);
    const hours = /^(\d+) h$/.exec(raw.until ?? '')?.[1];
    return {
      name,
      label: raw.label,
      cite: raw.cite,
      rows: raw.rows,
      on: raw.on,
      permit: raw.permit,
      judgedBy: raw.judged_by,
      reservesIn: raw.reserves_in,
      then: raw.then,
      gives: raw.gives,
      facts: raw.facts,
      ...(raw.sources ? { sources: raw.sources } : {}),
      until: hours === undefined ? 'end_of_day' : { hours: Number(hours) },
    };
  });
}

function checkManifest(scope: Scope, raw: RawManifest, path: Path, baseFacts: BaseFacts): void {
  const subject = scope.member(scope.raw.subjects, 'subject', raw.on, [...path, 'on']);
  scope.member(scope.raw.permits, 'permit', raw.permit, [...path, 'permit']);
  scope.member(scope.raw.assessments, 'assessment', raw.judged_by, [...path, 'judged_by']);
  const standing = subject && { on: raw.on, permit: raw.permit };
  checkKeys(scope, raw.reserves_in, standing, 'manifest', [...path, 'reserves_in']);
  checkBrought(scope, raw.facts, raw.gives, [...path, 'facts'], 'manifest');
  checkGives(scope, raw.gives, [...path, 'gives'], 'manifest');
  checkSources(scope, raw, [...path, 'sources'], baseFacts);
  checkLinks(scope, raw, path, 'manifest');
}

/** The load takes the reservation's place, so it stands on the same thing, under the same permit. */
function checkThen(scope: Scope, raw: RawManifest, loads: readonly LoadDef[], path: Path): void {
  const at = [...path, 'then'];
  if (!scope.member(scope.raw.loads, 'load', raw.then, at)) return;
  const load = loads.find(({ name }) => name === raw.then);
  if (!load) return;
  if (load.on !== raw.on) {
    scope.report(at, `the load '${raw.then}' is on a ${load.on}, but this manifest is on a ${raw.on}`);
  }
  // A permit type that does not exist is said once, where it is named.
  const isKnown = (name: string) => Object.hasOwn(scope.raw.permits ?? {}, name);
  if (load.permit !== raw.permit && isKnown(raw.permit) && isKnown(load.permit ?? raw.permit)) {
    const under = load.permit === undefined ? 'no permit' : `the permit '${load.permit}'`;
    scope.report(at, `the load '${raw.then}' is under ${under}, but this manifest is under '${raw.permit}'`);
  }
  raw.reserves_in.forEach((limit, index) => {
    if (!Object.hasOwn(scope.raw.limits ?? {}, limit) || load.countsIn.includes(limit)) return;
    const advice = `add it to the counts_in of '${raw.then}'`;
    scope.report(
      [...path, 'reserves_in', index],
      `no load would take the place of what is reserved: ${advice}`,
    );
  });
}

/** A reservation counts as the load will, so it must know all that a posting of the load would carry. */
function checkReserves(scope: Scope, raw: RawManifest, limits: readonly Limit[], path: Path): void {
  const carried = new Set([...raw.facts, ...Object.keys(raw.gives)]);
  raw.reserves_in.forEach((name, index) => {
    const limit = limits.find(({ def }) => def.name === name);
    if (!limit?.def.postingFacts.length) return;
    const lacking = limit.def.postingFacts.filter((fact) => !carried.has(fact));
    if (lacking.length === 0) return;
    const shown = lacking.map((fact) => `'${fact}'`).join(', ');
    scope.report(
      [...path, 'reserves_in', index],
      `'${name}' counts by ${shown}: let the manifest bring or give it`,
    );
  });
}

/** Another permit is looked up by what the load itself says: whoever changes that permit must find the load. */
function checkLinks(
  scope: Scope,
  { judged_by: judgedBy, facts }: RawLoad | RawManifest,
  path: Path,
  what: 'load' | 'manifest',
): void {
  for (const [name, { live }] of Object.entries(scope.raw.facts)) {
    if (live === undefined || facts.includes(live)) continue;
    const asks = scope.raw.clauses.some(
      (clause) => aboutOf(clause).includes(judgedBy) && JSON.stringify(clause).includes(`"${name}"`),
    );
    if (asks)
      scope.report([...path, 'facts'], `'${name}' is looked up in '${live}': let the ${what} bring that`);
  }
}
