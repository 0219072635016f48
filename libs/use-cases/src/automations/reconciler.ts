import { address, Registry, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../context';
import type { Automation, Work } from './automation';
import { whenBreachChangedThenViolation } from './when-breach-changed-then-violation';
import { whenLoadChangedThenPost } from './when-load-changed-then-post';
import { whenSupersededThenBringForward } from './when-superseded-then-bring-forward';
import { whenThingChangedThenJudgeLoads } from './when-thing-changed-then-judge-loads';

/** The closed list of automations, in the order in which they run; a doubled name stops the boot. */
export const automations = new Registry<Automation>('automation')
  .add(whenLoadChangedThenPost.name, whenLoadChangedThenPost)
  .add(whenThingChangedThenJudgeLoads.name, whenThingChangedThenJudgeLoads)
  .add(whenBreachChangedThenViolation.name, whenBreachChangedThenViolation)
  .add(whenSupersededThenBringForward.name, whenSupersededThenBringForward);

/** Events whose consequences this process has finished: the follower need not look at them again. */
const HANDLED = 50_000;

/**
 * Runs what follows from events until nothing follows: in the request that made them, and again by the follower for
 * processes that died between. Both do the same work on the same ids.
 */
export class Reconciler {
  private readonly handled = new Set<string>();

  constructor(private readonly services: Services) {}

  /** Everything that follows from the events, and from what follows; returns all that was appended. */
  async follow(first: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    const all: RecordedEvent[] = [...first];
    // How far each automation has looked: each event is shown to each automation once.
    const looked = new Map<string, number>();
    const behind = () => automations.names().some((name) => (looked.get(name) ?? 0) < all.length);
    while (behind()) {
      for (const [name, automation] of automations.all()) {
        const fresh = all.slice(looked.get(name) ?? 0);
        looked.set(name, all.length);
        for (const work of planned(automation, fresh))
          all.push(...(await automation.run(this.services, work)));
      }
    }
    for (const event of all) this.finished(event);
    return all.slice(first.length);
  }

  isFinished(event: RecordedEvent): boolean {
    return this.handled.has(address(event));
  }

  private finished(event: RecordedEvent): void {
    this.handled.add(address(event));
    if (this.handled.size <= HANDLED) return;
    const [oldest] = this.handled;
    if (oldest !== undefined) this.handled.delete(oldest);
  }
}

/** Work that the events ask of the automation, each key once: the last event that asked is the cause. */
function planned(automation: Automation, events: readonly RecordedEvent[]): readonly Work[] {
  const work = new Map<string, Work>();
  for (const event of events) {
    for (const key of automation.plan(event)) {
      const { jurisdiction, correlationId } = event.metadata;
      if (jurisdiction === undefined) continue;
      work.set(key, { key, cause: address(event), jurisdiction, correlationId });
    }
  }
  return [...work.values()];
}
