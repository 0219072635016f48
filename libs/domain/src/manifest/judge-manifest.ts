import type { Finding, JsonValue, StreamAt } from '@headworks/kernel';
import type { FactSource, LimitDef, ManifestDef, Pack } from '@headworks/rules-engine';
import type { Facts } from '../events';
import { firstOf, loadFactSource, type LoadFacts } from '../load-facts';
import { inOrder, worldSources, type LoadWorld, type WorldSources } from '../load/load-world';
import { newPermit } from '../permit/permit';
import { PERMIT, permitLive } from '../permit/permit-facts';
import type { SubjectState } from '../subject/subject';
import { reservedLedger, type Asking } from './ledger';

/** What a manifest asks, as its own stream says it. */
export interface ManifestAsk {
  /** Its id, which is its load's. */
  readonly manifest: string;
  readonly pack: string;
  /** Key under `manifests` of the pack. */
  readonly type: string;
  readonly permitId: string;
  /** Its content as a load's: `occurredMs` is the planned instant. */
  readonly load: LoadFacts;
  readonly untilMs: number;
}

/** The manifest, the law it is judged under, and for when. */
export interface Judging {
  readonly pack: Pack;
  readonly def: ManifestDef;
  readonly ask: ManifestAsk;
  readonly world: LoadWorld;
  readonly nowMs: number;
}

export type Verdict = 'satisfied' | 'violated' | 'unknown';

/** A late office never stands against who asks, and what is only not due yet is no open question. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  const asked = findings.filter(({ binds }) => binds === 'person');
  if (asked.some(({ status }) => status === 'violated')) return 'violated';
  const open = asked.some(({ status, reason }) => status === 'unknown' && reason !== 'not_yet_due');
  return open ? 'unknown' : 'satisfied';
}

/** Findings that stand in the way of acceptance. */
export const against = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((one) => verdictOf([one]) !== 'satisfied');

/**
 * The earliest instant at which the load could still come: facts and permit are looked at as they stand then. What a
 * stream recorded last lies no later than that, so nothing is accepted against what stands before it in the stream.
 */
export const dischargeMs = (plannedMs: number, nowMs: number, state: SubjectState): number =>
  Math.max(plannedMs, nowMs, state.lastRecordedAt === '' ? 0 : Date.parse(state.lastRecordedAt));

const limitsOn = (pack: Pack, def: ManifestDef, key: string): readonly LimitDef[] =>
  def.reservesIn.flatMap((name) => pack.limits.get(name) ?? []).filter((limit) => limit.key === key);

/** Limits that the manifest reserves in where the thing's, or the permit's, stream is the key. */
export const limitsOfThing = (pack: Pack, def: ManifestDef): readonly LimitDef[] =>
  limitsOn(pack, def, def.on);
export const limitsOfPermit = (pack: Pack, def: ManifestDef): readonly LimitDef[] =>
  limitsOn(pack, def, PERMIT);

interface ManifestSources extends WorldSources {
  readonly own: FactSource;
  readonly full: FactSource;
}

function sourcesOf({ pack, def, ask, world, nowMs }: Judging, atMs: number): ManifestSources {
  const asking: Asking = { manifest: ask.manifest, plannedMs: ask.load.occurredMs, nowMs };
  const { thing, permit } = world;
  const own = loadFactSource(pack, def, ask.load, undefined);
  const others = worldSources(pack, def, ask.load, world, atMs);
  const full = firstOf(
    own,
    ...limitsOfThing(pack, def).map((limit) => reservedLedger(pack, limit, thing, asking)),
    ...(permit ? limitsOfPermit(pack, def).map((l) => reservedLedger(pack, l, permit, asking)) : []),
    inOrder(others),
  );
  return { ...others, own, full };
}

export interface Judged {
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  /** All that the clauses may ask. */
  readonly facts: FactSource;
}

/** All that the clauses of a manifest may ask, ledgers with what others hold in them. */
export const manifestFacts = (judging: Judging, atMs: number): FactSource => sourcesOf(judging, atMs).full;

/** All clauses of the manifest's assessment, and whether the permit gives leave then. */
export function judgeManifest(judging: Judging, atMs: number): Judged {
  const { pack, def, ask, world } = judging;
  const facts = manifestFacts(judging, atMs);
  const clauses = pack.assessments.get(def.judgedBy)?.clauses ?? [];
  const type = pack.permits.get(def.permit);
  const permit = world.permit ?? newPermit('');
  const findings = [
    ...(type ? [permitLive(permit, type, atMs, ask.load.hauler)] : []),
    ...pack.evaluate({ clauses, facts, now: atMs }),
  ];
  return { findings, verdict: verdictOf(findings), facts };
}

/**
 * What the clauses ask that does not stand in the stream that it is carried to, so that they can be judged again there
 * alone. Ledgers are never carried: they are lists, and each is judged where it stands.
 */
export function carriedFacts(judging: Judging, atMs: number, to: 'permit' | 'thing'): Facts {
  const { pack, def } = judging;
  const { own, places, permit, thing, hauler, vehicle } = sourcesOf(judging, atMs);
  const source = firstOf(own, places, to === 'permit' ? thing : permit, hauler, vehicle);
  const carried: Record<string, JsonValue> = {};
  for (const fact of pack.factsUsedBy(pack.assessments.get(def.judgedBy)?.clauses ?? [])) {
    const entry = pack.facts.get(fact)?.type === 'series' ? undefined : source(fact);
    if (entry) carried[fact] = entry.json;
  }
  return carried;
}

/** Heads of the streams that a manifest was judged on, beside the one that it is decided in. */
export function headsOf({
  thing,
  permit,
  hauler,
  vehicle,
  places = [],
  linked,
}: LoadWorld): readonly StreamAt[] {
  const heads = new Map<string, number>();
  for (const state of [thing, permit, hauler, vehicle, ...places, ...(linked?.values() ?? [])]) {
    if (state && state.revision >= 0) heads.set(state.stream, state.revision);
  }
  return [...heads].map(([stream, revision]) => ({ stream, revision }));
}
