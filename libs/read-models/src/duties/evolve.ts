import type { ConsequenceReversed, DutyChanges, DutyMissed, LoadPosted, OpenDuty } from '@headworks/domain';
import { address, isoInstant, type RecordedEvent } from '@headworks/kernel';
import { keyColumn } from '../thing';
import type { View } from '../view';
import { dutiesTable, type DutyRow } from './table';

/** Alarms: what is due when. The rows only wake; whoever they wake asks the log again before it decides. */
export const dutiesView: View<DutyRow> = {
  ...dutiesTable,
  partsOf(event) {
    if (!/^(subject|permit)-/.test(event.stream)) return [];
    const { opened, closed } = changesIn(event);
    return [...new Set([...opened, ...closed, ...subjectOf(event)].map(({ duty }) => duty))];
  },
  evolve([row], event, duty) {
    // In the order of the domain's own fold: the event itself, then what it says of duties, then the miss.
    const reversed = event.type === 'ConsequenceReversed' ? reverse(row, event) : row;
    const changed = change(reversed, event, duty);
    const missed = subjectOf(event).some((one) => one.duty === duty) && event.type === 'DutyMissed';
    const next = missed ? miss(changed, event) : changed;
    return next ? [next] : [];
  },
};

const NONE: DutyChanges = { opened: [], closed: [] };

/** Any event of a thing may say what it opened and closed. */
const changesIn = (event: RecordedEvent): DutyChanges =>
  (event.data['duties'] as DutyChanges | undefined) ?? NONE;

/** The duty that the event itself is about. */
function subjectOf(event: RecordedEvent): readonly { readonly duty: string }[] {
  if (event.type !== 'DutyMissed' && event.type !== 'ConsequenceReversed') return [];
  const { duty } = event.data as DutyMissed | ConsequenceReversed;
  return duty === undefined ? [] : [{ duty }];
}

function change(row: DutyRow | undefined, event: RecordedEvent, duty: string): DutyRow | undefined {
  const { opened, closed } = changesIn(event);
  const opening = opened.findLast((one) => one.duty === duty);
  const closing = closed.findLast((one) => one.duty === duty);
  const now = opening ? open(row ?? newRow(event, opening), event, opening) : row;
  return now && closing ? close(now, event, closing.how) : now;
}

function open(row: DutyRow, event: RecordedEvent, { clause, dueAt }: OpenDuty): DutyRow {
  const { closedBy: _closedBy, ...doc } = row.doc;
  return {
    ...row,
    clause,
    due_at: inUtc(dueAt),
    state: 'open',
    how: null,
    ...haulerOf(event),
    doc: { ...doc, openedBy: address(event) },
  };
}

function haulerOf({ type, data }: RecordedEvent): Pick<DutyRow, 'hauler_kind' | 'hauler_key'> {
  const hauler = type === 'LoadPosted' ? (data as LoadPosted).hauler : undefined;
  return { hauler_kind: hauler?.kind ?? null, hauler_key: hauler ? keyColumn(hauler.key) : null };
}

const newRow = (event: RecordedEvent, { duty, clause, dueAt }: OpenDuty): DutyRow => ({
  id: duty,
  part: duty,
  jurisdiction: event.metadata.jurisdiction ?? '',
  stream: event.stream,
  clause,
  due_at: inUtc(dueAt),
  state: 'open',
  how: null,
  hauler_kind: null,
  hauler_key: null,
  doc: {},
});

const close = (row: DutyRow, event: RecordedEvent, how: string): DutyRow => ({
  ...row,
  state: 'closed',
  how,
  doc: { ...row.doc, closedBy: address(event) },
});

/** A duty may be started and missed by one late recording: then nothing opened it before. */
function miss(row: DutyRow | undefined, event: RecordedEvent): DutyRow {
  const { duty, clause, due, ...data } = event.data as DutyMissed;
  const { pack, load, startedBy, startedAt, outcome, responsible, binds } = data;
  const before = row ?? newRow(event, { duty, clause, dueAt: due['at'] as string });
  const { reversedBy: _reversedBy, ...doc } = before.doc;
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
  return close({ ...before, doc: { ...doc, missed } }, event, 'missed');
}

/** The consequence is taken back. Where the duty is to be met after all, an event opens it again. */
function reverse(row: DutyRow | undefined, event: RecordedEvent): DutyRow | undefined {
  const { why, event: consequence } = event.data as ConsequenceReversed;
  if (row?.doc.missed?.event !== consequence) return row;
  const reversed: DutyRow = { ...row, doc: { ...row.doc, reversedBy: address(event) } };
  if (row.state !== 'closed') return reversed;
  return close(reversed, event, why === 'met_in_time' ? 'met' : 'void');
}

const inUtc = (instant: string): string => isoInstant(Date.parse(instant));
