import { occurredMs } from '@headworks/calendars';
import {
  dischargeMs,
  factAt,
  heldAt,
  type CapacityReserved,
  type PermitState,
  type Posting,
  type Reservation,
  type SubjectState,
} from '@headworks/domain';
import { parseQuantity, type QuantityJson, type RecordedEvent } from '@headworks/kernel';
import type { Shared } from './world.testing';
import { permits, subjects } from '../models';

const DAY = 86_400_000;
/** What a vat takes in three days. */
const VAT_MOST = 500;

const gallons = (quantity: QuantityJson): number => {
  const parsed = parseQuantity(quantity);
  return parsed.ok ? Number(parsed.value.base.n) / Number(parsed.value.base.d) : Number.NaN;
};
const GALLON = gallons({ value: '1', unit: 'gal' });
const amountOf = (quantity: QuantityJson): number => gallons(quantity) / GALLON;

/**
 * The log of the vats, append by append, with all that must hold at each place of it. Whatever is wrong is told with
 * the event after which it was.
 */
export class VatLog {
  readonly permits = new Map<string, PermitState>();
  readonly things = new Map<string, SubjectState>();
  readonly faults: string[] = [];
  /** By manifest: what was reserved for it. */
  private readonly reserved = new Map<string, CapacityReserved>();
  /** Loads that came while their reservation stood, by the stream that they were posted to. */
  private readonly accepted = new Set<string>();
  /** Loads that were corrected: they stand where nobody reserved for them. */
  private readonly moved = new Set<string>();
  private nowMs = 0;

  static async of(shared: Shared): Promise<VatLog> {
    const log = new VatLog();
    const all: RecordedEvent[] = [];
    for await (const batch of shared.store.readAll()) all.push(...batch);
    all.forEach((event, index) => {
      log.add(event);
      const next = all[index + 1];
      const last = next?.stream !== event.stream || next.metadata.commandId !== event.metadata.commandId;
      if (last) log.check(event);
    });
    return log;
  }

  private add(event: RecordedEvent): void {
    const { stream, type, data, metadata } = event;
    this.nowMs = Math.max(this.nowMs, Date.parse(metadata.recordedAt));
    if (type === 'CapacityReserved') {
      const reserved = data as CapacityReserved;
      this.reserved.set(reserved.manifest, reserved);
    }
    if (type === 'LoadCorrected') this.moved.add(stream.slice('load-'.length));
    const before = this.permits.get(stream) ?? this.things.get(stream);
    if (type === 'LoadPosted') {
      const load = data['load'] as string;
      const held = before?.reservations.get(load);
      if (held && held.untilMs > occurredMs(metadata.occurred)) this.accepted.add(`${stream} ${load}`);
    }
    if (stream.startsWith('permit-')) {
      const state = this.permits.get(stream) ?? permits.initial(stream);
      this.checkOrder(state, event);
      this.permits.set(stream, permits.evolve(state, event));
    }
    if (stream.startsWith('subject-')) {
      this.things.set(stream, subjects.evolve(this.things.get(stream) ?? subjects.initial(stream), event));
    }
  }

  private fault(event: RecordedEvent, what: string): void {
    this.faults.push(`${event.stream}@${event.revision} ${event.type}: ${what}`);
  }

  /** Nothing is accepted after what ended the permit, or while it is suspended: the order of the stream says it. */
  private checkOrder({ file }: PermitState, event: RecordedEvent): void {
    if (event.type !== 'ManifestAccepted' && event.type !== 'CapacityReserved') return;
    const inStream = [...file.steps].toSorted((a, b) => a.key.revision - b.key.revision);
    const last = inStream.findLast(({ type }) => type !== 'PermitConditioned')?.type;
    if (last !== 'PermitIssued' && last !== 'PermitReinstated') this.fault(event, `accepted after ${last}`);
  }

  private check(event: RecordedEvent): void {
    for (const state of [...this.permits.values(), ...this.things.values()]) this.checkOnce(event, state);
    for (const permit of this.permits.values()) {
      this.checkPlan(event, permit);
      this.checkStanding(event, permit);
    }
    for (const thing of this.things.values()) this.checkVat(event, thing);
  }

  private checkOnce(event: RecordedEvent, { stream, postings }: SubjectState): void {
    const loads = postings.map(({ data }) => data.load);
    if (new Set(loads).size < loads.length) this.fault(event, `a load stands twice in ${stream}`);
  }

