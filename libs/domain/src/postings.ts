import { endOfDay, startOfDay } from '@headworks/calendars';
import { addDays, dateParts, weekStart, type LocalDate } from '@headworks/kernel';
import type { FactEntry, FactSource, LimitDef, Pack } from '@headworks/rules-engine';
import type { LoadPosted } from './events';
import { compareKeys, insertSorted, type LegalKey } from './legal-order';
import { firstOf, loadFactSource, type CampaignPlace } from './load-facts';
import { dayIn, packOf, type Law } from './pack-at';

/** A load as it counts in a limit. The ledger of a thing is its postings in legal order; windows are folds of it. */
export interface Posting {
  readonly data: LoadPosted;
  readonly key: LegalKey;
  /** Address of the LoadPosted event. */
  readonly event: string;
  /** Stream of the predecessor that it was brought forward from: it counts, and is judged where it was made. */
  readonly broughtFrom?: string;
}

export type Postings = readonly Posting[];

export function addPosting(postings: Postings, posting: Posting): Postings {
  return insertSorted(postings, posting, (a, b) => compareKeys(a.key, b.key));
}

export const removePosting = (postings: Postings, event: string): Postings =>
  postings.filter((posting) => posting.event !== event);

/** The stretch of days that a day of the limit looks at: `[first, last]`, and its name. */
export function windowOf(
  limit: LimitDef,
  day: LocalDate,
): { first: LocalDate; last: LocalDate; name: string } {
  if ('rollingDays' in limit.window) {
    return { first: addDays(day, 1 - limit.window.rollingDays), last: day, name: `to ${day}` };
  }
  if (limit.window.every === 'week') {
    const monday = weekStart(day);
    return { first: monday, last: addDays(monday, 6), name: `week of ${monday}` };
  }
  const { year } = dateParts(day);
  return { first: `${year}-01-01` as LocalDate, last: `${year}-12-31` as LocalDate, name: String(year) };
}

/** Whether a posting counts in the limit. Two packs may call a limit alike: each counts its own loads. */
export const countsIn =
  (pack: Pack, limit: LimitDef) =>
  ({ data }: Posting): boolean =>
    data.pack === pack.ref.pack && data.limits.includes(limit.name);

/** The postings of a limit inside the window of a day, in legal order. */
export function inWindow(pack: Pack, limit: LimitDef, postings: Postings, day: LocalDate): Postings {
  const { first, last } = windowOf(limit, day);
  // Instants are compared, not days: a ledger is asked far oftener than there are windows.
  const [from, until] = [startOfDay(pack.zone, first), endOfDay(pack.zone, last)];
  const counts = countsIn(pack, limit);
  return postings.filter((posting) => {
    const { ms } = posting.key;
    return ms >= from && ms < until && counts(posting);
  });
}

/** The first posting of each campaign, ascending. A campaign ends by its clock: a break past it is a new use. */
export function campaignStarts(pack: Pack, limit: LimitDef, postings: Postings): readonly Posting[] {
  const starts: Posting[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const posting of postings.filter(countsIn(pack, limit))) {
    if (posting.key.ms <= end) continue;
    starts.push(posting);
    end = pack.campaignEnd(limit.name, posting.key.ms) ?? posting.key.ms;
  }
  return starts;
}

/** Where a load at this key stands: campaigns are clocked over the whole ledger, numbered within the window. */
export function campaignPlace(
  pack: Pack,
  limit: LimitDef,
  postings: Postings,
  key: LegalKey,
): CampaignPlace | undefined {
  if (!limit.campaign) return undefined;
  const counted = postings.filter(countsIn(pack, limit));
  const place = placeAmong(pack, limit, counted, key);
  const sure = counted.filter(({ data }) => data.perhaps?.includes(limit.name) !== true);
  if (sure.length === counted.length || placeAmong(pack, limit, sure, key).number === place.number)
    return place;
  return { startMs: place.startMs };
}

function placeAmong(pack: Pack, limit: LimitDef, counted: Postings, key: LegalKey): CampaignPlace {
  const windowStart = startOfDay(pack.zone, windowOf(limit, dayIn(pack, key.ms)).first);
  let [startMs, end] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // A campaign counts in each window that one of its loads falls in.
  let [number, seen] = [0, false];
  for (const { key: other } of counted) {
    if (compareKeys(other, key) >= 0) break;
    if (other.ms > end) {
      [startMs, end, seen] = [other.ms, pack.campaignEnd(limit.name, other.ms) ?? other.ms, false];
    }
    if (!seen && other.ms >= windowStart) [number, seen] = [number + 1, true];
  }
  if (key.ms > end) return { startMs: key.ms, number: number + 1 };
  return { startMs, number: seen ? number : number + 1 };
}

/**
 * Postings that still count for a thing that takes over on the day: inside the window that the day looks at, or in a
 * campaign that is still running. Earlier ones can change nothing there.
 */
export function stillCounting(law: Law, postings: Postings, on: LocalDate): Postings {
  return postings.filter((posting) => {
    const pack = packOf(law, posting.data.pack, posting.key.ms);
    const day = dayIn(pack, posting.key.ms);
    return posting.data.limits.some((name) => {
      const limit = pack.limits.get(name);
      if (!limit) return false;
      const runsTo = pack.campaignEnd(name, posting.key.ms) ?? posting.key.ms;
      return day >= windowOf(limit, on).first || runsTo >= startOfDay(pack.zone, on);
    });
  });
}

/** Address of the LoadPosted event behind a posting, however often it was brought forward. */
export const originOf = (event: string): string => event.slice(event.lastIndexOf('#') + 1);

/** Whether the posting stood in the stream on its way here, or was made there. */
export const cameBy = (event: string, stream: string): boolean =>
  event.split('#').some((address) => address.startsWith(`${stream}@`));

export interface LedgerAt {
  /** The ledger's stream, and the revision it was folded to. */
  readonly stream: string;
  readonly revision: number;
  readonly postings: Postings;
}

/** Everything a clause under a limit may ask of a load at its place in the ledger. */
export function ledgerSource(pack: Pack, limit: LimitDef, ledger: LedgerAt, key: LegalKey): FactSource {
  // Looked at only when a clause asks for the series: most don't.
  let entry: FactEntry | undefined;
  const fold = (): FactEntry => {
    const earlier = inWindow(pack, limit, ledger.postings, dayIn(pack, key.ms)).filter(
      (posting) => compareKeys(posting.key, key) < 0,
    );
    return {
      json: earlier.map((posting) => posting.data.rows[limit.name] ?? {}),
      from: { source: 'ledger', event: `${ledger.stream}@${ledger.revision}`, count: earlier.length },
    };
  };
  return (fact) => (fact === limit.series ? (entry ??= fold()) : undefined);
}

/** Facts of a posted load for the clauses of one limit: its own, its campaign, the earlier rows of the window. */
export function postingSource(pack: Pack, limit: LimitDef, ledger: LedgerAt, posting: Posting): FactSource {
  const def = pack.loads.get(posting.data.loadType);
  if (!def)
    throw new Error(`Pack ${pack.ref.pack} ${pack.ref.version} has no load '${posting.data.loadType}'.`);
  const others = ledger.postings.filter((other) => other.event !== posting.event);
  const load = loadFactSource(
    pack,
    def,
    {
      occurredMs: posting.key.ms,
      quantity: posting.data.quantity,
      hauler: posting.data.hauler,
      facts: posting.data.facts,
      event: posting.event,
    },
    campaignPlace(pack, limit, others, posting.key),
  );
  return firstOf(load, ledgerSource(pack, limit, { ...ledger, postings: others }, posting.key));
}
