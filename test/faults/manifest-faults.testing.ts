import type { CapacityReserved, LoadPosted, ManifestRefused, PostingReversed } from '@headworks/domain';
import { address, type RecordedEvent } from '@headworks/kernel';
import { isHeldStill, standingOf } from './manifest-left.testing';
import { ManifestLog } from './manifest-log.testing';
import type { Posted, Stream } from './manifest-shapes.testing';
import type { WatchedLaw, WatchedLimit } from './watched-law.testing';

/**
 * What is wrong with a log of manifests, at whatever place of it: no limit is exceeded by what is accepted and what
 * came under acceptance, nothing is accepted after a permit's end or against a restriction, each load is posted once
 * a stream, each manifest is decided once, and each refusal says why in figures that are the log's. An append is read
 * as a whole: nobody sees a part of one.
 */
export function faultsOf(events: readonly RecordedEvent[], law: WatchedLaw): readonly string[] {
  const check = new Check(new ManifestLog(law));
  let append: RecordedEvent[] = [];
  events.forEach((event, index) => {
    check.before(event);
    append.push(event);
    const next = events[index + 1];
    if (next?.stream === event.stream && next.metadata.commandId === event.metadata.commandId) return;
    check.after(append);
    append = [];
  });
  return check.faults;
}

class Check {
  readonly faults: string[] = [];
  /** By stream, load and revision of the load. */
  private readonly seen = new Set<string>();

  constructor(private readonly log: ManifestLog) {}

  private fault(event: RecordedEvent, what: string): void {
    this.faults.push(`${address(event)} ${event.type}: ${what}`);
  }

  /** What the event says, against what stood before it; then it is read. */
  before(event: RecordedEvent): void {
    const inStream = this.log.streams.get(event.stream);
    switch (event.type) {
      case 'ManifestSubmitted':
        if (this.log.asked.has(event.stream.slice('load-'.length))) this.fault(event, 'it is asked twice');
        break;
      case 'LoadDischarged':
        if (this.log.loads.has(event.stream.slice('load-'.length)))
          this.fault(event, 'it is discharged twice');
        break;
      case 'CapacityReserved':
        this.reserving(event, inStream);
        break;
      case 'ManifestAccepted':
      case 'ManifestPending':
      case 'ManifestRefused':
        this.answering(event, inStream);
        break;
      case 'LoadPosted':
        this.posting(event, inStream);
        break;
      case 'PostingReversed':
        if (!inStream?.posted.some((one) => one.event === (event.data as PostingReversed).posting))
          this.fault(event, 'what it reverses does not stand');
        break;
    }
    this.log.read(event);
  }

  private reserving(event: RecordedEvent, inStream: Stream | undefined): void {
    const { manifest } = event.data as CapacityReserved;
    if (inStream?.over !== undefined) this.fault(event, `capacity is held after ${inStream.over}`);
    const held = inStream?.held.get(manifest);
    if (held && held.untilMs > Date.parse(event.metadata.recordedAt)) this.fault(event, 'it is held already');
  }

  private answering(event: RecordedEvent, inStream: Stream | undefined): void {
    const manifest = event.data['manifest'] as string;
    if (!this.log.asked.has(manifest)) this.fault(event, 'nobody asked for it');
    const standing = inStream?.standing.get(manifest);
    if (standing && standing.is !== 'pending') this.fault(event, `it is ${standing.is} already`);
    if (event.type === 'ManifestAccepted' && inStream?.over !== undefined)
      this.fault(event, `it is accepted after ${inStream.over}`);
    if (event.type === 'ManifestRefused' && inStream) this.refusing(event, inStream);
  }

