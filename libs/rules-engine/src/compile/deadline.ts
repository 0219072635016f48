import {
  countDue,
  dueInstants,
  endOfDay,
  localDateAt,
  startOfDay,
  type Calendar,
  type CountRequest,
} from '@headworks/calendars';
import type { Due, LocalDate } from '@headworks/kernel';
import type { DeadlineDef } from '../api';
import type { Maybe } from '../model/types';
import { NOT_APPLICABLE, SATISFIED, UNKNOWN, VIOLATED, type StatusCode } from './context';

export interface Calendars {
  readonly legal?: Calendar;
  readonly office?: Calendar;
}

/** What became of a deadline, beside its status. */
export interface DeadlineState {
  readonly status: StatusCode;
  /** Epoch ms of the start; undefined where it is unknown or has not come. */
  readonly start?: number;
  /** Last instant (for days: the first one too late) and what was measured against it. */
  readonly end?: number;
  readonly measured?: number;
  readonly notYetDue: boolean;
}

/** Counts one deadline. Due instants are remembered by their start: the same loads are judged again and again. */
export class DeadlineClock {
  private readonly ends = new Map<number, number>();
  private readonly shorts = new Map<number, Due>();
  private readonly byDay: boolean;

  constructor(
    private readonly def: DeadlineDef & { readonly allow: NonNullable<DeadlineDef['allow']> },
    private readonly zone: string,
    private readonly calendars: Calendars,
  ) {
    this.byDay = def.allow.unit === 'days';
  }

  due(start: number): Due {
    return countDue(this.request(start));
  }

  /** The due date without its derivation, as findings hold it. */
  shortDue(start: number): Due {
    let due = this.shorts.get(start);
    if (!due) {
      const { date, at, elapsedAt } = this.due(start);
      due = Object.freeze({ date, at, elapsedAt });
      if (this.shorts.size >= 10_000) this.shorts.clear();
      this.shorts.set(start, due);
    }
    return due;
  }

  status(starts: Maybe, done: Maybe, now: number): StatusCode {
    if (starts === undefined) return UNKNOWN;
    if (starts === null) return NOT_APPLICABLE;
    const start = this.startOf(starts as string | number);
    const end = this.endOf(start);
    const at = this.doneAt(done, starts as string | number);
    if (at === undefined) return UNKNOWN;
    if (at !== null) return this.inTime(at, end) ? SATISFIED : VIOLATED;
    return this.inTime(now, end) ? UNKNOWN : VIOLATED;
  }

  /** As `status`, with what it was measured by, for a finding. */
  state(starts: Maybe, done: Maybe, now: number): DeadlineState {
    const status = this.status(starts, done, now);
    if (starts === undefined || starts === null) return { status, notYetDue: false };
    const start = this.startOf(starts as string | number);
    const end = this.endOf(start);
    const at = this.doneAt(done, starts as string | number);
    const measured = at === null ? now : at;
    return {
      status,
      start,
      end,
      ...(measured === undefined ? {} : { measured }),
      notYetDue: status === UNKNOWN && at === null,
    };
  }

  /** Days end with the day itself; hours with the instant, which still counts. */
  private inTime(at: number, end: number): boolean {
    return this.byDay ? at < end : at <= end;
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

  private endOf(start: number): number {
    const known = this.ends.get(start);
    if (known !== undefined) return known;
    if (this.ends.size >= 10_000) this.ends.clear();
    const { at } = dueInstants(this.request(start));
    this.ends.set(start, at);
    return at;
  }

  private request(start: number): CountRequest {
    const { allow, counting, kind } = this.def;
    return { start, allow, zone: this.zone, counting, kind, ...this.calendars };
  }
}
