import { paceBy } from './pace';

it('lets others have a turn when ten milliseconds are past, and not before', async () => {
  let [now, turns] = [0, 0];
  const pace = paceBy(() => now);
  const turn = () => setImmediate(() => turns++);
  turn();
  now = 9;
  await pace();
  expect(turns).toBe(0);
  now = 10;
  await pace();
  expect(turns).toBe(1);
  turn();
  now = 19;
  await pace();
  expect(turns).toBe(1);
});
