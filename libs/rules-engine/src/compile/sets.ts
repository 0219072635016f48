import type { Leaf } from '../model/ir';
import { readReference } from '../model/json';
import { F, T, U } from '../model/types';
import type { Compiled, Read, Test } from './context';

type Among = Extract<Leaf, { op: 'member' | 'sets' }>;

/** How one text is looked for in a list. A set that says whom it refers to was written as keys are when it was read. */
function finder({ left, right }: Among): (list: readonly string[], text: string) => boolean {
  const to = (type: Among['left']['type']) =>
    type.is === 'reference' || (type.is === 'set' && type.to !== undefined);
  const written = right.type.is === 'set' && right.type.to !== undefined;
  if (!to(left.type) || written) return (list, text) => list.includes(text);
  return (list, text) => list.some((one) => readReference(one) === text);
}

export function memberTest(left: Read, leaf: Extract<Leaf, { op: 'member' }>, to: Compiled): Test {
  const right = to.formula(leaf.right);
  const wanted = leaf.by === 'is_one_of';
  const find = finder(leaf);
  return (e) => {
    const value = left(e);
    if (value === null) return F;
    const list = right(e) as readonly string[] | null | undefined;
    if (list === null) return F;
    if (value === undefined || list === undefined) return U;
    return find(list, value as string) === wanted ? T : F;
  };
}

/** One set against another. Of a set with nothing in it all are among any, and none is. */
export function setsTest(left: Read, leaf: Extract<Leaf, { op: 'sets' }>, to: Compiled): Test {
  const right = to.formula(leaf.right);
  const find = finder(leaf);
  const { by } = leaf;
  return (e) => {
    const own = left(e) as readonly string[] | null | undefined;
    if (own === null) return F;
    const list = right(e) as readonly string[] | null | undefined;
    if (list === null) return F;
    if (own === undefined || list === undefined) return U;
    switch (by) {
      case 'all_of':
        return own.every((one) => find(list, one)) ? T : F;
      case 'any_of':
        return own.some((one) => find(list, one)) ? T : F;
      case 'none_of':
        return own.some((one) => find(list, one)) ? F : T;
    }
  };
}
