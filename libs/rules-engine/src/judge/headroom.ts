import {
  inUnit,
  quantityJson,
  rationals,
  subtractQuantities,
  type Quantity,
  type QuantityJson,
} from '@headworks/kernel';
import type { Formula } from '../model/ir';
import type { Maybe } from '../model/types';

/** Unknown and none have no amount: null in the answer, and nothing can be worked out from it. */
export function amountJson(formula: Formula, value: Maybe): QuantityJson | null {
  if (value === undefined || value === null || formula.type.is !== 'quantity') return null;
  return quantityJson(inUnit(value as Quantity, formula.type.unit));
}

/** Never below zero: what is over the limit is a matter for the clause, not for what may still come. */
export function remaining(allowed: Formula, used: Maybe, limit: Maybe): QuantityJson | null {
  if (used === undefined || used === null || limit === undefined || limit === null) return null;
  const left = subtractQuantities(limit as Quantity, used as Quantity);
  const zero = { ...left, base: rationals.ZERO };
  return amountJson(allowed, left.base.n < 0n ? zero : left);
}
