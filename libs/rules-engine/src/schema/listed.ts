import { claim } from './sections';
import { amount } from './verbs';
import { clauseId, clauseIds, described, list, object, text, word, yesNo, type Shape } from './shapes';

const PERIOD = '[1-9][0-9]{0,3} (working )?(day|week|month|year)s?';
const period: Shape = {
  type: 'string',
  pattern: `^${PERIOD}$`,
  'x-error': { pattern: 'write 30 days, 15 working days or 1 year' },
};

const offence: Shape = object(
  {
    offence: {
      type: 'integer',
      minimum: 2,
      maximum: 99,
      'x-error': { type: 'write 2 for the second', minimum: 'the first has the amount itself: begin with 2' },
    },
    amount,
  },
  { required: ['offence', 'amount'] },
);

/** Listed for people and courts: the program counts days and offences, and never sets a forfeiture. */
export const penalty: Shape = object(
  {
    id: word,
    ...claim,
    says: text,
    for: described(
      { if: { type: 'array' }, then: clauseIds, else: text },
      'any clause, or a list of clauses.',
    ),
    amount,
    each_day_separate: yesNo,
    escalates: described(
      object({ within: period, offences: list(offence) }, { required: ['within', 'offences'] }),
      'What a later offence within so long costs instead.',
    ),
    after: described(text, 'What must come first, such as conviction by a court.'),
    adds: described(list(text), 'What is paid besides: costs, surcharges.'),
  },
  { required: ['id', 'cite', 'rows', 'says'] },
);

export const appeal: Shape = object(
  {
    id: word,
    ...claim,
    says: text,
    against: described(
      list(text),
      'Decisions (approval, denial, revocation ...), acts, or words of your own.',
    ),
    by: described(text, 'Who may: the applicant, whoever is aggrieved.'),
    to: described(text, 'A body of the pack, or in words whoever else hears it.'),
    within: period,
    filed_under: described(clauseId, 'The deadline of asking for it: if_missed is appeal_barred.'),
    heard_under: described(clauseIds, 'Deadlines of the hearing and of the notice of it.'),
    decided_under: described(
      { if: { type: 'array' }, then: clauseIds, else: clauseId },
      'What the decision must meet, its own deadline included.',
    ),
    stays: described(
      { if: { type: 'string' }, then: text, else: yesNo },
      'Whether the decision waits meanwhile: yes, no, or in words.',
    ),
  },
  { required: ['id', 'cite', 'rows', 'says', 'against', 'to', 'within'] },
);
