import {
  evolveLoad,
  newLoad,
  type LoadContent,
  type LoadCorrected,
  type LoadDischarged,
  type LoadState,
  type Source,
} from '@headworks/domain';
import { isoInstant, subjectId, type RecordedEvent } from '@headworks/kernel';
import { summaryOf, type FindingSummary } from '../findings';
import { idOfStream, keyColumn } from '../thing';
import { flag, type View } from '../view';
import { loadsTable, type LoadDoc, type LoadRow, type LoadSource } from './table';

/** Loads by their present content. It is the domain's own fold, carried on from the row. */
export const loadsView: View<LoadRow> = {
  ...loadsTable,
  partsOf: ({ stream }) => (stream.startsWith('load-') ? [stream] : []),
  evolve([row], event, part) {
    const state = evolveLoad(row ? stateOf(row) : newLoad(part), event);
    if (!state.current) return [];
    const doc = docOf(state.current, state, event, row?.doc);
    return [rowOf(state.current, state, event, doc, row)];
  },
};

/** What of the state the next event is folded onto; the rest is made anew by each event or not shown. */
function stateOf({ part, voided, recorded_at, doc }: LoadRow): LoadState {
  const { occurredAt, finishedAt, ...content } = doc;
  return {
    ...newLoad(part),
    current: {
      ...content,
      occurredMs: Date.parse(occurredAt),
      ...(finishedAt !== undefined && { finishedMs: Date.parse(finishedAt) }),
    },
    voided: voided === 1,
    contentEvent: doc.contentEvent,
    recordedAt: recorded_at,
  };
}

function docOf(
  { occurredMs, finishedMs, sources, ...current }: LoadContent,
  state: LoadState,
  event: RecordedEvent,
  before: LoadDoc | undefined,
): LoadDoc {
  const { pack, load, subject, hauler, vehicle, ticket, quantity, facts, content, distinct } = current;
  const first = event.type === 'LoadDischarged' ? (event.data as LoadDischarged) : before;
  const permitId = permitOf(event) ?? first?.permitId;
  const judged = event.type === 'LoadDischarged' || event.type === 'LoadJudged';
  return {
    pack,
    load,
    subject,
    hauler,
    ...(vehicle && { vehicle }),
    ticket,
    ...(permitId !== undefined && { permitId }),
    ...(first?.manifestId !== undefined && { manifestId: first.manifestId }),
    occurredAt: isoInstant(occurredMs),
    ...(finishedMs !== undefined && { finishedAt: isoInstant(finishedMs) }),
    quantity,
    facts,
    sources: sources.map(withoutPersonal),
    content,
    ...(distinct && { distinct }),
    ...(first?.late && { late: first.late }),
    findings: judged ? state.findings.map(summaryOf) : (before?.findings ?? []),
    corrections: (before?.corrections ?? 0) + (event.type === 'LoadCorrected' ? 1 : 0),
    contentEvent: state.contentEvent,
  };
}

/** Sealed fields stay in the log: a view that held them would outlive an erased key by what was read from it. */
export const withoutPersonal = ({ wasteType, quantity, servicedAt, place }: Source): LoadSource => ({
  wasteType,
  quantity,
  ...(servicedAt !== undefined && { servicedAt }),
  ...(place && { place }),
});

/** The permit that a correction moved the load to. */
const permitOf = ({ type, data }: RecordedEvent): string | undefined =>
  type === 'LoadCorrected' ? (data as LoadCorrected).set.permitId : undefined;

function rowOf(
  { subject, hauler, vehicle }: LoadContent,
  { stream, voided, recordedAt }: LoadState,
  { metadata }: RecordedEvent,
  doc: LoadDoc,
  before: LoadRow | undefined,
): LoadRow {
  const jurisdiction = metadata.jurisdiction ?? before?.jurisdiction ?? '';
  const found = (is: (finding: FindingSummary) => boolean) => flag(!voided && doc.findings.some(is));
  return {
    id: idOfStream(stream),
    part: stream,
    jurisdiction,
    pack: doc.pack,
    load_type: doc.load,
    subject_kind: subject.kind,
    subject_key: keyColumn(subject.key),
    subject_id: subjectId(jurisdiction, subject.kind, subject.key),
    hauler_kind: hauler.kind,
    hauler_key: keyColumn(hauler.key),
    vehicle_key: vehicle ? keyColumn(vehicle.key) : null,
    ticket: doc.ticket,
    permit_id: doc.permitId ?? null,
    occurred_at: doc.occurredAt,
    recorded_at: recordedAt,
    voided: flag(voided),
    // A void load counts nowhere: nobody has to see to it.
    has_unknown: found(({ status, reason }) => status === 'unknown' && reason !== 'not_yet_due'),
    has_violated: found(({ status }) => status === 'violated'),
    doc,
  };
}
