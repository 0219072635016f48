import { PHASES } from '@headworks/domain';
import type { Schema } from '../shapes/schemas';
import {
  day,
  flag,
  instant,
  list,
  maybeInstant,
  maybeText,
  object,
  open,
  ref,
  text,
  whole,
  written,
} from './schema-words';

const valid: Schema = {
  type: ['object', 'null'],
  properties: { from: day, until: { type: ['string', 'null'], format: 'date' } },
  required: ['from', 'until'],
  description:
    'First and last local day on which it gives leave, both in; null where it was never issued, and no last day where it has none.',
};
const status: Schema = { enum: PHASES };
const number: Schema = { type: ['integer', 'null'], description: 'In the register of its type and year.' };

/** How a permit stands, as every answer about one says it. */
export const PERMIT_STANDING = {
  status,
  live: { ...flag, description: 'Whether it gives leave now: issued, not suspended, inside its days.' },
  number,
  valid,
};

const MANIFEST_STATUS: Schema = {
  enum: ['pending', 'accepted', 'refused', 'withdrawn', 'lapsed', 'discharged'],
};

/** Permits and manifests as they are shown: one alone, and as rows of lists. */
export const PERMITS: Readonly<Record<string, Schema>> = {
  Permit: object({
    id: text,
    jurisdiction: maybeText,
    pack: text,
    packVersion: text,
    permitType: text,
    title: text,
    cite: text,
    applicant: ref('Thing'),
    since: maybeInstant,
    ...PERMIT_STANDING,
    series: maybeText,
    renews: maybeText,
    renewedBy: maybeText,
    conditions: list(text),
    facts: {
      type: 'object',
      additionalProperties: object({ value: {}, from: instant, event: text }),
    },
    steps: list(object({ type: text, event: text, occurredAt: instant, recordedAt: instant, by: open })),
    findings: list(ref('Finding')),
    groundsForRevocation: {
      ...list(
        object({
          duty: text,
          clause: text,
          cite: maybeText,
          event: text,
          missedAt: maybeInstant,
          metAt: maybeInstant,
        }),
      ),
      description: 'Duties that were missed and may cost the permit.',
    },
    postings: whole,
    revision: whole,
  }),
  PermitRow: object({
    id: text,
    jurisdiction: text,
    pack: text,
    permitType: text,
    applicant: ref('Thing'),
    status,
    since: instant,
    number,
    series: maybeText,
    filedAt: instant,
    recordedAt: instant,
    valid,
    endsAt: { ...maybeInstant, description: 'When its validity ends, while it lasts.' },
    renews: maybeText,
    renewedBy: maybeText,
    waived: { ...flag, description: 'Whether a clause was waived for it.' },
  }),
  PermitActs: object({
    items: list(
      object(
        {
          'decision?': text,
          'act?': text,
          pack: text,
          cite: text,
          may: { enum: ['yes', 'no', 'unknown'] },
          by: open,
          yours: { ...flag, description: 'Whether this caller plays the body whose it is.' },
          why: list(ref('Finding')),
        },
        'A decision on the file, or an act of the pack: the last word of its address is its name.',
      ),
    ),
  }),
  Manifest: object({
    id: text,
    pack: text,
    manifest: text,
    permitId: text,
    subject: ref('Thing'),
    hauler: ref('Thing'),
    'vehicle?': ref('Thing'),
    ticket: text,
    quantity: ref('Quantity'),
    plannedAt: instant,
    until: instant,
    status: MANIFEST_STATUS,
    findings: list(ref('Finding')),
  }),
  ManifestAnswer: object({
    id: text,
    status: MANIFEST_STATUS,
    'event?': text,
    'missing?': list(text),
    findings: list(ref('Finding')),
    ...written,
  }),
  ManifestRow: object({
    id: text,
    jurisdiction: text,
    pack: text,
    manifest: text,
    permitId: text,
    subject: ref('Thing'),
    hauler: ref('Thing'),
    'vehicle?': ref('Thing'),
    ticket: text,
    quantity: ref('Quantity'),
    plannedAt: instant,
    until: instant,
    submittedAt: instant,
    recordedAt: instant,
    sources: list(open),
    status: MANIFEST_STATUS,
    why: maybeText,
    missing: list(text),
    dischargedAt: maybeInstant,
    findings: list(object({ clause: text, status: text, 'reason?': text })),
  }),
};
