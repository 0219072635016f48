import { occurredMs } from '@headworks/calendars';
import {
  endedBy,
  endedByName,
  evolveManifests,
  findingOf,
  noManifests,
  type LoadPosted,
  type ManifestStanding,
  type ManifestSubmitted,
  type StoredFinding,
} from '@headworks/domain';
import { address, isoInstant, type RecordedEvent } from '@headworks/kernel';
import { summaryOf, type FindingSummary } from '../findings';
import { withoutPersonal } from '../loads/evolve';
import { idOfStream, keyColumn } from '../thing';
import { flag, type View } from '../view';
import {
  manifestsTable,
  type ManifestDoc,
  type ManifestRow,
  type ManifestStatus,
  type Submitted,
} from './table';

/** What was asked before a load, and what came of it. A manifest's id is its load's, so the part is that id. */
export const manifestsView: View<ManifestRow> = {
  ...manifestsTable,
  partsOf(event) {
    if (event.stream.startsWith('load-')) return isOfManifest(event) ? [idOfStream(event.stream)] : [];
    return event.stream.startsWith('permit-') ? [...new Set(namedIn(event))] : [];
  },
  evolve(rows, event, part) {
    const [row] = rows;
    const before = row?.doc ?? { load: {}, permit: {} };
    const doc = event.stream.startsWith('load-')
      ? { ...before, load: evolveLoadPart(before.load, event) }
      : { ...before, permit: evolvePermitPart(before.permit, event, part) };
    // A load that nobody asked for has no manifest, whoever posts it.
    if (Object.keys(doc.load).length === 0 && doc.permit.standing === undefined) return rows;
    return [rowOf(doc, event, part, row)];
  },
};

/** A load on land asks for no permit: looking it up here would cost each of them a read. */
const isOfManifest = ({ type, data }: RecordedEvent): boolean =>
  type === 'ManifestSubmitted' ||
  type === 'ManifestRefused' ||
  (type === 'LoadDischarged' && (data['permitId'] !== undefined || data['manifestId'] !== undefined));

function namedIn(event: RecordedEvent): readonly string[] {
  const { type, data } = event;
  const ended = [...endedByName(data), ...endedBy(event).map(({ manifest }) => manifest)];
  switch (type) {
    case 'ManifestPending':
    case 'ManifestAccepted':
    case 'ManifestRefused':
    case 'AcceptanceWithdrawn':
      return [...ended, data['manifest'] as string];
    case 'LoadPosted':
      return [...ended, (data as LoadPosted).load];
    default:
      return ended;
  }
}

function evolveLoadPart(load: ManifestDoc['load'], event: RecordedEvent): ManifestDoc['load'] {
  switch (event.type) {
    case 'ManifestSubmitted':
      return { ...load, submitted: submittedOf(event) };
    case 'ManifestRefused':
      return { ...load, refused: { event: address(event), findings: summaries(event.data['findings']) } };
    case 'LoadDischarged': {
      const at = isoInstant(occurredMs(event.metadata.occurred));
      return load.submitted ? { ...load, discharged: { event: address(event), at } } : load;
    }
    default:
      return load;
  }
}

function submittedOf({ data, metadata }: RecordedEvent): Submitted {
  const { pack, manifest, permitId, subject, hauler, vehicle, ticket, quantity, plannedAt, until, ...more } =
    data as ManifestSubmitted;
  return {
    ...{ pack, manifest, permitId, subject, hauler, ticket, quantity },
    ...(vehicle && { vehicle }),
    plannedAt: isoInstant(Date.parse(plannedAt)),
    until: isoInstant(Date.parse(until)),
    sources: more.sources.map(withoutPersonal),
    ...(more.distinct && { distinct: more.distinct }),
    submittedAt: isoInstant(occurredMs(metadata.occurred)),
    recordedAt: metadata.recordedAt,
    findings: summaries(more.findings),
  };
}

function evolvePermitPart(
  permit: ManifestDoc['permit'],
  event: RecordedEvent,
  manifest: string,
): ManifestDoc['permit'] {
  const { standing: before } = permit;
  const map = before ? noManifests.set(manifest, before) : noManifests;
  const standing = evolveManifests(map, event).get(manifest);
  if (!standing || standing === before) return permit;
  const found = summaries(event.data['findings']);
  return { standing: shortened(standing), findings: found.length > 0 ? found : (permit.findings ?? []) };
}

/** Findings are shown as summaries; the whole of them stands in the log. */
function shortened(standing: ManifestStanding): ManifestStanding {
  switch (standing.is) {
    case 'pending':
      return { ...standing, data: { ...standing.data, findings: [], facts: {} } };
    case 'accepted':
    case 'refused':
      return { ...standing, data: { ...standing.data, findings: [] } } as ManifestStanding;
    case 'withdrawn': {
      const { before } = standing;
      return {
        ...standing,
        findings: [],
        before: { ...before, data: { ...before.data, findings: [] } },
      } as ManifestStanding;
    }
  }
}

const summaries = (findings: unknown): readonly FindingSummary[] =>
  ((findings ?? []) as readonly StoredFinding[]).map((stored) => summaryOf(findingOf(stored)));

function statusOf({ load, permit }: ManifestDoc): ManifestStatus {
  const is = permit.standing?.is ?? (load.refused ? 'refused' : 'pending');
  // Whether a load that came after the end had leave, the load's own findings say. What was refused stays so.
  return load.discharged && is !== 'refused' ? 'discharged' : is;
}

function rowOf(
  doc: ManifestDoc,
  { metadata }: RecordedEvent,
  id: string,
  before: ManifestRow | undefined,
): ManifestRow {
  const { submitted } = doc.load;
  return {
    id,
    part: id,
    jurisdiction: metadata.jurisdiction ?? before?.jurisdiction ?? '',
    pack: submitted?.pack ?? '',
    manifest_type: submitted?.manifest ?? '',
    permit_id: submitted?.permitId ?? '',
    subject_kind: submitted?.subject.kind ?? '',
    subject_key: keyColumn(submitted?.subject.key ?? ''),
    hauler_kind: submitted?.hauler.kind ?? '',
    hauler_key: keyColumn(submitted?.hauler.key ?? ''),
    ticket: submitted?.ticket ?? '',
    planned_at: submitted?.plannedAt ?? '',
    until_at: submitted?.until ?? '',
    status: statusOf(doc),
    submitted: flag(submitted !== undefined),
    doc,
  };
}
