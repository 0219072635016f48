import fc from 'fast-check';
import { storyArb, tellInTime, tellLate } from './testing/stories.testing';
import { whatStands } from './testing/what-stands.testing';

describe('any order of arrival of the same loads, facts, acts and corrections', () => {
  it('gives the same ledgers, violations, days, duties and findings as telling them in time', async () => {
    await fc.assert(
      fc.asyncProperty(storyArb, async (story) => {
        const inTime = await whatStands(await tellInTime(story));
        expect(await whatStands(await tellLate(story))).toEqual(inTime);
      }),
      { numRuns: 40 },
    );
  });
});
