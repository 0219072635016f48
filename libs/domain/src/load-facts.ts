import { isoInstant, parseQuantity, type JsonValue, type QuantityJson } from '@headworks/kernel';
import type { FactEntry, FactSource, GiveSource, Pack } from '@headworks/rules-engine';
import type { Facts, Papers, ThingRef } from './events';
import { dayIn } from './pack-at';

/** What is known of a load where its clauses are judged: from its own stream, or from the posting of it. */
export interface LoadFacts {
  readonly occurredMs: number;
  readonly finishedMs?: number;
  /** Absent in a pre-check that names no load. */
  readonly quantity?: QuantityJson;
  readonly hauler?: ThingRef;
  readonly vehicle?: ThingRef;
  readonly ticket?: string;
  /** Kinds of waste of its sources. */
  readonly wasteTypes?: readonly string[];
  readonly papers?: Papers;
  /** When its manifest was accepted, while that stood; null where it has no accepted manifest. */
  readonly acceptedMs?: number | null;
  readonly facts: Facts;
  /** Address of the event that said all this. */
  readonly event?: string;
}

/** The campaign that a load belongs to: the instant of its first load, and its number in the window. */
export interface CampaignPlace {
  readonly startMs: number;
  /** Absent where it hangs on earlier loads of which nobody knows whether they count. */
  readonly number?: number;
}

/** What a load and a manifest have in common here: what their envelopes give. */
export interface Giving {
  readonly gives: Readonly<Record<string, GiveSource>>;
}

/** The facts that a load brings: what it says itself, and what the pack lets its envelope give. */
export function loadFactSource(
  pack: Pack,
  def: Giving,
  load: LoadFacts,
  campaign: CampaignPlace | undefined,
): FactSource {
  const from = { source: 'payload' as const, ...(load.event === undefined ? {} : { event: load.event }) };
  const entries = new Map<string, FactEntry>();
  for (const [fact, source] of Object.entries(def.gives)) {
    const json = given(pack, fact, source, load, campaign);
    if (json !== undefined) entries.set(fact, { json, from });
  }
  for (const [fact, json] of Object.entries(load.facts)) entries.set(fact, { json, from });
  return (fact) => entries.get(fact);
}

function given(
  pack: Pack,
  fact: string,
  source: GiveSource,
  load: LoadFacts,
  campaign: CampaignPlace | undefined,
): JsonValue | undefined {
  switch (source) {
    case 'quantity':
      return load.quantity && sameKind(pack, fact, load.quantity) ? { ...load.quantity } : undefined;
    case 'occurredAt':
      return isoInstant(load.occurredMs);
    case 'finishedAt':
      return load.finishedMs === undefined ? undefined : isoInstant(load.finishedMs);
    case 'occurred_on':
      return dayIn(pack, load.occurredMs);
    case 'hauler':
      return load.hauler?.key;
    case 'vehicle':
      return load.vehicle?.key;
    case 'person':
      return undefined;
    case 'ticket':
      return load.ticket;
    case 'signed':
      return load.papers?.signed;
    case 'waste_types':
      return load.wasteTypes && [...new Set(load.wasteTypes)];
    case 'generators_named':
      return load.papers?.generatorsNamed;
    case 'locations_named':
      return load.papers?.locationsNamed;
    case 'manifest_accepted_at':
      return typeof load.acceptedMs === 'number' ? isoInstant(load.acceptedMs) : load.acceptedMs;
    case 'campaign_start':
      return campaign && isoInstant(campaign.startMs);
    case 'campaign_number':
      return campaign?.number;
  }
}

/** A volume gives facts that are volumes, a mass those that are masses: the quantity of a load may be either. */
function sameKind(pack: Pack, fact: string, quantity: QuantityJson): boolean {
  const parsed = parseQuantity(quantity);
  return parsed.ok && pack.facts.get(fact)?.type === parsed.value.kind;
}

/** The first source that knows the fact. */
export function firstOf(...sources: readonly FactSource[]): FactSource {
  return (fact) => {
    for (const source of sources) {
      const entry = source(fact);
      if (entry !== undefined) return entry;
    }
    return undefined;
  };
}
