import type { ClockMoved } from '@headworks/domain';
import { CodedError, isoInstant, type RecordedEvent } from '@headworks/kernel';
import type { Clock } from '@headworks/use-cases';

/** Before anyone set a virtual clock, its log is opened and its law adopted at this instant. */
export const VIRTUAL_FLOOR = '1970-01-01T00:00:00.000Z';

export const realClock = (now: () => number = Date.now): Clock => ({ kind: 'real', now });

/** The sandbox's clock: what the log's newest ClockMoved says. Unset before the first; forward only. */
export class VirtualClock implements Clock {
  readonly kind = 'virtual';
  private ms: number | undefined;

  now(): number {
    if (this.ms !== undefined) return this.ms;
    throw new CodedError(
      'clock-unset',
      'The sandbox clock is not set yet; PUT /v1/sandbox/clock {"now": "..."} sets it.',
    );
  }

  get set(): number | undefined {
    return this.ms;
  }

  takeInstant(to: string): void {
    const ms = Date.parse(to);
    if (this.ms === undefined || ms > this.ms) this.ms = ms;
  }

  take(event: RecordedEvent): void {
    if (event.type === 'ClockMoved') this.takeInstant((event.data as ClockMoved).to);
  }
}

/** An instant for what the start itself writes: now, or the floor of a virtual clock that is unset. */
export function startInstant(clock: Clock): string {
  if (clock instanceof VirtualClock) return clock.set === undefined ? VIRTUAL_FLOOR : isoInstant(clock.set);
  return isoInstant(clock.now());
}
