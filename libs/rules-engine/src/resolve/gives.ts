import type { GiveSource } from '../api';
import { describeType, type ValueType } from '../model/types';
import type { RawSources } from '../source/raw';
import type { Path } from '../source/yaml-file';
import type { BaseFacts } from './limits';
import type { Scope } from './scope';

/** Which types of fact each source can fill. Closed: a new source needs a line here. */
const GIVES: Readonly<Record<GiveSource, (type: ValueType) => boolean>> = {
  quantity: (type) => type.is === 'quantity' && (type.kind === 'volume' || type.kind === 'mass'),
  occurredAt: (type) => type.is === 'instant',
  finishedAt: (type) => type.is === 'instant',
  occurred_on: (type) => type.is === 'date',
  hauler: (type) => type.is === 'reference',
  vehicle: (type) => type.is === 'reference',
  person: (type) => type.is === 'actor' || type.is === 'text',
  campaign_start: (type) => type.is === 'instant',
  campaign_number: (type) => type.is === 'quantity' && type.kind === 'count',
  ticket: (type) => type.is === 'text',
  signed: (type) => type.is === 'bool',
  waste_types: (type) => type.is === 'set' && type.to === undefined,
  generators_named: (type) => type.is === 'bool',
  locations_named: (type) => type.is === 'bool',
  manifest_accepted_at: (type) => type.is === 'instant',
};

export type Giver = 'load' | 'manifest' | 'act';

/** What the envelope of each can't have: an act carries nothing, and a manifest speaks of what is still to come. */
const LACKS: Readonly<Record<Giver, readonly GiveSource[]>> = {
  load: [],
  manifest: ['finishedAt', 'person', 'campaign_start', 'campaign_number', 'manifest_accepted_at'],
  act: [
    'quantity',
    'hauler',
    'vehicle',
    'ticket',
    'signed',
    'waste_types',
    'generators_named',
    'locations_named',
    'manifest_accepted_at',
    'campaign_start',
    'campaign_number',
  ],
};

/** What nobody should have to type must still fit the fact that receives it. */
export function checkGives(
  scope: Scope,
  gives: Readonly<Record<string, GiveSource>>,
  path: Path,
  giver: Giver,
): void {
  for (const [name, source] of Object.entries(gives)) {
    const at = [...path, name];
    const fact = scope.fact(name, at);
    if (fact && !GIVES[source](fact.type)) {
      scope.report(at, `'${name}' is ${describeType(fact.type)}, which ${source} can't give`);
    } else if (fact && source === 'manifest_accepted_at') {
      needsNone(scope, name, 'a load may have no accepted manifest', at);
    }
    if (!LACKS[giver].includes(source)) continue;
    const instead = giver === 'act' ? "an act can't give it" : "a manifest can't give it yet";
    scope.report(at, `only a load has ${source}: ${instead}`);
  }
}

/** Where a source may say none, the fact must be able to be none: else none would be read as not known. */
export function needsNone(scope: Scope, name: string, why: string, path: Path): void {
  if (!scope.isOptional(name)) scope.report(path, `'${name}' may be none (${why}): give it 'optional: yes'`);
}

/** Facts that somebody brings in a request: none that a limit fills, and none that is given without it. */
export function checkBrought(
  scope: Scope,
  names: readonly string[],
  given: Readonly<Record<string, string>>,
  path: Path,
  what: string,
): void {
  names.forEach((name, index) => {
    const at = [...path, index];
    const fact = scope.fact(name, at);
    if (fact?.type.is === 'series') {
      scope.report(at, `'${name}' is a series: a limit fills it, no ${what} brings it`);
    }
    refuseLive(scope, name, at);
    if (Object.hasOwn(given, name)) {
      scope.report(at, `'${name}' is given by the ${what} itself: nobody need bring it`);
    }
  });
}

/** What is looked up in a permit is nobody's to say. */
export function refuseLive(scope: Scope, name: string, path: Path): void {
  const live = scope.raw.facts[name]?.live;
  if (live === undefined) return;
  scope.report(
    path,
    `'${name}' is looked up in the permit that '${live}' names: nobody brings or records it`,
  );
}

/** A yes that must hold at every place that something comes from, so it is a yes or no there and here. */
export function checkSources(
  scope: Scope,
  raw: { readonly sources?: RawSources; readonly facts: readonly string[]; readonly gives: object },
  path: Path,
  baseFacts: BaseFacts,
): void {
  if (!raw.sources) return;
  const { kind, all } = raw.sources;
  const place = scope.member(scope.raw.subjects, 'subject', kind, [...path, 'kind']);
  for (const [name, there] of Object.entries(all)) {
    const at = [...path, 'all', name];
    const here = scope.fact(name, at);
    const fact = scope.read(there, at);
    if (raw.facts.includes(name) || Object.hasOwn(raw.gives, name)) {
      scope.report(
        at,
        `'${name}' comes from the places of the sources: take it out of facts and gives`,
        true,
      );
    }
    const foreign =
      fact && [...baseFacts({ formulas: [fact], clauses: [] })].find((one) => !place?.facts.includes(one));
    if (place && foreign !== undefined) {
      scope.report(at, `'${foreign}' is no fact of a ${kind}: add it to the facts of that subject`);
    }
    for (const [word, known] of [
      [name, here],
      [there, fact],
    ] as const) {
      if (known && known.type.is !== 'bool') {
        scope.report(at, `'${word}' is ${describeType(known.type)}, and a yes or no belongs here`);
      }
    }
  }
}
