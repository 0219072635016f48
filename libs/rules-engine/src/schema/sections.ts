import { deadline } from './deadlines';
import { fee, obligation, power } from './verbs';
import {
  byKey,
  clauseId,
  clauseIds,
  described,
  list,
  named,
  object,
  oneOf,
  ref,
  text,
  word,
  words,
  yesNo,
  type Shape,
} from './shapes';

const PLAIN_TYPES = [
  'bool',
  'judgement',
  'choice',
  'set',
  'text',
  'reference',
  'address',
  'actor',
  'date',
  'instant',
  'series',
];
const typeOf: Shape = described(
  text,
  `One of ${PLAIN_TYPES.join(', ')}, a kind of quantity (length, area, volume, elapsed, mass, concentration, money, percent, ph, animal_units, count) or a rate such as volume/area.`,
);

const field: Shape = object(
  { type: typeOf, unit: text, of: list(text), label: text },
  { required: ['type'] },
);

/** All that a pack may ask for. */
export const fact: Shape = object(
  {
    type: typeOf,
    label: text,
    unit: text,
    of: described(
      { if: { type: 'array' }, then: list(text), else: oneOf(['date']) },
      'The words of a choice or of a set, or date for a set of days.',
    ),
    to: described(word, 'What a reference (or a set of references) names: a subject kind.'),
    optional: described(yesNo, 'May be none: known not to have happened. Written as JSON null.'),
    personal: described(yesNo, 'Sealed in the log; no clause, limit or derived value may use it.'),
    holds: described(oneOf(['day', 'until_replaced']), 'How long a recorded value stays true.'),
    by: described(word, 'Judgements: the body whose call it is.'),
    ask: described(text, 'Judgements: the question that the body answers.'),
    live: described(
      word,
      'A yes or no: whether the permit that this reference names gives leave now. Nobody brings it.',
    ),
    permit: described(word, 'With live: the permit type that it must be of.'),
    fields: named(field),
  },
  { required: ['type', 'label'] },
);

export const claim = { cite: text, rows: ref('row_ids') };

export const interpretation: Shape = object(
  { id: text, choice: word, reading: text, why: text, by: text },
  { required: ['id', 'choice', 'reading', 'why', 'by'] },
);

const clauseMeta: Readonly<Record<string, Shape>> = {
  id: clauseId,
  ...claim,
  about: { if: { type: 'array' }, then: words, else: word },
  says: text,
  binds: oneOf(['person', 'office']),
  applies_if: ref('condition'),
  interpretation: ref('interpretation'),
  reading: text,
};
const clauseNeeds = ['id', 'cite', 'rows', 'says'];
/** What each verb of a clause brings with it: `unless` has a meaning only where a condition can be broken. */
const VERBS: readonly (readonly [string, Readonly<Record<string, Shape>>, readonly string[]])[] = [
  ['require', { require: ref('condition'), unless: ref('condition'), continues_until: word }, ['about']],
  ['forbid', { forbid: ref('condition'), unless: ref('condition'), continues_until: word }, ['about']],
  ['deadline', { deadline, continues_until: word }, ['about']],
  ['fee', { fee }, []],
  ['power', { power }, []],
  ['obligation', { obligation }, []],
];
export const clause: Shape = {
  type: 'object',
  ...byKey(
    VERBS.map(([key, own, needs]): [string, Shape] => [
      key,
      object({ ...clauseMeta, ...own }, { required: [...clauseNeeds, ...needs] }),
    ]),
    `a clause has exactly one of ${VERBS.map(([key]) => key).join(', ')}`,
  ),
};

export const gives: Shape = named(
  oneOf([
    'quantity',
    'occurredAt',
    'finishedAt',
    'occurred_on',
    'hauler',
    'vehicle',
    'person',
    'ticket',
    'signed',
    'waste_types',
    'generators_named',
    'locations_named',
    'manifest_accepted_at',
    'campaign_start',
    'campaign_number',
  ]),
);

/** Facts of the places that sources come from: each must hold at every one of them. */
export const sources: Shape = object(
  { kind: word, all: { ...named(word), minProperties: 1 } },
  { required: ['kind', 'all'] },
);

/** What a recorded load is, so that no program has to know. */
export const load: Shape = object(
  {
    label: text,
    on: word,
    permit: described(word, 'The permit type that it is under, or none.'),
    judged_by: word,
    counts_in: { type: 'array', items: word },
    facts: { type: 'array', items: word },
    gives: ref('gives'),
    sources: ref('sources'),
  },
  { required: ['label', 'on', 'judged_by', 'counts_in', 'facts', 'gives'] },
);

const actBy: Shape = byKey(
  [
    ['body', object({ body: word, same_as: word, not_same_as: word })],
    ['person', object({ person: word, same_as: word, not_same_as: word })],
  ],
  'say who acts: { body: some_body } or { person: some_word }',
);
/** A verb of the law: who may do what to which thing, and what is known afterwards. */
export const act: Shape = object(
  {
    label: text,
    ...claim,
    on: word,
    by: actBy,
    when: ref('condition'),
    records: { type: 'array', items: word },
    gives: ref('gives'),
    needs: clauseIds,
    starts: clauseIds,
    ends: clauseIds,
    undoes: word,
    once: yesNo,
    scope: described(
      words,
      'Facts that say what it is about: it is done, undone, done once for each such thing.',
    ),
    until: described(word, 'A date or time that it records: what it records holds until then, that day in.'),
    judged_by: word,
    event: {
      type: 'string',
      pattern: '^[A-Z][A-Za-z0-9]+$',
      'x-error': { pattern: 'write GroundInspected' },
    },
  },
  { required: ['label', 'cite', 'on', 'by', 'event'] },
);

/** What is counted, on what, over which window, and which clauses judge each posting. */
export const limit: Shape = object(
  {
    label: text,
    ...claim,
    key: word,
    window: {
      type: 'string',
      pattern: '^(calendar year|week|rolling [1-9][0-9]{0,3} days)$',
      'x-error': { pattern: 'write calendar year, week or rolling 365 days' },
    },
    campaign: {
      type: 'string',
      pattern: '^[1-9][0-9]{0,3} h$',
      'x-error': { pattern: 'write a campaign in hours: 24 h' },
    },
    counts_if: word,
    series: word,
    row: named(word),
    measures: words,
    under: clauseIds,
    headroom: list(
      object({ clause: clauseId, used: word, allowed: text }, { required: ['clause', 'used', 'allowed'] }),
    ),
  },
  { required: ['label', 'key', 'window', 'series', 'row', 'measures', 'under'] },
);

/** Two meanings of one text: all of them, the chosen one, why, and by whom. */
export const reading: Shape = object(
  { choices: list(word, 2), chosen: word, says: text, why: text, by: text, rows: ref('row_ids') },
  { required: ['choices', 'chosen', 'why', 'by'] },
);
