import { isoInstant } from '@headworks/kernel';
import type { DutyItem } from '@headworks/read-models';
import { dutiesFor, MOST } from './duties-for-calendar';

const NOW = Date.parse('2028-06-01T12:00:00.000Z');
const DAY = 86_400_000;
const duty = (status: string, days: number) => ({ status, dueAt: isoInstant(NOW + days * DAY) });
type Duty = ReturnType<typeof duty>;

/** A list in pages, the earliest first, as the view gives it. */
const listOf = (all: readonly Duty[]) => async (part: object, page: { cursor?: string; limit?: number }) => {
  const {
    status,
    dueFrom = '',
    dueBefore = '~',
  } = part as { status: string[]; dueFrom?: string; dueBefore?: string };
  const rows = all
    .filter((one) => status.includes(one.status) && one.dueAt >= dueFrom && one.dueAt < dueBefore)
    .toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1));
  const from = Number(page.cursor ?? 0);
  const to = from + (page.limit ?? 0);
  return {
    items: rows.slice(from, to) as unknown as DutyItem[],
    ...(to < rows.length && { next: String(to) }),
  };
};

describe('the duties of a calendar', () => {
  it('are all that are to be done, however many are over, and of those the newest', async () => {
    const met = Array.from({ length: 5_500 }, (_, n) => duty('met', -(n % 360) - 1));
    const open = Array.from({ length: 20 }, (_, n) => duty('open', n + 1));
    const found = (await dutiesFor(NOW, listOf([...met, ...open]))) as unknown as Duty[];
    expect(found.filter(({ status }) => status === 'open')).toHaveLength(20);
    expect(found.length).toBeGreaterThanOrEqual(MOST);
    const newest = found.filter(({ status }) => status === 'met');
    expect(newest.filter(({ dueAt }) => dueAt >= isoInstant(NOW - 30 * DAY)).length).toBeGreaterThan(400);
  });

  it('are each there once, a year back and no further', async () => {
    const all = [-400, -366, -62, -31, -30, 0, 5].map((days) => duty('met_late', days));
    const found = (await dutiesFor(NOW, listOf([...all, duty('contestable', -500)]))) as unknown as Duty[];
    const days = found.map(({ dueAt }) => (Date.parse(dueAt) - NOW) / DAY).toSorted((a, b) => a - b);
    expect(days).toEqual([-500, -366, -62, -31, -30, 0, 5]);
  });
});
