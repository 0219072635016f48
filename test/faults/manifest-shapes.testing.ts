import type { ManifestSubmitted } from '@headworks/domain';
import type { RecordedEvent } from '@headworks/kernel';

export interface Held {
  readonly manifest: string;
  readonly event: string;
  readonly gallons: number;
  readonly plannedMs: number;
  readonly untilMs: number;
  readonly limits: readonly string[];
}

export interface Posted {
  readonly load: string;
  readonly event: string;
  readonly revision: number;
  readonly loadRevision: number;
  readonly gallons: number;
  readonly ms: number;
  readonly recordedAt: string;
  /** It only stands there to be found: with a hauler, a vehicle or a place. */
  readonly isNoted: boolean;
  readonly limits: readonly string[];
}

export interface Standing {
  readonly is: 'pending' | 'accepted' | 'refused' | 'ended';
  readonly event: string;
  readonly ms: number;
  /** Addresses of what it rests on. */
  readonly reservations: readonly string[];
  readonly untilMs: number;
}

/** A stream in which capacity is held: a permit's or a thing's. */
export interface Stream {
  readonly name: string;
  readonly held: Map<string, Held>;
  readonly posted: Posted[];
  /** In a permit's: whose it is. */
  holder: string | undefined;
  /** In a permit's: the last that was said of each manifest. */
  readonly standing: Map<string, Standing>;
  /** In a permit's: every acceptance, also where it was ended since. */
  readonly accepted: Map<string, Standing>;
  /** In a permit's: what ended it or stopped it, where nothing has let it go on. */
  over: string | undefined;
  /** By load and clause. */
  readonly exceeded: Set<string>;
  /** Its limits are judged in more than one append: between them not all is said. */
  cut: boolean;
  /** What its events said of each limit's plan, in the order of the stream. */
  readonly plans: { readonly limit: string; readonly ms: number; readonly gallons: number }[];
  /** Restrictions that stand in it, by name, each with the event that began it. */
  readonly bars: Map<string, RecordedEvent>;
  /** When, in legal order, each was last begun or lifted. */
  readonly barSaidMs: Map<string, number>;
}

export interface Asked {
  readonly id: string;
  readonly data: ManifestSubmitted;
  readonly event: string;
  /** Streams of the thing and of the permit that it names. */
  readonly thing: string;
  readonly permit: string;
  /** Refused in its own stream: the permit that it names is none of its own. */
  refused?: string;
  /** When the capacity that it held was ended before its load came, first of all streams. */
  endedMs?: number;
}

export interface LoadOf {
  readonly id: string;
  revision: number;
  gallons: number;
  ms: number;
  readonly hauler: string;
  permitId: string | undefined;
  thing: string;
  voided: boolean;
}

export interface Violation {
  readonly clause: string;
  readonly loadId: string | undefined;
  stands: boolean;
}
