import { endOfDay, localDateAt, startOfDay } from '@headworks/calendars';
import type { Due, LocalDate } from '@headworks/kernel';
import type { Maybe } from '../model/types';
import { NOT_APPLICABLE, SATISFIED, UNKNOWN, VIOLATED, type StatusCode } from './context';
import type { Ends } from './ends';

/** What became of a deadline, beside its status. */
export interface DeadlineState {
  readonly status: StatusCode;
  /** What it ends with; undefined where that is not known, or nothing has started. */
  readonly due?: Due;
  /** Last instant (for days: the first one too late) and what was measured against it. */
  readonly end?: number;
  readonly measured?: number;
  readonly notYetDue: boolean;
}

/** What a deadline is judged by: its start, what ends it, and the date that a fixed day takes its year from. */
export interface DeadlineFacts {
  readonly starts: Maybe;
  readonly done: Maybe;
  readonly year: Maybe;
}

/** Judges one deadline. */
export class DeadlineClock {
  private readonly shorts = new Map<number, Due>();

  constructor(
    private readonly ends: Ends,
    private readonly zone: string,
  ) {}

  /** The due date with its derivation; undefined where the year of a fixed day is not known. */
  due(start: number, year: Maybe): Due | undefined {
    return this.ends.due(start, year);
  }

  status(starts: Maybe, done: Maybe, year: Maybe, now: number): StatusCode {
    if (starts === undefined) return UNKNOWN;
    if (starts === null) return NOT_APPLICABLE;
    const end = this.ends.at(this.startOf(starts as string | number), year);
    if (end === undefined) return UNKNOWN;
    if (end === null) return NOT_APPLICABLE;
    const at = this.doneAt(done, starts as string | number);
    if (at === undefined) return UNKNOWN;
    if (at !== null) return this.inTime(at, end) ? SATISFIED : VIOLATED;
    return this.inTime(now, end) ? UNKNOWN : VIOLATED;
  }

  /** As `status`, with what it was measured by, for a finding. */
  state(facts: DeadlineFacts, now: number): DeadlineState {
    const { starts, done, year } = facts;
    const status = this.status(starts, done, year, now);
    if (starts === undefined || starts === null) return { status, notYetDue: false };
    const start = this.startOf(starts as string | number);
    const end = this.ends.at(start, year);
    if (end === undefined || end === null) return { status, notYetDue: false };
    const at = this.doneAt(done, starts as string | number);
    const measured = at === null ? now : at;
    const due = this.shortDue(start, year, end);
    return {
      status,
      end,
      ...(due ? { due } : {}),
      ...(measured === undefined ? {} : { measured }),
      notYetDue: status === UNKNOWN && at === null,
    };
  }

  /** The due date without its derivation, as findings hold it. Two starts with one end may differ by the clock. */
  private shortDue(start: number, year: Maybe, end: number): Due | undefined {
    const key = this.ends.byDay ? end : start;
    const known = this.shorts.get(key);
    if (known) return known;
    const due = this.ends.due(start, year);
    if (!due) return undefined;
    const { date, at, elapsedAt } = due;
    const short = Object.freeze({ date, at, elapsedAt });
    if (this.shorts.size >= 10_000) this.shorts.clear();
    this.shorts.set(key, short);
    return short;
  }

  /** Days end with the day itself; hours with the instant, which still counts. */
  private inTime(at: number, end: number): boolean {
    return this.ends.byDay ? at < end : at <= end;
  }

  private startOf(starts: string | number): number {
    return typeof starts === 'number' ? starts : startOfDay(this.zone, starts as LocalDate);
  }

  /**
   * When it was done, none where it was not: what was done before the start was not done for this duty. A date stands
   * for its whole day, so the last moment of it is measured.
   */
  private doneAt(done: Maybe, starts: string | number): number | null | undefined {
    if (done === undefined || done === null) return done;
    if (typeof done === 'number') {
      return done < this.startOf(starts) ? null : done;
    }
    const day = done as LocalDate;
    const first = typeof starts === 'number' ? localDateAt(this.zone, starts) : starts;
    return day < first ? null : endOfDay(this.zone, day) - 1;
  }
}
