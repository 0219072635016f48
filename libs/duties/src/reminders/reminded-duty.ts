import type { ThingRef } from '@headworks/domain';

/** A duty as the list has it: it may be stale, so what is sent is decided again from the log. */
export interface RemindedDuty {
  readonly duty: string;
  readonly stream: string;
  readonly jurisdiction: string;
  readonly clause: string;
  readonly packVersion: string;
  readonly who: string;
  readonly subject: ThingRef | null;
  readonly responsible: ThingRef | null;
  readonly due: { readonly date: string | null; readonly at: string; readonly elapsedAt: string | null };
}
