import type { Pack } from '@headworks/rules-engine';

export interface ActFacts {
  /** Facts that some act on the kind records or gives. */
  readonly ofActs: ReadonlySet<string>;
  /** Facts of acts that give one: the log knows whether they were done. */
  readonly doneHere: ReadonlySet<string>;
}

/** Per pack and kind. Packs are immutable, so it is kept. */
const known = new WeakMap<Pack, Map<string, ActFacts>>();

export function actFacts(pack: Pack, kind: string): ActFacts {
  let kinds = known.get(pack);
  if (!kinds) known.set(pack, (kinds = new Map<string, ActFacts>()));
  let facts = kinds.get(kind);
  if (!facts) {
    const acts = [...pack.acts.values()].filter((act) => act.on === kind);
    const names = (some: typeof acts) =>
      new Set(some.flatMap((a) => [...a.records, ...Object.keys(a.gives)]));
    facts = { ofActs: names(acts), doneHere: names(acts.filter((act) => Object.keys(act.gives).length > 0)) };
    kinds.set(kind, facts);
  }
  return facts;
}
