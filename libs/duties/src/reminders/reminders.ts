import { OFFICE_LATE, remindsOf, type Notice, type ReminderOutcome } from '@headworks/domain';
import type { Pack } from '@headworks/rules-engine';
import { composeMessage } from './compose-message';
import type { RemindedDuty } from './reminded-duty';
import { momentsOf, remindingClauses, type Moment, type RemindingClause } from './moments';
import type { Address, Delivery, Notifier } from './notifier';
import type { Recipients } from './recipients';

/** A reminder, whatever try at it. */
type Asked = Omit<Notice, 'attempt'>;

export type Claimed =
  | { readonly is: 'mine'; readonly attempt: number }
  | { readonly is: 'over' | 'told' }
  | { readonly is: 'waits'; readonly untilMs: number }
  | { readonly is: 'begun'; readonly attempt: number; readonly startedMs: number };

export interface RemindersPort {
  /** Open duties of a clause that are due before an instant (ISO), all of them. */
  readonly open: (pack: string, clause: string, before: string) => Promise<readonly RemindedDuty[]>;
  /** Duties of offices of a pack that were missed since an instant and are not done yet. */
  readonly missed: (pack: string, since: string) => Promise<readonly RemindedDuty[]>;
  readonly claim: (stream: string, asked: Asked) => Promise<Claimed>;
  readonly tell: (stream: string, notice: Notice, outcome: ReminderOutcome) => Promise<void>;
}

export interface RemindersOptions {
  readonly port: RemindersPort;
  /** All versions of each pack, as they stand now: an officer may have closed days since. */
  readonly packs: () => ReadonlyMap<string, readonly Pack[]>;
  readonly recipients: Recipients;
  readonly notifiers: readonly Notifier[];
  readonly idOf: (asked: Asked) => string;
  /** Tries at most. */
  readonly tries: number;
  readonly now: () => number;
  readonly isSandbox: boolean;
  readonly say: (sentence: string) => void;
}

const HOUR = 3_600_000;
/** Far longer than a message takes: what is not told by then was left by a process that died. */
const UNCLEAR_MS = HOUR / 4;
/** A supervisor who is named today is not told of last year's misses. */
const MISSED_MS = 30 * 24 * HOUR;
const MOST_REMEMBERED = 100_000;

interface Due {
  readonly duty: RemindedDuty;
  readonly pack: Pack;
  readonly moment: Moment;
  /** Whose recipients: a body, or a holder by kind and key. */
  readonly name: string;
  /** As the log names whom it goes to. */
  readonly to: string;
}

/**
 * Reminds of duties ahead of their dates, and supervisors of late offices. It remembers nothing that matters: what is to
 * be sent is the due date less the period, and what was sent stands in the log. So a silence loses no reminder, and of
 * two workers that look at once one sends it.
 */
export class Reminders {
  /** Until when there is no need to look at the log again: for good where it is told, for a while where it is over. */
  private readonly rest = new Map<string, number>();
  /** Receivers that did not answer in this run: nobody waits for each of them a hundred times. */
  private readonly away = new Set<string>();
  private running: Promise<void> | undefined;
  private stopped = false;
  /** Delivered or given up, and not on record yet. */
  private readonly untold = new Map<string, ReminderOutcome>();

  constructor(private readonly options: RemindersOptions) {}

  /** Sends what is to be sent now. Whoever asks while it runs is served by that run, and looks again the next time. */
  remind(): Promise<void> {
    this.running ??= this.run().finally(() => (this.running = undefined));
    return this.running;
  }

  /** Begins no further message; resolves when the one under way is done with. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    this.away.clear();
    for (const due of [...(await this.ahead()), ...(await this.officesLate())]) {
      const addresses = this.options.recipients.of(due.duty.jurisdiction, due.name)?.to ?? [];
      const counts = new Map<string, number>();
      for (const address of addresses) {
        const nth = (counts.get(address.channel) ?? 0) + 1;
        counts.set(address.channel, nth);
        await this.one(due, address, nth);
      }
    }
  }

  /** The earliest instant after now at which somebody is to be reminded: where a sandbox's clock has to stop. */
  async next(): Promise<string | undefined> {
    let first: string | undefined;
    for (const { pack, clause } of this.clauses()) {
      for (const duty of await this.openOf(pack, clause, '9999-12-31T00:00:00.000Z')) {
        const { next } = momentsOf(pack, duty, this.options.now());
        if (next && (first === undefined || next.at < first)) first = next.at;
      }
    }
    return first;
  }

  private readonly clauses = (): readonly RemindingClause[] =>
    remindingClauses([...this.options.packs().values()].flat());

