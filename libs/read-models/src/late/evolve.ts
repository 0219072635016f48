import { occurredMs } from '@headworks/calendars';
import { address, isoInstant, type LateReason, type RecordedEvent } from '@headworks/kernel';
import type { View } from '../view';
import { lateTable, type LateRow } from './table';

/**
 * Whatever was recorded late, of every stream, for auditors. A row is an event and stays as it is: that something was
 * entered late is not undone by correcting or annulling it. What the law makes follow from a late recording is dated by
 * the law; nobody was late with it, and its events give no reason.
 */
export const lateView: View<LateRow> = {
  ...lateTable,
  partsOf: (event) => (event.metadata.late ? [address(event)] : []),
  evolve(rows, event) {
    const { late } = event.metadata;
    return late ? [rowOf(event, late)] : rows;
  },
};

function rowOf(event: RecordedEvent, { reason, evidence }: LateReason): LateRow {
  const { stream, type, metadata } = event;
  const { actor, by, occurred, recordedAt, jurisdiction = '' } = metadata;
  const id = address(event);
  return {
    id,
    part: id,
    jurisdiction,
    event_type: type,
    stream,
    stream_kind: stream.split('-', 1)[0] ?? '',
    actor: actor.id,
    occurred_at: isoInstant(occurredMs(occurred)),
    recorded_at: recordedAt,
    doc: { reason, evidence, roles: actor.roles, ...(by && { by }) },
  };
}
