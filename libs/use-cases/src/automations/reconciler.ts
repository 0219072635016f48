import { address, Registry, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../context';
import type { Automation, Work } from './automation';
import { whenCalendarAmendedThenMoveDuties } from './when-calendar-amended-then-move-duties';
import { whenBreachChangedThenViolation } from './when-breach-changed-then-violation';
import { whenJudgingWasCutThenGoOn } from './when-judging-was-cut-then-go-on';
import { whenManifestSubmittedThenAnswer } from './when-manifest-submitted-then-answer';
import { whenLoadChangedThenPost } from './when-load-changed-then-post';
import { whenPermitIssuedThenNumber } from './when-permit-issued-then-number';
import { whenPermitIssuedThenRenew } from './when-permit-issued-then-renew';
import { whenReservationEndedThenWithdraw } from './when-reservation-ended-then-withdraw';
import { whenSupersededThenBringForward } from './when-superseded-then-bring-forward';
import { whenThingChangedThenJudgeLoads } from './when-thing-changed-then-judge-loads';

/** The closed list of automations, in the order in which they run; a doubled name stops the boot. */
export const automations = new Registry<Automation>('automation')
  .add(whenManifestSubmittedThenAnswer.name, whenManifestSubmittedThenAnswer)
  .add(whenReservationEndedThenWithdraw.name, whenReservationEndedThenWithdraw)
  .add(whenCalendarAmendedThenMoveDuties.name, whenCalendarAmendedThenMoveDuties)
  .add(whenLoadChangedThenPost.name, whenLoadChangedThenPost)
  .add(whenJudgingWasCutThenGoOn.name, whenJudgingWasCutThenGoOn)
  .add(whenThingChangedThenJudgeLoads.name, whenThingChangedThenJudgeLoads)
  .add(whenBreachChangedThenViolation.name, whenBreachChangedThenViolation)
  .add(whenSupersededThenBringForward.name, whenSupersededThenBringForward)
  .add(whenPermitIssuedThenNumber.name, whenPermitIssuedThenNumber)
  .add(whenPermitIssuedThenRenew.name, whenPermitIssuedThenRenew);

/** Events whose consequences this process has finished: the follower need not look at them again. */
const HANDLED = 50_000;

type Followed = Promise<readonly RecordedEvent[]>;

/**
 * Runs what follows from events until nothing follows: in the request that made them, and again by the follower for
 * processes that died between. Both do the same work on the same ids.
 */
export class Reconciler {
  private readonly handled = new Set<string>();
  private readonly running = new Map<string, Followed>();

  constructor(private readonly services: Services) {}

  /**
   * Everything that follows from the events, and from what follows; returns all of it. Whoever asks for an event that
   * is being followed (the follower sees it in the log before its request is done) waits for that one's result.
   */
  async follow(first: readonly RecordedEvent[]): Followed {
    const others = new Set<Followed>();
    const fresh: RecordedEvent[] = [];
    for (const event of first) {
      const other = this.running.get(address(event));
      if (other) others.add(other);
      else fresh.push(event);
    }
    // What follows waits for nobody: only here does one wait for another, so nobody waits in a circle.
    const own = fresh.length > 0 ? [this.begin(fresh)] : [];
    const results = await Promise.allSettled([...own, ...others]);
    if (results.slice(own.length).some(({ status }) => status === 'rejected')) return this.begin(first);
    return results.flatMap((result) => {
      if (result.status === 'fulfilled') return result.value;
      throw result.reason;
    });
  }

  isFinished(event: RecordedEvent): boolean {
    return this.handled.has(address(event));
  }

  private begin(first: readonly RecordedEvent[]): Followed {
    const claimed: string[] = [];
    const claim = (event: RecordedEvent): void => {
      if (this.running.has(address(event))) return;
      this.running.set(address(event), followed);
      claimed.push(address(event));
    };
    const followed: Followed = Promise.resolve()
      .then(() => this.followAll(first, claim))
      .finally(() => claimed.forEach((event) => this.running.delete(event)));
    first.forEach(claim);
    return followed;
  }

  private async followAll(first: readonly RecordedEvent[], claim: (event: RecordedEvent) => void): Followed {
    const all: RecordedEvent[] = [];
    const seen = new Set<string>();
    const add = (events: readonly RecordedEvent[]): void => {
      for (const event of events) {
        if (seen.has(address(event))) continue;
        seen.add(address(event));
        all.push(event);
        claim(event);
      }
    };
    add(first);
    const given = all.length;
    // How far each automation has looked: each event is shown to each automation once.
    const looked = new Map<string, number>();
    const behind = () => automations.names().some((name) => (looked.get(name) ?? 0) < all.length);
    while (behind()) {
      for (const [name, automation] of automations.all()) {
        const fresh = all.slice(looked.get(name) ?? 0);
        looked.set(name, all.length);
        for (const work of planned(automation, fresh)) add(await automation.run(this.services, work));
      }
    }
    for (const event of all) this.finished(event);
    return all.slice(given);
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
