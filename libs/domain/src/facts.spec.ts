import fc from 'fast-check';
import {
  annulFacts,
  changesOf,
  correctFacts,
  factAt,
  noFacts,
  recordFacts,
  type FactTimeline,
  type Recording,
} from './facts';
import { compareKeys } from './legal-order';

const said = (ms: number, value: string, revision = ms, until?: string): Recording => ({
  facts: { depth: value },
  key: { ms, recordedAt: '2027-01-01T00:00:00.000Z', revision },
  event: `s@${revision}`,
  ...(until !== undefined && { until: { depth: until } }),
});
const timeline = (...all: readonly Recording[]): FactTimeline => all.reduce(recordFacts, noFacts);
const at = (facts: FactTimeline, ms: number) => factAt(facts, 'depth', ms)?.json;

describe('a fact', () => {
  it('holds from its instant until another is said', () => {
    const facts = timeline(said(10, 'a'), said(20, 'b'));
    expect([9, 10, 19, 20, 99].map((ms) => at(facts, ms))).toEqual([undefined, 'a', 'a', 'b', 'b']);
  });

  it('holds until its own end, and what was so before does not come back', () => {
    const facts = timeline(said(10, 'a'), said(20, 'b', 20, '1970-01-01T00:00:00.030Z'));
    expect([19, 29, 30, 99].map((ms) => at(facts, ms))).toEqual(['a', 'b', undefined, undefined]);
  });

  it('of one instant: the one recorded later', () => {
    expect(at(timeline(said(10, 'a', 1), said(10, 'b', 2)), 10)).toBe('b');
    expect(at(timeline(said(10, 'b', 2), said(10, 'a', 1)), 10)).toBe('b');
  });

  it('corrected, says the new value from the old instant; of another event it says nothing', () => {
    const facts = correctFacts(
      timeline(said(10, 'a', 1), said(20, 'b', 2)),
      's@1',
      { depth: 'c', other: 'x' },
      's@3',
    );
    expect([at(facts, 10), at(facts, 20)]).toEqual(['c', 'b']);
    expect(factAt(facts, 'other', 10)).toBeUndefined();
    expect(factAt(facts, 'depth', 10)).toMatchObject({ recordedBy: 's@1', saidBy: 's@3' });
  });

  it('annulled, never held', () => {
    const facts = annulFacts(timeline(said(10, 'a', 1)), 's@1');
    expect(at(facts, 10)).toBeUndefined();
    expect(facts.rows.size).toBe(0);
  });

  it('changes at each instant at which one of the facts was said', () => {
    const facts = timeline(said(20, 'b'), said(10, 'a'), said(10, 'c', 3));
    expect(changesOf(facts, ['depth', 'unheard'], 10)).toEqual([10, 20]);
    expect(changesOf(facts, ['depth'], 11)).toEqual([20]);
  });

  it('is the same in whatever order it was recorded', () => {
    const recordings = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(recordings, fc.infiniteStream(fc.nat()), (instants, seeds) => {
        const all = instants.map((ms) => said(ms, `v${ms}`));
        const shuffled = all
          .map((one) => ({ one, by: seeds.next().value }))
          .toSorted((a, b) => a.by - b.by)
          .map(({ one }) => one);
        expect(timeline(...shuffled)).toEqual(timeline(...all.toSorted((a, b) => compareKeys(a.key, b.key))));
      }),
    );
  });
});