  private async ahead(): Promise<readonly Due[]> {
    const { recipients } = this.options;
    const now = this.options.now();
    const found: Due[] = [];
    for (const { pack, clause, aheadMs } of this.clauses()) {
      const before = new Date(now + aheadMs).toISOString();
      for (const duty of await this.openOf(pack, clause, before)) {
        // A body of the pack, or whoever answers for the duty.
        const { who, responsible } = duty;
        const name = pack.bodies.has(who) || !responsible ? who : `${responsible.kind} ${responsible.key}`;
        // Most duties may be nobody's that the operator has named: they cost no counting of days.
        if (!recipients.of(duty.jurisdiction, name)) continue;
        const moment = momentsOf(pack, duty, now).now;
        if (!moment) continue;
        found.push({ duty, pack, moment, name, to: who });
      }
    }
    return found;
  }

  private async openOf(pack: Pack, clause: string, before: string): Promise<readonly RemindedDuty[]> {
    const open = await this.options.port.open(pack.ref.pack, clause, before);
    return open.filter(({ packVersion }) => packVersion === pack.ref.version);
  }

  private async officesLate(): Promise<readonly Due[]> {
    const { packs, port, recipients, now } = this.options;
    const since = new Date(now() - MISSED_MS).toISOString();
    const found: Due[] = [];
    for (const [name, versions] of packs()) {
      for (const duty of await port.missed(name, since)) {
        const pack = versions.find(({ ref }) => ref.version === duty.packVersion);
        const supervisor = recipients.of(duty.jurisdiction, duty.who)?.supervisor;
        const moment = { reminder: OFFICE_LATE, at: remindsOf(duty.due) };
        if (pack && supervisor !== undefined)
          found.push({ duty, pack, moment, name: supervisor, to: supervisor });
      }
    }
    return found;
  }

  private async one({ duty, pack, moment, to }: Due, address: Address, nth: number): Promise<void> {
    const { now, notifiers, idOf, isSandbox, say } = this.options;
    const { channel } = address;
    const { reminder, at: remindAt } = moment;
    const asked = { duty: duty.duty, reminder, remindAt, dueAt: remindsOf(duty.due), to, channel, nth };
    const id = idOf(asked);
    const notifier = notifiers.find((one) => one.channel === channel);
    const isAway = this.stopped || this.away.has(receiverOf(address));
    if (!notifier || isAway || now() < (this.rest.get(id) ?? Number.NEGATIVE_INFINITY)) return;
    try {
      const attempt = await this.attemptOf(id, duty.stream, asked);
      if (attempt === undefined) return;
      const notice = { ...asked, attempt };
      const isLate = now() - Date.parse(remindAt) > HOUR;
      const message = composeMessage({ id, notice, duty, pack, isLate, isSandbox });
      const delivery = await deliver(notifier, address, message);
      if (delivery.is === 'again') this.away.add(receiverOf(address));
      await this.done(id, duty.stream, notice, delivery);
    } catch (error) {
      say(`The reminder ${id} is looked at again: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Which try at it is ours to make now, if any. */
  private async attemptOf(id: string, stream: string, asked: Asked): Promise<number | undefined> {
    const { port, now, say } = this.options;
    const claim = await port.claim(stream, asked);
    switch (claim.is) {
      case 'mine':
        return claim.attempt;
      case 'told':
        this.restUntil(id);
        return undefined;
      case 'over':
        this.restUntil(id, now() + HOUR);
        return undefined;
      case 'waits':
        this.restUntil(id, claim.untilMs);
        return undefined;
      case 'begun': {
        const notice = { ...asked, attempt: claim.attempt };
        const known = this.untold.get(id);
        if (known) await this.tell(id, stream, notice, known);
        else if (now() - claim.startedMs > UNCLEAR_MS) {
          say(`Whether the reminder ${id} went out is not known: its sender ended before it could tell.`);
          await this.tell(id, stream, notice, 'unclear');
        }
        return undefined;
      }
    }
  }

  private async done(id: string, stream: string, notice: Notice, delivery: Delivery): Promise<void> {
    const { tries, say } = this.options;
    const isLast = notice.attempt >= tries;
    const outcome = delivery.is === 'again' ? (isLast ? 'failed' : 'not_delivered') : delivery.is;
    if (delivery.is !== 'sent')
      say(`The reminder ${id} (${notice.channel}), try ${notice.attempt}: ${outcome}, ${delivery.why}.`);
    await this.tell(id, stream, notice, outcome);
  }

  private async tell(id: string, stream: string, notice: Notice, outcome: ReminderOutcome): Promise<void> {
    this.untold.set(id, outcome);
    await this.options.port.tell(stream, notice, outcome);
    this.untold.delete(id);
    // The log says when the next try has its time.
    if (outcome !== 'not_delivered') this.restUntil(id);
  }

  private restUntil(id: string, ms = Number.POSITIVE_INFINITY): void {
    if (this.rest.size >= MOST_REMEMBERED) this.rest.clear();
    this.rest.set(id, ms);
  }
}

const receiverOf = (to: Address): string => (to.channel === 'webhook' ? to.url : to.channel);

/** An adapter that throws tells nothing of what it did. */
async function deliver(
  notifier: Notifier,
  to: Address,
  message: Parameters<Notifier['send']>[1],
): Promise<Delivery> {
  try {
    return await notifier.send(to, message);
  } catch {
    return { is: 'unclear', why: 'the adapter failed' };
  }
}
