import type { ApiKeyRow, KeyStore } from '@headworks/event-store';
import type { RuleSet } from '@headworks/rules-engine';
import type { Headworks, Services } from '@headworks/use-cases';
import type { Queue } from 'bullmq';
import type { AlarmFigures } from './alarms';
import type { ListsAt } from './lists-at';
import type { ViewQueries } from './views';
import type { Config } from './config';

/** What is due and not recorded. */
export interface Overdue {
  readonly due: number;
  /** Of them, for longer than HEADWORKS_LATE_MINUTES. */
  readonly late: number;
  /** Instant at which the oldest was due. */
  readonly since?: string;
}

/** Alarms as an operator may look at them. */
export interface ShownAlarms {
  /** The queue on Redis, for a board; absent without REDIS_URL. */
  readonly queue?: Queue;
  figures(): AlarmFigures;
  overdue(): Promise<Overdue>;
}

/** The program put together: what every app (api, worker, cli) works with. */
export interface Program {
  readonly config: Config;
  readonly services: Services;
  readonly headworks: Headworks;
  readonly rules: RuleSet;
  readonly keys: KeyStore;
  /** Lists: from the read models. */
  readonly views: ViewQueries & ListsAt;
  /** An admin's key made at the first start, shown once; undefined afterwards. */
  readonly firstKey?: string;
  /** Whether it can serve now, with a sentence for each thing that keeps it from it. */
  readiness(): Promise<{
    readonly ready: boolean;
    readonly faults: readonly string[];
    readonly lag: Record<string, number>;
  }>;
  readonly alarms: ShownAlarms;
  /** Appends what is due by now everywhere (a sweep); resolves when done. Cheap where nothing is due. */
  settleDue(): Promise<void>;
  /** Waits until the lists show everything up to the token (or, without one, all that is in the log now). */
  caughtUp(position?: string): Promise<void>;
  /** Sandbox only: moves the virtual clock from due instant to due instant. Throws `clock-behind`. */
  moveClock(
    to: number,
  ): Promise<{ readonly now: string; readonly fell: readonly { duty: string; dueAt: string }[] }>;
  /** Stops followers, alarms, log, in that order. */
  close(): Promise<void>;
}

export type { ApiKeyRow };
