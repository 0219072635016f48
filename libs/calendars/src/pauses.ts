import type { Pause } from './api';

/**
 * Stretches in which a clock stands still, first to last and never overlapping. In days: those after `after` up to and
 * with `to`; in hours: the milliseconds between.
 */
export interface Stop {
  readonly after: number;
  readonly to: number;
  readonly pause: Pause;
}

/** How pauses act on one count: from where it runs in the end, what is left out of it, and what did nothing. */
export interface Stopped {
  /** The trigger, or where the last fresh start put it. */
  readonly base: number;
  readonly stops: readonly Stop[];
  /** Fresh starts in order, each with the base that it gave up. */
  readonly restarts: readonly { readonly pause: Pause; readonly from: number; readonly base: number }[];
  readonly idle: readonly Pause[];
  /** The pause in which it still stands. */
  readonly standing?: Pause;
}

/**
 * Applies pauses in the order in which they began. Whether one began within the period is asked of the period as it
 * stood then: what was over can't be stopped any more (`endOf` counts from a base with stops).
 */
export function stoppedBy(
  trigger: number,
  pauses: readonly Pause[],
  unitOf: (ms: number) => number,
  endOf: (base: number, stops: readonly Stop[]) => number,
): Stopped {
  let base = trigger;
  let stops: readonly Stop[] = [];
  const restarts: { pause: Pause; from: number; base: number }[] = [];
  const idle: Pause[] = [];
  for (const pause of [...pauses].sort((a, b) => a.from - b.from)) {
    const from = unitOf(pause.from);
    const until = pause.until === undefined ? Infinity : unitOf(pause.until);
    if (until < from) throw new RangeError('A pause ends before it begins: correct the one or the other');
    const within = from >= trigger && until >= base && Math.max(from, base) <= endOf(base, stops);
    if (!within) idle.push(pause);
    else if (until === Infinity) return { base, stops, restarts, idle, standing: pause };
    else {
      stops = joined(stops, { after: Math.max(from, base), to: until, pause });
      if (pause.then === 'resume') continue;
      restarts.push({ pause, from: base, base: until });
      base = until;
    }
  }
  return { base, stops, restarts, idle };
}

/** Two pauses at once are one: a day is left out only once. */
function joined(stops: readonly Stop[], next: Stop): readonly Stop[] {
  const last = stops.at(-1);
  if (!last || next.after >= last.to) return next.to > next.after ? [...stops, next] : stops;
  return next.to <= last.to ? stops : [...stops, { ...next, after: last.to }];
}

/** No period ends while its clock still stood: not before the clock ran again. */
export const lastStop = (stops: readonly Stop[]): number => stops.at(-1)?.to ?? -Infinity;
