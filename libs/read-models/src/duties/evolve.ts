import type { ConsequenceReversed, DutyChanges, DutyMissed, OpenDuty } from '@headworks/domain';
import { address, isoInstant, type RecordedEvent } from '@headworks/kernel';
import type { View } from '../view';
import { dutiesTable, type DutyRow } from './table';

/** Alarms: what is due when. The rows only wake; whoever they wake asks the log again before it decides. */
export const dutiesView: View<DutyRow> = {
  ...dutiesTable,
  groupsOf(event) {
    const changes =
      event.type === 'DutyMissed' || event.type === 'ConsequenceReversed' || dutiesIn(event) !== undefined;
    return changes && event.stream.startsWith('subject-') ? [event.stream] : [];
  },
  evolve(rows, event) {
    // In the order of the domain's own fold: the event itself, then what it says of duties, then the miss.
    const reversed = event.type === 'ConsequenceReversed' ? reverse(rows, event) : rows;
    const changed = change(reversed, event, dutiesIn(event));
    return event.type === 'DutyMissed' ? miss(changed, event) : changed;
  },
};

const dutiesIn = (event: RecordedEvent): DutyChanges | undefined =>
  event.data['duties'] as DutyChanges | undefined;

function change(
  rows: readonly DutyRow[],
  event: RecordedEvent,
  changes: DutyChanges | undefined,
): readonly DutyRow[] {
  if (!changes) return rows;
  const opened = changes.opened.reduce((all, duty) => open(all, event, duty), rows);
  return changes.closed.reduce(
    (all, { duty, how }) => update(all, duty, (row) => close(row, event, how)),
    opened,
  );
}

function open(rows: readonly DutyRow[], event: RecordedEvent, opened: OpenDuty): readonly DutyRow[] {
  const row = rows.find(({ id }) => id === opened.duty) ?? newRow(event, opened);
  const { closedBy: _closedBy, ...doc } = row.doc;
  return put(rows, {
    ...row,
    clause: opened.clause,
    due_at: inUtc(opened.dueAt),
    state: 'open',
    how: null,
    doc: { ...doc, openedBy: address(event) },
  });
}

const newRow = (event: RecordedEvent, { duty, clause, dueAt }: OpenDuty): DutyRow => ({
  id: duty,
  stream: event.stream,
  jurisdiction: event.metadata.jurisdiction ?? '',
  clause,
  due_at: inUtc(dueAt),
  state: 'open',
  how: null,
  doc: {},
});

const close = (row: DutyRow, event: RecordedEvent, how: string): DutyRow => ({
  ...row,
  state: 'closed',
  how,
  doc: { ...row.doc, closedBy: address(event) },
});

/** A duty may be started and missed by one late recording: then nothing opened it before. */
function miss(rows: readonly DutyRow[], event: RecordedEvent): readonly DutyRow[] {
  const { duty, clause, due, ...data } = event.data as DutyMissed;
  const { pack, load, startedBy, startedAt, outcome, responsible, binds } = data;
  const row =
    rows.find(({ id }) => id === duty) ?? newRow(event, { duty, clause, dueAt: due['at'] as string });
  const { reversedBy: _reversedBy, ...doc } = close(row, event, 'missed').doc;
  const missed = {
    pack,
    load,
    startedBy,
    startedAt,
    outcome,
    responsible,
    binds,
    event: address(event),
  };
  return put(rows, { ...close(row, event, 'missed'), doc: { ...doc, missed } });
}

/** The consequence is taken back. Where the duty is to be met after all, an event opens it again. */
function reverse(rows: readonly DutyRow[], event: RecordedEvent): readonly DutyRow[] {
  const { duty, why, event: consequence } = event.data as ConsequenceReversed;
  return update(rows, duty, (row) => {
    if (row.doc.missed?.event !== consequence) return row;
    const reversed: DutyRow = { ...row, doc: { ...row.doc, reversedBy: address(event) } };
    if (row.state !== 'closed') return reversed;
    return close(reversed, event, why === 'met_in_time' ? 'met' : 'void');
  });
}

function update(rows: readonly DutyRow[], duty: string, to: (row: DutyRow) => DutyRow): readonly DutyRow[] {
  return rows.map((row) => (row.id === duty ? to(row) : row));
}

const put = (rows: readonly DutyRow[], row: DutyRow): readonly DutyRow[] => [
  ...rows.filter(({ id }) => id !== row.id),
  row,
];

const inUtc = (instant: string): string => isoInstant(Date.parse(instant));
