import { localDateAt, occurredMs } from '@headworks/calendars';
import type {
  AcceptanceWithdrawn,
  CapacityReserved,
  LoadPosted,
  ManifestAccepted,
  ManifestSubmitted,
  PermitRevoked,
  PostingReversed,
  ViolationDetected,
} from '@headworks/domain';
import { address, subjectId, type RecordedEvent } from '@headworks/kernel';
import type { Asked, Held, LoadOf, Stream, Violation } from './manifest-shapes.testing';
import type { WatchedLaw } from './watched-law.testing';

/**
 * A log of manifests, folded from the bare events and by none of the program's own folds: what is checked must not be
 * what checks. See `manifest-faults.testing.ts` for what must hold of it.
 */

/** What ends or stops a permit, and what lets it go on. */
const OVER = new Set(['PermitSuspended', 'PermitRevoked', 'PermitExpired', 'PermitVoided']);
const ON = new Set(['PermitIssued', 'PermitReinstated']);

export const gallonsOf = ({ value, unit }: { readonly value: string; readonly unit: string }): number => {
  if (unit !== 'gal' || !/^\d+(\.\d+)?$/.test(value)) throw new Error(`'${value} ${unit}' is not in gallons`);
  return Number(value);
};

/** The log as far as it was read. */
export class ManifestLog {
  readonly streams = new Map<string, Stream>();
  readonly asked = new Map<string, Asked>();
  readonly loads = new Map<string, LoadOf>();
  /** By address. */
  readonly events = new Map<string, RecordedEvent>();
  /** Everything that was ever held, by stream and manifest. */
  readonly reserved = new Map<string, Held>();
  /** Loads that came while their capacity was held there, by stream and load. */
  readonly inPlace = new Set<string>();
  readonly violations = new Map<string, Violation>();
  nowMs = 0;

  constructor(readonly law: WatchedLaw) {}

  stream(name: string): Stream {
    let found = this.streams.get(name);
    if (!found) {
      found = {
        ...{
          name,
          held: new Map(),
          posted: [],
          standing: new Map(),
          accepted: new Map(),
          over: undefined,
          holder: undefined,
        },
        ...{ exceeded: new Set(), cut: false, plans: [], bars: new Map(), barSaidMs: new Map() },
      };
      for (const { name: limit, in: at, plan } of this.law.limits)
        if (typeof plan === 'number' && name.startsWith(at))
          found.plans.push({ limit, ms: 0, gallons: plan });
      this.streams.set(name, found);
    }
    return found;
  }

  read(event: RecordedEvent): void {
    this.events.set(address(event), event);
    this.nowMs = Math.max(this.nowMs, Date.parse(event.metadata.recordedAt));
    if (event.stream.startsWith('load-')) return this.readLoad(event);
    if (event.stream.startsWith('violation-')) return this.readViolation(event);
    if (!/^(permit|subject)-/.test(event.stream)) return;
    const stream = this.stream(event.stream);
    this.readManifest(stream, event);
    if (event.type === 'LoadPosted') {
      const { load } = event.data as LoadPosted;
      if (stream.held.delete(load)) this.inPlace.add(`${stream.name} ${load}`);
    }
    readPosting(stream, event);
    if (event.data['unjudged'] !== undefined) stream.cut = true;
    if (event.type === 'ApplicationFiled')
      stream.holder = nameOf(event.data['applicant'] as ThingLike | undefined);
    if (OVER.has(event.type)) stream.over = event.type;
    if (ON.has(event.type)) stream.over = undefined;
    const ms = occurredMs(event.metadata.occurred);
    for (const { name: limit, in: at, plan } of this.law.limits) {
      const gallons = typeof plan === 'function' && event.stream.startsWith(at) ? plan(event) : undefined;
      if (gallons !== undefined) stream.plans.push({ limit, ms, gallons });
    }
    for (const bar of this.law.bars) {
      const read = bar.read(event);
      // In legal order: one that was lifted before anybody recorded it has never stood since.
      if (!read || ms < (stream.barSaidMs.get(bar.name) ?? ms)) continue;
      stream.barSaidMs.set(bar.name, ms);
      if (read === 'begins') stream.bars.set(bar.name, event);
      if (read === 'ends') stream.bars.delete(bar.name);
    }
  }

  private readLoad(event: RecordedEvent): void {
    const id = event.stream.slice('load-'.length);
    const { data, metadata, revision } = event;
    const ofThing = ({ kind, key }: { kind: string; key: string }): string =>
      `subject-${subjectId(metadata.jurisdiction ?? '', kind, key)}`;
    if (event.type === 'ManifestSubmitted' && !this.asked.has(id)) {
      const said = data as ManifestSubmitted;
      const places = { thing: ofThing(said.subject), permit: `permit-${said.permitId}` };
      this.asked.set(id, { id, data: said, event: address(event), ...places });
    }
    const asked = this.asked.get(id);
    if (event.type === 'ManifestRefused' && asked) asked.refused = address(event);
    if (event.type === 'LoadDischarged') {
      const said = data as unknown as DischargedLike;
      this.loads.set(id, {
        ...{ id, revision, gallons: gallonsOf(said.quantity), voided: false },
        ms: occurredMs(metadata.occurred),
        permitId: said.permitId,
        hauler: nameOf(said.hauler) ?? '',
        thing: ofThing(said.subject),
      });
    }
    const load = this.loads.get(id);
    if (event.type === 'LoadCorrected' && load) {
      const said = data as unknown as { void?: true; set: CorrectedLike };
      const { quantity, permitId, occurredAt, subject } = said.set;
      load.revision = revision;
      if (said.void) load.voided = true;
      if (quantity) load.gallons = gallonsOf(quantity);
      if (permitId !== undefined) load.permitId = permitId;
      if (occurredAt !== undefined) load.ms = Date.parse(occurredAt);
      if (subject) load.thing = ofThing(subject);
    }
  }

