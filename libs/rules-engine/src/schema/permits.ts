import { claim } from './sections';
import {
  byKey,
  clauseId,
  clauseIds,
  clauseKey,
  described,
  named,
  object,
  oneOf,
  ref,
  text,
  word,
  yesNo,
  type Shape,
} from './shapes';

const names: Shape = { type: 'array', items: word };

/** Who decides, and whose step in the same file must have been another person's. */
const bodyRule: Shape = object(
  { body: word, not_same_as: oneOf(['filing', 'completion', 'approval']) },
  { required: ['body'] },
);

/** Closed: what a permit's own life tells, so that nobody types it. */
const PERMIT_GIVES = [
  'filed_at',
  'filed_on',
  'requested_on',
  'received_on',
  'completed_on',
  'decided_on',
  'issued_on',
  'valid_from',
  'valid_until',
  'suspended_on',
  'revoked_on',
  'renews',
  'holder',
  'status',
];

const then: Shape = oneOf(['expired', 'void']);
const validity: Shape = byKey(
  [
    ['calendar_year', object({ calendar_year: oneOf(['same', 'following']), then }, { required: ['then'] })],
    [
      'for',
      object(
        {
          for: {
            type: 'string',
            pattern: '^[1-9][0-9]{0,3} (day|month|year)s?$',
            'x-error': { pattern: 'write 90 days, 6 months or 2 years' },
          },
          from: oneOf(['issued_on']),
          then,
        },
        { required: ['from', 'then'] },
      ),
    ],
    ['until', object({ from: word, until: word, then }, { required: ['from', 'then'] })],
    ['no_end', object({ no_end: oneOf(['yes']) })],
  ],
  'say how long it is valid: { calendar_year: following, then: expired }, { for: 2 years, from: issued_on, then: void }, { from: some_day, until: some_day, then: expired } or { no_end: yes }',
);

/** A permit type: who may have it, what an application says, who decides under which clauses, and how long it lasts. */
export const permit: Shape = object(
  {
    title: text,
    ...claim,
    holder: described(word, 'Kind of the subject that applies for it and holds it.'),
    judged_by: word,
    form: described(names, 'Facts that an application may bring, in the order of the form.'),
    needs: described(names, 'Those without which it is not complete.'),
    complete_under: clauseIds,
    decided_under: clauseIds,
    issued_under: clauseIds,
    waived_by: {
      type: 'object',
      propertyNames: clauseKey,
      additionalProperties: clauseId,
      description: 'A clause, and the power by which the decider may leave it unmet, with a reason.',
    },
    reviewed_by: bodyRule,
    decided_by: bodyRule,
    issued_by: bodyRule,
    suspended_by: bodyRule,
    revoked_by: bodyRule,
    suspended_under: described(
      clauseIds,
      'Clauses that must be met before it is suspended, such as a hearing.',
    ),
    revoked_under: described(clauseIds, 'The same before it is revoked.'),
    grounds: described(clauseIds, 'Clauses that a suspension or revocation may rest on.'),
    sets: described(names, 'Facts that an approval fixes.'),
    gives: named(oneOf(PERMIT_GIVES)),
    valid: validity,
    renewable: yesNo,
  },
  {
    required: ['title', 'cite', 'rows', 'holder', 'judged_by', 'form', 'decided_by', 'issued_by', 'valid'],
  },
);

/** What is asked before a load is discharged, and what it reserves until then. */
export const manifest: Shape = object(
  {
    label: text,
    ...claim,
    on: word,
    permit: word,
    judged_by: word,
    reserves_in: names,
    then: described(word, 'The load that it asks for.'),
    facts: names,
    gives: ref('gives'),
    sources: ref('sources'),
    until: {
      type: 'string',
      pattern: '^(end_of_day|[1-9][0-9]{0,3} h)$',
      'x-error': { pattern: 'write end_of_day, or hours from the planned time: 6 h' },
    },
  },
  {
    required: ['label', 'cite', 'rows', 'on', 'permit', 'judged_by', 'reserves_in', 'then', 'facts', 'gives'],
  },
);
