import {
  owedTo,
  type ClosedDuty,
  type ConsequenceReversed,
  type DutyChanges,
  type DutyMissed,
  type Ending,
  type OpenDuty,
} from '@headworks/domain';
import { address, isoInstant, type RecordedEvent } from '@headworks/kernel';
import { keyColumn } from '../thing';
import type { View } from '../view';
import { dutiesTable, NEVER, type DutyRow } from './table';

/** Duties and their alarms. The rows only wake; whoever they wake asks the log again before it decides. */
export const dutiesView: View<DutyRow> = {
  ...dutiesTable,
  partsOf(event) {
    if (!/^(subject|permit)-/.test(event.stream)) return [];
    const { opened, closed } = changesIn(event);
    return [...new Set([...ofItself(event), ...[...opened, ...closed].map(({ duty }) => duty)])];
  },
  evolve([row], event, duty) {
    // In the order of the domain's own fold: the event itself, then what it says of duties.
    const itself = ofItself(event).includes(duty) ? evolveItself(row, event) : row;
    const next = change(itself, event, duty);
    return next ? [counted(row, next, event)] : [];
  },
};

/** Whoever has it in a calendar sees that it is due on another day, or is owed no more. */
function counted(before: DutyRow | undefined, row: DutyRow, { metadata }: RecordedEvent): DutyRow {
  const { sequence = -1, changedAt = metadata.recordedAt } = before?.doc ?? {};
  const isSame = before?.due_at === row.due_at && before.status === row.status;
  const doc = isSame
    ? { ...row.doc, sequence, changedAt }
    : { ...row.doc, sequence: sequence + 1, changedAt: metadata.recordedAt };
  return { ...row, doc };
}

/** Said of every row at the end. */
const UNCOUNTED = { sequence: 0, changedAt: '' };

const NONE: DutyChanges = { opened: [], closed: [] };

/** Any event of a thing may say what it opened and closed. */
const changesIn = (event: RecordedEvent): DutyChanges =>
  (event.data['duties'] as DutyChanges | undefined) ?? NONE;

/** The duty that the event itself is about. */
function ofItself({ type, data }: RecordedEvent): readonly string[] {
  if (type !== 'DutyMissed' && type !== 'ConsequenceReversed') return [];
  const { duty } = data as DutyMissed | ConsequenceReversed;
  return duty === undefined ? [] : [duty];
}

const evolveItself = (row: DutyRow | undefined, event: RecordedEvent): DutyRow | undefined =>
  event.type === 'DutyMissed' ? miss(row, event) : reverse(row, event);

function change(row: DutyRow | undefined, event: RecordedEvent, duty: string): DutyRow | undefined {
  const { opened, closed } = changesIn(event);
  const opening = opened.findLast((one) => one.duty === duty);
  const closing = closed.findLast((one) => one.duty === duty);
  const now = opening ? open(row, event, opening) : row;
  return now && closing ? close(now, event, closing) : now;
}

/** What it was opened with stands as it is told last: its due date may have moved. */
function open(before: DutyRow | undefined, event: RecordedEvent, duty: OpenDuty): DutyRow {
  const { stream, metadata } = event;
  const { dueAt, elapsedAt, pausedSince, responsible, load } = duty;
  const { missed, reversedBy } = before?.doc ?? {};
  return {
    ...base(event, { ...duty, ...(responsible && { responsible }) }),
    jurisdiction: metadata.jurisdiction ?? before?.jurisdiction ?? '',
    status: pausedSince === undefined ? 'open' : 'paused',
    missed: before?.missed ?? '',
    due_at: dueAt === null ? NEVER : inUtc(dueAt),
    elapsed_at: elapsedAt === undefined ? '' : inUtc(elapsedAt),
    stream,
    doc: {
      version: duty.version,
      due: dueAt === null ? null : { date: duty.dueOn ?? null, at: dueAt, elapsedAt: elapsedAt ?? null },
      outcome: duty.outcome,
      startedBy: duty.startedBy,
      ...(duty.subject && { subject: duty.subject }),
      ...(responsible && { responsible }),
      ...(load !== undefined && { load }),
      ...(pausedSince !== undefined && { pausedSince }),
      ...(missed !== undefined && { missed }),
      ...(reversedBy !== undefined && { reversedBy }),
      ...UNCOUNTED,
      openedBy: address(event),
    },
  };
}

type Told = Pick<OpenDuty, 'duty' | 'pack' | 'clause' | 'binds' | 'who' | 'responsible'>;

/** Columns that say what is owed, by whom and to whom. */
function base({ stream, metadata }: RecordedEvent, told: Told) {
  const { duty, pack, clause, binds, who, responsible } = told;
  return {
    id: duty,
    part: duty,
    jurisdiction: metadata.jurisdiction ?? '',
    stream,
    ...{ pack, clause, binds, who },
    owed_to: owedTo(binds, stream),
    responsible_kind: responsible?.kind ?? null,
    responsible_key: responsible ? keyColumn(responsible.key) : null,
  };
}

function close(row: DutyRow, event: RecordedEvent, { how, metBy, metAt }: ClosedDuty): DutyRow {
  const { metBy: _metBy, metAt: _metAt, pausedSince: _pausedSince, ...doc } = row.doc;
  const met = { ...(metBy !== undefined && { metBy }), ...(metAt !== undefined && { metAt }) };
  return { ...row, status: how, doc: { ...doc, ...met, closedBy: address(event) } };
}

/** A duty may be started and missed by one late recording: then nothing opened it before. */
function miss(row: DutyRow | undefined, event: RecordedEvent): DutyRow {
  const data = event.data as DutyMissed;
  const { responsible, load, outcome, startedBy } = data;
  const due = data.due as { readonly date?: string; readonly at: string; readonly elapsedAt?: string | null };
  const { reversedBy: _reversedBy, metBy: _metBy, metAt: _metAt, ...before } = row?.doc ?? {};
  const elapsedAt = due.elapsedAt ?? null;
  return {
    ...base(event, data),
    status: 'missed',
    missed: address(event),
    due_at: inUtc(due.at),
    elapsed_at: elapsedAt === null ? '' : inUtc(elapsedAt),
    doc: {
      ...before,
      version: event.metadata.law?.version ?? row?.doc.version ?? '',
      due: { date: due.date ?? null, at: due.at, elapsedAt },
      ...{ outcome, startedBy },
      ...(data.subject && { subject: data.subject }),
      ...(responsible && { responsible }),
      ...(load !== undefined && { load }),
      ...UNCOUNTED,
      missed: address(event),
      closedBy: address(event),
    },
  };
}

/** By how a consequence was overtaken; that it is owed again after all, an event says. */
const ENDED_BY: Readonly<Record<string, Ending>> = { met_in_time: 'met', waived: 'waived' };

function reverse(row: DutyRow | undefined, event: RecordedEvent): DutyRow | undefined {
  const { why, event: consequence } = event.data as ConsequenceReversed;
  if (row?.doc.missed !== consequence) return row;
  const doc = { ...row.doc, reversedBy: address(event), closedBy: address(event) };
  return { ...row, status: ENDED_BY[why] ?? 'void', doc };
}

const inUtc = (instant: string): string => isoInstant(Date.parse(instant));
