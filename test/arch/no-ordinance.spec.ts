import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finder, namesOfPack, namesOfRules, productionFiles } from './ordinance-names';
import { ROOT } from './planted';

/** Words of every request and answer of the program that a pack may use as names too, with the reason. */
const WORDS_OF_THE_PROGRAM: Readonly<Record<string, string>> = {
  hauler: 'who brings a load, whatever the ordinance',
  vehicle: 'what brings a load, whatever the ordinance',
  quantity: 'how much a load is, whatever the ordinance',
  wasteType: 'of each source of a load, in every request; a fact that a pack spells so stays its own',
  waste_types: 'those of all sources together: one of the closed list of what a load can give to any pack',
  wasteTypes: 'the same, as the program spells it',
  discharge: 'that a load is brought, whatever the ordinance: a command of the load (LoadDischarged)',
  form: 'the facts that an application may bring, for a permit of any type',
  onRoute: 'a hook of Fastify; a fact that a pack spells so stays its own',
  record: 'what the program does with all that happened; a clause may be called so',
};

const PACK = `
pack: example-law
version: "1"
jurisdiction: wi-example-town
facts:
  frost_depth: { type: length, unit: in }
  saturated: { type: bool }
derived:
  rate_this_year: { label: x }
subjects:
  parcel: { label: Parcel, key: tax key, facts: [frost_depth] }
acts:
  inspect_frost: { on: parcel, event: FrostInspected }
loads:
  spreading: { on: parcel }
permits:
  road_use: { title: x }
limits:
  parcel_year: { key: parcel }
clauses:
  - { id: F.residence }
  - { id: A }
`;

const PLANTED: readonly (readonly [what: string, text: string])[] = [
  ['pack', "const pack = 'example-law';"],
  ['jurisdiction', 'const town = `of wi-example-town only`;'],
  ['fact', "const depth = facts['frost_depth'];"],
  ['fact', 'const depth = state.frostDepth;'],
  ['fact', 'interface Facts { readonly saturated: boolean }'],
  ['fact', "if (error) throw new Error('the ground is saturated');"],
  ['derived value', "value('rate_this_year', facts);"],
  ['subject kind', "const route = '/subjects/parcel/:id';"],
  ['subject kind', 'type Kind = "plant" | "parcel";'],
  ['act', "switch (act) { case 'inspect_frost': break; }"],
  ['act', 'export function inspectFrost(): void {}'],
  ['event', "evolve['.FrostInspected'];"],
  ['load', 'const load = `${pack}/spreading`;'],
  ['permit type', 'class RoadUse {}'],
  ['limit', 'const limit = /^parcel_year$/;'],
  ['clause', "const clause = 'F.residence';"],
];

describe('no ordinance in code', () => {
  const find = finder(namesOfPack(PACK));

  it.each(PLANTED)('a %s is found in: %s', (what, text) => {
    expect(find('libs/domain/src/planted.ts', text)).toEqual([
      expect.stringMatching(new RegExp(`^libs/domain/src/planted\\.ts:1: '.+' is a ${what} of example-law$`)),
    ]);
  });

  it.each([
    ['a longer word', "const words = ['parcelled', 'on_parcel', 'unsaturated'];"],
    ['a comment', '// Spreading on a parcel is saturated with frost_depth.\nexport const one = 1;'],
    ['a clause id of one letter', "const clause = 'A';"],
    ['a name that the code is handed', 'const depth = facts[definition.name];'],
  ])('%s is none', (_, text) => {
    expect(find('libs/domain/src/planted.ts', text)).toEqual([]);
  });

  it('a word of the program is let pass in its own spelling alone', () => {
    const lenient = finder(namesOfPack(PACK), new Set(['frostDepth']));
    expect(lenient('a.ts', "const frostDepth = read('depth');")).toEqual([]);
    expect(lenient('a.ts', "const frostDepth = read('frost_depth');")).toEqual([
      "a.ts:1: 'frost_depth' is a fact of example-law",
    ]);
  });

  describe('in this repository', () => {
    const names = namesOfRules(join(ROOT, 'rules'));

    it('packs are found', () => {
      const found = new Set(names.map(({ what }) => what));
      expect(
        ['pack', 'subject kind', 'act', 'fact', 'load', 'limit'].filter((what) => !found.has(what)),
      ).toEqual([]);
    });

    it('libs and apps name no pack, kind, act, fact, load, limit, permit type or clause', () => {
      const files = productionFiles(ROOT, ['libs', 'apps']);
      const search = finder(names, new Set(Object.keys(WORDS_OF_THE_PROGRAM)));
      expect(files.length).toBeGreaterThan(30);
      expect(files.flatMap((file) => search(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
    });
  });
});
