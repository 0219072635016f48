import type { ManifestSubmitted } from '@headworks/domain';
import type { RecordedEvent } from '@headworks/kernel';

/** A law as far as the log must be watched for it. */
export interface WatchedLaw {
  readonly zone: string;
  readonly limits: readonly WatchedLimit[];
  readonly bars: readonly WatchedBar[];
  /** The clause that asks for an acceptance before the load. */
  readonly accepted: string;
}

export interface WatchedLimit {
  readonly name: string;
  /** Its clause; a limit has one here. */
  readonly clause: string;
  /** `permit-` or `subject-`: where it is counted. */
  readonly in: string;
  /** A calendar year where not given. */
  readonly days?: number;
  /** The plan that holds from the event on, or that always does. */
  readonly plan: number | ((event: RecordedEvent) => number | undefined);
}

export interface WatchedBar {
  readonly name: string;
  /** What the event makes of it; undefined where nothing. */
  readonly read: (event: RecordedEvent) => 'begins' | 'ends' | undefined;
  readonly against: (manifest: ManifestSubmitted, begun: RecordedEvent) => boolean;
}
