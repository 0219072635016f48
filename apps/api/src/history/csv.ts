import { occurredMs } from '@headworks/calendars';
import { isoInstant } from '@headworks/kernel';
import type { Told } from './paper';
import { findingsIn, nameOf, sentenceOf, valueOf, wallOf, type ShownEvent } from './told';

/** Columns of a history, in order. */
export const COLUMNS = [
  'event',
  'type',
  'name',
  'occurred',
  'occurred_local',
  'recorded',
  'actor',
  'roles',
  'body',
  'person',
  'evidence',
  'late_reason',
  'late_evidence',
  'pack',
  'pack_version',
  'reason',
  'cause',
  'changed_by',
  'findings',
  'data',
] as const;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** A history as RFC 4180 has tables of text: a row an event, lines end in CRLF. */
export const csvOf = (told: Told): string =>
  [COLUMNS, ...told.history.events.map((event) => COLUMNS.map((column) => rowOf(event, told)[column]))]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('');

function rowOf(event: ShownEvent, { rules, zone }: Told): Row {
  const { actor, by, late, law, cause, changedBy, data } = event;
  const { findings: _findings, finding: _finding, ...rest } = data;
  return {
    event: event.event,
    type: event.type,
    name: nameOf(event, rules),
    occurred: isoInstant(occurredMs(event.occurred)),
    occurred_local: wallOf(zone, event.occurred),
    recorded: event.recordedAt,
    actor: actor.id,
    roles: actor.roles.join(' '),
    body: by?.body ?? '',
    person: by?.person ?? '',
    evidence: by?.evidence ?? '',
    late_reason: late?.reason ?? '',
    late_evidence: late?.evidence ?? '',
    pack: law?.pack ?? '',
    pack_version: law?.version ?? '',
    reason: data['reason'] === undefined ? '' : valueOf(data['reason']),
    cause: cause ?? '',
    changed_by: (changedBy ?? []).map((change) => change.event).join(' '),
    findings: findingsIn(event).map(sentenceOf).join('\n'),
    data: JSON.stringify(rest),
  };
}

/**
 * A cell. A spreadsheet takes a text that begins with one of these for a formula and runs it; with an apostrophe before
 * it, it is a text there too.
 */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r\n]|^\s+[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe;
}
