import { dutyKind, fixedDay } from './expressions';
import { byKey, described, list, object, oneOf, text, word, yesNo, type Shape } from './shapes';

const PERIOD = '[1-9][0-9]{0,4} (h|(working )?days?|weeks?|months?|years?)';
const allow: Shape = {
  type: 'string',
  pattern: `^${PERIOD}$`,
  'x-error': { pattern: 'write 24 h, 30 days, 3 weeks, 60 working days, 6 months or 2 years' },
};
const before: Shape = {
  type: 'string',
  pattern: `^${PERIOD} before$`,
  'x-error': { pattern: 'write a reminder as 5 working days before, or 1 h before' },
};

const deadlineMeta: Readonly<Record<string, Shape>> = {
  who: word,
  must: text,
  kind: dutyKind,
  starts: word,
  counting: oneOf(['plain', 'wis-990.001']),
  done: word,
  extended_by: described(
    object({ fact: word, each: allow, granted_by: word }, { required: ['fact', 'each', 'granted_by'] }),
    'A count of extensions, how long each of them is, and the body that may grant them.',
  ),
  may_be_mailed: described(
    yesNo,
    'It may be done by post, so the holidays of calendars.post count beside the legal ones.',
  ),
  waived_by: described(word, 'The body that may let a duty of this clause go.'),
  remind: described(list(before), 'When whoever owes it is reminded, counted back from the due date.'),
  if_missed: object(
    {
      outcome: oneOf([
        'violation',
        'deemed_approved',
        'deemed_denied',
        'deemed_complete',
        'permit_void',
        'appeal_barred',
        'grounds_for_revocation',
        // Late is no breach: what comes then is looked at under the clause that `cite` names, or not at all.
        'out_of_time',
      ]),
      cite: text,
    },
    { required: ['outcome'] },
  ),
};
const pausedBy: Shape = described(
  object(
    { from: word, until: word, then: oneOf(['restart', 'resume']) },
    { required: ['from', 'until', 'then'] },
  ),
  'What stops the clock and what lets it run again: from the start (restart) or with what was left (resume).',
);
const prior = described(yesNo, 'Prior to the day: the day before is the last, and never moves on.');
const due: Shape = byKey(
  [
    ['on', object({ on: described(word, 'The date that somebody set, or that was worked out.'), prior })],
    ['day', object({ day: fixedDay, in_year_of: word, prior }, { required: ['in_year_of'] })],
  ],
  'say the day: { day: Oct 1, in_year_of: some_date }, or a date itself: { on: some_date }',
  ['in_year_of', 'prior'],
);
const deadlineWith = (own: Readonly<Record<string, Shape>>): Shape =>
  object({ ...deadlineMeta, ...own }, { required: ['who', 'must', 'kind', 'starts', 'done', 'if_missed'] });

const either: Shape = { not: {}, 'x-error': { not: 'give a period (allow) or a day (due), not both' } };
const noPause: Shape = {
  not: {},
  'x-error': { not: 'a day that the law names waits for nobody: only a period (allow) can be paused' },
};

/** A period, or a day that the law names. */
export const deadline: Shape = {
  type: 'object',
  ...byKey(
    [
      ['due', deadlineWith({ due, allow: either, paused_by: noPause })],
      ['allow', deadlineWith({ allow, paused_by: pausedBy })],
    ],
    'a deadline has a period (allow: 30 days) or a day (due: { day: Oct 1, in_year_of: some_date })',
    Object.keys(deadlineMeta),
  ),
};
