import type { JsonObject } from '@headworks/kernel';
import type { ClauseDef, RuleSet } from '@headworks/rules-engine';

/** A duty of a list, as the view keeps it: it names its clause, and the pack says the rest. */
export interface ListedDuty {
  readonly pack: string;
  readonly packVersion: string;
  readonly clause: string;
}

/** The same with what its clause says, in the version that it began under. */
export function withClause<Item extends ListedDuty>(rules: RuleSet, { ...item }: Item): JsonObject {
  const pack = rules.packs.get(item.pack)?.find(({ ref }) => ref.version === item.packVersion);
  return { ...(item as unknown as JsonObject), ...saysOf(pack?.clauses.get(item.clause)) };
}

/** What is asked, under which citation and rows. A text that is not loaded any more says nothing. */
export function saysOf(clause: ClauseDef | undefined): JsonObject {
  return {
    rows: clause?.rows ?? [],
    cite: clause?.cite ?? null,
    says: clause?.says ?? null,
    must: clause?.deadline?.must ?? null,
  };
}
