import { holdingOf, isHolderAlone, mustFileFor, mustSeeOf, parseHolding, seesOf } from './holding';

const caller = (roles: readonly string[], ...keys: readonly string[]) => ({
  id: 'caller',
  roles,
  jurisdictions: ['a-town'],
  holds: keys.map((key) => ({ kind: 'hauler', key })),
});
const hauler = (key: string) => ({ kind: 'hauler', key });

it('narrows a holder and nobody else, and one without a role to nothing that it could have', () => {
  expect(isHolderAlone(caller(['holder']))).toBe(true);
  expect(isHolderAlone(caller(['holder', 'clerk']))).toBe(false);
  expect(isHolderAlone(caller([]))).toBe(false);
  expect(holdingOf(caller(['clerk'], 'a'))).toBeUndefined();
  expect(holdingOf(caller(['holder'], 'a'))).toEqual([hauler('a')]);
  expect(holdingOf({ id: 'x', roles: ['holder'], jurisdictions: '*' })).toEqual([]);
});

it.each([
  ['hauler:12345', hauler('12345')],
  [' hauler: O’Neil: Sons ', hauler('O’Neil: Sons')],
  ['hauler', undefined],
  ['hauler:', undefined],
  ['hauler:  ', undefined],
  [':12345', undefined],
  ['Hauler:1', undefined],
  [`hauler:${'x'.repeat(201)}`, undefined],
])('reads %j', (text, holding) => {
  expect(parseHolding(text)).toEqual(holding);
});

it('sees its own in any spelling, and neither another kind nor another key', () => {
  const own = caller(['holder'], 'lp  8841', 'b');
  expect(seesOf(own, [hauler('other'), hauler('LP 8841')])).toBe(true);
  expect(seesOf(own, [hauler('LP 8842')])).toBe(false);
  expect(seesOf(own, [{ kind: 'vehicle', key: 'b' }])).toBe(false);
  expect(seesOf(own, [undefined])).toBe(false);
  expect(seesOf(caller(['reader']), [undefined])).toBe(true);
});

it('is told of another’s that there is none, and where it would file for another whom it acts for', () => {
  const own = caller(['holder'], 'a', 'b');
  expect(() => mustSeeOf(own, [hauler('c')], 'There is no such load here.')).toThrow(
    expect.objectContaining({ code: 'not-found', message: 'There is no such load here.' }),
  );
  mustSeeOf(own, [hauler('A')], 'unused');
  mustFileFor(own, hauler('B'));
  expect(() => mustFileFor(own, hauler('c'))).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      message:
        'You act for hauler a, hauler b, not for hauler c; file for one that you hold, or ask a clerk.',
    }),
  );
  expect(() => mustFileFor(caller(['holder']), hauler('c'))).toThrow('You act for nobody, not for hauler c');
});
