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
  | ({ readonly is: 'pending' } & Said<ManifestPending>)
  | ({ readonly is: 'accepted'; readonly discharged: boolean } & Said<ManifestAccepted>)
  | ({ readonly is: 'refused' } & Said<ManifestRefused>)
  | {
      readonly is: 'withdrawn';
      readonly was: 'pending' | 'accepted';
      /** What was ended, as it stood. */
      readonly before: Said<ManifestPending> | Said<ManifestAccepted>;
      readonly event: string;
      readonly ms: number;
      /** A word of AcceptanceWithdrawn, or the decision on the permit that ended it. */
      readonly why: string;
      readonly findings: readonly StoredFinding[];
    };

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
      return ended.set(data.manifest, { is: 'pending', data, ...said });
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
  if (standing.is === 'accepted' && standing.discharged) return manifests;
  const { is: was, ...before } = standing;
  const ms = occurredMs(event.metadata.occurred);
  return manifests.set(manifest, {
    is: 'withdrawn',
    was,
    before,
    event: address(event),
    ms,
    why,
    findings,
  });
}

function discharge(manifests: Manifests, load: string): Manifests {
  const standing = manifests.get(load);
  return standing?.is === 'accepted' ? manifests.set(load, { ...standing, discharged: true }) : manifests;
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
    if (standing.is === 'accepted' && standing.discharged) continue;
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
  if (!standing || standing.is === 'pending' || standing.is === 'refused') return undefined;
  const accepted = standing.is === 'accepted' ? standing : standing.before;
  if (standing.is === 'withdrawn' && (standing.was !== 'accepted' || standing.ms <= ms)) return undefined;
  return accepted.ms <= ms && ms < Date.parse(accepted.data.until) ? accepted.ms : undefined;
}
