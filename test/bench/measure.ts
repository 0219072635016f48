/** One line of the result. Higher is better; met when `ratio` (value over ceiling) is at least `target`. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly ceiling: number;
  readonly ratio: number;
  /** 0: for information, nothing is promised. */
  readonly target: number;
}

/** Three figures are all that a run can honestly tell. */
const rounded = (value: number): number => Number(value.toPrecision(3));

export function row(name: string, unit: string, value: number, ceiling: number, target: number): Row {
  // The ratio is of the exact figures: rounding must neither meet a target nor miss it.
  return {
    name,
    value: rounded(value),
    unit,
    ceiling: rounded(ceiling),
    ratio: Number((value / ceiling).toPrecision(6)),
    target,
  };
}

export const isMet = ({ ratio, target }: Row): boolean => ratio >= target;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('There is no median of nothing; run at least once.');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Something whose speed is asked: does the work so many times. */
export interface Contender {
  readonly name: string;
  readonly work: (times: number) => void | Promise<void>;
}

export interface ContestOptions {
  readonly rounds: number;
  /** How long one turn of one contender takes, about. */
  readonly turnMs: number;
  /** Monotonic clock, ms. */
  readonly clock?: () => number;
}

/**
 * Times a second of each contender: the median of its turns. They take turns in the same run, each round in another
 * order, so that a slow moment of the machine hits all of them alike.
 */
export async function contest(
  contenders: readonly Contender[],
  { rounds, turnMs, clock = () => performance.now() }: ContestOptions,
): Promise<ReadonlyMap<string, number>> {
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const times = new Map<string, number>();
  for (const contender of contenders) times.set(contender.name, await warmUp(contender, turnMs, clock));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(turn + round) % contenders.length];
      if (!contender) continue;
      const count = times.get(contender.name) ?? 1;
      const took = await timed(contender, count, clock);
      rates.get(contender.name)?.push((count / took) * 1000);
    }
  }
  return new Map([...rates].map(([name, list]) => [name, median(list)]));
}

/** Runs until the compiler of the machine has settled, and finds how often the work fits into one turn. */
async function warmUp(contender: Contender, turnMs: number, clock: () => number): Promise<number> {
  const until = clock() + 2 * turnMs;
  let count = 1;
  for (;;) {
    const took = await timed(contender, count, clock);
    if (clock() >= until && took >= turnMs / 4) return Math.max(1, Math.round((count * turnMs) / took));
    if (took < turnMs / 2) count *= 2;
  }
}

async function timed({ work }: Contender, times: number, clock: () => number): Promise<number> {
  const began = clock();
  await work(times);
  return clock() - began;
}

export const rateOf = (rates: ReadonlyMap<string, number>, name: string): number => {
  const rate = rates.get(name);
  if (rate === undefined) throw new RangeError(`'${name}' took no part in the contest.`);
  return rate;
};
