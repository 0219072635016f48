import type { JsonObject } from '@headworks/kernel';
import type { Explain } from '../answers';
import type { Services } from '../context';
import { eventsAt, resolveCut, type CutQuery } from './cut';
import { shownEvent } from './views';

/** A page of a stream's history. */
export interface HistoryQuery extends CutQuery {
  readonly type?: string;
  readonly after?: number;
  readonly limit?: number;
  readonly explain?: Explain;
}

/** Events of a stream at the cut, oldest first. */
export async function historyOf(
  services: Services,
  stream: string,
  query: HistoryQuery,
): Promise<JsonObject> {
  const events = await eventsAt(services, stream, await resolveCut(services, query));
  const { type, after = -1, limit = 100, explain = 'full' } = query;
  const wanted = events.filter((e) => e.revision > after && (type === undefined || e.type === type));
  const page = wanted.slice(0, limit);
  const more = wanted.length > page.length ? { next: page.at(-1)?.revision ?? null } : { next: null };
  return { stream, events: page.map((event) => shownEvent(event, explain)), ...more };
}