  private readViolation({ stream, type, data }: RecordedEvent): void {
    const id = stream.slice('violation-'.length);
    const known = this.violations.get(id);
    if (type === 'ViolationDetected') {
      const { loadId, clause } = data as unknown as ViolationDetected;
      this.violations.set(id, { clause, loadId, stands: true });
    }
    if (known && type === 'ViolationWithdrawn') known.stands = false;
    if (known && type === 'ViolationRelapsed') known.stands = true;
  }

  private readManifest(stream: Stream, event: RecordedEvent): void {
    const { data, type, metadata } = event;
    const ms = occurredMs(metadata.occurred);
    switch (type) {
      case 'CapacityReserved': {
        const { manifest, limits, quantity, plannedAt, until } = data as CapacityReserved;
        const held = {
          ...{ manifest, limits, event: address(event), gallons: gallonsOf(quantity) },
          ...{ plannedMs: Date.parse(plannedAt), untilMs: Date.parse(until) },
        };
        stream.held.set(manifest, held);
        this.reserved.set(`${stream.name} ${manifest}`, held);
        return;
      }
      case 'ManifestPending':
      case 'ManifestAccepted':
      case 'ManifestRefused': {
        const { manifest, reservations = [], until = '' } = data as Partial<ManifestAccepted>;
        const is = WORDS[type];
        const said = { is, event: address(event), ms, reservations, untilMs: Date.parse(until) };
        stream.standing.set(manifest ?? '', said);
        if (is === 'accepted') stream.accepted.set(manifest ?? '', said);
        return;
      }
      default:
        for (const manifest of endedBy(event)) this.end(stream, manifest, event);
    }
  }

  private end(stream: Stream, manifest: string, event: RecordedEvent): void {
    const held = stream.held.get(manifest);
    stream.held.delete(manifest);
    const standing = stream.standing.get(manifest);
    const open = standing?.is === 'pending' || standing?.is === 'accepted';
    const ms = Date.parse(event.metadata.recordedAt);
    if (open) stream.standing.set(manifest, { ...standing, is: 'ended', event: address(event), ms });
    const asked = this.asked.get(manifest);
    if (asked && (held || open)) asked.endedMs = Math.min(asked.endedMs ?? ms, ms);
  }

  /** Local days by their instants: the same few are asked for at every event. */
  private readonly days = new Map<number, string>();

  dayOf(ms: number): string {
    let day = this.days.get(ms);
    if (day === undefined) this.days.set(ms, (day = localDateAt(this.law.zone, ms)));
    return day;
  }
}

type QuantityLike = { readonly value: string; readonly unit: string };
type ThingLike = { readonly kind: string; readonly key: string };
type DischargedLike = {
  readonly quantity: QuantityLike;
  readonly subject: ThingLike;
  readonly hauler?: ThingLike;
  readonly permitId?: string;
};
const nameOf = (thing: ThingLike | undefined): string | undefined => thing && `${thing.kind} ${thing.key}`;

type CorrectedLike = {
  readonly quantity?: QuantityLike;
  readonly subject?: ThingLike;
  readonly permitId?: string;
  readonly occurredAt?: string;
};

const WORDS = {
  ManifestPending: 'pending',
  ManifestAccepted: 'accepted',
  ManifestRefused: 'refused',
} as const;

/** Manifests that the event ends: its own, those that it names, and those that end with their permit. */
function endedBy({ type, data }: RecordedEvent): readonly string[] {
  const named = (data['unjudged'] as { manifests?: readonly string[] } | undefined)?.manifests ?? [];
  if (type === 'AcceptanceWithdrawn') return [(data as AcceptanceWithdrawn).manifest, ...named];
  if (!OVER.has(type)) return named;
  return [...(data as PermitRevoked).ends.map(({ manifest }) => manifest), ...named];
}

function readPosting(stream: Stream, event: RecordedEvent): void {
  const { data, type, metadata, revision } = event;
  switch (type) {
    case 'LoadPosted': {
      const { load, loadRevision, quantity, limits, as } = data as LoadPosted;
      stream.posted.push({
        ...{ load, loadRevision, limits, event: address(event), revision, gallons: gallonsOf(quantity) },
        ...{ ms: occurredMs(metadata.occurred), recordedAt: metadata.recordedAt },
        isNoted: as !== undefined && as !== 'permit',
      });
      return;
    }
    case 'PostingReversed': {
      const at = stream.posted.findIndex((one) => one.event === (data as PostingReversed).posting);
      if (at >= 0) stream.posted.splice(at, 1);
      return;
    }
    case 'LimitExceeded':
      stream.exceeded.add(`${data['load'] as string} ${data['clause'] as string}`);
      return;
    case 'LimitExceededWithdrawn':
      stream.exceeded.delete(`${data['load'] as string} ${data['clause'] as string}`);
      return;
  }
}
