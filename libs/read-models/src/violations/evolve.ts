import { localDateAt } from '@headworks/calendars';
import { evolveViolation, newViolation, violationStatus, type ViolationState } from '@headworks/domain';
import { isoInstant, subjectId, type RecordedEvent } from '@headworks/kernel';
import { idOfStream, keyColumn } from '../thing';
import type { View } from '../view';
import { violationsTable, type ViolationRow } from './table';

/** Breaches with their intervals. It is the domain's own fold, carried on from the row. */
export const violationsView: View<ViolationRow> = {
  ...violationsTable,
  partsOf: ({ stream }) => (stream.startsWith('violation-') ? [stream] : []),
  evolve([row], event, part) {
    const state = evolveViolation(row ? violationOf(row) : newViolation(part), event);
    const next = rowOf(state, event, row);
    return next ? [next] : [];
  },
};

/** The domain's state, as far as days, intervals and the next event need it. */
export const violationOf = ({ part, doc }: ViolationRow): ViolationState => ({
  ...newViolation(part),
  ...doc,
});

function rowOf(
  state: ViolationState,
  { metadata }: RecordedEvent,
  before: ViolationRow | undefined,
): ViolationRow | undefined {
  const { stream, detected, turns, withdrawn } = state;
  const status = violationStatus(state);
  if (!detected || !status) return undefined;
  const { data, ms, recordedAt } = detected;
  const jurisdiction = metadata.jurisdiction ?? before?.jurisdiction ?? '';
  return {
    id: idOfStream(stream),
    part: stream,
    jurisdiction,
    pack: data.pack,
    clause: data.clause,
    subject_kind: data.subject.kind,
    subject_key: keyColumn(data.subject.key),
    subject_id: subjectId(jurisdiction, data.subject.kind, data.subject.key),
    responsible_kind: data.responsible.kind,
    responsible_key: keyColumn(data.responsible.key),
    permit_id: data.permitId ?? null,
    load_id: data.loadId ?? null,
    duty: data.duty ?? null,
    status,
    detected_at: isoInstant(ms),
    from_date: localDateAt(data.zone, ms),
    recorded_at: recordedAt,
    doc: { detected, turns, ...(withdrawn && { withdrawn }) },
  };
}
