import {
  byKey,
  clauseIds,
  described,
  list,
  named,
  object,
  oneOf,
  ref,
  text,
  word,
  yesNo,
  type Shape,
} from './shapes';

/** A figure that the law leaves to someone else and nobody has sourced: never invented, always unknown. */
export const missingFigureShape: Shape = object(
  { missing: text, kept_by: word },
  { required: ['missing', 'kept_by'] },
);

const missingFigure = ref('missing_figure');

/** A literal (a quantity such as 600 ft, a number, a date, a word) or the name of another fact. */
export const operandShape: Shape = {
  if: { type: 'object' },
  then: missingFigure,
  else: {
    type: ['string', 'number'],
    'x-error': { type: 'write a figure with its unit (600 ft) or the name of a fact' },
  },
};
const operand = ref('operand');

export const operandListShape: Shape = {
  if: { type: 'array' },
  then: list({ type: ['string', 'number'] }),
  else: { type: 'string' },
};
const operandList = ref('operand_list');

export const seasonShape: Shape = {
  type: 'string',
  pattern: '^[A-Z][a-z]{2} \\d{1,2} to [A-Z][a-z]{2} \\d{1,2}$',
  'x-error': { pattern: 'write a season as Oct 31 to Apr 30' },
};

const season = ref('season');

const WEEKDAY = '(Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
export const hours: Shape = {
  type: 'string',
  pattern: `^\\d{1,2}:\\d{2} to \\d{1,2}:\\d{2}( ${WEEKDAY}( to ${WEEKDAY})?)?$`,
  'x-error': { pattern: 'write hours as 7:00 to 15:30 Mon to Fri' },
};

/** Every operator that a leaf of a condition may have, and what stands after it. */
export const OPERATORS: Readonly<Record<string, Shape>> = {
  at_least: operand,
  at_most: operand,
  more_than: operand,
  less_than: operand,
  equals: { type: ['string', 'number', 'boolean'] },
  is: { type: ['string', 'number', 'boolean'] },
  is_one_of: operandList,
  none_of: operandList,
  all_of: operandList,
  any_of: operandList,
  on_or_after: { type: 'string' },
  on_or_before: { type: 'string' },
  before: { type: 'string' },
  after: { type: 'string' },
  in_season: season,
  outside_season: season,
  in_year_of: { type: 'string' },
  in_hours: hours,
  happened: yesNo,
};
const ONE_OPERATOR = `a condition on a fact has exactly one of ${Object.keys(OPERATORS).join(', ')}`;

const elsewhere: Readonly<Record<string, Shape>> = {
  pack: described(text, 'Another pack, by the version of it in force on the day.'),
  on: described(word, 'The day by which its version is picked.'),
  facts: described(
    list(word),
    'Facts and derived values of this pack that the other knows by the same name.',
  ),
  as: described({ ...named(word), minProperties: 1 }, 'What the other calls it: what it is here.'),
};
/** Clauses of this pack, or of another one. */
const clausesMet: Shape = {
  if: { type: 'object' },
  then: byKey(
    [
      ['assessment', object({ ...elsewhere, assessment: word }, { required: ['pack', 'on'] })],
      ['clauses', object({ ...elsewhere, clauses: clauseIds }, { required: ['pack', 'on'] })],
    ],
    'name clauses of this pack in [ ], or { pack, assessment, on, facts } or { pack, clauses, on, facts } of another',
    Object.keys(elsewhere),
  ),
  else: clauseIds,
};

const conditions: Shape = list(ref('condition'));

export const condition: Shape = {
  type: 'object',
  description: 'A condition on facts: a leaf (fact and one operator), or all, any, not, clauses_met.',
  'x-error': { type: 'write a condition such as { fact: some_fact, is: yes }' },
  ...byKey(
    [
      [
        'fact',
        object(
          { fact: word, ...OPERATORS },
          {
            errors: { minProperties: ONE_OPERATOR, maxProperties: ONE_OPERATOR },
            rest: { minProperties: 2, maxProperties: 2 },
          },
        ),
      ],
      [
        'field',
        object(
          { field: word, ...OPERATORS },
          {
            errors: { minProperties: ONE_OPERATOR, maxProperties: ONE_OPERATOR },
            rest: { minProperties: 2, maxProperties: 2 },
          },
        ),
      ],
      ['all', object({ all: conditions })],
      ['any', object({ any: conditions })],
      ['not', object({ not: ref('condition') })],
      ['clauses_met', object({ clauses_met: clausesMet })],
    ],
    'a condition starts with one of fact, all, any, not, clauses_met',
  ),
};

const whole = (minimum: number, maximum: number, advice: string): Shape => ({
  type: 'integer',
  minimum,
  maximum,
  'x-error': { type: advice, minimum: advice, maximum: advice },
});

