import { described, list, object, ref, text, word, type Shape } from './shapes';

const figure: Shape = {
  type: ['string', 'number'],
  'x-error': { type: 'write a figure with its unit (75 au)' },
};
const ENDS = { at_least: figure, more_than: figure, at_most: figure, less_than: figure };
/** A stretch of an amount. What stands beside its ends says what it is for: a fee, or nothing in a table. */
export const bandWith = (own: Readonly<Record<string, Shape>>, required: readonly string[]): Shape =>
  object(
    { ...ENDS, ...own },
    { required, errors: { minProperties: ONE_END }, rest: { minProperties: required.length + 1 } },
  );
const ONE_END = 'give a band one of at_least, more_than, at_most, less_than';

const columns: Shape = object(
  {
    by: described(word, 'A choice, a yes or no, or (with bands) an amount.'),
    of: list({
      if: { type: 'object' },
      then: bandWith({}, []),
      else: {
        type: ['string', 'boolean'],
        'x-error': { type: 'write a word, or a band such as { at_most: 6 % }' },
      },
    }),
  },
  { required: ['by', 'of'] },
);

const cell: Shape = {
  type: ['string', 'number'],
  'x-error': { type: 'a cell is a figure, missing or not_allowed' },
};
const line: Shape = {
  if: { type: 'array' },
  then: list({ if: { type: 'array' }, then: list(cell), else: cell }),
  else: cell,
};

/** A table of the law, entered by a row and at most two columns. */
export const table: Shape = object(
  {
    label: text,
    cite: text,
    unit: described(text, 'Of all figures in it; without one they are counts.'),
    columns: {
      if: { type: 'array' },
      then: { ...list(columns), maxItems: 2, 'x-error': { maxItems: 'a table has at most two columns' } },
      else: columns,
    },
    rows: {
      type: 'object',
      propertyNames: {
        pattern: '^[a-z][a-z0-9_]*$',
        'x-error': { pattern: 'rows are lower-case words joined by _' },
      },
      additionalProperties: line,
      minProperties: 1,
      description:
        'A line a row, a cell a column; with two columns a list of lists, the first column outside.',
    },
    missing: ref('missing_figure'),
  },
  { required: ['label', 'cite', 'rows'] },
);
