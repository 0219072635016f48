import { listDutyRows, type ViewDatabase } from '@headworks/read-models';
import type { RuleSet } from '@headworks/rules-engine';
import { LawBook, lawStream, type Services } from '@headworks/use-cases';

/** Of rows at once, where every thing that owes something is asked. */
const PAGE = 500;

/**
 * The services with the law as the log has amended it: what was loaded, and the days that officers closed. Other
 * processes' days come with the events that the follower reads.
 */
export async function withLaw(
  parts: Omit<Services, 'rules' | 'book' | 'owing'>,
  rules: RuleSet,
  database: ViewDatabase,
): Promise<{ readonly services: Services; readonly from: string | undefined }> {
  // What is adopted or amended after this is read by the follower, if not below.
  const from = await parts.store.lastPosition();
  const book = new LawBook(rules);
  for (const jurisdiction of rules.jurisdictions.keys()) {
    for (const event of await parts.store.readStream(lawStream(jurisdiction))) book.take(event);
  }
  const services: Services = {
    ...parts,
    book,
    get rules() {
      return book.now;
    },
    owing: (jurisdiction) => owingIn(database, jurisdiction),
  };
  return { services, from };
}

/** Streams on which something is owed, as far as the view has come. */
async function owingIn(database: ViewDatabase, jurisdiction: string): Promise<readonly string[]> {
  const streams = new Set<string>();
  // An open duty is asked for by both of its statuses: neither needs to know what time it is.
  const status = ['open', 'contestable', 'paused'] as const;
  let cursor: string | undefined;
  do {
    const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const found = await listDutyRows(database, [jurisdiction], 0, { status }, page);
    for (const { stream } of found.items) streams.add(stream);
    cursor = found.next;
  } while (cursor !== undefined);
  return [...streams];
}
