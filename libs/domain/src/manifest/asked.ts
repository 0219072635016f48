import { occurredMs } from '@headworks/calendars';
import { address, type Finding, type QuantityJson, type RecordedEvent } from '@headworks/kernel';
import { findingOf, type Facts, type Papers, type Source, type ThingRef } from '../events';
import type { LoadFacts } from '../load-facts';
import type { ManifestRefused, ManifestSubmitted } from './events';
import type { ManifestAsk } from './judge-manifest';

/** A manifest as its own stream has it: what was asked. What became of it stands in its permit's stream. */
export interface AskedManifest {
  readonly pack: string;
  /** Key under `manifests` of the pack. */
  readonly type: string;
  readonly permitId: string;
  readonly subject: ThingRef;
  readonly hauler: ThingRef;
  readonly vehicle?: ThingRef;
  readonly ticket: string;
  readonly askedMs: number;
  readonly plannedMs: number;
  readonly untilMs: number;
  readonly quantity: QuantityJson;
  readonly sources: readonly Source[];
  readonly facts: Facts;
  readonly papers?: Papers;
  readonly content: string;
  readonly distinct?: { readonly reason: string };
  readonly event: string;
  readonly recordedAt: string;
  /** As the log stood when it was submitted. */
  readonly findings: readonly Finding[];
  /** Only where no permit's stream can say so. */
  readonly refused?: {
    readonly event: string;
    readonly ms: number;
    readonly findings: readonly Finding[];
  };
}

export function evolveAsked(
  asked: AskedManifest | undefined,
  event: RecordedEvent,
): AskedManifest | undefined {
  const ms = occurredMs(event.metadata.occurred);
  if (event.type === 'ManifestRefused') {
    const { findings } = event.data as ManifestRefused;
    return asked && { ...asked, refused: { event: address(event), ms, findings: findings.map(findingOf) } };
  }
  const data = event.data as ManifestSubmitted;
  const { pack, permitId, subject, hauler, ticket, quantity, sources, facts, content } = data;
  return {
    ...{ pack, permitId, subject, hauler, ticket, quantity, sources, facts, content },
    type: data.manifest,
    askedMs: ms,
    plannedMs: Date.parse(data.plannedAt),
    untilMs: Date.parse(data.until),
    event: address(event),
    recordedAt: event.metadata.recordedAt,
    findings: data.findings.map(findingOf),
    ...(data.vehicle && { vehicle: data.vehicle }),
    ...(data.papers && { papers: data.papers }),
    ...(data.distinct && { distinct: data.distinct }),
  };
}

/** The same of one that is about to be submitted: no event says it yet. */
export type ToAsk = Omit<AskedManifest, 'event' | 'recordedAt' | 'findings' | 'refused' | 'askedMs'> & {
  readonly event?: string;
};

/** What its clauses are judged by of itself; facts that whoever accepts it fills in come before its own. */
export function askOf(manifest: string, asked: ToAsk, filled: Facts = {}): ManifestAsk {
  const { pack, type, permitId, hauler, vehicle, ticket, quantity, sources, papers, event } = asked;
  const load: LoadFacts = {
    occurredMs: asked.plannedMs,
    ...{ quantity, hauler, ticket },
    wasteTypes: sources.map(({ wasteType }) => wasteType),
    facts: { ...asked.facts, ...filled },
    ...(event !== undefined && { event }),
    ...(vehicle && { vehicle }),
    ...(papers && { papers }),
  };
  return { manifest, pack, type, permitId, load, untilMs: asked.untilMs };
}
