import path from 'node:path';
import { loadRules, removeFacts } from '@headworks/rules-engine';

const RULES = path.resolve(__dirname, '../../rules');
const packs = [...loadRules(RULES).packs.values()].flat();

describe('taking facts away from the packs of this repository', () => {
  it.each(packs.map((pack) => [`${pack.ref.pack} ${pack.ref.version}`, pack] as const))(
    '%s: 50,000 findings, and each only ever turns to unknown',
    (_name, pack) => {
      // Around the end of the closed half of the year, a change of the clocks and a Sunday.
      for (const now of [Date.UTC(2027, 9, 31, 12), Date.UTC(2027, 6, 4, 12)]) {
        const { flips, compared, seen } = removeFacts(pack, { findings: 50_000, seed: 20261130, now });
        expect(flips).toEqual([]);
        expect(compared).toBeGreaterThanOrEqual(50_000);
        for (const status of ['satisfied', 'violated']) expect(seen.get(status) ?? 0).toBeGreaterThan(2_000);
      }
    },
  );
});
