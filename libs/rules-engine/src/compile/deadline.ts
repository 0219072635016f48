import { endOfDay, localDateAt, startOfDay, type Clock, type Told } from '@headworks/calendars';
import type { Due, LocalDate } from '@headworks/kernel';
import type { Maybe } from '../model/types';
import { NOT_APPLICABLE, SATISFIED, UNKNOWN, VIOLATED, type Evaluation, type StatusCode } from './context';
import type { Ends } from './ends';
import { NO_TERMS, type ReadTerms, type Terms } from './terms';

/** What became of a deadline, beside its status. */
export interface DeadlineState {
  readonly status: StatusCode;
  /** What it ends with; undefined where that is not known, where nothing has started, and while the clock stands. */
  readonly due?: Due;
  /** Last instant (for days: the first one too late) and what was measured against it. */
  readonly end?: number;
  readonly measured?: number;
  readonly notYetDue: boolean;
  /** Since when the clock stands still (ISO, UTC). */
  readonly pausedSince?: string;
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
    private readonly readTerms: ReadTerms | undefined,
  ) {}

  /** The due date with its derivation; undefined where the year of a fixed day is not known. */
  clock(start: number, year: Maybe, terms: Terms, told: Told): Clock | undefined {
    return this.ends.clock(start, year, terms, told);
  }

  /** The terms that the facts tell of a start; undefined where they are not known. */
  terms(e: Evaluation, start: number): Terms | undefined {
    return this.readTerms ? this.readTerms(e, start) : NO_TERMS;
  }

  status(starts: Maybe, done: Maybe, year: Maybe, e: Evaluation): StatusCode {
    if (starts === undefined) return UNKNOWN;
    if (starts === null) return NOT_APPLICABLE;
    const start = this.startOf(starts as string | number);
    let end: number | null | undefined;
    if (this.readTerms) {
      const terms = this.readTerms(e, start);
      if (terms === undefined) return UNKNOWN;
      end = this.ends.at(start, year, terms);
    } else end = this.ends.at(start, year);
    if (end === undefined) return UNKNOWN;
    if (end === null) return NOT_APPLICABLE;
    const at = this.doneAt(done, starts as string | number);
    if (at === undefined) return UNKNOWN;
    if (at !== null) return this.inTime(at, end) ? SATISFIED : VIOLATED;
    return this.inTime(e.now, end) ? UNKNOWN : VIOLATED;
  }

  /** As `status`, with what it was measured by, for a finding. */
  state(facts: DeadlineFacts, e: Evaluation): DeadlineState {
    const { starts, done, year } = facts;
    const status = this.status(starts, done, year, e);
    if (starts === undefined || starts === null) return { status, notYetDue: false };
    const start = this.startOf(starts as string | number);
    const terms = this.terms(e, start);
    const end = terms && this.ends.at(start, year, terms);
    if (terms === undefined || end === undefined || end === null) return { status, notYetDue: false };
    const at = this.doneAt(done, starts as string | number);
    const notYetDue = status === UNKNOWN && at === null;
    if (end === Infinity) {
      const { pausedSince } = this.ends.clock(start, year, terms) ?? {};
      return { status, notYetDue, ...(pausedSince === undefined ? {} : { pausedSince }) };
    }
    const measured = at === null ? e.now : at;
    const due = this.shortDue(start, year, end, terms);
    return {
      status,
      end,
      ...(due ? { due } : {}),
      ...(measured === undefined ? {} : { measured }),
      notYetDue,
    };
  }

  /** The due date without its derivation, as findings hold it. Two starts with one end may differ by the clock. */
  private shortDue(start: number, year: Maybe, end: number, terms: Terms): Due | undefined {
    // By the clock two pauses of one start differ as well: hours that were stopped are told anew each time.
    const key = this.ends.byDay ? end : terms.pauses.length + terms.extensions.length > 0 ? NaN : start;
    const known = this.shorts.get(key);
    if (known) return known;
    const due = this.ends.clock(start, year, terms)?.due;
    if (!due) return undefined;
    const { date, at, elapsedAt } = due;
    const short = Object.freeze({ date, at, elapsedAt });
    if (Number.isNaN(key)) return short;
    if (this.shorts.size >= 10_000) this.shorts.clear();
    this.shorts.set(key, short);
    return short;
  }

  /** Days end with the day itself; hours with the instant, which still counts. */
  private inTime(at: number, end: number): boolean {
    return this.ends.byDay ? at < end : at <= end;
  }

  /** The instant of a start that is known. */
  startMs(starts: Maybe): number | undefined {
    return starts === undefined || starts === null ? undefined : this.startOf(starts as string | number);
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
