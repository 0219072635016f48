import { withExtraDays, type Calendar, type ExtraDay } from '@headworks/calendars';
import type { Pack, RuleSet } from './api';
import type { PackLookup } from './compile/context';
import { idsOf } from './load/calendars';
import { compilePack, partsOf } from './pack';

/**
 * A day that an officer of a jurisdiction added to a calendar: it is one for the packs of that jurisdiction alone. A day
 * of legal holidays is closed for everyone, or it is none.
 */
export interface AmendedDay extends ExtraDay {
  readonly jurisdiction: string;
  readonly calendar: string;
}

/**
 * The rules with the days that officers added (the events CalendarAmended that stand, as far as they are known). Packs
 * that count by an amended calendar are compiled anew, and keep the reference to their text: no text changed. A day of a
 * calendar that no pack of the jurisdiction counts by any more changes nothing. With no day the rules are the same ones.
 */
export function amendRules(rules: RuleSet, days: readonly AmendedDay[]): RuleSet {
  if (days.length === 0) return rules;
  const asAmended = new Map<Pack, Pack>();
  const packOn: PackLookup = (id, date) => {
    const found = rules.packOn(id, date);
    return found && asAmended.get(found);
  };
  for (const pack of [...rules.packs.values()].flat()) {
    const own = days.filter(({ jurisdiction }) => jurisdiction === pack.jurisdiction);
    asAmended.set(pack, amendPack(pack, own, packOn));
  }
  return {
    ...rules,
    packs: new Map(
      [...rules.packs].map(([id, versions]) => [id, versions.map((pack) => asAmended.get(pack) ?? pack)]),
    ),
    packOn,
  };
}

/** A pack that asks others for their clauses must ask the amended ones. */
function amendPack(pack: Pack, days: readonly AmendedDay[], elsewhere: PackLookup): Pack {
  const { legal, office, post } = pack.calendars;
  const own = { legal: amended(legal, days), office: amended(office, days), post: amended(post, days) };
  const asksOthers = partsOf(pack).model.elsewhere.length > 0;
  if (!asksOthers && own.legal === legal && own.office === office && own.post === post) return pack;
  const calendars = {
    ...(own.legal ? { legal: own.legal } : {}),
    ...(own.office ? { office: own.office } : {}),
    ...(own.post ? { post: own.post } : {}),
  };
  return compilePack({ ...partsOf(pack), calendars, elsewhere });
}

/** A day of a calendar is one of every calendar that includes it. */
function amended(calendar: Calendar | undefined, days: readonly AmendedDay[]): Calendar | undefined {
  if (!calendar) return undefined;
  const ids = new Set(idsOf(calendar));
  return withExtraDays(
    calendar,
    days.filter((day) => ids.has(day.calendar)),
  );
}
