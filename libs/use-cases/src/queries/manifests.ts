import {
  acceptanceOf,
  findingOf,
  isHeld,
  type LoadState,
  type ManifestStanding,
  type PermitState,
  type Reservation,
  type SubjectState,
} from '@headworks/domain';
import { CodedError, isoInstant, type Finding, type JsonObject } from '@headworks/kernel';
import { shownFinding, type Explain } from '../answers';
import { idOf } from '../models';

export type ManifestStatus = 'pending' | 'accepted' | 'refused' | 'withdrawn' | 'lapsed' | 'discharged';

/** A manifest with the streams that say what became of it. */
export interface SeenManifest {
  readonly load: LoadState;
  /** Absent where the permit that it names is none of the hauler's own. */
  readonly permit?: PermitState;
  readonly thing: SubjectState;
  /** What the thing's stream said as it ended the reservation of an acceptance that the permit's does not end yet. */
  readonly ended?: EndedAtThing;
}

export interface EndedAtThing {
  readonly event: string;
  readonly ms: number;
  readonly findings: readonly Finding[];
}

/** What it is at the instant. Past its time, what was accepted or waits is void, whether an event says so or not. */
export function manifestStatus({ load, permit, thing }: SeenManifest, ms: number): ManifestStatus {
  const { manifest, current, stream } = load;
  const standing = permit?.manifests.get(idOf(stream));
  if (manifest?.refused || standing?.is === 'refused') return 'refused';
  if (current && current.occurredMs <= ms) return 'discharged';
  if (standing?.is === 'withdrawn') return 'withdrawn';
  if (manifest && ms >= manifest.untilMs) return 'lapsed';
  if (standing?.is !== 'accepted') return 'pending';
  return standsEverywhere(standing, thing.reservations.get(idOf(stream)), ms) ? 'accepted' : 'withdrawn';
}

/** An acceptance stands only while each of its reservations does; those of the permit end with it. */
function standsEverywhere(
  { data }: Extract<ManifestStanding, { is: 'accepted' }>,
  held: Reservation | undefined,
  ms: number,
): boolean {
  const elsewhere = data.reservations.filter((address) => address.startsWith('subject-'));
  return elsewhere.every((address) => held?.event === address && isHeld(held, ms));
}

/** Ended at the thing, and the permit's stream does not say so yet: what ended it there is the answer. */
export const isEndedAtThing = (seen: SeenManifest, ms: number): boolean =>
  manifestStatus(seen, ms) === 'withdrawn' &&
  seen.permit?.manifests.get(idOf(seen.load.stream))?.is === 'accepted';

export function shownManifest(
  seen: SeenManifest,
  { ms, explain, opened }: { readonly ms: number; readonly explain: Explain; readonly opened: JsonObject },
): JsonObject {
  const { load, permit, thing, ended } = seen;
  const { manifest, jurisdiction, stream } = load;
  if (!manifest) throw new CodedError('not-found', 'There is no such manifest here.');
  const id = idOf(stream);
  const standing = permit?.manifests.get(id);
  const { pack, permitId, subject, hauler, vehicle, ticket, quantity, facts, sources, distinct } = manifest;
  const findings = ended?.findings ?? findingsOf(manifest, standing);
  return {
    ...{ id, jurisdiction: jurisdiction ?? null, pack, manifest: manifest.type, permitId, subject, hauler },
    ...(vehicle && { vehicle }),
    ...{ ticket, quantity, facts, sources },
    occurredAt: isoInstant(manifest.askedMs),
    recordedAt: manifest.recordedAt,
    plannedAt: isoInstant(manifest.plannedMs),
    until: isoInstant(manifest.untilMs),
    status: manifestStatus(seen, ms),
    ...(distinct && { distinct }),
    ...(standing && { event: standing.event, ...saidOf(standing) }),
    ...(ended && {
      event: ended.event,
      withdrawn: { at: isoInstant(ended.ms), why: 'reservation_ended' },
    }),
    missing: standing?.is === 'pending' ? standing.data.missing : [],
    reservations: [thing.reservations.get(id), permit?.reservations.get(id)].flatMap((held) =>
      held && isHeld(held, ms)
        ? [{ to: held.event, limits: held.data.limits, quantity: held.data.quantity }]
        : [],
    ),
    findings: findings.map((finding) => shownFinding(finding, explain)),
    ...opened,
  };
}

function findingsOf(
  { findings, refused }: NonNullable<LoadState['manifest']>,
  standing: ManifestStanding | undefined,
): readonly Finding[] {
  if (!standing) return refused?.findings ?? findings;
  const stored = standing.is === 'withdrawn' ? standing.findings : standing.data.findings;
  const last = stored.length > 0 || standing.is !== 'withdrawn' ? stored : standing.before.data.findings;
  return last.map(findingOf);
}

/** When it was accepted, and why it ended. */
function saidOf(standing: ManifestStanding): JsonObject {
  const accepted = acceptanceOf(standing);
  const reason = standing.is === 'refused' ? standing.data.reason : accepted?.data.reason;
  return {
    ...(accepted && { acceptedAt: isoInstant(accepted.ms), acceptedBy: accepted.event }),
    ...(accepted?.data.facts && { filled: accepted.data.facts }),
    ...(reason !== undefined && { reason }),
    ...(standing.is === 'withdrawn' && { withdrawn: { at: isoInstant(standing.ms), why: standing.why } }),
  };
}
