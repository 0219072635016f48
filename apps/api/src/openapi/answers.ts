import type { Schema } from '../shapes/schemas';
import {
  factsOfPack,
  flag,
  health,
  instant,
  list,
  maybeText,
  object,
  open,
  page,
  ref,
  text,
  whole,
  written,
} from './schema-words';
import { PERMIT_STANDING, PERMITS } from './answer-permits';
import { THINGS } from './answer-things';

const SHARED: Readonly<Record<string, Schema>> = {
  Quantity: {
    description:
      'An amount with its unit: "612 ft", or value and unit. A bare number has no unit and is refused.',
    oneOf: [
      { type: 'string', examples: ['2500 gal'] },
      {
        type: 'object',
        properties: { value: { type: ['string', 'number'], description: 'An exact decimal.' }, unit: text },
        required: ['value', 'unit'],
        additionalProperties: false,
        examples: [{ value: '2500', unit: 'gal' }],
      },
    ],
  },
  Thing: object({ kind: text, key: text }),
  Finding: object(
    {
      clause: text,
      rows: list(text),
      cite: text,
      status: { enum: ['satisfied', 'violated', 'unknown', 'not_applicable'] },
      'reason?': { enum: ['fact_missing', 'awaiting_judgement', 'not_yet_due', 'figure_missing'] },
      'says?': text,
      'operands?': list(open),
      'limit?': open,
      'margin?': ref('Quantity'),
      'missing?': list(text),
      'binds?': { enum: ['person', 'office'] },
      'due?': open,
      'outcome?': text,
      'amount?': ref('Quantity'),
      'interpretation?': open,
      'text?': text,
    },
    'What one clause of the law says of the facts, with its citation, operands and where they came from.',
  ),
  Headroom: object({
    limit: text,
    clause: text,
    used: { anyOf: [ref('Quantity'), { type: 'null' }] },
    allowed: { anyOf: [ref('Quantity'), { type: 'null' }] },
    remaining: {
      anyOf: [ref('Quantity'), { type: 'null' }],
      description: 'null where something is not known.',
    },
  }),
  Fault: object({ 'pointer?': text, code: text, detail: text, 'hint?': text }),
  Problem: object(
    {
      type: { type: 'string', format: 'uri' },
      title: text,
      status: whole,
      detail: text,
      instance: text,
      requestId: text,
      'errors?': list(ref('Fault')),
    },
    'RFC 9457. Kinds of problem have further members of their own.',
  ),
};

const WRITES: Readonly<Record<string, Schema>> = {
  LoadAnswer: object({
    id: text,
    'postings?': list(object({ to: text, limit: text })),
    findings: list(ref('Finding')),
    'violations?': list(text),
    ...written,
  }),
  PermitAnswer: object({
    id: { ...text, description: 'Of the application, and of its permit.' },
    ...PERMIT_STANDING,
    'event?': text,
    'type?': text,
    findings: list(ref('Finding')),
    'violations?': list(text),
    ...written,
    events: list(open),
  }),
  SubjectAnswer: object({ id: text, events: list(open), 'violations?': list(text), ...written }),
  ActAnswer: object({
    id: text,
    'event?': text,
    'type?': text,
    'findings?': list(ref('Finding')),
    'violations?': list(text),
    ...written,
    events: list(open),
  }),
  Check: object({
    pack: text,
    packVersion: text,
    judgedOn: instant,
    asOf: instant,
    summary: object({
      status: { enum: ['satisfied', 'violated', 'unknown'] },
      satisfied: whole,
      violated: whole,
      unknown: whole,
      notYetDue: whole,
      notApplicable: whole,
    }),
    findings: list(ref('Finding')),
    totals: open,
    headroom: list(ref('Headroom')),
  }),
  // As `Check`, or with the problem of that line alone.
  CheckLine: object({
    line: whole,
    'problem?': open,
    'pack?': text,
    'packVersion?': text,
    'judgedOn?': instant,
    'asOf?': instant,
    'summary?': open,
    'findings?': list(ref('Finding')),
    'totals?': open,
    'headroom?': list(ref('Headroom')),
  }),
  Clock: object({ now: instant }),
  ClockMoved: object({ now: instant, fell: list(object({ duty: text, dueAt: instant })) }),
};

const LAW: Readonly<Record<string, Schema>> = {
  Jurisdiction: object({
    id: text,
    title: text,
    zone: text,
    'bounds?': list({ type: 'number' }),
    packs: list(text),
  }),
  PackSummary: object({
    pack: text,
    title: text,
    jurisdiction: text,
    cite: text,
    packVersion: text,
    versions: list(text),
  }),
  Pack: object({
    pack: text,
    packVersion: text,
    title: text,
    jurisdiction: text,
    cite: text,
    zone: text,
    versions: list(object({ version: text, sha256: text, status: maybeText, inForce: open })),
    bodies: list(object({ id: text, name: text, role: text })),
    clauses: list(
      object({ clause: text, cite: text, says: text, rows: list(text), verb: text, binds: text }),
    ),
    readings: list(object({ id: text, choice: text, why: text, by: text, clauses: list(text) })),
    assessments: list(open),
    kinds: list(open),
    acts: list(open),
    permits: list(open),
    manifests: list(open),
    loads: list(open),
    limits: list(open),
  }),
  Form: object(factsOfPack),
  PermitForm: object({
    ...factsOfPack,
    permitType: text,
    title: text,
    cite: text,
    holder: text,
    judgedBy: text,
    renewable: flag,
    valid: open,
    decisions: {
      type: 'object',
      additionalProperties: object({ by: { type: ['object', 'null'] } }),
      description: 'By decision: whose it is, and the clauses that it is taken under or rests on.',
    },
  }),
  Health: object({ ...health, role: text, clock: text, log: text }),
  Live: object({ status: text }),
  Ready: object(health),
};

const PAGES: Readonly<Record<string, Schema>> = {
  PermitPage: page('PermitRow'),
  ManifestPage: page('ManifestRow'),
  LoadPage: page('LoadRow'),
  SubjectPage: page('SubjectRow'),
  ViolationPage: page('Violation'),
  DutyPage: page('DutyRow'),
  LedgerPage: page('LedgerRow'),
  LatePage: page('LateRow'),
  PackList: page('PackSummary'),
  JurisdictionList: page('Jurisdiction'),
};

/** Shapes of what is answered. End-to-end tests hold every real answer against them. */
export const answerSchemas = (): Readonly<Record<string, Schema>> => ({
  ...SHARED,
  ...WRITES,
  ...THINGS,
  ...PERMITS,
  ...LAW,
  ...PAGES,
});
