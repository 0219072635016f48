import { isoInstant } from '@headworks/kernel';
import type { DutyFilter, DutyItem, ListedStatus, Page, PageRequest } from '@headworks/read-models';

const DAY_MS = 86_400_000;
/** How long what is over stays in a calendar, and how much one holds. */
const BACK_DAYS = 366;
const WINDOW_DAYS = 31;
export const MOST = 5_000;
const PAGE = 500;

const TO_DO: readonly ListedStatus[] = ['open', 'contestable', 'paused'];
const OVER: readonly ListedStatus[] = ['met', 'met_late', 'missed', 'waived', 'void'];

type Part = Pick<DutyFilter, 'status' | 'dueFrom' | 'dueBefore'>;

/**
 * Duties as a calendar shows them: what is still to be done first, then what is over, the newest first, a year back.
 * Where not all has room, what is old is left out.
 */
export async function dutiesFor(
  now: number,
  list: (part: Part, page: PageRequest) => Promise<Page<DutyItem>>,
): Promise<readonly DutyItem[]> {
  const found: DutyItem[] = [];
  for (const part of partsOf(now)) {
    let cursor: string | undefined;
    do {
      const { items, next } = await list(part, { limit: PAGE, ...(cursor !== undefined && { cursor }) });
      found.push(...items);
      cursor = next;
    } while (cursor !== undefined && found.length < MOST);
    if (found.length >= MOST) break;
  }
  return found;
}

function* partsOf(now: number): Generator<Part> {
  yield { status: TO_DO };
  const back = (days: number): string => isoInstant(Math.max(0, now - days * DAY_MS));
  yield { status: OVER, dueFrom: back(0) };
  for (let days = 0; days < BACK_DAYS; days += WINDOW_DAYS) {
    yield { status: OVER, dueFrom: back(Math.min(days + WINDOW_DAYS, BACK_DAYS)), dueBefore: back(days) };
  }
}
