import { expectEachOnce, raceForTheLastGallons, raceOnOneMeadow } from './testing/race.testing';
import { VatWorld } from './testing/vats.testing';
import { openShared } from './testing/world.testing';

it('two hundred loads that race on one meadow: each is recorded once, each breach is one violation', async () => {
  const world = await raceOnOneMeadow();
  await expectEachOnce(world);
});

it.each([
  ['one process', 1],
  ['two processes', 2],
])('three hundred manifests that race for a hundred gallons, of %s', async (_, processes) => {
  const shared = await openShared();
  const singleWriter = processes === 1;
  const worlds = Array.from({ length: processes }, () => new VatWorld(shared, { singleWriter }));
  expect(await raceForTheLastGallons(worlds)).toBe(100);
});
