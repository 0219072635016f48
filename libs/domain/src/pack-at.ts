import { localDateAt } from '@headworks/calendars';
import type { LocalDate } from '@headworks/kernel';
import type { Pack, RuleSet } from '@headworks/rules-engine';

/** The adopted texts, as a decider needs them: the version of a pack that was in force on a day. */
export type Law = Pick<RuleSet, 'packOn' | 'packs'> & {
  /** The newest event that changed days of the jurisdiction's calendars since its log was opened, and when that was. */
  readonly calendarsChangedBy?: (
    jurisdiction: string,
  ) => { readonly event: string; readonly ms: number; readonly annulled?: object } | undefined;
};

/** The version in force on the local day of the instant, or undefined. All versions of a pack share a zone. */
export function packAt(law: Law, pack: string, ms: number): Pack | undefined {
  const zone = law.packs.get(pack)?.at(-1)?.zone;
  return zone === undefined ? undefined : law.packOn(pack, localDateAt(zone, ms));
}

/** As `packAt`, where the log itself says that the pack decided something: its absence is a fault of the start. */
export function packOf(law: Law, pack: string, ms: number): Pack {
  const found = packAt(law, pack, ms);
  if (!found) {
    throw new Error(`The log holds decisions under '${pack}', but no version of it in force then is loaded.`);
  }
  return found;
}

/** As `packAt`; before any version was in force, the newest: what is recorded then is recorded in its words. */
export function packFor(law: Law, pack: string, ms: number): Pack {
  const found = packAt(law, pack, ms) ?? law.packs.get(pack)?.at(-1);
  if (!found) throw new Error(`No version of pack '${pack}' is loaded.`);
  return found;
}

export function dayIn(pack: Pack, ms: number): LocalDate {
  return localDateAt(pack.zone, ms);
}
