import { missingFigureShape as missingFigure } from './expressions';
import { bandWith } from './tables';
import { byKey, date, fileName, list, object, text, word, yesNo, type Shape } from './shapes';

/** An item of a file in schedules/, and the day by which one of its amounts is picked. */
export const scheduleItem: Shape = object(
  { of: fileName, item: word, on: word },
  { required: ['of', 'item'] },
);

/** A sum, a range, or a figure that somebody else keeps: a body of the pack, or outside of packs a name. */
const amountOf = (missing: Shape): Shape => ({
  if: { type: 'object' },
  then: byKey(
    [
      ['missing', missing],
      ['schedule', object({ schedule: scheduleItem, per: text })],
      ['at_most', object({ at_most: text, at_least: text, per: text })],
      ['at_least', object({ at_least: text, per: text })],
    ],
    'an amount is a sum such as $50, { at_least, at_most, per }, { schedule: { of, item } }, or { missing: what, kept_by: who }',
  ),
  else: { type: 'string', 'x-error': { type: 'write a sum of money such as $50' } },
});
export const amount: Shape = amountOf(missingFigure);
export const keptAmount: Shape = amountOf(
  object({ missing: text, kept_by: text }, { required: ['missing', 'kept_by'] }),
);
export const flatAmount: Shape = {
  if: { type: 'object' },
  then: missingFigure,
  else: { type: 'string', 'x-error': { type: 'write a sum of money such as $50' } },
};

const feeMeta: Readonly<Record<string, Shape>> = { to: word, refundable: yesNo };
/** A flat sum, a sum that was worked out, tiers by an amount, or an item of a schedule. */
export const fee: Shape = {
  type: 'object',
  ...byKey(
    [
      [
        'tiers',
        object(
          { ...feeMeta, by: word, tiers: list(bandWith({ pay: flatAmount }, ['pay'])) },
          { required: ['by'] },
        ),
      ],
      ['schedule', object({ ...feeMeta, schedule: scheduleItem })],
      ['pay', object({ ...feeMeta, pay: flatAmount })],
    ],
    'a fee has a sum (pay: $50), tiers by an amount (by, tiers), or an item of a schedule (schedule: { of, item })',
    ['to', 'refundable', 'by'],
  ),
};
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
