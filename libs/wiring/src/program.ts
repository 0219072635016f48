import type { ApiKeyRow, KeyStore } from '@headworks/event-store';
import type { RuleSet } from '@headworks/rules-engine';
import type { Headworks, Services } from '@headworks/use-cases';
import type { ListsAt } from './lists-at';
import type { ViewQueries } from './views';
import type { Config } from './config';

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
