import path from 'node:path';
import { loadRules, removeFacts } from '@headworks/rules-engine';

const RULES = path.resolve(__dirname, '../../rules');
const packs = [...loadRules(RULES).packs.values()].flat();
// Around the end of the closed half of the year, a change of the clocks and a Sunday.
const MOMENTS = [Date.UTC(2027, 9, 31, 12), Date.UTC(2027, 6, 4, 12)];
/** Of all packs together: another ordinance costs no time, and none is tried with less than the others. */
const ALL = 300_000;
const EACH = Math.ceil(ALL / packs.length / MOMENTS.length);

describe(`taking facts away from the packs of this repository, ${ALL} findings in all`, () => {
  it.each(packs.map((pack) => [`${pack.ref.pack} ${pack.ref.version}`, pack] as const))(
    '%s: each only ever turns to unknown',
    (_name, pack) => {
      for (const now of MOMENTS) {
        const { flips, compared, seen } = removeFacts(pack, { findings: EACH, seed: 20261130, now });
        expect(flips).toEqual([]);
        expect(compared).toBeGreaterThanOrEqual(EACH);
        for (const status of ['satisfied', 'violated'])
          expect(seen.get(status) ?? 0).toBeGreaterThan(EACH / 25);
      }
    },
  );
});
