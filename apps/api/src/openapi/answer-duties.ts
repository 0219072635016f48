import type { Schema } from '../shapes/schemas';
import { flag, instant, list, maybeInstant, maybeText, object, open, ref, text } from './schema-words';

const due: Schema = {
  ...object({ date: maybeText, 'at?': maybeInstant }),
  type: ['object', 'null'],
};

const counted = {
  derivation: {
    ...list(object({ on: text, counted: flag, why: text, 'source?': text, 'event?': text })),
    description:
      'Every day (or span `first/last`, or instant) that counts or is left out, with why and who says so.',
  },
  countedBy: {
    type: ['object', 'null'],
    description:
      'The clause, the period, the calendars with their versions and added days, the zone, the start.',
  },
  moved: {
    ...list(object({ event: text, at: instant, from: open, to: open, by: list(text) })),
    description: 'How days that were closed later moved it, and the events by which they were closed.',
  },
};

/** One duty, what is decided of it, and the days that it is counted by. */
export const DUTIES: Readonly<Record<string, Schema>> = {
  Duty: {
    allOf: [
      ref('DutyRow'),
      object({
        startedAt: instant,
        ...counted,
        extended: list(object({ event: text, at: instant, times: { type: 'integer' }, reason: text })),
        waived: { type: ['object', 'null'] },
        extendedBy: { ...maybeText, description: 'The body that may give more time, if any may.' },
        waivedBy: { ...maybeText, description: 'The body that may let it go, if any may.' },
        confirmedBy: maybeText,
        stale: { type: ['object', 'null'], description: 'What it would be by the calendars of now.' },
        finding: ref('Finding'),
      }),
    ],
  },
  Derivation: object({
    id: text,
    pack: text,
    packVersion: text,
    clause: text,
    cite: text,
    startedBy: text,
    startedAt: instant,
    due,
    pausedSince: maybeInstant,
    status: text,
    ...counted,
  }),
  DutyAnswer: object({
    'id?': text,
    'duty?': { anyOf: [ref('DutyRow'), { type: 'null' }] },
    events: list(open),
    'followed?': list(open),
    'position?': text,
    'dryRun?': flag,
    'ignored?': text,
  }),
  CalendarAnswer: object({
    jurisdiction: text,
    calendar: text,
    events: list(open),
    'followed?': list(open),
    'position?': text,
    'dryRun?': flag,
    'ignored?': text,
  }),
  ClosedDaysAnnulment: object({
    jurisdiction: text,
    annuls: text,
    events: list(open),
    'followed?': list(open),
    'position?': text,
    'dryRun?': flag,
    'ignored?': text,
  }),
  ClosedDay: object({
    calendar: text,
    date: { type: 'string', format: 'date' },
    name: text,
    closedFor: { anyOf: [{ const: 'everyone' }, list(text)] },
    event: text,
    since: instant,
    reason: text,
    evidence: text,
    takenBack: {
      anyOf: [object({ event: text, at: instant, reason: text, evidence: text }), { type: 'null' }],
    },
  }),
  StaleRow: object({
    duty: text,
    stream: text,
    jurisdiction: maybeText,
    pack: text,
    clause: text,
    outcome: text,
    event: { ...text, description: 'The miss, as `stream@revision`.' },
    consequences: { ...list(text), description: 'What the law had made of it.' },
    why: { ...text, description: 'What it would be by the calendars of now.' },
    cause: { ...text, description: 'The newest event that changed them.' },
    due,
    dueNow: due,
    finding: { anyOf: [ref('Finding'), { type: 'null' }] },
  }),
  DutyLink: object({
    url: {
      ...text,
      description: 'An address for a calendar program: https of this server, with the link in it.',
    },
    link: text,
    expiresAt: instant,
  }),
};
