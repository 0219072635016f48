import type { DerivationStep } from '@headworks/kernel';
import type { Pause } from './api';
import { dateOfDay } from './zones';

/** Writes the steps of a derivation. Without a listener nothing is written, and counting costs what it costs. */
export class Teller {
  constructor(private readonly listener?: (step: DerivationStep) => void) {}

  get listens(): boolean {
    return this.listener !== undefined;
  }

  step(on: string, counted: boolean, why: string, more: { source?: string; event?: string } = {}): void {
    const { source, event } = more;
    this.listener?.({
      on,
      counted,
      why,
      ...(source === undefined ? {} : { source }),
      ...(event === undefined ? {} : { event }),
    });
  }

  /** Days from the first to the last, both in; nothing where there is none between them. */
  days(
    [first, last]: readonly [number, number],
    counted: boolean,
    why: string,
    more: { source?: string; event?: string } = {},
  ): void {
    if (!this.listener || last < first) return;
    this.step(
      first === last ? dateOfDay(first) : `${dateOfDay(first)}/${dateOfDay(last)}`,
      counted,
      why,
      more,
    );
  }
}

/** `information requested; the clock stands still`. */
export const withWhy = (why: string | undefined, text: string): string =>
  why === undefined ? text : `${why}; ${text}`;

export const sourceOf = (source: string | undefined): { source?: string } =>
  source === undefined ? {} : { source };
export const eventOf = ({ event }: { readonly event?: string }): { event?: string } =>
  event === undefined ? {} : { event };

export const stillText = ({ why }: Pause): string => withWhy(why, 'the clock stands still');