  /** A refusal names a clause, and where a limit alone is against it, the figures are those of the log. */
  private refusing(event: RecordedEvent, inStream: Stream): void {
    const { findings, reason, manifest } = event.data as ManifestRefused;
    if (reason !== undefined) return;
    const against = (findings as unknown as readonly Told[]).filter(({ status }) => status === 'violated');
    if (against.length === 0) this.fault(event, 'it is refused, and nothing stands against it');
    for (const { clause, cite, operands } of against)
      if (!clause || !cite || operands.length === 0)
        this.fault(event, 'a finding says no clause or no figures');
    const [only, ...others] = against;
    const limit = this.log.law.limits.find(
      ({ clause, in: at }) => clause === only?.clause && inStream.name.startsWith(at),
    );
    const asked = this.log.asked.get(manifest);
    if (!only || others.length > 0 || !limit || !asked) return;
    const planned = Date.parse(asked.data.plannedAt);
    const sum = sumIn(limit, this.log.dayOf(planned), this.counted(inStream, limit));
    const over = sum + Number(asked.data.quantity.value) - planAt(inStream, limit);
    if (over <= 0) this.fault(event, `there was room for it: ${-over} gal are left`);
    else if (Number(only.margin?.value) !== -over)
      this.fault(event, `it is ${over} gal over, and is told ${only.margin?.value}`);
  }

  private posting(event: RecordedEvent, inStream: Stream | undefined): void {
    const { load, loadRevision } = event.data as LoadPosted;
    if (inStream?.posted.some((one) => one.load === load)) this.fault(event, 'it stands there already');
    const key = `${event.stream} ${load} ${loadRevision}`;
    if (this.seen.has(key)) this.fault(event, 'the same is posted there again');
    this.seen.add(key);
  }

  /** What must hold when an append is through. */
  after(append: readonly RecordedEvent[]): void {
    const last = append.at(-1);
    const stream = last && this.log.streams.get(last.stream);
    if (!last || !stream) return;
    if (stream.over !== undefined) this.noneOpen(last, stream);
    const limits = this.log.law.limits.filter(({ in: at }) => stream.name.startsWith(at));
    for (const limit of limits) {
      for (const event of append) if (event.type === 'CapacityReserved') this.fitted(event, stream, limit);
      this.keepsTo(last, stream, limit);
      const moved = append.some(({ type }) => type === 'LoadPosted' || type === 'PostingReversed');
      if (moved && !stream.cut) this.saysExceeded(last, stream, limit);
    }
    const begins = append.some((event) => this.log.law.bars.some(({ read }) => read(event) === 'begins'));
    if (begins || append.some(({ type }) => type === 'ManifestAccepted' || type === 'CapacityReserved'))
      this.noneAgainst(last);
  }

  private noneOpen(event: RecordedEvent, stream: Stream): void {
    for (const [manifest, { is, untilMs }] of stream.standing) {
      const open = (is === 'accepted' || is === 'pending') && untilMs > this.log.nowMs;
      // What was discharged is over, whether anybody had accepted it or not.
      if (open && !this.log.loads.has(manifest))
        this.fault(event, `${manifest} is ${is} after ${stream.over}`);
    }
  }

  /** As it was held, it and all that is posted and held beside it kept to the limit. */
  private fitted(event: RecordedEvent, stream: Stream, limit: WatchedLimit): void {
    const { manifest, limits } = event.data as CapacityReserved;
    const own = this.log.reserved.get(`${stream.name} ${manifest}`);
    if (!own || !limits.includes(limit.name)) return;
    const counted = this.counted(stream, limit);
    const from = this.log.dayOf(own.plannedMs);
    for (const day of new Set(counted.map(({ day: one }) => one))) {
      if (day < from || !isInWindow(limit, day, from)) continue;
      const sum = sumIn(limit, day, counted);
      const plan = planAt(stream, limit);
      if (sum > plan) this.fault(event, `with it ${sum} gal are held or posted of ${plan} (${limit.name})`);
    }
  }

  /** While anything is held, it and what came in the place of what was held keep to the limit. */
  private keepsTo(event: RecordedEvent, stream: Stream, limit: WatchedLimit): void {
    const counted = this.counted(stream, limit).map((one) => ({ ...one, gallons: one.accepted }));
    const days = new Set(counted.filter(({ isHeld }) => isHeld).map(({ day }) => day));
    for (const day of days) {
      const sum = sumIn(limit, day, counted);
      const plan = planAt(stream, limit);
      if (sum > plan) this.fault(event, `${sum} gal are accepted of ${plan} (${limit.name})`);
    }
  }

