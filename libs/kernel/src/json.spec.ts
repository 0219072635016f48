import fc from 'fast-check';
import canonicalize from 'canonicalize';
import { sameJson, type JsonValue } from './json';

describe('the same JSON', () => {
  it.each<[string, JsonValue, JsonValue, boolean]>([
    ['keys in another order', { a: 1, b: [{ c: null, d: '' }] }, { b: [{ d: '', c: null }], a: 1 }, true],
    ['another order of a list', [1, 2], [2, 1], false],
    ['a longer list', [1], [1, 2], false],
    ['a member more', { a: 1 }, { a: 1, b: 1 }, false],
    ['another member', { a: 1 }, { b: 1 }, false],
    ['a member that only an object of its own has', { a: 1 }, { toString: 1 }, false],
    ['a list and an object', [], {}, false],
    ['null and nothing in it', null, {}, false],
    ['a number and its text', 1, '1', false],
  ])('%s', (_, a, b, same) => {
    expect([sameJson(a, b), sameJson(b, a)]).toEqual([same, same]);
  });

  it('is what has the same canonical text', () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(json, json, (a, b) => sameJson(a, b) === (canonicalize(a) === canonicalize(b))),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(json, (a) => sameJson(a, JSON.parse(canonicalize(a) ?? '') as JsonValue)),
      { numRuns: 2000 },
    );
  });
});
