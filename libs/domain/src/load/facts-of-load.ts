import type { LoadDef } from '@headworks/rules-engine';
import type { Facts, Source } from '../events';
import type { LoadFacts } from '../load-facts';
import { acceptanceOf, acceptedMs, type Manifests } from '../manifest/standing';
import type { LoadContent, LoadState } from './load';

/** What a load says that is to be judged: as recorded, or as it is about to be. */
export type LoadSaid = Omit<LoadContent, 'content' | 'distinct'> & { readonly event?: string };

/** Places and kinds of waste are its own; where it says none, its manifest's: nobody need write them twice. */
export function sourcesOf(
  { sources }: { readonly sources: readonly Source[] },
  manifest: LoadState['manifest'],
): readonly Source[] {
  return sources.length > 0 ? sources : (manifest?.sources ?? []);
}

/**
 * What the load says itself, filled up from its manifest (it stands in the same stream) and from what was filled in
 * when that was accepted. The acceptance counts only where it was given under the load's own permit.
 */
export function factsOfLoad(
  def: LoadDef,
  load: LoadSaid,
  manifest: LoadState['manifest'],
  permit: { readonly id: string; readonly manifests: Manifests } | undefined,
  id: string,
): LoadFacts {
  const own = manifest && permit && manifest.permitId === permit.id ? permit : undefined;
  const vehicle = load.vehicle ?? manifest?.vehicle;
  const papers = load.papers ?? manifest?.papers;
  // Written member by member: a load is judged again with each that comes before it.
  const said: { -readonly [K in keyof LoadFacts]: LoadFacts[K] } = {
    occurredMs: load.occurredMs,
    quantity: load.quantity,
    hauler: load.hauler,
    ticket: load.ticket,
    wasteTypes: sourcesOf(load, manifest).map(({ wasteType }) => wasteType),
    facts: manifest ? { ...filled(def, manifest.facts, own, id), ...load.facts } : load.facts,
    acceptedMs: (own && acceptedMs(own, id, load.occurredMs)) ?? null,
  };
  if (vehicle) said.vehicle = vehicle;
  if (papers) said.papers = papers;
  if (load.finishedMs !== undefined) said.finishedMs = load.finishedMs;
  if (load.event !== undefined) said.event = load.event;
  return said;
}

/** Facts of the manifest that the load may bring too. */
function filled(
  def: LoadDef,
  said: Facts,
  permit: { readonly manifests: Manifests } | undefined,
  id: string,
): Facts {
  const accepted = acceptanceOf(permit?.manifests.get(id))?.data.facts ?? {};
  return Object.fromEntries(
    Object.entries({ ...said, ...accepted }).filter(([fact]) => def.facts.includes(fact)),
  );
}
