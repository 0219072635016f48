import { expectEachOnce, raceOnOneMeadow } from './testing/race.testing';

it('two hundred loads that race on one meadow: each is recorded once, each breach is one violation', async () => {
  const world = await raceOnOneMeadow();
  await expectEachOnce(world);
});
