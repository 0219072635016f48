import type { JsonValue } from '@headworks/kernel';
import type { FactEntry, FactSource, Pack, PermitDef, PermitGive, SourcesDef } from '@headworks/rules-engine';
import type { ThingRef } from '../events';
import { firstOf, type LoadFacts } from '../load-facts';
import { holderOf, isLive, type PermitState } from '../permit/permit';
import { PERMIT, permitSource } from '../permit/permit-facts';
import { actFacts } from '../subject/act-facts';
import { subjectSource } from '../subject/subject-facts';
import type { SubjectState } from '../subject/subject';
import { sameThing } from '../same-thing';

/** What a load or manifest is judged by beside what it says itself: the streams that its pack's clauses look at. */
export interface LoadWorld {
  /** What it is, or would be, discharged on. */
  readonly thing: SubjectState;
  /** The permit it is under, where the pack wants one; one that nobody filed where it has none of its own. */
  readonly permit?: PermitState;
  readonly hauler?: SubjectState;
  readonly vehicle?: SubjectState;
  /** The place of each source, undefined where a source names none; absent where the pack asks for none. */
  readonly places?: readonly (SubjectState | undefined)[];
  /** Other permits that it names, by the fact that tells whether they give leave; nobody's file where there is none. */
  readonly linked?: ReadonlyMap<string, PermitState>;
}

/** What a load's definition and a manifest's have in common here. */
export interface JudgedDef {
  readonly on: string;
  readonly permit?: string;
  readonly judgedBy: string;
  readonly sources?: SourcesDef;
}

const asked = new WeakMap<Pack, Map<string, boolean>>();

/** Whether the clauses of the assessment look at facts that the kind keeps: a stream they don't is not read. */
export function asksOf(pack: Pack, { judgedBy }: Pick<JudgedDef, 'judgedBy'>, kind: string): boolean {
  let known = asked.get(pack);
  if (!known) asked.set(pack, (known = new Map<string, boolean>()));
  const key = `${kind}|${judgedBy}`;
  let asks = known.get(key);
  if (asks === undefined) {
    const used = pack.factsUsedBy(pack.assessments.get(judgedBy)?.clauses ?? []);
    const kept = [...(pack.subjects.get(kind)?.facts ?? []), ...actFacts(pack, kind).ofActs];
    known.set(key, (asks = kept.some((fact) => used.has(fact))));
  }
  return asks;
}

/** A fact that is looked up in another permit, and what names it. */
export interface Link {
  readonly fact: string;
  readonly by: string;
  readonly permit: string;
}
const links = new WeakMap<Pack, Map<string, readonly Link[]>>();

/** Facts of other permits that the clauses of the assessment ask for. */
export function linksOf(pack: Pack, { judgedBy }: Pick<JudgedDef, 'judgedBy'>): readonly Link[] {
  let known = links.get(pack);
  if (!known) links.set(pack, (known = new Map<string, readonly Link[]>()));
  let found = known.get(judgedBy);
  if (!found) {
    const used = pack.factsUsedBy(pack.assessments.get(judgedBy)?.clauses ?? []);
    found = [...used].flatMap((fact) => {
      const live = pack.facts.get(fact)?.live;
      return live ? [{ fact, ...live }] : [];
    });
    known.set(judgedBy, found);
  }
  return found;
}

/** Whether the permit is the load's own: of the type that it needs, and held by who brings it. */
export function isItsPermit(
  { file, jurisdiction }: PermitState,
  pack: Pack,
  type: string,
  hauler: ThingRef,
): boolean {
  const { filed } = file;
  if (!filed || jurisdiction !== pack.jurisdiction) return false;
  const holder = holderOf(file);
  return filed.pack === pack.ref.pack && filed.permitType === type && !!holder && sameThing(holder, hauler);
}

/** Each of the world's sources by what it is: the first that knows a fact wins, in this order. */
export interface WorldSources {
  readonly places: FactSource;
  readonly permit: FactSource;
  readonly thing: FactSource;
  readonly hauler: FactSource;
  readonly vehicle: FactSource;
  readonly linked: FactSource;
}

const knowsNothing: FactSource = () => undefined;

export function worldSources(
  pack: Pack,
  def: JudgedDef,
  load: Pick<LoadFacts, 'hauler' | 'vehicle'>,
  world: LoadWorld,
  ms: number,
): WorldSources {
  const { thing, permit, hauler, vehicle, places, linked } = world;
  const of = (state: SubjectState | undefined, ref: ThingRef | undefined): FactSource =>
    state && ref ? subjectSource(state, pack, ref.kind, ms) : knowsNothing;
  return {
    places: places && def.sources ? placesSource(pack, def.sources, places, ms) : knowsNothing,
    permit: permit ? permitFacts(pack, def, permit, ms) : knowsNothing,
    thing: subjectSource(thing, pack, def.on, ms),
    hauler: of(hauler, load.hauler),
    vehicle: of(vehicle, load.vehicle),
    linked: linked ? linkedSource(linked, ms) : knowsNothing,
  };
}

export const inOrder = ({ linked, places, permit, thing, hauler, vehicle }: WorldSources): FactSource =>
  firstOf(...[linked, places, permit, thing, hauler, vehicle].filter((source) => source !== knowsNothing));

/** Leave that another permit gives at the instant, and none where nobody filed it. */
const linkedSource =
  (linked: ReadonlyMap<string, PermitState>, ms: number): FactSource =>
  (fact) => {
    const permit = linked.get(fact);
    if (!permit) return undefined;
    const event = permit.revision < 0 ? {} : { event: `${permit.stream}@${permit.revision}` };
    return { json: isLive(permit.file, ms), from: { source: 'permit', ...event } };
  };

/** Facts that must hold at every place that something comes from: one no is no, one unknown leaves it unknown. */
function placesSource(
  pack: Pack,
  { kind, all }: SourcesDef,
  places: readonly (SubjectState | undefined)[],
  ms: number,
): FactSource {
  return (fact) => {
    const there = Object.hasOwn(all, fact) ? all[fact] : undefined;
    if (there === undefined || places.length === 0) return undefined;
    const known = places.map((place) => place && knownOf(pack, subjectSource(place, pack, kind, ms), there));
    const no = known.find((entry) => entry?.json === false);
    if (no) return no;
    return known.every((entry) => entry?.json === true) ? known[0] : undefined;
  };
}

/** A fact of the place, or what the pack derives from its facts. */
function knownOf(pack: Pack, place: FactSource, name: string): FactEntry | undefined {
  if (pack.facts.has(name)) return place(name);
  const json = pack.value(name, place);
  return json === undefined ? undefined : { json, from: { source: 'derived' } };
}

function permitFacts(pack: Pack, def: JudgedDef, permit: PermitState, ms: number): FactSource {
  const type = pack.permits.get(def.permit ?? '');
  if (!type) return knowsNothing;
  return permit.file.filed ? permitSource(permit, pack, type, ms) : noPermit(pack, type);
}

/** Of a permit that does not exist it is known that nothing happened: it was neither applied for nor issued. */
function noPermit(pack: Pack, { gives }: PermitDef): FactSource {
  const { doneHere } = actFacts(pack, PERMIT);
  const entry = (json: JsonValue): FactEntry => ({ json, from: { source: 'permit' } });
  return (fact) => {
    const give: PermitGive | undefined = gives[fact];
    if (give === 'renews') return entry(false);
    if (give === undefined && !doneHere.has(fact)) return undefined;
    return pack.facts.get(fact)?.optional === true ? entry(null) : undefined;
  };
}
