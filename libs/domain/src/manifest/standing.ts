import { occurredMs } from '@headworks/calendars';
import { address, PersistentMap, type RecordedEvent } from '@headworks/kernel';
import type { LoadPosted, StoredFinding } from '../events';
import type { EndedManifest } from '../permit/events';
import type { AcceptanceWithdrawn, ManifestAccepted, ManifestPending, ManifestRefused } from './events';
import { endedBy, endedByName } from './reservations';

interface Said<T> {
  readonly data: T;
  /** Address of the event that said it, and the instant it is about. */
  readonly event: string;
  readonly ms: number;
}

/**
 * What the permit's stream says of a manifest. An acceptance stands only while each of its reservations does: those
 * in other streams are not seen from here.
 */
export type ManifestStanding =
  | ({ readonly is: 'pending'; readonly discharged: boolean } & Said<ManifestPending>)
  | ({ readonly is: 'accepted'; readonly discharged: boolean } & Said<ManifestAccepted>)
  | ({ readonly is: 'refused' } & Said<ManifestRefused>)
  | ({ readonly is: 'withdrawn' } & Was & {
        readonly event: string;
        readonly ms: number;
        /** A word of AcceptanceWithdrawn, or the decision on the permit that ended it. */
        readonly why: string;
        readonly findings: readonly StoredFinding[];
      });

/** What was ended, as it stood. */
type Was =
  | { readonly was: 'pending'; readonly before: Said<ManifestPending> }
  | { readonly was: 'accepted'; readonly before: Said<ManifestAccepted> };

/** By manifest: the last that was said of each. */
export type Manifests = PersistentMap<string, ManifestStanding>;

export const noManifests: Manifests = PersistentMap.empty();

export function evolveManifests(manifests: Manifests, event: RecordedEvent): Manifests {
  const ended = endedByName(event.data).reduce(
    (rest, manifest) => withdraw(rest, manifest, event, 'restricted'),
    manifests,
  );
  const said = { event: address(event), ms: occurredMs(event.metadata.occurred) };
  switch (event.type) {
    case 'ManifestPending': {
      const data = event.data as ManifestPending;
      return ended.set(data.manifest, { is: 'pending', discharged: false, data, ...said });
    }
    case 'ManifestAccepted': {
      const data = event.data as ManifestAccepted;
      return ended.set(data.manifest, { is: 'accepted', discharged: false, data, ...said });
    }
    case 'ManifestRefused': {
      const data = event.data as ManifestRefused;
      return ended.set(data.manifest, { is: 'refused', data, ...said });
    }
    case 'AcceptanceWithdrawn': {
      const { manifest, why, findings } = event.data as AcceptanceWithdrawn;
      return withdraw(ended, manifest, event, why, findings);
    }
    case 'LoadPosted':
      return discharge(ended, (event.data as LoadPosted).load);
    case 'PermitSuspended':
    case 'PermitRevoked':
    case 'PermitExpired':
    case 'PermitVoided':
    case 'ConsequenceReversed':
      return endedBy(event).reduce(
        (rest, { manifest }) => withdraw(rest, manifest, event, event.type),
        ended,
      );
    default:
      return ended;
  }
}

function withdraw(
  manifests: Manifests,
  manifest: string,
  event: RecordedEvent,
  why: string,
  findings: readonly StoredFinding[] = [],
): Manifests {
  const standing = manifests.get(manifest);
  if (standing?.is === 'withdrawn' && standing.findings.length === 0 && findings.length > 0) {
    // It ended by name in a full append; here is why.
    return manifests.set(manifest, { ...standing, findings });
  }
  if (standing?.is !== 'pending' && standing?.is !== 'accepted') return manifests;
  if (standing.discharged) return manifests;
  const ended = { is: 'withdrawn', event: address(event), ms: endedMs(event), why, findings } as const;
  return manifests.set(manifest, { ...ended, ...wasOf(standing) });
}

function wasOf(standing: Extract<ManifestStanding, { is: 'pending' | 'accepted' }>): Was {
  const { event, ms } = standing;
  return standing.is === 'pending'
    ? { was: 'pending', before: { data: standing.data, event, ms } }
    : { was: 'accepted', before: { data: standing.data, event, ms } };
}

/** The acceptance of a manifest, also where it was ended since. */
export function acceptanceOf(standing: ManifestStanding | undefined): Said<ManifestAccepted> | undefined {
  if (standing?.is === 'accepted') return standing;
  return standing?.is === 'withdrawn' && standing.was === 'accepted' ? standing.before : undefined;
}

/**
 * From when on it stands no longer. Nobody relied on the days after a permit's last; but what a decision ends that is
 * recorded late stood until it was recorded: whoever discharged before could not know of it.
 */
function endedMs({ metadata, type, data }: RecordedEvent): number {
  const ms = occurredMs(metadata.occurred);
  // What ended at the thing says since when: the permit's stream may have followed it much later.
  if (type === 'AcceptanceWithdrawn') return ms;
  const byLaw = type === 'PermitExpired' || data['valid'] !== undefined || data['duty'] !== undefined;
  return byLaw ? ms : Math.max(ms, Date.parse(metadata.recordedAt));
}

function discharge(manifests: Manifests, load: string): Manifests {
  const standing = manifests.get(load);
  return standing?.is === 'accepted' || standing?.is === 'pending'
    ? manifests.set(load, { ...standing, discharged: true })
    : manifests;
}

/** Manifests in the permit's stream that are pending, or accepted and not yet discharged, at the instant. */
export function openManifests(
  { manifests }: { readonly manifests: Manifests },
  ms: number,
): readonly EndedManifest[] {
  const open: EndedManifest[] = [];
  for (const [manifest, standing] of manifests.entries()) {
    if (standing.is !== 'pending' && standing.is !== 'accepted') continue;
    if (Date.parse(standing.data.until) <= ms) continue;
    if (standing.discharged) continue;
    open.push({ manifest, was: standing.is });
  }
  return open;
}

/** When the manifest was accepted, where that still stood at the instant; undefined where it did not. */
export function acceptedMs(
  { manifests }: { readonly manifests: Manifests },
  manifest: string,
  ms: number,
): number | undefined {
  const standing = manifests.get(manifest);
  const accepted = acceptanceOf(standing);
  if (!accepted || (standing?.is === 'withdrawn' && standing.ms <= ms)) return undefined;
  return accepted.ms <= ms && ms < Date.parse(accepted.data.until) ? accepted.ms : undefined;
}
