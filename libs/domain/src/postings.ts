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
  const until = endOfDay(pack.zone, last);
  const counts = countsIn(pack, limit);
  const found: Posting[] = [];
  for (let at = firstFrom(postings, startOfDay(pack.zone, first)); at < postings.length; at++) {
    const posting = postings[at] as Posting;
    if (posting.key.ms >= until) break;
    if (counts(posting)) found.push(posting);
  }
  return found;
}

/** Index of the first posting at or after the instant. */
function firstFrom(postings: Postings, ms: number): number {
  let [low, high] = [0, postings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((postings[middle] as Posting).key.ms < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A campaign ends by its clock: a break past it is a new use. */
export interface Campaign {
  readonly start: Posting;
  /** Last instant that belongs to it. */
  readonly endMs: number;
}

interface Campaigns {
  readonly all: readonly Campaign[];
  /** Without the loads of which nobody knows yet whether they count. */
  readonly sure: readonly Campaign[];
}

/** Kept with the ledger, which never changes: a year of loads asks for the same campaigns at each of its clauses. */
const known = new WeakMap<Postings, Map<string, Campaigns>>();

function campaignsOf(pack: Pack, limit: LimitDef, postings: Postings): Campaigns {
  let limits = known.get(postings);
  if (!limits) known.set(postings, (limits = new Map<string, Campaigns>()));
  const name = `${pack.ref.pack}|${pack.ref.version}|${limit.name}`;
  let found = limits.get(name);
  if (!found) {
    const counted = postings.filter(countsIn(pack, limit));
    const sure = counted.filter(({ data }) => data.perhaps?.includes(limit.name) !== true);
    const all = clocked(pack, limit, counted);
    found = { all, sure: sure.length === counted.length ? all : clocked(pack, limit, sure) };
    limits.set(name, found);
  }
  return found;
}

function clocked(pack: Pack, limit: LimitDef, counted: Postings): readonly Campaign[] {
  const found: Campaign[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const start of counted) {
    if (start.key.ms <= end) continue;
    end = pack.campaignEnd(limit.name, start.key.ms) ?? start.key.ms;
    found.push({ start, endMs: end });
  }
  return found;
}

/** The campaigns of a ledger, ascending. */
export const campaigns = (pack: Pack, limit: LimitDef, postings: Postings): readonly Campaign[] =>
  campaignsOf(pack, limit, postings).all;

/**
 * Where a load at this key stands: campaigns are clocked over the whole ledger, numbered within the window. What stands
 * at the key or later changes nothing of it, so the load itself may stand among the postings.
 */
export function campaignPlace(
  pack: Pack,
  limit: LimitDef,
  postings: Postings,
  key: LegalKey,
): CampaignPlace | undefined {
  if (!limit.campaign) return undefined;
  const { all, sure } = campaignsOf(pack, limit, postings);
  const windowStart = startOfDay(pack.zone, windowOf(limit, dayIn(pack, key.ms)).first);
  const at = { windowStart, key, counted: countsIn(pack, limit), postings };
  const place = placeAmong(all, at);
  return all === sure || placeAmong(sure, at).number === place.number ? place : { startMs: place.startMs };
}

interface At {
  readonly windowStart: number;
  readonly key: LegalKey;
  readonly counted: (posting: Posting) => boolean;
  readonly postings: Postings;
}

function placeAmong(found: readonly Campaign[], at: At): CampaignPlace {
  const { windowStart, key } = at;
  const last = found.findLastIndex(({ start }) => compareKeys(start.key, key) < 0);
  // A campaign counts in each window that one of its loads falls in: those begun in it, and one that ran into it.
  let [number, first] = [0, last];
  for (; first >= 0 && startMsOf(found, first) >= windowStart; first--) number++;
  const straddles = ranInto(found[first], at);
  if (straddles) number++;
  const current = found[last];
  if (!current || key.ms > current.endMs) return { startMs: key.ms, number: number + 1 };
  const seen = current.start.key.ms >= windowStart || straddles;
  return { startMs: current.start.key.ms, number: seen ? number : number + 1 };
}

const startMsOf = (found: readonly Campaign[], index: number): number =>
  found[index]?.start.key.ms ?? Number.NEGATIVE_INFINITY;

/** Whether a campaign begun before the window has a load in it, before the one that asks. */
function ranInto(campaign: Campaign | undefined, { windowStart, key, counted, postings }: At): boolean {
  if (!campaign || campaign.endMs < windowStart) return false;
  for (let at = firstFrom(postings, windowStart); at < postings.length; at++) {
    const posting = postings[at] as Posting;
    if (posting.key.ms > campaign.endMs || compareKeys(posting.key, key) >= 0) return false;
    if (counted(posting)) return true;
  }
  return false;
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

/** Whether the load only stands there to be found: with its hauler, vehicle and places it counts in nothing. */
export const isNoted = ({ as }: Pick<LoadPosted, 'as'>): boolean => as !== undefined && as !== 'permit';

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
    campaignPlace(pack, limit, ledger.postings, posting.key),
  );
  return firstOf(load, ledgerSource(pack, limit, ledger, posting.key));
}
