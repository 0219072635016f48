import { missingFigureShape as missingFigure } from './expressions';
import { byKey, date, object, text, word, yesNo, type Shape } from './shapes';

/** A sum, a range, or a figure that somebody else keeps. */
export const amount: Shape = {
  if: { type: 'object' },
  then: byKey(
    [
      ['missing', missingFigure],
      ['at_most', object({ at_most: text, at_least: text, per: text })],
      ['at_least', object({ at_least: text, per: text })],
    ],
    'an amount is a sum such as $50, { at_least, at_most, per }, or { missing: what, kept_by: who }',
  ),
  else: { type: 'string', 'x-error': { type: 'write a sum of money such as $50' } },
};
export const flatAmount: Shape = {
  if: { type: 'object' },
  then: missingFigure,
  else: { type: 'string', 'x-error': { type: 'write a sum of money such as $50' } },
};

/** A flat fee. */
export const fee: Shape = object(
  { pay: flatAmount, to: word, refundable: yesNo },
  { required: ['pay'], later: ['by', 'tiers'] },
);
export const power: Shape = object({ who: word, may: text, grounds: text }, { required: ['who', 'may'] });
export const obligation: Shape = object({ who: word, must: text }, { required: ['who', 'must'] });
export const inForce: Shape = object(
  {
    from: { if: { const: 'unknown' }, then: {}, else: date },
    until: date,
    verified_on: date,
  },
  { required: ['from'] },
);
