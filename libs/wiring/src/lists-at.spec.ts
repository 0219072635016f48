import type { PageRequest } from '@headworks/read-models';
import { listAt } from './lists-at';

/** A list of numbers, a page at a time: a cursor is the place where the next one begins. */
function numbers(count: number) {
  const asked: number[] = [];
  const candidates = ({ cursor, limit = 50 }: PageRequest) => {
    const from = Number(cursor ?? 0);
    asked.push(limit);
    const items = Array.from({ length: Math.min(limit, count - from) }, (_, index) => from + index);
    const to = from + items.length;
    return Promise.resolve(to < count ? { items, next: String(to) } : { items });
  };
  return { asked, candidates };
}

const listed = (count: number, matches: (n: number) => boolean, page: PageRequest = {}) => {
  const { asked, candidates } = numbers(count);
  const rowAt = (n: number) => Promise.resolve(n % 10 === 9 ? undefined : n);
  const answer = listAt({ candidates, rowAt, item: (n: number) => n, matches, page });
  return answer.then((found) => ({ ...found, asked }));
};

it('is a page of those that stood then, and goes on behind the last that it looked at', async () => {
  const first = await listed(30, () => true, { limit: 12 });
  expect(first.items).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12]);
  const second = await listed(30, () => true, { limit: 12, cursor: first.next ?? '' });
  expect(second.items).toEqual([13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25]);
  const third = await listed(30, () => true, { limit: 12, cursor: second.next ?? '' });
  expect([third.items, third.next]).toEqual([[26, 27, 28], undefined]);
});

it('looks further for those that match, never for more than fit', async () => {
  const found = await listed(400, (n) => n % 100 === 50, { limit: 2 });
  expect(found.items).toEqual([50, 150]);
  expect(Math.max(...found.asked)).toBe(2);
  expect((await listed(400, (n) => n % 100 === 50)).items).toEqual([50, 150, 250, 350]);
});

it('ends short, with a next one, rather than look at everything there is', async () => {
  const found = await listed(5_000, (n) => n === 4_000);
  expect([found.items, found.next]).toEqual([[], '1000']);
  let page: PageRequest = { cursor: found.next ?? '' };
  const seen: number[] = [];
  for (;;) {
    const { items, next } = await listed(5_000, (n) => n === 4_000, page);
    seen.push(...items);
    if (next === undefined) break;
    page = { cursor: next };
  }
  expect(seen).toEqual([4_000]);
});
