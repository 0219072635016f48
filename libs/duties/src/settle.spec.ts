import { isoInstant } from '@headworks/kernel';
import { sweep, type DueAsked, type DueRow, type SettlePort } from './settle';
import { Tried } from './tried';

const at = (hour: number): string => isoInstant(hour * 3_600_000);
const NOW = 1_000 * 3_600_000;
const row = (duty: string, hour: number, stream = `s-${duty}`): DueRow => ({ stream, duty, dueAt: at(hour) });

/** Rows in memory; a Settle takes those of its stream that are past, and may bring others about. */
class Rows implements SettlePort {
  readonly settled: string[] = [];
  readonly bringsAbout = new Map<string, DueRow>();
  readonly stuck = new Set<string>();
  atOnce = 0;
  most = 0;

  constructor(private rows: readonly DueRow[]) {}

  readonly nextDue = async () => this.sorted()[0]?.dueAt;
  readonly caughtUp = async () => undefined;
  readonly due = async ({ before, after, limit }: DueAsked) =>
    this.sorted()
      .filter((one) => before === undefined || one.dueAt < before)
      .filter((one) => !after || key(one) > key(after))
      .slice(0, limit);

  readonly settle = async ({ stream, duty, dueAt }: DueRow) => {
    this.most = Math.max(this.most, ++this.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    this.atOnce--;
    if (this.stuck.has(stream)) throw new Error(`no ${stream}`);
    this.settled.push(duty);
    this.rows = this.rows.filter((one) => one.stream !== stream || one.dueAt > dueAt);
    const more = this.bringsAbout.get(duty);
    if (more) this.rows = [...this.rows, more];
    return more?.dueAt;
  };

  private sorted(): readonly DueRow[] {
    return this.rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  }
}

const key = ({ dueAt, duty }: DueRow): string => `${dueAt} ${duty}`;
const named = (n: number): string => `d${String(n).padStart(5, '0')}`;

it('goes from due instant to due instant, also where one brings another about in between', async () => {
  const rows = new Rows([row('c', 9), row('a', 1), row('b', 5)]);
  rows.bringsAbout.set('a', row('a2', 3));
  rows.bringsAbout.set('a2', row('a3', 7));
  const fell = await sweep(rows, NOW);
  expect(rows.settled).toEqual(['a', 'a2', 'b', 'a3', 'c']);
  expect(fell.map(({ duty }) => duty)).toEqual(rows.settled);
});

it('leaves what is due at the instant itself: it is still in time', async () => {
  const rows = new Rows([row('a', 1), row('b', 2)]);
  await sweep(rows, Date.parse(at(2)));
  expect(rows.settled).toEqual(['a']);
});

it('takes what is due at one instant together, a bounded number at once, each stream once', async () => {
  const rows = new Rows([
    ...Array.from({ length: 1_300 }, (_, n) => row(named(n), 4)),
    row('again', 4, `s-${named(7)}`),
    row('later', 5),
  ]);
  await sweep(rows, NOW);
  expect(rows.most).toBe(64);
  expect(rows.settled).toHaveLength(1_301);
  expect(rows.settled.at(-1)).toBe('later');
});

it('is held up by none that fails or stays open, however many they are', async () => {
  const many = Array.from({ length: 1_100 }, (_, n) => row(named(n), 1));
  const rows = new Rows([...many, row('z', 2)]);
  for (const { stream } of many) rows.stuck.add(stream);
  const failed: string[] = [];
  await sweep(rows, NOW, ({ duty }) => failed.push(duty));
  expect(failed).toHaveLength(1_100);
  expect(rows.settled).toEqual(['z']);
});

it('tells who asked, where nobody listens for failures', async () => {
  const rows = new Rows([row('a', 1)]);
  rows.stuck.add('s-a');
  await expect(sweep(rows, NOW)).rejects.toThrow('no s-a');
});

it('a row that stays open has its turn less and less often', () => {
  let now = 0;
  const tried = new Tried(() => now);
  const turns = [];
  for (; now < 200_000; now += 1_000) if (tried.begin(row('a', 1))) turns.push(now / 1_000);
  expect(turns).toEqual([0, 2, 6, 14, 30, 62, 122, 182]);
  expect(tried.begin(row('a', 2))).toBe(true);
});