  /** LimitExceeded stands of exactly those loads that the ledger, in the order of the law, shows over the limit. */
  private saysExceeded(event: RecordedEvent, stream: Stream, limit: WatchedLimit): void {
    const posted = stream.posted.filter(({ limits }) => limits.includes(limit.name)).toSorted(inLegalOrder);
    // By day: what was posted on it so far.
    const sums = new Map<string, number>();
    posted.forEach((one) => {
      const day = this.log.dayOf(one.ms);
      sums.set(day, (sums.get(day) ?? 0) + one.gallons);
      const inWindow = [...sums].filter(([other]) => isInWindow(limit, day, other));
      const sum = inWindow.reduce((all, [, gallons]) => all + gallons, 0);
      const isOver = sum > planAt(stream, limit, one.ms);
      if (stream.exceeded.has(`${one.load} ${limit.clause}`) !== isOver)
        this.fault(
          event,
          `${one.load} makes it ${sum} gal, and LimitExceeded ${isOver ? 'does not stand' : 'stands'}`,
        );
    });
  }

  private noneAgainst(event: RecordedEvent): void {
    for (const asked of this.log.asked.values()) {
      const standing = standingOf(this.log, asked);
      if (standing?.is !== 'accepted' || standing.untilMs <= this.log.nowMs) continue;
      if (this.log.loads.has(asked.id) || !isHeldStill(this.log, standing)) continue;
      for (const name of [asked.thing, asked.permit]) {
        for (const [bar, begun] of this.log.streams.get(name)?.bars ?? []) {
          const against = this.log.law.bars.find((one) => one.name === bar)?.against(asked.data, begun);
          if (against) this.fault(event, `${asked.id} stands accepted against ${address(begun)} (${bar})`);
        }
      }
    }
  }

  /** What counts in a limit now: `accepted` is the part of it that came, or may come, under acceptance. */
  private counted(stream: Stream, limit: WatchedLimit): readonly Counted[] {
    const { log } = this;
    const held = [...stream.held.values()]
      .filter(({ untilMs, limits }) => untilMs > log.nowMs && limits.includes(limit.name))
      .map(({ gallons, plannedMs }) => ({
        gallons,
        accepted: gallons,
        day: log.dayOf(plannedMs),
        isHeld: true,
      }));
    const posted = stream.posted.filter(({ limits }) => limits.includes(limit.name));
    return [...held, ...posted.map((one) => ({ ...this.posted(stream, one), isHeld: false }))];
  }

  private posted(stream: Stream, { load, gallons, ms }: Posted): Omit<Counted, 'isHeld'> {
    const key = `${stream.name} ${load}`;
    const day = this.log.dayOf(ms);
    const was = this.log.reserved.get(key);
    const inPlace = this.log.inPlace.has(key) && was && this.log.dayOf(was.plannedMs) === day;
    return { gallons, day, accepted: inPlace ? Math.min(gallons, was.gallons) : 0 };
  }
}

interface Counted {
  readonly gallons: number;
  readonly accepted: number;
  readonly day: string;
  readonly isHeld: boolean;
}

/** A finding as an event stores it. */
interface Told {
  readonly clause: string;
  readonly cite: string;
  readonly status: string;
  readonly operands: readonly unknown[];
  readonly margin?: { readonly value: string };
}

const inLegalOrder = (a: Posted, b: Posted): number =>
  a.ms - b.ms ||
  (a.recordedAt < b.recordedAt ? -1 : a.recordedAt > b.recordedAt ? 1 : a.revision - b.revision);

function sumIn(limit: WatchedLimit, day: string, counted: readonly Counted[]): number {
  const inWindow = counted.filter((one) => isInWindow(limit, day, one.day));
  return inWindow.reduce((sum, { gallons }) => sum + gallons, 0);
}

/** Whether a day lies in the window that ends with another, or in its year. */
function isInWindow({ days }: WatchedLimit, last: string, day: string): boolean {
  if (days === undefined) return day.slice(0, 4) === last.slice(0, 4);
  const apart = (Date.parse(last) - Date.parse(day)) / 86_400_000;
  return apart >= 0 && apart < days;
}

/** The plan of the limit as it stood at an instant; as it was said last where none is given. */
function planAt({ plans }: Stream, { name }: WatchedLimit, ms = Number.POSITIVE_INFINITY): number {
  const said = plans.filter((one) => one.limit === name && one.ms <= ms);
  return said.toSorted((a, b) => a.ms - b.ms).at(-1)?.gallons ?? 0;
}