const formulas: Shape = list(ref('formula'));
const twoFormulas: Shape = {
  type: 'array',
  items: ref('formula'),
  minItems: 2,
  maxItems: 2,
  'x-error': { minItems: 'give exactly two: [first, second]', maxItems: 'give exactly two: [first, second]' },
};
const sameYear: Shape = object({ field: word, as: word }, { required: ['field', 'as'] });
const rolling: Shape = {
  type: 'object',
  ...byKey(
    ['days', 'months', 'years'].map((key): [string, Shape] => [
      key,
      object(
        { field: word, as: word, [key]: whole(1, 36500, `write a whole number of ${key}`) },
        { required: ['field', 'as'] },
      ),
    ]),
    'say how long it looks back, by one of days, months, years',
    ['field', 'as'],
  ),
};
/** The window has been applied by whoever hands the series in; these narrow it further. */
const rowsOf: Readonly<Record<string, Shape>> = {
  series: word,
  same_year: sameYear,
  rolling: described(rolling, 'Rows of so many days up to a day, that day in.'),
  where: described(
    ref('condition'),
    'A condition on columns (field) of the row; facts may be compared with.',
  ),
};
const sumOf: Shape = object({ field: word, ...rowsOf }, { required: ['series', 'field'] });
const countOf: Shape = object(rowsOf, { required: ['series'] });
const tableOf: Shape = object({ of: word, row: word }, { required: ['of', 'row'] });
const scheduleOf: Shape = ref('schedule_item');
const choices: Shape = list(
  byKey(
    [
      ['when', object({ when: ref('condition'), then: ref('formula') }, { required: ['then'] })],
      ['otherwise', object({ otherwise: ref('formula') })],
    ],
    'each line of choose is { when: condition, then: formula } and the last { otherwise: formula }',
  ),
);

export const fixedDay: Shape = {
  type: 'string',
  pattern: '^[A-Z][a-z]{2} \\d{1,2}$',
  'x-error': { pattern: 'write a day of the year as Oct 1' },
};
export const dutyKind: Shape = oneOf(['filing', 'payment', 'notice', 'decision', 'physical']);
/** How far a day lies from another: exactly one of these. */
const STEPS: readonly (readonly [string, number])[] = [
  ['days', 36500],
  ['weeks', 5200],
  ['working_days', 5000],
  ['months', 1200],
  ['years', 100],
];
const step = (more: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  ...byKey(
    STEPS.map(([key, most]): [string, Shape] => {
      const words = key.replace('_', ' ');
      const amount = whole(1, most, `write a whole number of ${words}, from 1 to ${most}`);
      return [key, object({ date: ref('formula'), [key]: amount, ...more }, { required: ['date'] })];
    }),
    `say how far, by one of ${STEPS.map(([key]) => key).join(', ')}`,
    ['date', ...Object.keys(more)],
  ),
});
const dayAfter: Shape = step({});
const dayBefore: Shape = step({ clear: yesNo });
const yearDay: Shape = object(
  {
    day: fixedDay,
    of: ref('formula'),
    years: whole(-100, 100, 'write a whole number of years, such as -1 for the year before'),
    rolls: dutyKind,
  },
  { required: ['day', 'of'] },
);

/** Every operator of a formula, and what stands after it. */
export const FORMULAS: Readonly<Record<string, Shape>> = {
  sum: formulas,
  subtract: twoFormulas,
  multiply: formulas,
  divide: twoFormulas,
  minimum: formulas,
  maximum: formulas,
  latest: formulas,
  earliest: formulas,
  day: ref('formula'),
  day_after: dayAfter,
  day_before: dayBefore,
  year_day: yearDay,
  month_end: ref('formula'),
  year: ref('formula'),
  sum_of: sumOf,
  count_of: countOf,
  table: tableOf,
  schedule: scheduleOf,
  choose: choices,
};
const FORMULA_WORDS = Object.keys(FORMULAS).join(', ');

/** A formula: a name, a literal, `none`, or one operator with its operands. */
export const formula: Shape = {
  description: 'A fact or derived value by name, a literal (8.34 lb/gal, 2027-01-01, none), or one operator.',
  if: { type: 'object' },
  then: {
    ...byKey(
      [
        ['missing', missingFigure],
        ...Object.entries(FORMULAS).map(([key, shape]): [string, Shape] => [key, object({ [key]: shape })]),
      ],
      `a formula has exactly one of ${FORMULA_WORDS}`,
    ),
  },
  else: {
    type: ['string', 'number'],
    'x-error': { type: 'write a name, a figure with its unit, or one operator' },
  },
};

const derivedMeta: Readonly<Record<string, Shape>> = { label: text, unit: text, cite: text };

const choiceWords = { of: described(list(word), 'The words that choose picks among.') };

/** A named value: a formula with a label, or `when` with a condition for a derived yes or no. */
export const derived: Shape = {
  type: 'object',
  ...byKey(
    [
      ['when', object({ ...derivedMeta, when: ref('condition') }, { required: ['label'] })],
      ...Object.entries(FORMULAS).map(([key, shape]): [string, Shape] => [
        key,
        object(
          { ...derivedMeta, ...(key === 'choose' ? choiceWords : {}), [key]: shape },
          { required: ['label'] },
        ),
      ]),
    ],
    `a derived value has a label and one of when, ${FORMULA_WORDS}`,
  ),
};