  private isAccepted(stream: string, { data }: Posting): boolean {
    return this.accepted.has(`${stream} ${data.load}`) && !this.moved.has(data.load);
  }

  /** While something holds, it and what came under acceptance keep within the plan. */
  private checkPlan(event: RecordedEvent, permit: PermitState): void {
    const held = heldAt(permit.reservations, this.nowMs);
    if (held.length === 0) return;
    const plan = factAt(permit.facts, 'yearly_volume', this.nowMs)?.json as QuantityJson | undefined;
    const posted = permit.postings.filter((posting) => this.isAccepted(permit.stream, posting));
    const sum =
      held.reduce((all, { data }) => all + amountOf(data.quantity), 0) +
      posted.reduce((all, { data }) => all + amountOf(data.quantity), 0);
    if (plan && sum > amountOf(plan) + 1e-9)
      this.fault(event, `${sum} gal are held or poured under ${permit.stream}, of ${plan.value}`);
  }

  private checkVat(event: RecordedEvent, thing: SubjectState): void {
    const held = heldAt(thing.reservations, this.nowMs);
    const posted = thing.postings.filter(
      (posting) => posting.data.as === undefined && this.isAccepted(thing.stream, posting),
    );
    const days = [
      ...held.map(({ data, plannedMs }) => ({ day: dayOf(plannedMs), amount: amountOf(data.quantity) })),
      ...posted.map(({ data, key }) => ({ day: dayOf(key.ms), amount: amountOf(data.quantity) })),
    ];
    for (const { plannedMs } of held) {
      const day = dayOf(plannedMs);
      const sum = days.filter((one) => one.day > day - 3 && one.day <= day).reduce((a, b) => a + b.amount, 0);
      if (sum > VAT_MOST + 1e-9)
        this.fault(event, `${sum} gal in three days are held or poured in ${thing.stream}`);
    }
  }

  /** No acceptance stands against a restriction, of the vat or of the presser. */
  private checkStanding(event: RecordedEvent, permit: PermitState): void {
    for (const { manifest, thing, held } of this.standing(permit)) {
      const atMs = dischargeMs(held.plannedMs, this.nowMs, thing);
      if (factAt(thing.facts, 'closed', atMs)?.json === true)
        this.fault(event, `the acceptance of ${manifest} stands against a closed vat`);
      if (factAt(permit.facts, 'barred', dischargeMs(held.plannedMs, this.nowMs, permit))?.json === true)
        this.fault(event, `the acceptance of ${manifest} stands against a bar`);
    }
  }

  /** Acceptances that stand now: not ended, not discharged, in time, and with each of their reservations. */
  standing(permit: PermitState): readonly { manifest: string; thing: SubjectState; held: Reservation }[] {
    return [...permit.manifests.entries()].flatMap(([manifest, standing]) => {
      if (standing.is !== 'accepted' || standing.discharged) return [];
      if (Date.parse(standing.data.until) <= this.nowMs) return [];
      const own = permit.reservations.get(manifest);
      const elsewhere = standing.data.reservations.find((address) => address.startsWith('subject-')) ?? '';
      const thing = this.things.get(elsewhere.slice(0, elsewhere.indexOf('@')));
      const held = thing && heldAt(thing.reservations, this.nowMs).find(({ event }) => event === elsewhere);
      return own && thing && held ? [{ manifest, thing, held }] : [];
    });
  }

  /** What is left behind after everything was followed: reservations that no standing acceptance rests on. */
  leftBehind(nowMs: number): readonly string[] {
    this.nowMs = Math.max(this.nowMs, nowMs);
    const wanted = new Set(
      [...this.permits.values()].flatMap((one) => this.standing(one).map((s) => s.manifest)),
    );
    return [...this.permits.values(), ...this.things.values()].flatMap(({ stream, reservations }) =>
      heldAt(reservations, this.nowMs)
        .filter(({ data }) => !wanted.has(data.manifest))
        .map(({ data }) => `${data.manifest} in ${stream}`),
    );
  }
}

/** Days in the village, as numbers: its zone keeps one offset over the days of these stories. */
const dayOf = (ms: number): number => Math.floor((ms - 5 * 3_600_000) / DAY);
