import { occurredMs } from '@headworks/calendars';
import { compareKeys, legalKey } from '@headworks/domain';
import { address, parseInstant, type JsonObject, type RecordedEvent } from '@headworks/kernel';
import type { Explain } from '../answers';
import type { Services } from '../context';
import { eventsAt, resolveCut, type CutQuery } from './cut';
import { shownEvent } from './views';

/** A page of a stream's history. */
export interface HistoryQuery extends CutQuery {
  readonly type?: string;
  /** Instants at which it occurred: `from` is in, `to` is out. */
  readonly from?: string;
  readonly to?: string;
  /** As it was written down, or as it happened; the first where nothing is said. */
  readonly order?: 'recorded' | 'legal';
  /** Revision of the last event of the page before, in the same order. */
  readonly after?: number;
  readonly limit?: number;
  readonly explain?: Explain;
}

/** Events of a stream at the cut, oldest first, each with those that later changed or took back what it says. */
export async function historyOf(
  services: Services,
  stream: string,
  query: HistoryQuery,
): Promise<JsonObject> {
  const events = await eventsAt(services, stream, await resolveCut(services, query));
  const { type, order = 'recorded', after, limit = 100, explain = 'full' } = query;
  const [from, to] = [
    msOf(query.from) ?? Number.NEGATIVE_INFINITY,
    msOf(query.to) ?? Number.POSITIVE_INFINITY,
  ];
  const ordered =
    order === 'legal' ? events.toSorted((a, b) => compareKeys(legalKey(a), legalKey(b))) : events;
  const start = after === undefined ? 0 : behind(ordered, order, after);
  const wanted = ordered.slice(start).filter((event) => {
    const ms = occurredMs(event.metadata.occurred);
    return (type === undefined || event.type === type) && ms >= from && ms < to;
  });
  const page = wanted.slice(0, limit);
  const changes = changesOf(events);
  const more = wanted.length > page.length ? { next: page.at(-1)?.revision ?? null } : { next: null };
  return {
    stream,
    order,
    events: page.map((event) => {
      const changedBy = changes.get(address(event));
      return { ...shownEvent(event, explain), ...(changedBy && { changedBy }) };
    }),
    ...more,
  };
}

/** Where the next page begins. What was recorded since the last one may stand before it in law: it is not shown twice. */
function behind(events: readonly RecordedEvent[], order: 'recorded' | 'legal', after: number): number {
  if (order === 'recorded') return after + 1;
  const at = events.findIndex(({ revision }) => revision === after);
  return at < 0 ? events.length : at + 1;
}

/** An instant that the shape let pass. */
function msOf(instant: string | undefined): number | undefined {
  const parsed = instant === undefined ? undefined : parseInstant(instant);
  return parsed && 'ms' in parsed ? parsed.ms : undefined;
}

/** By type, the member that names the earlier event which is corrected, annulled, reversed or ended. */
const EARLIER: Readonly<Record<string, string>> = {
  FactsCorrected: 'corrects',
  RecordedInError: 'annuls',
  ClosedDaysAnnulled: 'annuls',
  PostingReversed: 'posting',
  LimitExceededWithdrawn: 'exceeded',
  AcceptanceWithdrawn: 'ended',
  ConsequenceReversed: 'event',
};

type Change = { readonly event: string; readonly type: string };

/** By the address of an event: those of the same stream that changed what it says. */
function changesOf(events: readonly RecordedEvent[]): ReadonlyMap<string, readonly Change[]> {
  const changes = new Map<string, readonly Change[]>();
  let content: string | undefined;
  for (const event of events) {
    const here = address(event);
    const change = { event: here, type: event.type };
    const member = Object.hasOwn(EARLIER, event.type) ? EARLIER[event.type] : undefined;
    const earlier = member === undefined ? undefined : event.data[member];
    // A correction of a load names nothing: it changes what the load was last said to be.
    const changed = event.type === 'LoadCorrected' ? content : earlier;
    if (typeof changed === 'string') changes.set(changed, [...(changes.get(changed) ?? []), change]);
    if (event.type === 'LoadDischarged' || event.type === 'LoadCorrected') content = here;
  }
  return changes;
}
